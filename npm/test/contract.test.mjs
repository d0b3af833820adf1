// The same requests to a running server and to the package: the answers are the same, byte for byte.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chess, CoTuLenh, Tribun } from 'sandtable';
import { ContractError, respond } from 'sandtable/contract';

import { program, random, startServer } from './helpers.mjs';

const games = { chess: Chess, cotulenh: CoTuLenh, tribun: Tribun };
const REQUESTS = 1_000;

/** A random game. */
function play({ below, pick }, kind, plies) {
  const rules = pick(new games[kind]().info.rules);
  const game = new games[kind](undefined, { rules });
  for (let ply = 0; ply < plies && !game.isGameOver(); ply++) {
    const actions = game.legalActions();
    game.playAction(actions[below(actions.length)]);
  }
  return { game, rules };
}

/** A valid or slightly wrong body of a route. */
function body(rng, route) {
  const { below, pick, next } = rng;
  const kind = pick(Object.keys(games));
  const { game, rules } = play(rng, kind, below(30));
  const request = { kind };
  if (next() < 0.7) request.rules = rules;
  switch (route) {
    case 'kinds':
    case 'palette':
      break;
    case 'position':
    case 'inspect':
      if (next() < 0.5) request.position = game.position();
      else request.moves = next() < 0.5 ? game.historyTexts() : game.history();
      if (next() < 0.2) request.legal_moves = false;
      break;
    case 'setup': {
      const arrangement = respond('position', { kind, rules, position: game.position() }).arrangement;
      Object.assign(request, structuredClone(arrangement));
      for (let i = below(4); i > 0; i--) {
        const cells = Object.keys(request.cells);
        if (next() < 0.5) delete request.cells[pick(cells)];
        else request.cells[pick(cells)] = request.cells[pick(cells)];
      }
      break;
    }
    case 'records/read':
      request.record = game.record();
      break;
    case 'records/write':
      request.moves = game.historyTexts();
      if (next() < 0.5)
        request.tags = [
          ['White', 'Anna "A"'],
          ['Event', 'ờ'],
        ];
      break;
  }
  if (next() < 0.35) spoil(rng, request);
  return request;
}

/** Makes a request wrong in one place. */
function spoil({ below, pick }, request) {
  const key = pick(Object.keys(request));
  switch (below(6)) {
    case 0:
      delete request[key];
      break;
    case 1:
      request[key] = pick([null, 7, true, 'nonsense', [], ['Zz9'], {}, { a: 1 }]);
      break;
    case 2:
      request.unknown = 1;
      break;
    case 3:
      request.kind = pick(['go', '', 'Chess', 'tribun']);
      break;
    case 4:
      if (Array.isArray(request.moves))
        request.moves.splice(below(request.moves.length + 1), 0, pick(['Ke3', '', 'xx']));
      else request.rules = 'house';
      break;
    default:
      for (const name of ['record', 'position']) {
        if (typeof request[name] === 'string')
          request[name] = request[name].slice(below(request[name].length));
      }
  }
}

/** Text that is not quite JSON. */
function malformed({ below, pick }, text) {
  const at = below(text.length + 1);
  return pick([
    text.slice(0, at),
    `${text}x`,
    `${text.slice(0, at)}\u0001${text.slice(at)}`,
    '',
    '[]',
    'null',
    '"x"',
    '{"kind":',
  ]);
}

/** What the server answers. */
async function ask(url, route, text) {
  const path = `${url.replace(/\/$/, '')}/api/`;
  let response;
  if (route === 'kinds') {
    response = await fetch(`${path}kinds`);
  } else if (route === 'palette') {
    const { kind, rules } = JSON.parse(text);
    const query = rules === undefined ? '' : `?rules=${encodeURIComponent(rules)}`;
    response = await fetch(`${path}kinds/${encodeURIComponent(kind)}/palette${query}`);
  } else {
    const headers = { 'content-type': 'application/json' };
    response = await fetch(path + route, { method: 'POST', headers, body: text });
  }
  return { status: response.status, text: await response.text() };
}

/** What the package answers. */
function answer(route, text) {
  try {
    return { status: 200, text: respond(route, text) };
  } catch (error) {
    assert.ok(error instanceof ContractError, String(error?.stack));
    assert.equal(error.message, error.body.message);
    return { status: error.status, text: JSON.stringify(error.body) };
  }
}

test('1,000 requests', { skip: program() ? false : 'the program sandtable was not built' }, async () => {
  const rng = random(2026);
  const server = await startServer();
  const statuses = {};
  try {
    const routes = [
      'position',
      'position',
      'inspect',
      'setup',
      'records/read',
      'records/write',
      'palette',
      'kinds',
    ];
    for (let i = 0; i < REQUESTS; i++) {
      const route = rng.pick(routes);
      let text = JSON.stringify(body(rng, route));
      // These two are paths and queries of the server, so their bodies are always objects with texts.
      const isPath = route === 'kinds' || route === 'palette';
      if (isPath) {
        const kind = rng.pick(['chess', 'cotulenh', 'tribun', 'tribun', 'go', 'x y']);
        const rules = rng.pick([undefined, undefined, 'standard', 'club', 'ninety', 'house rules']);
        text = JSON.stringify({ kind, rules });
      } else if (rng.next() < 0.1) {
        text = malformed(rng, text);
      }
      const expected = await ask(server.url, route, text);
      const found = answer(route, text);
      assert.deepEqual(found, expected, `request ${i}: ${route} ${text}`);
      const status = `${route} ${found.status}`;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  } finally {
    await server.stop();
  }
  for (const route of ['position', 'inspect', 'setup', 'records/read', 'records/write']) {
    for (const status of [200, 400, 422]) {
      assert.ok(statuses[`${route} ${status}`] > 0, `${route} ${status}: ${JSON.stringify(statuses)}`);
    }
  }
  assert.ok(statuses['kinds 200'] > 0 && statuses['palette 200'] > 0);
});

test('objects in, objects out', () => {
  const view = respond('position', { kind: 'chess', moves: ['e4'] });
  assert.equal(view.turn, 'second');
  assert.equal(view.legal_moves.length, 20);
  assert.throws(() => respond('position', { kind: 'go' }), {
    name: 'ContractError',
    status: 422,
    message: /^unknown game `go`: expected chess, cotulenh/,
  });
  assert.throws(() => respond('nothing', {}), { status: 404 });
  assert.throws(() => respond('position', undefined), { code: 'invalid_argument' });
});
