import { expect, test } from 'vitest';
import {
  addLine,
  addMove,
  lineEnd,
  movesTo,
  newTree,
  pathTo,
  previousTurn,
  promote,
  removeSubtree,
  type Tree,
} from './tree';
import type { Player } from '../types';

const move = (text: string, player: Player) => ({ text, san: text, player });

function addTexts(tree: Tree, texts: string): void {
  addLine(
    tree,
    tree.root,
    texts.split(' ').map((text, i) => move(text, i % 2 === 0 ? 'first' : 'second')),
  );
}

test('adds a repeated move once and a different one as a variation', () => {
  const tree = newTree();
  addTexts(tree, 'e4 e5 Nf3');
  addTexts(tree, 'e4 c5 Nf3 d6');
  addTexts(tree, 'd4');
  const [e4, d4] = tree.root.children;
  expect([e4?.san, d4?.san]).toEqual(['e4', 'd4']);
  expect(e4?.children.map((child) => child.san)).toEqual(['e5', 'c5']);
  expect(movesTo(lineEnd(tree.root))).toEqual(['e4', 'e5', 'Nf3']);
});

test('promotes and removes a variation', () => {
  const tree = newTree();
  addTexts(tree, 'e4 e5');
  const sicilian = addMove(tree, pathTo(lineEnd(tree.root))[0]!, move('c5', 'second'));
  promote(sicilian);
  expect(movesTo(lineEnd(tree.root))).toEqual(['e4', 'c5']);
  expect(removeSubtree(sicilian).text).toBe('e4');
  expect(movesTo(lineEnd(tree.root))).toEqual(['e4', 'e5']);
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
