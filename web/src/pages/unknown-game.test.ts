// A game that the page knows nothing about: no art, no lessons, no rules page, no puzzles, no translations.

import { render } from 'svelte/server';
import { expect, test, vi } from 'vitest';
import BoardThumbnail from '../components/BoardThumbnail.svelte';
import LessonList from '../components/LessonList.svelte';
import { describeFigure } from '../lib/text/descriptions';
import { hasLessons, loadLessons } from '../lib/learn/lessons';
import { levelStrength } from '../lib/game/levels';
import { figureLines } from '../lib/text/piece-text';
import { puzzleFiles } from '../lib/learn/puzzles';
import { rulesPage } from '../lib/learn/rules-pages';
import type { Board, Figure, Kind } from '../lib/types';
import Home from './Home.svelte';
import Learn from './Learn.svelte';

vi.hoisted(() => vi.stubGlobal('navigator', { language: 'en' }));
vi.mock('../lib/board/board-host', () => ({ getBoardHost: () => ({ pieceTheme: () => 'flat' }) }));

const kind: Kind = {
  name: 'nim',
  rules: ['normal', 'misère'],
  players: { first: 'Ann', second: 'Bob' },
  levels: 10,
  level_nodes: Array.from({ length: 10 }, () => null),
  level_elo: Array.from({ length: 10 }, () => null),
  confirm_moves: false,
  record_extension: 'nim',
  encoding: 'nim-1',
  shape: { rows: 1, cols: 3, planes: 1 },
  planes: [{ name: 'counters', description: '1 where a counter is' }],
  policy: { id: 'nim-policy-1', size: 3 },
  fields: [],
};
const figure: Figure = {
  owner: 'first',
  letters: 'o',
  token: 'o',
  starred: false,
  pieces: [
    {
      ...{ kind: 'counter', owner: 'first', role: 'alone', place: null, height: null, starred: false },
      ...{ outlines: [], symbol: '', badge: '' },
    },
  ],
};
const board: Board = {
  outline: 'square',
  width: 3,
  height: 1,
  inks: { first: '#000000', second: '#000000' },
  cells: [0, 1, 2].map((x) => ({
    ...{ name: String(x), index: String(x), x, y: 0, ground: 'light', terrain: [], marked: false },
    figure: x < 2 ? figure : null,
  })),
  labels: [],
  scenery: [],
};

test('the start page has a card with the name of the game, and no link to lessons', () => {
  const { body } = render(Home, { props: { kinds: [kind], access: 'open', request: null } });
  expect(body).toContain('value="nim"');
  expect(body).toMatch(/id="name-nim"[^>]*>nim</);
  expect(body).not.toContain('about-nim');
  expect(body).not.toContain('#/learn/nim');
  for (const word of ['Ann', 'Bob', 'misère']) expect(body).toContain(word);
});

test('figures without drawings are counters with their letters', () => {
  const { body } = render(BoardThumbnail, { props: { board } });
  expect(body.match(/<polygon/g)).toHaveLength(3);
  expect(body.match(/<circle/g)).toHaveLength(2);
  expect(body.match(/<text[^>]*>o<\/text>/g)).toHaveLength(2);
});

test('words without a translation stay those of the game', () => {
  expect(describeFigure(figure, kind.players)).toBe('ann counter');
  const view = { board, players: kind.players };
  const palette = { regions: [['0', '1', '2']], figures: [{ figure, region: 0 }] };
  expect(figureLines(figure, view, palette, [])).toEqual({ title: 'ann counter', lines: [] });
  expect(levelStrength(kind, 0)).not.toBe('');
});

test('there are no lessons, rules and puzzles, and no error', async () => {
  expect(hasLessons('nim')).toBe(false);
  expect(await loadLessons('nim')).toEqual([]);
  expect(await rulesPage('nim', 'vi')).toBeNull();
  expect(Object.keys(puzzleFiles)).not.toContain('nim');
  const list = render(LessonList, { props: { kinds: [kind] } });
  expect(list.body).not.toContain('nim');
  const page = render(Learn, { props: { kinds: [kind], kind: 'nim' } });
  expect(page.body).toContain('no lessons for nim');
});
