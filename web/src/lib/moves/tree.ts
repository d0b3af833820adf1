// The moves of a game with variations. Nodes store no positions: the moves from the root identify them.

import type { PlayedMove, Player } from '../types';

export interface Node {
  readonly id: number;
  readonly parent: Node | null;
  readonly text: string;
  readonly san: string;
  readonly player: Player | null;
  /** The main line first. */
  children: Node[];
}

export interface Tree {
  root: Node;
  nextId: number;
}

export function newTree(): Tree {
  return { root: { id: 0, parent: null, text: '', san: '', player: null, children: [] }, nextId: 1 };
}

/** Returns the child of `parent` for a move, adding it if it is new. */
export function addMove(tree: Tree, parent: Node, move: Pick<PlayedMove, 'text' | 'san' | 'player'>): Node {
  const known = parent.children.find((child) => child.text === move.text);
  if (known) return known;
  const node: Node = {
    id: tree.nextId++,
    parent,
    text: move.text,
    san: move.san,
    player: move.player,
    children: [],
  };
  parent.children.push(node);
  return node;
}

/** Adds a line of moves and returns its last node. */
export function addLine(
  tree: Tree,
  parent: Node,
  moves: Pick<PlayedMove, 'text' | 'san' | 'player'>[],
): Node {
  return moves.reduce((node, move) => addMove(tree, node, move), parent);
}

/** The nodes from the first move to this one. */
export function pathTo(node: Node): Node[] {
  const nodes: Node[] = [];
  for (let at: Node | null = node; at?.parent; at = at.parent) nodes.unshift(at);
  return nodes;
}

/** The texts of the moves from the root to a node. */
export function movesTo(node: Node): string[] {
  return pathTo(node).map((step) => step.text);
}

/** The last node before this one at which a player was to move. */
export function previousTurn(node: Node, player: Player): Node | null {
  return pathTo(node).findLast((step) => step.player === player)?.parent ?? null;
}

/** The last node of the main line from this one. */
export function lineEnd(node: Node): Node {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

/** Removes a node and everything below it, and returns its parent. */
export function removeSubtree(node: Node): Node {
  const parent = node.parent;
  if (!parent) return node;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}

/** Makes the line that leads to a node the main line. */
export function promote(node: Node): void {
  for (let at: Node = node; at.parent; at = at.parent) {
    const { parent } = at;
    const self = at;
    parent.children = [self, ...parent.children.filter((child) => child !== self)];
  }
}
