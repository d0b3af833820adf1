// The moves of a game with variations. Nodes store no positions: the moves from the root identify them.

import type { PlayedMove, Player } from './types';

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

/** An item of the move list: a move with its number, or a bracket around a variation. */
export type MoveListItem =
  | { type: 'move'; node: Node; number: string | null }
  | { type: 'open' | 'close'; depth: number; key: string };

/** The move list in reading order: each move of the main line is followed by its alternatives. */
export function moveList(tree: Tree, firstTurn: Player): MoveListItem[] {
  const items: MoveListItem[] = [];
  // A move number covers one turn of each player; a turn may consist of several moves.
  const numbers = new Map<number, number>([[0, 0]]);
  const numberOf = (node: Node): { number: number; startsTurn: boolean } => {
    const before = node.parent?.parent ? node.parent : null;
    const startsTurn = before === null || before.player !== node.player;
    const previous = before ? (numbers.get(before.id) ?? 0) : firstTurn === 'second' ? 1 : 0;
    const number = startsTurn && node.player === 'first' ? previous + 1 : Math.max(previous, 1);
    numbers.set(node.id, number);
    return { number, startsTurn };
  };
  // The second player's moves show their number only at the start of a line or after a variation.
  const walk = (node: Node, depth: number, startsLine: boolean): void => {
    let at = node;
    let showNumber = startsLine;
    while (at.children.length > 0) {
      const [main, ...variations] = at.children as [Node, ...Node[]];
      push(main, showNumber);
      showNumber = false;
      for (const variation of variations) {
        items.push({ type: 'open', depth: depth + 1, key: `o${variation.id}` });
        push(variation, true);
        walk(variation, depth + 1, false);
        items.push({ type: 'close', depth: depth + 1, key: `c${variation.id}` });
        showNumber = true;
      }
      at = main;
    }
  };
  const push = (node: Node, showNumber: boolean): void => {
    const { number, startsTurn } = numberOf(node);
    const label =
      node.player === 'first'
        ? startsTurn || showNumber
          ? `${number}.`
          : null
        : showNumber
          ? `${number}…`
          : null;
    items.push({ type: 'move', node, number: label });
  };
  walk(tree.root, 0, true);
  return items;
}
