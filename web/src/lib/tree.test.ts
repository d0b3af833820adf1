import { expect, test } from 'vitest';
import { add, addLine, end, items, lastTurn, moves, newTree, path, promote, remove, type Tree } from './tree';
import type { Player } from './types';

const move = (text: string, player: Player) => ({ text, san: text, player });

function line(tree: Tree, texts: string): void {
  addLine(
    tree,
    tree.root,
    texts.split(' ').map((text, i) => move(text, i % 2 === 0 ? 'first' : 'second')),
  );
}

function read(tree: Tree, first: Player = 'first'): string {
  return items(tree, first)
    .map((item) =>
      item.type === 'move' ? `${item.number ?? ''}${item.node.san}` : item.type === 'open' ? '(' : ')',
    )
    .join(' ');
}

test('the same move is kept once, another becomes a variation', () => {
  const tree = newTree();
  line(tree, 'e4 e5 Nf3');
  line(tree, 'e4 c5 Nf3 d6');
  line(tree, 'd4');
  expect(read(tree)).toBe('1.e4 ( 1.d4 ) 1…e5 ( 1…c5 2.Nf3 d6 ) 2.Nf3');
  expect(moves(end(tree.root))).toEqual(['e4', 'e5', 'Nf3']);
});

test('a turn of several moves has one number', () => {
  const tree = newTree();
  const steps: [string, Player][] = [
    ['N>c5', 'first'],
    ['F>e5', 'first'],
    ['Ic7', 'second'],
    ['Td4', 'first'],
  ];
  addLine(
    tree,
    tree.root,
    steps.map(([text, player]) => move(text, player)),
  );
  expect(read(tree)).toBe('1.N>c5 F>e5 Ic7 2.Td4');
});

test('a game that the second player begins', () => {
  const tree = newTree();
  addLine(tree, tree.root, [move('e5', 'second'), move('Nf3', 'first')]);
  expect(read(tree, 'second')).toBe('1…e5 2.Nf3');
});

test('a variation can be made the main line, or cut off', () => {
  const tree = newTree();
  line(tree, 'e4 e5');
  const sicilian = add(tree, path(end(tree.root))[0]!, move('c5', 'second'));
  promote(sicilian);
  expect(read(tree)).toBe('1.e4 c5 ( 1…e5 )');
  expect(remove(sicilian).text).toBe('e4');
  expect(read(tree)).toBe('1.e4 e5');
});

test('a player was last to move before the last move of theirs', () => {
  const tree = newTree();
  const [first, second, third] = ['N>c5', 'F>e5', 'Ic7'].map((text, i) =>
    move(text, i < 2 ? 'first' : 'second'),
  );
  const start = tree.root;
  const one = add(tree, start, first!);
  const two = add(tree, one, second!);
  const three = add(tree, two, third!);
  expect(lastTurn(start, 'first')).toBeNull();
  // Within a turn of several moves, each looks back at the one before.
  expect(lastTurn(one, 'first')).toBe(start);
  expect(lastTurn(two, 'second')).toBeNull();
  expect(lastTurn(three, 'first')).toBe(one);
  expect(lastTurn(three, 'second')).toBe(two);
});
