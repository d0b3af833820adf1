import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as sandtable from 'sandtable';
import { Chess, CoTuLenh, Tribun } from 'sandtable';
import * as chessOnly from 'sandtable/chess';
import * as cotulenhOnly from 'sandtable/cotulenh';
import * as tribunOnly from 'sandtable/tribun';
import { respond } from 'sandtable/contract';

import { random } from './helpers.mjs';

const games = [Chess, CoTuLenh, Tribun];
const errorOf = (call) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'no error was thrown' });
};

test('moves, history and undo are those of chess.js', () => {
  const game = new Chess();
  assert.equal(game.turn(), 'w');
  assert.equal(game.moves().length, 20);
  assert.deepEqual(game.moves({ from: 'g1' }).sort(), ['Nf3', 'Nh3']);
  assert.deepEqual(game.moves({ from: 'e4' }), []);
  const verbose = game.moves({ from: 'e2', verbose: true });
  assert.deepEqual(verbose.map(({ from, to, san, text }) => [from, to, san, text]).sort(), [
    ['e2', 'e3', 'e3', 'e2e3'],
    ['e2', 'e4', 'e4', 'e2e4'],
  ]);
  assert.deepEqual(game.move('e4'), { color: 'w', text: 'e2e4', san: 'e4', action: 3797 });
  assert.equal(game.move({ from: 'e7', to: 'e5' }).san, 'e5');
  assert.deepEqual(game.history(), ['e4', 'e5']);
  assert.deepEqual(
    game.history({ verbose: true }).map(({ color, text }) => color + text),
    ['we2e4', 'be7e5'],
  );
  assert.equal(game.undo().text, 'e7e5');
  assert.equal(game.undo().text, 'e2e4');
  assert.equal(game.undo(), null);
  assert.equal(game.fen(), new Chess().fen());
});

test('a move by its details must be one legal move', () => {
  const game = new Chess('8/P6k/8/8/8/8/8/K7 w - - 0 1');
  assert.match(
    errorOf(() => game.move({ from: 'a7', to: 'a8' })).message,
    /^4 legal moves with from a7, to a8/,
  );
  assert.match(
    errorOf(() => game.move({ from: 'a7', to: 'b8' })).message,
    /^no legal move with from a7, to b8/,
  );
  assert.match(errorOf(() => game.move({ form: 'a7' })).message, /^unknown detail `form` of a move/);
  assert.equal(game.move({ from: 'a7', to: 'a8', promotion: 'n' }).san, 'a8=N');
  game.undo();
  assert.equal(game.move({ from: 'a7', becomes: 'queen' }).text, 'a7a8q');
});

test('every legal move is found by its details, by each text and by its index', () => {
  const { pick } = random(5);
  for (const Kind of games) {
    const game = new Kind();
    for (let ply = 0; ply < 40 && !game.isGameOver(); ply++) {
      const moves = game.moves({ verbose: true });
      assert.deepEqual(
        Array.from(game.legalActions()),
        moves.map(({ action }) => action).sort((a, b) => a - b),
      );
      const move = pick(moves);
      assert.equal(game.actionOf(move.text), move.action);
      assert.equal(game.moveAt(move.action), move.text);
      const { from, to, kind, group, deploys, takes, becomes, amount } = move;
      if (!move.shares) {
        const copy = game.clone();
        copy.move({ from, to, kind, group, deploys, takes, becomes, amount });
        game.move(move.text);
        assert.ok(copy.equals(game), `${game.kind} ${move.text}`);
      } else {
        game.playAction(move.action);
      }
      assert.equal(game.history({ verbose: true }).at(-1).text, move.text);
    }
  }
});

test('the outcome has a winner, a reason and a description', () => {
  const game = new Chess();
  for (const move of ['f3', 'e5', 'g4', 'Qh4#']) game.move(move);
  assert.ok(game.isGameOver() && game.isCheckmate() && game.isCheck() && !game.isDraw());
  assert.deepEqual(game.outcome(), {
    winner: 'b',
    reason: 'checkmate',
    description: 'Black wins (checkmate)',
  });
  assert.deepEqual([game.moves(), game.legalActions().length], [[], 0]);
  const error = errorOf(() => game.move('e4'));
  assert.ok(error instanceof sandtable.MoveError);
  assert.equal(error.message, 'the game is over: Black wins (checkmate)');
  game.undo();
  assert.equal(game.outcome(), null);
  game.resign('b');
  assert.equal(game.outcome().winner, 'w');
  assert.equal(game.outcome().reason, 'resignation');
});

