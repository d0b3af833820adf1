import { describe, expect, test } from 'vitest';
import { arrowOf, choose, facets, groupPieces, meant, nothing, possible, targets, type Pick } from './narrow';
import type { Action } from './types';

function action(parts: Partial<Action>): Action {
  const none: Action = {
    text: '',
    san: '',
    word: null,
    index: 0,
    kind: 'move',
    from: null,
    to: null,
    group: [],
    deploys: false,
    takes: null,
    becomes: null,
    amount: null,
    shares: [],
  };
  const whole = { ...none, ...parts };
  return { ...whole, text: whole.text || JSON.stringify(parts) };
}

const pick = (parts: Partial<Pick>): Pick => ({ ...nothing, ...parts });

test('an action is an arrow, or a ring where nothing goes anywhere', () => {
  const share = { cell: 'g7', amount: 1 };
  expect(arrowOf(action({ from: 'e2', to: 'e4' }))).toEqual({ from: 'e2', to: 'e4' });
  expect(arrowOf(action({ from: 'e5', takes: 'e8' }))).toEqual({ from: 'e5', to: 'e8' });
  expect(arrowOf(action({ from: 'f6', shares: [share] }))).toEqual({ from: 'f6', to: 'g7' });
  expect(arrowOf(action({ to: 'f6', shares: [share] }))).toEqual({ from: 'f6', to: 'f6' });
  expect(arrowOf(action({ kind: 'end' }))).toBeNull();
});

describe('a figure that moves', () => {
  const actions = [
    action({ text: 'e2e4', from: 'e2', to: 'e4' }),
    action({ text: 'e2e3', from: 'e2', to: 'e3' }),
    action({ text: 'd3e2', from: 'd3', to: 'e4' }),
    action({ text: 'e7e8q', kind: 'promote', from: 'e7', to: 'e8', becomes: 'queen' }),
    action({ text: 'e7e8n', kind: 'promote', from: 'e7', to: 'e8', becomes: 'knight' }),
  ];

  test('two cells say which move', () => {
    const one = choose(actions, nothing, 'e2');
    expect([...targets(actions, one).keys()].sort()).toEqual(['e3', 'e4']);
    expect(meant(actions, one)).toBeNull();
    expect(facets(actions, one)).toEqual([]);
    expect(meant(actions, choose(actions, one, 'e4'))?.text).toBe('e2e4');
  });

  test('a target may be chosen first', () => {
    const one = choose(actions, nothing, 'e4');
    expect([...targets(actions, one)].sort()).toEqual([
      ['d3', 'act'],
      ['e2', 'act'],
    ]);
    expect(meant(actions, choose(actions, one, 'd3'))?.text).toBe('d3e2');
  });

  test('what a pawn becomes is asked', () => {
    const two = choose(actions, choose(actions, nothing, 'e7'), 'e8');
    expect(facets(actions, two)).toEqual([{ part: 'becomes', values: ['queen', 'knight'] }]);
    expect(meant(actions, { ...two, becomes: 'knight' })?.text).toBe('e7e8n');
  });

  test('a cell that leads nowhere begins anew, or ends the choice', () => {
    const one = choose(actions, nothing, 'e2');
    expect(choose(actions, one, 'e7').cells).toEqual(['e7']);
    expect(choose(actions, one, 'a8')).toEqual(nothing);
    expect(choose(actions, one, 'e2')).toEqual(nothing);
  });
});

