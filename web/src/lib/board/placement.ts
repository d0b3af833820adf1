// Where controls float over the board, in pixels from its upper left corner.

import type { Point, Rectangle } from './geometry';
import type { Outline } from '../types';

/** The least width and height of what can be touched. */
export const TOUCH_SIZE = 44;

/** A board whose shorter side has fewer pixels has its controls in a bar instead of around its figures. */
export const LEAST_FLOATING = 440;

/** The board on the screen. */
export interface Stage {
  width: number;
  height: number;
  /** The pixels between two neighbouring cells. */
  cellSize: number;
  outline: Outline;
  /** The centre of a cell. */
  center: (cell: string) => Point;
  /** The cell at a point of the window. */
  cellAt: (clientX: number, clientY: number) => string | null;
  focusBoard: () => void;
}

/** The scale and offset at which a box fits in the middle of an area. */
export function fit(
  box: Rectangle,
  width: number,
  height: number,
): { scale: number; left: number; top: number } {
  const scale = Math.min(width / box.width, height / box.height);
  return {
    scale,
    left: (width - box.width * scale) / 2 - box.left * scale,
    top: (height - box.height * scale) / 2 - box.top * scale,
  };
}

/** The directions of counters around a cell, in degrees: towards corners where cells meet, so that all cells stay in reach. */
const DIRECTIONS: Record<Outline, number[]> = {
  square: [-135, -45, 45, 135],
  point: [-135, -45, 45, 135],
  hexagon: [-60, 0, 60, -120, 180, 120],
};

/** The centres of round counters around a cell: on the board, and near as few as possible of the points to avoid. */
export function fanPlaces(count: number, at: Point, stage: Stage, avoid: Point[] = []): Point[] {
  const radius = Math.max((stage.outline === 'hexagon' ? 1 : 0.72) * stage.cellSize, 0.9 * TOUCH_SIZE);
  const half = TOUCH_SIZE / 2;
  const outside = ({ x, y }: Point) =>
    Math.max(0, half - x) +
    Math.max(0, x + half - stage.width) +
    Math.max(0, half - y) +
    Math.max(0, y + half - stage.height);
  const isNear = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) < 0.8 * stage.cellSize;
  return DIRECTIONS[stage.outline]
    .map((degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return { x: at.x + radius * Math.cos(angle), y: at.y + radius * Math.sin(angle) };
    })
    .map((place) => ({
      place,
      cost: 10 * outside(place) + avoid.filter((point) => isNear(place, point)).length,
    }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, count)
    .map(({ place }) => place);
}

/** The upper left corner of a tray beside a cell: on the board, and over as few as possible of the points to avoid. */
export function trayPlace(
  size: { width: number; height: number },
  at: Point,
  stage: Stage,
  avoid: Point[],
): Point {
  const gap = Math.max(stage.cellSize * 0.5, TOUCH_SIZE * 0.5) + 4;
  const distances = [gap, gap + 0.5 * stage.cellSize, gap + stage.cellSize];
  const clamp = (value: number, most: number) => Math.max(0, Math.min(value, Math.max(0, most)));
  const places = distances.flatMap((distance) =>
    [
      { x: at.x - size.width / 2, y: at.y + distance },
      { x: at.x - size.width / 2, y: at.y - distance - size.height },
      { x: at.x + distance, y: at.y - size.height / 2 },
      { x: at.x - distance - size.width, y: at.y - size.height / 2 },
    ].map(({ x, y }) => ({
      x: clamp(x, stage.width - size.width),
      y: clamp(y, stage.height - size.height),
    })),
  );
  const covers = (place: Point, point: Point, margin: number) =>
    point.x > place.x - margin &&
    point.x < place.x + size.width + margin &&
    point.y > place.y - margin &&
    point.y < place.y + size.height + margin;
  // Covering the figure itself is worse than covering anything else.
  const cost = (place: Point) =>
    avoid.filter((point) => covers(place, point, 4)).length +
    (covers(place, at, 0.3 * stage.cellSize) ? 100 : 0);
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}
