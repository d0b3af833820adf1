import { expect, test } from 'vitest';
import { readChoice, type Choice } from './last-choice';

const DEFAULT: Choice = { kind: '', rules: '', opponent: 'engine', level: 3, side: 'first', clock: null };

test('a stored choice is read back', () => {
  const choice: Choice = {
    ...{ kind: 'tribun', rules: 'standard', opponent: 'human', level: 7, side: 'random' },
    clock: { initial: 60_000, increment: 1_000, delay: 0, max_game: 600_000 },
  };
  expect(readChoice(JSON.stringify(choice))).toEqual(choice);
});

test.each([
  null,
  '',
  'null',
  '[]',
  '{"level": 12, "opponent": "ghost", "side": 1, "clock": {"initial": "x"}}',
])('what is not valid is the default: %s', (stored) => {
  expect(readChoice(stored)).toEqual(DEFAULT);
});