describe('a stack', () => {
  const actions = [
    action({ text: 'whole', from: 'c3', to: 'c5', group: ['navy', 'air force', 'tank'] }),
    action({ text: 'navy', from: 'c3', to: 'c5', group: ['navy'], deploys: true }),
    action({
      text: 'fly',
      kind: 'capture',
      from: 'c3',
      to: 'e5',
      takes: 'e5',
      group: ['air force'],
      deploys: true,
    }),
    action({ text: 'bomb', kind: 'stay-capture', from: 'f1', to: 'f4', takes: 'f4', group: ['air force'] }),
    action({ text: 'take', kind: 'capture', from: 'f1', to: 'f4', takes: 'f4', group: ['air force'] }),
  ];

  test('offers its groups at once', () => {
    expect(facets(actions, pick({ cells: ['c3'] }))).toEqual([
      { part: 'group', values: ['navy+air force+tank', 'navy', 'air force'] },
    ]);
    expect(groupPieces('navy+air force+tank')).toEqual(['navy', 'air force', 'tank']);
  });

  test('a group leaves only its own targets', () => {
    const flying = pick({ cells: ['c3'], group: 'air force' });
    expect([...targets(actions, flying)]).toEqual([['e5', 'take']]);
  });

  test('an aircraft is asked whether it returns', () => {
    const aimed = pick({ cells: ['f1', 'f4'] });
    expect(facets(actions, aimed)).toEqual([{ part: 'kind', values: ['stay-capture', 'capture'] }]);
    expect(meant(actions, { ...aimed, kind: 'stay-capture' })?.text).toBe('bomb');
  });
});

describe('units that act together or fall apart', () => {
  const split = (...shares: [string, number][]) =>
    action({
      text: `split ${shares.join(' ')}`,
      kind: 'split',
      from: 'f6',
      shares: shares.map(([cell, amount]) => ({ cell, amount })),
    });
  const actions = [
    split(['g7', 1]),
    split(['g7', 2]),
    split(['g7', 1], ['e5', 1]),
    split(['e5', 1]),
    action({ text: 'go', from: 'f6', to: 'g7', group: ['primary'] }),
    action({
      text: 'join',
      kind: 'combine',
      to: 'f7',
      shares: [
        { cell: 'f6', amount: 1 },
        { cell: 'g8', amount: 2 },
      ],
    }),
    action({ text: 'hurt 1', kind: 'damage', to: 'h8', takes: 'h8', amount: 1 }),
    action({ text: 'hurt 2', kind: 'damage', to: 'h8', takes: 'h8', amount: 2 }),
    action({ text: 'free', kind: 'liberate', to: 'h8', takes: 'h8' }),
  ];

  test('a unit alone leaves the kinds open', () => {
    const [kinds] = facets(actions, pick({ cells: ['f6'] }));
    expect(kinds).toEqual({ part: 'kind', values: ['split', 'move', 'combine'] });
  });

  test('shares that are chosen are all there are', () => {
    const splitting = pick({ cells: ['f6'], kind: 'split' });
    expect(meant(actions, splitting)).toBeNull();
    const one = { ...splitting, shares: { g7: 1 } };
    expect(possible(actions, one)).toHaveLength(2);
    expect(meant(actions, one)?.text).toBe('split g7,1');
    expect(meant(actions, { ...splitting, shares: { g7: 1, e5: 1 } })?.text).toBe('split g7,1 e5,1');
    expect(meant(actions, { ...splitting, shares: { g7: 3 } })).toBeNull();
  });

  test('only shares that lead somewhere are offered', () => {
    const offered = facets(actions, pick({ cells: ['f6'], kind: 'split', shares: { e5: 1 } }));
    expect(offered.filter((facet) => facet.part === 'share')).toEqual([
      { part: 'share', cell: 'e5', values: [1] },
      { part: 'share', cell: 'g7', values: [1] },
    ]);
  });

  test('a donor or the empty tile leads to a combination', () => {
    expect(meant(actions, pick({ cells: ['g8'] }))?.text).toBe('join');
    expect(meant(actions, pick({ cells: ['f7'] }))?.text).toBe('join');
  });

  test('an enemy leads to what can be done to it', () => {
    const enemy = pick({ cells: ['h8'] });
    expect(possible(actions, enemy)).toHaveLength(3);
    expect(meant(actions, { ...enemy, kind: 'liberate' })?.text).toBe('free');
    expect(meant(actions, { ...enemy, kind: 'damage' })).toBeNull();
    expect(meant(actions, { ...enemy, kind: 'damage', amount: 2 })?.text).toBe('hurt 2');
  });
});
