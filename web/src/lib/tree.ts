// The moves of a game with its variations. Positions are not kept here: a node is said by the moves that lead to it.

import type { Played, Player } from './types';

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

/** The node after a move; the same move is not added twice. */
export function add(tree: Tree, parent: Node, move: Pick<Played, 'text' | 'san' | 'player'>): Node {
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

/** Adds a whole line; the last node of it. */
export function addLine(tree: Tree, parent: Node, moves: Pick<Played, 'text' | 'san' | 'player'>[]): Node {
  return moves.reduce((node, move) => add(tree, node, move), parent);
}

/** The nodes from the first move to this one. */
export function path(node: Node): Node[] {
  const nodes: Node[] = [];
  for (let at: Node | null = node; at?.parent; at = at.parent) nodes.unshift(at);
  return nodes;
}

/** The moves that lead to a node. */
export function moves(node: Node): string[] {
  return path(node).map((step) => step.text);
}

/** Where a player was last to move before this node, if ever. */
export function lastTurn(node: Node, player: Player): Node | null {
  return path(node).findLast((step) => step.player === player)?.parent ?? null;
}

/** The last node of the main line below this one. */
export function end(node: Node): Node {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

/** Cuts a node and all below it off; the node that is left in its place. */
export function remove(node: Node): Node {
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

/** A piece of a move list: a move with its number, or brackets around a variation. */
export type Item =
  | { type: 'move'; node: Node; number: string | null }
  | { type: 'open' | 'close'; depth: number; key: string };

/** The list as it is read: the main line, and after each of its moves the variations to it. */
export function items(tree: Tree, firstTurn: Player): Item[] {
  const found: Item[] = [];
  // Moves are numbered by the rounds of turns; a turn may take several moves.
  const numbers = new Map<number, number>([[0, 0]]);
  const numberOf = (node: Node): { round: number; begins: boolean } => {
    const before = node.parent?.parent ? node.parent : null;
    const begins = before === null || before.player !== node.player;
    const previous = before ? (numbers.get(before.id) ?? 0) : firstTurn === 'second' ? 1 : 0;
    const round = begins && node.player === 'first' ? previous + 1 : Math.max(previous, 1);
    numbers.set(node.id, round);
    return { round, begins };
  };
  const walk = (node: Node, depth: number, fresh: boolean): void => {
    let at = node;
    let first = fresh;
    while (at.children.length > 0) {
      const [main, ...variations] = at.children as [Node, ...Node[]];
      push(main, first);
      first = false;
      for (const variation of variations) {
        found.push({ type: 'open', depth: depth + 1, key: `o${variation.id}` });
        push(variation, true);
        walk(variation, depth + 1, false);
        found.push({ type: 'close', depth: depth + 1, key: `c${variation.id}` });
        first = true;
      }
      at = main;
    }
  };
  const push = (node: Node, fresh: boolean): void => {
    const { round, begins } = numberOf(node);
    const shown =
      node.player === 'first' ? (begins || fresh ? `${round}.` : null) : fresh ? `${round}…` : null;
    found.push({ type: 'move', node, number: shown });
  };
  walk(tree.root, 0, true);
  return found;
}
