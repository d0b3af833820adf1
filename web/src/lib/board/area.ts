// The outline of an area of square cells.

import type { Point } from './geometry';

type Edge = [from: Point, to: Point];

/** How far the corners of an area are rounded. */
const RADIUS = 0.3;
const SIDES: [number, number][] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** The outline of the cells around `centers`, with round corners, as SVG path data. */
export function areaOutline(centers: Point[]): string {
  const edges = boundary(centers);
  let path = '';
  for (const list of edges.values()) {
    while (list.length > 0) path += roundedLoop(takeLoop(edges, list));
  }
  return path;
}

/** The edges between a cell of the area and a cell outside it, by their start. The area is on their right. */
function boundary(centers: Point[]): Map<string, Edge[]> {
  const inside = new Set(centers.map(text));
  const edges = new Map<string, Edge[]>();
  for (const { x, y } of centers) {
    for (const [dx, dy] of SIDES) {
      if (inside.has(text({ x: x + dx, y: y + dy }))) continue;
      const from = { x: x + (dx + dy) / 2, y: y + (dy - dx) / 2 };
      const to = { x: x + (dx - dy) / 2, y: y + (dy + dx) / 2 };
      edges.set(text(from), [...(edges.get(text(from)) ?? []), [from, to]]);
    }
  }
  return edges;
}

/** Removes a closed loop of edges that starts with an edge of `list`. */
function takeLoop(edges: Map<string, Edge[]>, list: Edge[]): Edge[] {
  const loop: Edge[] = [];
  for (let edge = list.pop(); edge;) {
    loop.push(edge);
    const next: Edge[] = edges.get(text(edge[1])) ?? [];
    // Where two cells touch in a corner only, a right turn stays at the same cell.
    const [a, b] = next;
    const sharper = a && b && turn(edge, b) > turn(edge, a) ? b : a;
    if (sharper) next.splice(next.indexOf(sharper), 1);
    edge = sharper;
  }
  return loop;
}

/** Positive for a right turn, 0 for straight on, negative for a left turn. */
function turn([a, b]: Edge, [c, d]: Edge): number {
  return (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
}

function roundedLoop(loop: Edge[]): string {
  const corners = loop.flatMap((edge, i) => {
    const next = loop[(i + 1) % loop.length] ?? edge;
    if (turn(edge, next) === 0) return [];
    const [corner, before, after] = [edge[1], edge[0], next[1]];
    const near = (other: Point) => ({
      x: corner.x + (other.x - corner.x) * RADIUS,
      y: corner.y + (other.y - corner.y) * RADIUS,
    });
    return [`${text(near(before))}Q${text(corner)} ${text(near(after))}`];
  });
  return `M${corners.join('L')}Z`;
}

function text({ x, y }: Point): string {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return `${round(x)} ${round(y)}`;
}
