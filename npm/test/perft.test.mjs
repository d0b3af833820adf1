import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Chess, CoTuLenh, Tribun } from 'sandtable';

import { deep, repository } from './helpers.mjs';

/** The rows of the first table of a page, without its head. */
function table(page) {
  const lines = readFileSync(new URL(page, repository), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const count = (cell) => Number(cell.replaceAll(',', ''));
const most = deep ? 200_000_000 : 2_000_000;

test('chess', () => {
  const kiwipete = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
  const published = [
    [new Chess(), [1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324]],
    [new Chess(kiwipete), [1, 48, 2_039, 97_862, 4_085_603]],
    [new Chess('8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'), [1, 14, 191, 2_812, 43_238, 674_624]],
  ];
  for (const [game, counts] of published) {
    counts.forEach((nodes, depth) => {
      if (nodes <= most) assert.equal(game.perft(depth), nodes, `${game.fen()} ${depth}`);
    });
  }
});

test('cotulenh, as the page on perft says', () => {
  const page = 'docs/cotulenh-perft.md';
  const [, middlegame] = readFileSync(new URL(page, repository), 'utf8').match(/```text\n(.*)\n```/);
  const games = [new CoTuLenh(), new CoTuLenh(undefined, { rules: 'club' }), new CoTuLenh(middlegame)];
  let checked = 0;
  for (const [depth, ...counts] of table(page)) {
    counts.forEach((cell, number) => {
      if (cell === '' || count(cell) > most) return;
      assert.equal(games[number].perft(Number(depth)), count(cell), `${number} ${depth}`);
      checked += 1;
    });
  }
  assert.ok(checked >= 9);
});

test('tribun, as the page on perft says', () => {
  let checked = 0;
  for (const [rules, position, ...counts] of table('docs/tribun-perft.md')) {
    const game = new Tribun(position === 'start' ? undefined : position.replaceAll('`', ''), { rules });
    counts.forEach((cell, number) => {
      if (cell === '' || count(cell) > most) return;
      assert.equal(game.perft(number + 1), count(cell), `${position} ${number + 1}`);
      checked += 1;
    });
  }
  assert.ok(checked >= 8);
});

test('divide sums up to perft', () => {
  for (const game of [new Chess(), new CoTuLenh(), new Tribun()]) {
    const divided = game.divide(2);
    assert.equal(divided.length, game.perft(1));
    assert.equal(
      divided.reduce((sum, { nodes }) => sum + nodes, 0),
      game.perft(2),
    );
    assert.deepEqual(game.divide(0), []);
  }
});
