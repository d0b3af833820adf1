// A move tree as plain data. The browser keeps it with an entry of its history, so that variations survive a reload.

import { addMove, type Node, type Tree } from './tree';
import type { PlayedMove } from '../types';

/** The nodes below the root, parents before children and siblings in order. */
export type SavedTree = SavedNode[];

interface SavedNode extends Pick<PlayedMove, 'text' | 'san' | 'player'> {
  /** 0 for the root, otherwise the index of the parent in the list plus 1. */
  parent: number;
}

export function saveTree(tree: Tree): SavedTree {
  const saved: SavedTree = [];
  const nodes: Node[] = [tree.root];
  for (let parent = 0; parent < nodes.length; parent++) {
    for (const child of nodes[parent]?.children ?? []) {
      nodes.push(child);
      saved.push({ parent, text: child.text, san: child.san, player: child.player ?? 'first' });
    }
  }
  return saved;
}

/** Adds the saved nodes to a tree. The children of every saved node get their saved order. */
export function restoreTree(tree: Tree, saved: SavedTree): void {
  const nodes: Node[] = [tree.root];
  const order = new Map<Node, Node[]>();
  for (const { parent: index, ...move } of saved) {
    const parent = nodes[index];
    if (!parent) return;
    const node = addMove(tree, parent, move);
    nodes.push(node);
    order.set(parent, [...(order.get(parent) ?? []), node]);
  }
  for (const [parent, children] of order) {
    parent.children = [...children, ...parent.children.filter((child) => !children.includes(child))];
  }
}

/** The tree in the state of a history entry; empty if there is none. */
export function savedTreeIn(state: unknown): SavedTree {
  const { tree } = Object(state) as { tree?: unknown };
  return Array.isArray(tree) && tree.every(isSavedNode) ? tree : [];
}

/** Another version of the page may have written the state. */
function isSavedNode(value: unknown): value is SavedNode {
  const { parent, text, san, player } = Object(value) as Partial<SavedNode>;
  return (
    Number.isInteger(parent) &&
    typeof text === 'string' &&
    typeof san === 'string' &&
    (player === 'first' || player === 'second')
  );
}