test('draw offers and claims', () => {
  const game = new Chess();
  game.drawAction('w', 'offer');
  assert.deepEqual(game.drawOffer(), { status: 'open', color: 'w' });
  assert.ok(errorOf(() => game.drawAction('w', 'accept')) instanceof sandtable.DrawError);
  game.drawAction('b', 'decline');
  assert.deepEqual(game.drawOffer(), { status: 'declined', color: 'w' });
  game.reset();
  assert.equal(game.drawOffer(), null);
  assert.equal(game.claimableDraw(), undefined);
  assert.equal(errorOf(() => game.claimDraw()).message, 'no draw to claim');
  for (const move of 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ')) game.move(move);
  assert.equal(game.claimDraw(), game.outcome().reason);
  assert.ok(game.isDraw());
  assert.equal(game.claimableDraw(), undefined, 'the game is over');
});

test('records are written and read', () => {
  const game = new Chess();
  game.move('e4');
  game.tags = [
    ['White', 'Anna "A" \\'],
    ['Black', 'Bình'],
  ];
  const read = Chess.fromRecord(game.pgn());
  assert.ok(read.equals(game));
  assert.deepEqual(
    read.tags.filter(([name]) => name === 'White' || name === 'Black'),
    game.tags,
  );
  for (const Kind of games) {
    const { below } = random(11);
    const played = new Kind();
    for (let ply = 0; ply < 60 && !played.isGameOver(); ply++) {
      const actions = played.legalActions();
      played.playAction(actions[below(actions.length)]);
    }
    const again = Kind.fromRecord(played.record());
    assert.equal(again.position(), played.position());
    again.loadRecord(played.record());
    assert.deepEqual(again.historyTexts(), played.historyTexts());
  }
  const error = errorOf(() => Chess.fromRecord('1. e4 e5 2. Ke3 *'));
  assert.ok(error instanceof sandtable.RecordError);
  assert.match(error.message, /Ke3/);
});

test('a position is loaded, and an invalid one leaves the game unchanged', () => {
  for (const Kind of games) {
    const game = new Kind();
    game.playAction(game.legalActions()[0]);
    const position = game.position();
    const copy = new Kind(position);
    assert.equal(copy.position(), position);
    assert.equal(copy.hash(), game.hash());
    const error = errorOf(() => game.load('nonsense'));
    assert.ok(error instanceof sandtable.PositionError, error.message);
    assert.equal(error.code, 'invalid_position');
    assert.equal(game.position(), position);
    assert.equal(game.ply(), 1);
    game.load(new Kind().position());
    assert.equal(game.ply(), 0);
    assert.throws(
      () => new Kind(position, { rules: 'no such rules' }),
      /unknown rules `no such rules`: expected/,
    );
  }
});

test('observations and masks are those that the contract shows', () => {
  for (const Kind of games) {
    const game = new Kind();
    const { below } = random(3);
    for (let ply = 0; ply < 12; ply++) {
      const actions = game.legalActions();
      game.playAction(actions[below(actions.length)]);
    }
    const shown = respond('inspect', {
      kind: game.kind,
      position: game.firstPosition(),
      moves: game.historyTexts(),
    });
    const [rows, columns, planes] = game.info.observationShape;
    const out = new Float32Array(rows * columns * planes);
    assert.equal(game.observe(out, { layout: 'chw' }), out);
    assert.deepEqual(Float32Array.from(shown.planes.flatMap(({ values }) => values)), out);
    const last = game.observe();
    for (let index = 0; index < out.length; index++) {
      const [plane, cell] = [Math.floor(index / (rows * columns)), index % (rows * columns)];
      assert.equal(last[cell * planes + plane], out[index]);
    }
    const mask = game.mask(new Uint8Array(game.info.policySize).fill(7));
    const legal = Array.from(mask.keys()).filter((action) => mask[action] === 1);
    assert.deepEqual(legal, Array.from(game.legalActions()));
    assert.ok(mask.every((value) => value <= 1));
    assert.equal(shown.policy.legal_count, legal.length);
    assert.equal(game.hash().toString(16).padStart(16, '0'), shown.hash);
  }
});

test('arrays in the middle of a buffer keep their surroundings', () => {
  const game = new Chess();
  const buffer = new Float32Array(3 * 1152).fill(9);
  game.observe(buffer.subarray(1152, 2304));
  assert.ok(buffer.subarray(0, 1152).every((value) => value === 9));
  assert.ok(buffer.subarray(2304).every((value) => value === 9));
  assert.deepEqual(buffer.slice(1152, 2304), game.observe());
});

test('pictures: text and SVG', () => {
  for (const Kind of games) {
    const game = new Kind();
    const [from, to] = game
      .moves({ verbose: true })
      .map((m) => [m.from, m.to])
      .find(([a, b]) => a && b);
    assert.match(game.svg({ size: 300, arrows: [[from, to]] }), /^<svg[^>]*width="300"/);
    assert.notEqual(game.svg({ flip: true }), game.svg());
    assert.notEqual(game.ascii({ flip: true }), game.ascii());
    assert.throws(() => game.svg({ arrows: [['z9', to]] }), /arrows: `z9` is not on the board/);
  }
});

test('Cờ Tư Lệnh: stacks, terrain, fire zones, deployments and turns', () => {
  const game = new CoTuLenh('10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1');
  assert.equal(game.squareIndex('e6'), 100);
  assert.equal(game.squareName(100), 'e6');
  assert.equal(game.squares().length, 132);
  assert.deepEqual(
    ['a1', 'c1', 'd6', 'k1'].map((square) => game.terrain(square)),
    ['water', 'mixed', 'mixed', 'land'],
  );
  assert.equal(game.get('c3').text, '(NFT)');
  assert.deepEqual(
    game.get(game.squareIndex('c3')).pieces.map(({ type }) => type),
    ['n', 'f', 't'],
  );
  assert.equal(game.get('a1'), undefined);
  assert.equal(game.stacks().length, 4);
  assert.equal(game.commander('b'), 'k12');
  assert.ok(game.fireZones('r').includes('c3'));
  assert.ok(game.attackers('e5').includes('c3'));
  const turn = game.turns().find(({ moves }) => moves.length === 2);
  assert.equal(game.move('N>c5').san.length > 0, true);
  assert.ok(game.isDeploying());
  assert.equal(game.deployment().from, 'c3');
  assert.equal(game.turn(), 'r');
  game.move('F>xe5');
  assert.equal(game.end().text, 'end');
  assert.equal(game.turn(), 'b');
  while (game.undo());
  assert.equal(game.playTurn('c3:T:N>c5,F>xe5').length, 3);
  while (game.undo());
  game.playTurn(turn.text);
  assert.equal(game.position(), turn.position);
});

test('Tribun: words, unit bytes, cids', () => {
  const game = new Tribun();
  assert.equal(game.tile(60).name, 'f6');
  assert.deepEqual(game.tile('f6'), { name: 'f6', cid: 60, x: 0, y: 0, color: 'gray' });
  assert.equal(game.tiles().length, 91);
  assert.deepEqual(game.get('b2'), { color: 'b', height: 3, slave: null, isTribun: false });
  assert.deepEqual(game.unit(0x42), { color: 'w', height: 2, slave: null, isTribun: false });
  assert.equal(game.unit(0), undefined);
  assert.equal(game.tribun('b').name, 'a1');
  const words = game.legalWords();
  assert.ok(words instanceof Uint32Array && words.length === 265);
  const word = game.wordOf('b3-e5');
  assert.ok(words.includes(word));
  game.applyWord(word);
  assert.deepEqual(Array.from(game.historyWords()), [word]);
  assert.deepEqual(game.history(), ['b3-e5']);
  const copy = new Tribun();
  copy.loadBytes(game.bytes(), 'w');
  assert.equal(copy.hash(), game.hash());
  assert.throws(() => game.applyWord(word), sandtable.MoveError);
});

test('the modules of one game behave as the module of all', () => {
  for (const [Kind, One] of [
    [Chess, chessOnly.Chess],
    [CoTuLenh, cotulenhOnly.CoTuLenh],
    [Tribun, tribunOnly.Tribun],
  ]) {
    const [a, b] = [new Kind(), new One()];
    assert.deepEqual(a.moves({ verbose: true }), b.moves({ verbose: true }));
    assert.ok(a.equals(b) && b.equals(a));
    a.playAction(a.legalActions()[3]);
    assert.ok(!a.equals(b));
  }
});

test('the constants of the games', () => {
  assert.deepEqual(
    // The module of the tests has the toy game besides.
    sandtable.kinds
      .filter(({ name }) => name !== 'greedy-nim')
      .map(({ name, policySize }) => [name, policySize]),
    games.map((Kind) => {
      const { info } = new Kind();
      assert.equal(info.observationShape[2], info.planes.length);
      return [info.name, info.policySize];
    }),
  );
});
