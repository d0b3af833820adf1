// Random arguments to every method: a call returns or throws a typed error; the module never crashes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chess, CoTuLenh, Engine, SandtableError, Tribun } from 'sandtable';
import { respond } from 'sandtable/contract';

import { deep, random } from './helpers.mjs';

const detached = () => {
  const array = new Float32Array(1152);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
};

const huge = 'x'.repeat(1 << 25);
const values = [
  () => undefined,
  () => null,
  () => true,
  () => NaN,
  () => -1,
  () => 0,
  () => 1,
  () => 2 ** 32,
  () => 2 ** 53,
  () => 1.5,
  () => Infinity,
  () => 10n,
  () => '',
  () => 'e4',
  () => 'e2e4',
  () => '\ud800',
  () => '\0',
  () => 'ờ'.repeat(500),
  () => huge,
  () => 'w',
  () => 'b',
  () => 'r',
  () => 'e6',
  () => 'offer',
  () => Symbol('x'),
  () => [],
  () => [[]],
  () => [['e2', 'e4']],
  () => ({}),
  () => ({ from: 'e2' }),
  () => ({ from: 7, to: {} }),
  () => ({ verbose: 'yes' }),
  () => ({ verbose: true }),
  () => ({ rules: 'club' }),
  () => ({ layout: 'chw' }),
  () => ({ layout: 'x', size: -1, flip: 1 }),
  () => ({ size: 1e9 }),
  () => ({ arrows: 'e2' }),
  () => ({ depth: 1 }),
  () => ({ promotion: 'q' }),
  () => new Float32Array(3),
  () => new Float32Array(1152),
  () => new Float64Array(1152),
  () => new Uint8Array(4672),
  () => new Uint8Array(121),
  () => new Uint8Array(121).fill(255),
  detached,
  () => () => {},
  () => new Chess(),
  () => new Tribun(),
  () => Object.create(null),
  () => new Proxy({}, { get: () => 3 }),
];

/** The methods and accessors of a class and its parents. */
function members(prototype) {
  const names = new Set();
  for (let p = prototype; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) {
    for (const name of Object.getOwnPropertyNames(p)) if (name !== 'constructor') names.add(name);
  }
  // Internal: they expect values that this package made.
  for (const name of ['raw', 'wrap', 'played', 'number', 'color', 'state']) names.delete(name);
  return [...names];
}

/** Calls that would take too long with a large number. */
const slow = new Set(['perft', 'divide']);

function attempt(call, shown) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof SandtableError, `${shown}: ${error?.stack ?? error}`);
    assert.notEqual(error.code, 'internal', `${shown}: ${error.message}`);
    return undefined;
  }
}

for (const Kind of [Chess, CoTuLenh, Tribun]) {
  test(`${Kind.name}: every method`, () => {
    const { below, pick, next } = random(Kind.name.length);
    let game = new Kind();
    const names = members(Kind.prototype);
    assert.ok(names.length > 40);
    const rounds = deep ? 20_000 : 2_000;
    for (let i = 0; i < rounds; i++) {
      if (next() < 0.02) game = new Kind();
      const name = pick(names);
      const args = Array.from({ length: below(4) }, () => pick(values)());
      if (slow.has(name) && typeof args[0] === 'number' && args[0] > 2) continue;
      const shown = `${Kind.name}.${name}(${args.map((arg) => typeof arg).join(', ')})`;
      attempt(() => {
        const { get, set } = accessor(Kind.prototype, name);
        if (set && next() < 0.5) game[name] = args[0];
        else if (get) return game[name];
        else return game[name](...args);
      }, shown);
      attempt(() => new Kind(pick(values)(), pick(values)()), 'constructor');
      attempt(() => Kind.fromRecord(pick(values)(), pick(values)()), 'fromRecord');
      if (name === 'dispose') game = new Kind();
    }
    // The module still works.
    const fresh = new Kind();
    assert.equal(fresh.perft(1), fresh.legalActions().length);
  });
}

function accessor(prototype, name) {
  for (let p = prototype; p; p = Object.getPrototypeOf(p)) {
    const found = Object.getOwnPropertyDescriptor(p, name);
    if (found) return found;
  }
  return {};
}

test('texts that are almost right', () => {
  const { below, pick } = random(17);
  const seeds = {
    chess: [
      'e2e4',
      'Nf3',
      'O-O',
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
      '1. e4 {x} (1. d4) *',
    ],
    cotulenh: [
      'Ic5c6',
      'c3:T:N>c5,F>xe5',
      '10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1',
      '1. Ic6 *',
    ],
    tribun: ['b3-e5', '2d1+2d2>e2', 'black:a1=1*,f6=3/2 white:k11=4* b -', '6157', '1. b3-e5 *'],
  };
  for (const [kind, Kind] of Object.entries({ chess: Chess, cotulenh: CoTuLenh, tribun: Tribun })) {
    const game = new Kind();
    for (let i = 0; i < (deep ? 30_000 : 3_000); i++) {
      let text = pick(seeds[kind]);
      for (let edit = below(4); edit >= 0; edit--) {
        const at = below(text.length + 1);
        const insert = below(2) ? pick([...pick(seeds[kind])]) : String.fromCodePoint(below(0x2000));
        text = text.slice(0, at) + insert + text.slice(at + below(3));
      }
      attempt(() => game.move(text), text);
      attempt(() => game.actionOf(text), text);
      attempt(() => game.load(text), text);
      attempt(() => game.loadRecord(text), text);
      if (game.ply() > 30) game.reset();
    }
  }
});

test('requests of any kind', () => {
  const { pick } = random(23);
  for (let i = 0; i < 2_000; i++) attempt(() => respond(pick(values)(), pick(values)()), 'respond');
});

test('engines with any options', async () => {
  const { pick } = random(29);
  const game = new Chess();
  for (let i = 0; i < 300; i++) attempt(() => new Engine(pick(values)()), 'Engine');
  const engine = new Engine();
  for (let i = 0; i < 300; i++) {
    const options = {
      [pick(['time', 'nodes', 'depth', 'lines', 'signal', 'level'])]: pick(values)(),
      nodes: 100,
    };
    const target = pick([() => game, ...values])();
    await engine.bestMove(target, options).catch((error) => {
      assert.ok(error instanceof SandtableError, `${JSON.stringify(Object.keys(options))}: ${error?.stack}`);
      assert.notEqual(error.code, 'internal', error.message);
    });
  }
  assert.equal(typeof (await engine.bestMove(game, { depth: 1 })), 'string');
  engine.dispose();
});
