// The move list as rows: one for each turn of both sides, with a column for each, and one for each variation.

import type { Node, Tree } from './tree';
import type { Player } from '../types';

/** The moves of one turn on the main line. A turn of several steps has several moves. */
export interface TurnRow {
  type: 'turn';
  key: string;
  number: number;
  /** The moves of each side; empty if the other side begins the row. */
  first: Node[];
  second: Node[];
}

/** A variation in reading order. */
export interface VariationRow {
  type: 'variation';
  key: string;
  items: VariationItem[];
}

/** A move of a variation with its number, or a bracket around a nested one. */
export type VariationItem =
  { type: 'move'; key: string; node: Node; number: string | null } | { type: 'open' | 'close'; key: string };

export type MoveRow = TurnRow | VariationRow;

/** Numbers the moves: a number covers one turn of each side, and a turn may consist of several moves. */
class Numbers {
  private readonly known = new Map<number, number>();

  constructor(private readonly firstTurn: Player) {}

  /** The number of a move. The number of the move before it must be known. */
  of(node: Node): number {
    const before = previousMove(node);
    const previous = before ? (this.known.get(before.id) ?? 1) : this.firstTurn === 'second' ? 1 : 0;
    const number = startsTurn(node) && node.player === 'first' ? previous + 1 : Math.max(previous, 1);
    this.known.set(node.id, number);
    return number;
  }
}

function previousMove({ parent }: Node): Node | null {
  return parent?.parent ? parent : null;
}

function startsTurn(node: Node): boolean {
  return previousMove(node)?.player !== node.player;
}

/** The rows of a tree, in reading order: a move of the main line is followed by its alternatives. */
export function moveRows(tree: Tree, firstTurn: Player): MoveRow[] {
  const numbers = new Numbers(firstTurn);
  const rows: MoveRow[] = [];
  let row: TurnRow | null = null;
  for (let at = tree.root; at.children[0]; at = at.children[0]) {
    const [main, ...variations] = at.children as [Node, ...Node[]];
    const number = numbers.of(main);
    const side = main.player ?? 'first';
    const continues =
      row !== null &&
      (startsTurn(main) ? side === 'second' && row.second.length === 0 : row[side].length > 0);
    if (!row || !continues) {
      row = { type: 'turn', key: `t${main.id}`, number, first: [], second: [] };
      rows.push(row);
    }
    row[side].push(main);
    for (const variation of variations) {
      rows.push({
        type: 'variation',
        key: `v${variation.id}`,
        items: variationItems(variation, numbers),
      });
      // What follows a variation begins a new row.
      row = null;
    }
  }
  return rows;
}

/** The moves of a variation. The second side's moves show their number only at the start and after a nested variation. */
function variationItems(start: Node, numbers: Numbers): VariationItem[] {
  const items: VariationItem[] = [];
  const push = (node: Node, showNumber: boolean): void => {
    const number = numbers.of(node);
    const text =
      node.player === 'first'
        ? startsTurn(node) || showNumber
          ? `${number}.`
          : null
        : showNumber
          ? `${number}…`
          : null;
    items.push({ type: 'move', key: `m${node.id}`, node, number: text });
  };
  const walk = (node: Node): void => {
    push(node, true);
    let showNumber = false;
    for (let at = node; at.children[0]; at = at.children[0]) {
      const [main, ...nested] = at.children as [Node, ...Node[]];
      push(main, showNumber);
      showNumber = nested.length > 0;
      for (const variation of nested) {
        items.push({ type: 'open', key: `o${variation.id}` });
        walk(variation);
        items.push({ type: 'close', key: `c${variation.id}` });
      }
    }
  };
  walk(start);
  return items;
}
