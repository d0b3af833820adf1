// Text from the server is translated to Vietnamese.

import { expect, test } from 'vitest';
import { translator } from '../src/i18n/server-text';
import { messages as catalog } from '../src/i18n/server-text.vi';
import { textsOf } from '../src/i18n/texts';
import { vi } from '../src/i18n/vi';
import type { ErrorBody, Game, SetupResponse } from '../src/lib/types';
import { storeSettings } from './browser';
import { cell, request } from './helpers';
import { expectErrorResponses, serverTest, setUpEnvironment } from './environment';

const env = setUpEnvironment();
const translate = translator('vi', catalog, textsOf(() => vi).term);

/** The error response to a request. */
async function errorResponse(path: string, body: unknown): Promise<ErrorBody> {
  const response = await fetch(`${env.url}api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, JSON.stringify(body)).toBe(false);
  return (await response.json()) as ErrorBody;
}

/** The messages that are not translated, or whose translation still contains an English word. */
function untranslated(messages: Pick<ErrorBody, 'message' | 'detail'>[]): unknown[] {
  const english = /\b(is|are|the|of|where|with|not|has|and|or|expected|found|invalid|unknown|illegal)\b/;
  return messages.filter(({ message, detail }) => {
    const translated = translate(detail) ?? message;
    return translated === message || english.test(translated);
  });
}

const BAD: [string, unknown][] = [
  ...[
    ...[
      '',
      '8/8 w - - 0 1',
      '9/8/8/8/8/8/8/8 w - - 0 1',
      '8/8/8/8/8/8/8/8 w - - 0 1',
      'x7/8/8/8/8/8/8/8 w - - 0 1',
    ],
    '44/8/8/8/8/8/8/8 w - - 0 1',
    'k7/8/8/8/8/8/8/K6P x - - 0 1',
    'k7/8/8/8/8/8/8/K6P w KX e9 -1 x',
    'k7/8/8/8/8/8/8/K6P w K e3 0 0',
  ].map((position): [string, unknown] => ['position', { kind: 'chess', position }]),
  ...['e2e5', 'Ke5', 'hello', 'e7e8', 'O-O', 'e2e4q', 'a1a1', 'exd3'].map((move): [string, unknown] => [
    'position',
    { kind: 'chess', moves: [move] },
  ]),
  ...['', '1. e4 {', '1. e4 (', '1. e4 )', '[Event', '[FEN "x"] 1. e4', '1. e5', '1. e4 $999'].map(
    (record): [string, unknown] => ['records/read', { kind: 'chess', record }],
  ),
  ...[
    ...[
      '',
      '11/11 r - - 0 1',
      '(TI r - - 0 1',
      '12/11 r - - 0 1',
      'X',
      '()',
      '(T',
      '+',
      '(T)10',
      '(IT)10',
      'C10 x',
    ],
    '5c5/11/11/11/11/11/11/T10/11/11/11/6C4 r - - 0 1',
    '5c5/11/11/11/11/11/11/4N6/11/11/6C4/6C4 r - - 0 0',
    '5c5/11/11/11/11/11/11/11/11/11/11/6C4 r x - 0 1',
    '5c5/11/11/11/11/11/11/11/11/11/11/6C4 r - - x 1',
    '5c5/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1 c3:T:N>c5...',
    '5c5/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1 c3:T',
  ].map((position): [string, unknown] => ['position', { kind: 'cotulenh', position }]),
  ...['', 'Xe4', 'T', 'Tz4', 'Te13', 'Te4', 'c4:-:N>a4', 'end', 'Te4e5e6'].map((move): [string, unknown] => [
    'position',
    { kind: 'cotulenh', moves: [move] },
  ]),
  ...['', '[Rules "x"]', '[FEN "x"]', '{', '1. Te99', '[Termination "magic"] 1-0', '[Tag'].map(
    (record): [string, unknown] => ['records/read', { kind: 'cotulenh', record }],
  ),
  ...[
    ...['', 'black:', 'black: black: b', 'black:z9=1 white: b', 'black:a1=5 white: b', 'black:a1 white: b'],
    'black:a1=1*,a1=2 white:k11=1* b',
    'black:a1=1*/1 white:k11=1* b',
    'black:a1=1/4 white:k11=1* b',
    'black:a1=1* white:k11=1* x',
    'black:a1=1* white:k11=1* b offer:x',
    'black:a1=1* white:k11=1* b - x',
    'black:a1=1* white: b #',
    'AAAA b',
  ].map((position): [string, unknown] => ['position', { kind: 'tribun', position }]),
  ...[
    '',
    'f6',
    'f6-z9',
    'f6-f7',
    '9f6+1e5>f6',
    'f6>9g7',
    'f6>1g7+1g7',
    '0xFFFFFFFF',
    '0x0',
    '5g7+1e5+1f7>f6',
  ].map((move): [string, unknown] => ['position', { kind: 'tribun', moves: [move] }]),
  ...[
    '[Rules "x"]',
    '[Position "x"]',
    '[Result "x"]',
    '1. hello',
    '{x',
    '(1. f6-g7)',
    '[Result "draw: agreement"] 1. a1-a1',
  ].map((record): [string, unknown] => ['records/read', { kind: 'tribun', record }]),
  ['position', { kind: 'go' }],
  ['position', { kind: 'chess', rules: 'x' }],
  ['position', { kind: 'chess', position: 'x'.repeat(40_000) }],
  ['games', { kind: 'chess', clock: { initial: 1, increment: 0 } }],
  ['games', { kind: 'chess', seats: { first: { type: 'engine', level: 12 }, second: { type: 'human' } } }],
  ['games/nowhere/undo', {}],
];

serverTest('error messages are translated', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'chess' });
  const path = `games/${game.id}`;
  const messages = await Promise.all([
    ...BAD.map(([where, body]) => errorResponse(where, body)),
    errorResponse(`${path}/moves`, { text: 'e2e4', version: 99 }),
    errorResponse(`${path}/moves`, { index: 4671 }),
    errorResponse(`${path}/moves`, { index: 99_999 }),
    errorResponse(`${path}/undo`, {}),
    errorResponse(`${path}/draw`, { player: 'first', action: 'accept' }),
  ]);
  await request(env.url, `${path}/resign`, { player: 'first' });
  messages.push(await errorResponse(`${path}/moves`, { text: 'e2e4' }));
  expect(untranslated(messages)).toEqual([]);
});

const SETUPS: { kind: string; cells: Record<string, string>; fields?: Record<string, string> }[] = [
  { kind: 'chess', cells: {} },
  { kind: 'chess', cells: { a1: 'P', a2: 'x', z9: 'K', e1: 'K', e8: 'k', d7: 'P' } },
  {
    kind: 'chess',
    cells: { e1: 'K', e8: 'k', e2: 'R', e7: 'R' },
    fields: { castling: 'KQ', 'en-passant': 'e3', halfmoves: 'x', fullmoves: '0', other: '' },
  },
  { kind: 'cotulenh', cells: { a5: 'T', e8: 'N', g1: 'C', e1: 'C', z9: 'T', e4: 'TT', e5: '(TT)' } },
  {
    kind: 'tribun',
    cells: { a1: 'b1', k11: 'x2', f6: 'b1/4', z1: 'b1' },
    fields: { draw: 'x', attacked: 'maybe' },
  },
  { kind: 'tribun', cells: { a1: 'b1*', k11: 'w1*' }, fields: { attacked: 'yes' } },
];

test('faults of a setup are translated', async () => {
  const faults: Pick<ErrorBody, 'message' | 'detail'>[] = [];
  for (const setup of SETUPS) {
    const response = await request<SetupResponse>(env.url, 'setup', { turn: 'first', ...setup });
    expect(response.position).toBeNull();
    faults.push(...response.faults.map(({ text, detail }) => ({ message: text, detail })));
  }
  expect(faults.length).toBeGreaterThan(15);
  expect(untranslated(faults)).toEqual([]);
});

test('the page shows the translations', async () => {
  const vietnamese = (page: Parameters<typeof storeSettings>[0]) => storeSettings(page, { language: 'vi' });
  const editor = await env.open('#/editor?kind=tribun', {}, vietnamese);
  await editor.page.getByRole('button', { name: 'Xóa bàn cờ' }).click();
  await editor.page.getByTestId('validation').getByText('Đen có 0 hộ dân quan: cần đúng một').waitFor();
  await editor.page.getByText('Đề nghị hòa', { exact: false }).first().waitFor();

  const { page, errors } = await env.open('#/analysis?kind=cotulenh', {}, vietnamese);
  await page.getByRole('tab', { name: 'Phòng thí nghiệm' }).click();
  await page.getByText('Xem dữ liệu thế cờ').click();
  await page.getByRole('button', { name: 'Không quân ta', exact: true }).click();
  await page.getByTestId('shown-plane').getByText('kể cả đang được chở').waitFor();
  await page.getByLabel('Nhập nước đi').fill('Tz9');
  await page.getByRole('button', { name: 'Đi', exact: true }).click();
  await page.getByRole('alert').getByText('cột không xác định').waitFor();
  await expectErrorResponses(errors, 422, 1);
  await expect.poll(() => cell(page, 'g1').getAttribute('aria-label')).toBe('g1, đất liền, Tư lệnh đỏ');
});
