import { expect, test } from 'vitest';
import { moveRows, type VariationItem } from './move-rows';
import { addLine, newTree, type Tree } from './tree';
import type { Player } from '../types';

const move = (text: string, player: Player) => ({ text, san: text, player });

/** Adds a line from the start; a move after a comma belongs to the same turn. */
function addTurns(tree: Tree, texts: string, first: Player = 'first'): void {
  const players: Player[] = first === 'first' ? ['first', 'second'] : ['second', 'first'];
  addLine(
    tree,
    tree.root,
    texts
      .split(' ')
      .flatMap((turn, i) => turn.split(',').map((text) => move(text, players[i % 2] ?? 'first'))),
  );
}

const itemText = (item: VariationItem) =>
  item.type === 'move' ? `${item.number ?? ''}${item.node.san}` : item.type === 'open' ? '(' : ')';

function rowTexts(tree: Tree, first: Player = 'first'): string[] {
  return moveRows(tree, first).map((row) =>
    row.type === 'turn'
      ? [row.number, ...[row.first, row.second].map((side) => side.map(({ san }) => san).join(','))].join('|')
      : row.items.map(itemText).join(' '),
  );
}

test('a turn of both sides is one row', () => {
  const tree = newTree();
  addTurns(tree, 'e4 e5 Nf3');
  expect(rowTexts(tree)).toEqual(['1|e4|e5', '2|Nf3|']);
});

test('the steps of a turn share a cell', () => {
  const tree = newTree();
  addTurns(tree, 'N>c5,F>e5 Ic7,Ic8 Td4');
  expect(rowTexts(tree)).toEqual(['1|N>c5,F>e5|Ic7,Ic8', '2|Td4|']);
});

test('the second side may begin', () => {
  const tree = newTree();
  addTurns(tree, 'e5 Nf3 Nc6', 'second');
  expect(rowTexts(tree, 'second')).toEqual(['1||e5', '2|Nf3|Nc6']);
});

test('a variation is a row of its own, and the turn continues after it', () => {
  const tree = newTree();
  for (const line of ['e4 e5 Nf3', 'e4 c5 Nf3 d6', 'e4 c5 c3', 'd4']) addTurns(tree, line);
  expect(rowTexts(tree)).toEqual(['1|e4|', '1.d4', '1||e5', '1…c5 2.Nf3 ( 2.c3 ) 2…d6', '2|Nf3|']);
});

test('a turn that a variation interrupts continues in the same column', () => {
  const tree = newTree();
  for (const line of ['N>c5,F>e5 Ic7', 'N>c5,F>f5']) addTurns(tree, line);
  expect(rowTexts(tree)).toEqual(['1|N>c5,F>e5|', '1.F>f5', '1||Ic7']);
});
