import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chess, CoTuLenh, DisposedError, Tribun } from 'sandtable';

import { collectGarbage } from './helpers.mjs';

const { core } = await import(new URL('../dist/core-all.js', import.meta.url));
const bytes = () => core.memory.buffer.byteLength;

test('a million clones leave nothing behind', () => {
  const game = new CoTuLenh();
  game.move('Ic6');
  for (let i = 0; i < 1000; i++) game.clone().dispose();
  const before = bytes();
  for (let i = 0; i < 1_000_000; i++) game.clone().dispose();
  assert.equal(bytes(), before);
});

test('games that nobody disposes of are freed by the garbage collector', async () => {
  const game = new Tribun();
  const round = async () => {
    for (let i = 0; i < 20_000; i++) game.clone();
    await collectGarbage();
  };
  await round();
  const before = bytes();
  for (let i = 0; i < 5; i++) await round();
  assert.ok(bytes() <= before * 1.5, `${before} bytes grew to ${bytes()}`);
});

test('a disposed game cannot be used', { skip: Symbol.dispose === undefined }, () => {
  const game = new Chess();
  game[Symbol.dispose]();
  game.dispose();
  assert.throws(() => game.fen(), DisposedError);
  assert.throws(() => game.moves(), DisposedError);
  assert.throws(() => game.clone(), DisposedError);
  assert.throws(() => new Chess().equals(game), DisposedError);
});
