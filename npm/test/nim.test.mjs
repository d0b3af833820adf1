// A game without a class of its own: the toy game, which only the module of the tests has.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnyGame, ArgumentError, Chess, Engine, kinds, MoveError } from 'sandtable';

const KIND = 'greedy-nim';
const skip = kinds.some(({ name }) => name === KIND) ? false : 'a released module does not have the toy game';

test('a game is played to its end', { skip }, () => {
  const game = new AnyGame(KIND);
  assert.deepEqual(game.moves(), ['0', '1', '2', '3']);
  assert.deepEqual(game.info.players, ['First', 'Second']);
  // Taking one does not end the turn.
  const turns = ['3', '1', '2', '0'].map((text) => (game.move(text), game.turn()));
  assert.deepEqual(turns, ['second', 'second', 'first', 'second']);
  assert.throws(() => game.move('4'), MoveError);
  const copy = game.clone();
  game.move('3');
  assert.ok(game.isGameOver() && !copy.isGameOver());
  assert.deepEqual(game.outcome(), {
    winner: 'second',
    reason: 'last taken',
    description: 'Second wins (last taken)',
  });
  const again = AnyGame.fromRecord(KIND, game.record());
  assert.ok(again.equals(game));
  assert.equal(
    again.observe().length,
    game.info.observationShape.reduce((a, b) => a * b),
  );
});

test('the engine searches without a network', { skip }, async () => {
  const engine = new Engine();
  const best = await engine.bestMove(new AnyGame(KIND, '3 first -'), { depth: 3 });
  // Two ways to win at once.
  assert.ok(['1', '3'].includes(best), best);
  assert.match(engine.warning, /no evaluation network for greedy-nim/);
  engine.dispose();
});

test('games with a class of their own can be had by name too', () => {
  const game = new AnyGame('chess');
  game.move('e4');
  const chess = new Chess();
  chess.move('e4');
  assert.deepEqual([game.position(), game.turn()], [chess.position(), 'second']);
  assert.throws(() => new AnyGame('go'), ArgumentError);
  assert.throws(() => new AnyGame(7), ArgumentError);
});
