import { expect, test } from 'vitest';
import {
  addLine,
  addMove,
  lineEnd,
  moveList,
  movesTo,
  newTree,
  pathTo,
  previousTurn,
  promote,
  removeSubtree,
  type Tree,
} from './tree';
import type { Player } from './types';

const move = (text: string, player: Player) => ({ text, san: text, player });

function addTexts(tree: Tree, texts: string): void {
  addLine(
    tree,
    tree.root,
    texts.split(' ').map((text, i) => move(text, i % 2 === 0 ? 'first' : 'second')),
  );
}

function listText(tree: Tree, first: Player = 'first'): string {
  return moveList(tree, first)
    .map((item) =>
      item.type === 'move' ? `${item.number ?? ''}${item.node.san}` : item.type === 'open' ? '(' : ')',
    )
    .join(' ');
}

test('adds a repeated move once and a different one as a variation', () => {
  const tree = newTree();
  addTexts(tree, 'e4 e5 Nf3');
  addTexts(tree, 'e4 c5 Nf3 d6');
  addTexts(tree, 'd4');
  expect(listText(tree)).toBe('1.e4 ( 1.d4 ) 1…e5 ( 1…c5 2.Nf3 d6 ) 2.Nf3');
  expect(movesTo(lineEnd(tree.root))).toEqual(['e4', 'e5', 'Nf3']);
});

test('numbers a turn of several moves once', () => {
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
  expect(listText(tree)).toBe('1.N>c5 F>e5 Ic7 2.Td4');
});

test('numbers a game that the second player starts', () => {
  const tree = newTree();
  addLine(tree, tree.root, [move('e5', 'second'), move('Nf3', 'first')]);
  expect(listText(tree, 'second')).toBe('1…e5 2.Nf3');
});

test('promotes and removes a variation', () => {
  const tree = newTree();
  addTexts(tree, 'e4 e5');
  const sicilian = addMove(tree, pathTo(lineEnd(tree.root))[0]!, move('c5', 'second'));
  promote(sicilian);
  expect(listText(tree)).toBe('1.e4 c5 ( 1…e5 )');
  expect(removeSubtree(sicilian).text).toBe('e4');
  expect(listText(tree)).toBe('1.e4 e5');
});

test('finds the previous turn of a player', () => {
  const tree = newTree();
  const [first, second, third] = ['N>c5', 'F>e5', 'Ic7'].map((text, i) =>
    move(text, i < 2 ? 'first' : 'second'),
  );
  const start = tree.root;
  const one = addMove(tree, start, first!);
  const two = addMove(tree, one, second!);
  const three = addMove(tree, two, third!);
  expect(previousTurn(start, 'first')).toBeNull();
  // Within a turn of several moves, the previous turn is one move back.
  expect(previousTurn(one, 'first')).toBe(start);
  expect(previousTurn(two, 'second')).toBeNull();
  expect(previousTurn(three, 'first')).toBe(one);
  expect(previousTurn(three, 'second')).toBe(two);
});
