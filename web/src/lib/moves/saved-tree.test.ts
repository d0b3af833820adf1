import { expect, test } from 'vitest';
import { restoreTree, savedTreeIn, saveTree } from './saved-tree';
import { addLine, movesTo, newTree, promote, type Node, type Tree } from './tree';

function addTexts(tree: Tree, texts: string): Node {
  const moves = texts.split(' ').map((text, i) => ({
    ...{ text, san: `${text}!` },
    player: i % 2 === 0 ? ('first' as const) : ('second' as const),
  }));
  return addLine(tree, tree.root, moves);
}

/** Every line of a tree, the main line first. */
function lines(node: Node): string[] {
  return node.children.length === 0 ? [movesTo(node).join(' ')] : node.children.flatMap(lines);
}

test('restores variations and their order around a line that is already in the tree', () => {
  const tree = newTree();
  addTexts(tree, 'e4 e5 Nf3');
  promote(addTexts(tree, 'e4 c5'));
  addTexts(tree, 'd4');
  const saved = JSON.parse(JSON.stringify({ tree: saveTree(tree) })) as unknown;

  const reloaded = newTree();
  const shown = addTexts(reloaded, 'e4 e5 Nf3');
  restoreTree(reloaded, savedTreeIn(saved));
  expect(lines(reloaded.root)).toEqual(['e4 c5', 'e4 e5 Nf3', 'd4']);
  expect(lines(reloaded.root)).toEqual(lines(tree.root));
  // The nodes of the line stay the same objects.
  expect(movesTo(shown)).toEqual(['e4', 'e5', 'Nf3']);
  expect(reloaded.root.children[0]?.children[1]?.children[0]).toBe(shown);
  expect(reloaded.root.children[1]).toMatchObject({ san: 'd4!', player: 'first' });
});

test('keeps a line that is not in the saved tree', () => {
  const tree = newTree();
  addTexts(tree, 'd4 d5');
  const other = newTree();
  addTexts(other, 'e4');
  restoreTree(other, saveTree(tree));
  expect(lines(other.root)).toEqual(['d4 d5', 'e4']);
});

test.each([null, 7, {}, { tree: 7 }, { tree: [{ parent: 0 }] }, { tree: [null] }])(
  'ignores a state without a tree: %o',
  (state) => {
    expect(savedTreeIn(state)).toEqual([]);
  },
);
