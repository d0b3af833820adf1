// The custom element <sandtable-board>, on pages of its own. If the WebAssembly core is not built, the server answers in its
// place.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MoveDetail, SandtableBoard } from '../src/element/board';
import { PHONE, startTouch, type Page } from './browser';
import { expectErrorResponses, setUpEnvironment } from './environment';

const env = setUpEnvironment();
const folder = mkdtempSync(join(tmpdir(), 'sandtable-element-'));

beforeAll(async () => {
  process.env.SANDTABLE_ELEMENT = folder;
  const web = resolve(import.meta.dirname, '..');
  await build({ root: web, configFile: join(web, 'vite.element.config.ts'), logLevel: 'error' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');
const wasm = join(target, 'wasm/all');
const hasWasm = existsSync(join(wasm, 'sandtable_wasm_bg.wasm'));
if (!hasWasm) console.warn(`element tests: no WebAssembly core in ${wasm}, the server answers in its place`);

/** The core as the element imports it. */
const CONTRACT = hasWasm
  ? `
  import init, { respond } from './sandtable_wasm.js';
  await init();
  export { respond };`
  : `
  export async function respond(route, body) {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const response = await fetch('/api/' + route, route === 'kinds' ? {} : options);
    const text = await response.text();
    if (response.ok) return text;
    const content = JSON.parse(text);
    throw Object.assign(new Error(content.message), { body: content });
  }`;

/** Expects that the core rejected `count` requests. The browser logs error responses of the server. */
async function expectRejections(errors: string[], count: number): Promise<void> {
  if (!hasWasm) await expectErrorResponses(errors, 422, count);
}

/** The script of the page: records every event of its boards as text. */
const SCRIPT = `
  import './board.js';
  window.events = [];
  for (const type of ['move', 'select', 'error'])
    document.addEventListener(type, (event) => {
      const { text, cell, message } = event.detail;
      window.events.push([event.target.id, type, text ?? cell ?? message].join(' '));
    }, true);`;

const STYLE = `
  :root { color-scheme: light dark; background: Canvas; color: CanvasText }
  sandtable-board { max-width: 30rem }`;

/** Opens a page with the given boards. */
async function open(boards: string, options?: Parameters<typeof env.open>[1]) {
  const html = `<!doctype html><html lang="en"><title>Boards</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <link rel="stylesheet" href="page.css"><script type="module" src="page.js"></script>
    <main><h1 tabindex="-1">Boards</h1>${boards}</main></html>`;
  const files: Record<string, { body?: string; path?: string; contentType: string }> = {
    'index.html': { body: html, contentType: 'text/html' },
    'page.css': { body: STYLE, contentType: 'text/css' },
    'page.js': { body: SCRIPT, contentType: 'text/javascript' },
    ...Object.fromEntries(
      readdirSync(folder).map((name) => [name, { path: join(folder, name), contentType: 'text/javascript' }]),
    ),
    'contract.js': { body: CONTRACT, contentType: 'text/javascript' },
    'sandtable_wasm.js': { path: join(wasm, 'sandtable_wasm.js'), contentType: 'text/javascript' },
    'sandtable_wasm_bg.wasm': { path: join(wasm, 'sandtable_wasm_bg.wasm'), contentType: 'application/wasm' },
  };
  // The element works under a strict policy.
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
  return env.open('element/index.html', options, (page) =>
    page.route('**/element/*', (route) => {
      const file = files[new URL(route.request().url()).pathname.replace('/element/', '')];
      return file
        ? route.fulfill({ ...file, headers: { 'content-security-policy': policy } })
        : route.abort();
    }),
  );
}

const cell = (page: Page, board: string, name: string) => page.locator(`#${board} [data-cell="${name}"]`);
const events = (page: Page) => page.evaluate(() => (window as unknown as { events: string[] }).events);
const element = (page: Page, id: string) => page.locator(`sandtable-board#${id}`);
/** The texts of the moves played on a board. */
const played = (page: Page, id: string) =>
  element(page, id).evaluate((board: SandtableBoard) => board.view?.moves_played.map(({ text }) => text));

async function center(page: Page, board: string, name: string): Promise<{ x: number; y: number }> {
  const box = await cell(page, board, name).boundingBox();
  if (!box) throw new Error(`cell ${name} is not visible`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const STACK = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
const HIGH_STACK = '5c5/2(NFT)8/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1';
const SPLIT = 'black:a1=1*,f6=4 white:k11=1* b -';

test('plays on three boards with mouse and keyboard, and each board only sees its own keys', async () => {
  const { page } = await open(`
    <sandtable-board id="chess" game="chess" interactive></sandtable-board>
    <sandtable-board id="cotulenh" game="cotulenh" interactive></sandtable-board>
    <sandtable-board id="tribun" game="tribun" position="${SPLIT}" interactive></sandtable-board>`);
  await cell(page, 'chess', 'e2').click();
  await cell(page, 'chess', 'e4').click();
  await expect.poll(() => played(page, 'chess')).toEqual(['e2e4']);
  await cell(page, 'chess', 'e7').dragTo(cell(page, 'chess', 'e5'));
  await expect.poll(() => played(page, 'chess')).toEqual(['e2e4', 'e7e5']);

  // Two boards with a selection: the keys go to the one with the focus.
  await cell(page, 'cotulenh', 'c5').click();
  await cell(page, 'tribun', 'f6').click();
  await cell(page, 'tribun', 'g7').click();
  await page.locator('#tribun .board.preview').waitFor();
  for (const focus of [() => cell(page, 'cotulenh', 'c5').focus(), () => page.locator('h1').focus()]) {
    await focus();
    for (const key of [' ', 'Escape', '1']) await page.keyboard.press(key);
  }
  expect(await played(page, 'tribun')).toEqual([]);
  await page.locator('#tribun .board.preview').waitFor();
  await element(page, 'tribun').evaluate((board: SandtableBoard) => board.focus());
  await page.keyboard.press(' ');
  await expect.poll(() => played(page, 'tribun')).toEqual(['f6>1g7']);

  await cell(page, 'chess', 'g1').focus();
  await page.keyboard.press('Enter');
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => played(page, 'chess')).toEqual(['e2e4', 'e7e5', 'g1f3']);
  expect((await events(page)).filter((event) => event.includes('move'))).toEqual([
    'chess move e2e4',
    'chess move e7e5',
    'tribun move f6>1g7',
    'chess move g1f3',
  ]);
});

test('deploys a stack of Cờ Tư Lệnh, taking back a step and ending the turn', async () => {
  const { page } = await open(
    `<sandtable-board id="board" game="cotulenh" position="${STACK}" interactive="red"></sandtable-board>`,
  );
  const deployment = page.getByTestId('deployment');
  const deploy = async (pieces: string, to: string) => {
    await cell(page, 'board', 'c4').click();
    await page.click(`[data-choice="piece ${pieces}"]`);
    await cell(page, 'board', to).click();
    await deployment.waitFor();
  };
  await deploy('navy', 'a4');
  await page.getByRole('button', { name: 'Take back step' }).click();
  await deployment.waitFor({ state: 'detached' });
  await deploy('navy', 'a4');
  await deploy('air force', 'f4');
  await page.getByRole('button', { name: 'End turn' }).click();
  await deployment.waitFor({ state: 'detached' });
  expect(await played(page, 'board')).toEqual(['Nc4>a4', 'Fc4>f4', 'end']);
  // Blue is to move, and the board is interactive for Red alone.
  await cell(page, 'board', 'f12').click();
  await expect.poll(() => page.locator('.target').count()).toBe(0);
  expect((await events(page)).at(-1)).toBe('board select f12');
});

test('in a low window, the counters of a stack are beside it', async () => {
  const { page } = await open(
    `<sandtable-board id="board" game="cotulenh" position="${HIGH_STACK}" interactive></sandtable-board>`,
    { viewport: { width: 800, height: 500 } },
  );
  await cell(page, 'board', 'c11').click();
  const counter = page.locator('[data-choice="piece navy"]');
  await counter.waitFor();
  const [selected, box] = [await center(page, 'board', 'c11'), await counter.boundingBox()];
  expect(Math.abs(box!.x + box!.width / 2 - selected.x)).toBeLessThan(100);
  expect(Math.abs(box!.y + box!.height / 2 - selected.y)).toBeLessThan(100);
});

test('splits a unit of Tribun by taps on a phone', async () => {
  const { page } = await open(
    `<sandtable-board id="board" game="tribun" position="${SPLIT}" interactive></sandtable-board>`,
    PHONE,
  );
  const before = await center(page, 'board', 'k11');
  await cell(page, 'board', 'f6').tap();
  await cell(page, 'board', 'g7').tap();
  await cell(page, 'board', 'e5').tap();
  await cell(page, 'board', 'e5').tap();
  await page.locator('.board.preview').waitFor();
  // The bar below the board does not move it.
  expect(await center(page, 'board', 'k11')).toEqual(before);
  await page.getByTestId('submit').tap();
  await expect.poll(() => played(page, 'board')).toEqual(['f6>1g7+2e5']);
  // Dragging a figure does not scroll the page.
  const [from, to] = [await center(page, 'board', 'k11'), await center(page, 'board', 'k10')];
  const touch = await startTouch(page);
  await touch.down(from.x, from.y);
  await touch.moveBy(to.x - from.x, to.y - from.y);
  await touch.up();
  await expect.poll(async () => (await played(page, 'board'))?.at(-1)).toBe('k11-k10');
});

test('a listener rejects moves, answers them and changes the game', async () => {
  const { page, errors } = await open(
    '<sandtable-board id="board" game="chess" interactive="white"></sandtable-board>',
  );
  const board = element(page, 'board');
  await board.evaluate((board: SandtableBoard) => {
    const details: MoveDetail[] = [];
    Object.assign(window, { details });
    board.addEventListener('move', (event) => {
      details.push(event.detail);
      if (event.detail.text === 'a2a3') event.preventDefault();
      else void board.play('e5');
    });
  });
  await cell(page, 'board', 'a2').click();
  await cell(page, 'board', 'a3').click();
  await expect.poll(() => events(page)).toContain('board move a2a3');
  await cell(page, 'board', 'e2').click();
  await cell(page, 'board', 'e4').click();
  // The answer dispatches no event.
  await expect.poll(() => played(page, 'board')).toEqual(['e2e4', 'e7e5']);
  expect(await events(page)).toEqual([
    'board select a2',
    'board select a3',
    'board move a2a3',
    'board select e2',
    'board select e4',
    'board move e2e4',
  ]);
  expect(
    await page.evaluate(() => (window as unknown as { details: MoveDetail[] }).details[1]),
  ).toMatchObject({
    san: 'e4',
    player: 'first',
    turn: 'second',
    position: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
    outcome: { over: false },
  });
  await page.locator('#board [aria-live]').getByText('Black: e5').waitFor({ state: 'attached' });

  const result = await board.evaluate(async (board: SandtableBoard) => {
    const undone = (await board.undo()).moves_played.length;
    board.moves = ['d4', 'd5'];
    const played = await board.play('c4');
    const illegal = await board
      .play('Ke5')
      .catch((error: unknown) => (error as { body?: { code: string } }).body?.code);
    board.position = played.position;
    board.removeAttribute('moves');
    await board.play('e6');
    await board.reset();
    return { undone, played: played.moves_played.map(({ san }) => san), illegal, fen: board.view?.position };
  });
  await expectRejections(errors, 1);
  expect(result.undone).toBe(1);
  expect(result.played).toEqual(['d4', 'd5', 'c4']);
  expect(result.illegal).toBeTypeOf('string');
  expect(result.fen).toBe('rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2');
});

test('shows arrows and marks of any colour, and clears them', async () => {
  const { page } = await open(`
    <sandtable-board id="one" game="tribun"></sandtable-board>
    <sandtable-board id="two" game="tribun"></sandtable-board>`);
  const one = element(page, 'one');
  await cell(page, 'one', 'f6').waitFor();
  await one.evaluate((board: SandtableBoard) => {
    board.setArrows([
      { from: 'f6', to: 'g8' },
      { from: 'f6', to: 'g8', color: 'rgb(1, 2, 3)' },
      { from: 'a1', to: 'nowhere' },
    ]);
    board.setMarks([{ cell: 'a1' }, { cell: 'f6', color: 'hotpink' }]);
  });
  // The last of two arrows between the same cells counts, and unknown cells are ignored.
  await expect.poll(() => page.locator('#one .shaft').count()).toBe(1);
  expect(await page.locator('#one .shaft').evaluate((shaft) => getComputedStyle(shaft).stroke)).toBe(
    'rgb(1, 2, 3)',
  );
  expect(await page.locator('#one .ring').count()).toBe(2);
  expect(await page.locator('#two .shaft, #two .ring').count()).toBe(0);
  await one.evaluate((board: SandtableBoard) => board.clear());
  await expect.poll(() => page.locator('#one .shaft, #one .ring').count()).toBe(0);
});

test('attributes choose the side, the labels and the language, variables the colours', async () => {
  const { page } = await open(`
    <sandtable-board id="board" game="cotulenh" lang="vi" orientation="Blue" coordinates="off"></sandtable-board>`);
  await expect.poll(() => cell(page, 'board', 'g1').getAttribute('aria-label')).toContain('Tư lệnh');
  const top = async (name: string) => (await center(page, 'board', name)).y;
  expect(await top('g1')).toBeLessThan(await top('g12'));
  expect(await page.locator('#board .labels text').count()).toBe(0);
  // Without `interactive` a board shows a position and reports the cells that are picked.
  await cell(page, 'board', 'g2').click();
  await expect.poll(() => events(page)).toEqual(['board select g2']);
  expect(await page.locator('#board .target, #board .selected').count()).toBe(0);

  await element(page, 'board').evaluate((board: SandtableBoard) => {
    Object.assign(board, { orientation: 'first', coordinates: 'on', interactive: true, lang: 'en' });
  });
  await expect.poll(() => cell(page, 'board', 'g1').getAttribute('aria-label')).toContain('red Commander');
  expect(await top('g1')).toBeGreaterThan(await top('g12'));
  expect(await page.locator('#board .labels text').count()).toBeGreaterThan(20);

  await element(page, 'board').evaluate((board) => board.style.setProperty('--ground-land', 'rgb(1, 2, 3)'));
  const land = page.locator('#board .ground .land').first();
  expect(await land.evaluate((ground) => getComputedStyle(ground).fill)).toBe('rgb(1, 2, 3)');
});

test('wrong attributes show a message and dispatch an error, until they are corrected', async () => {
  const { page, errors } = await open(`
    <sandtable-board id="none"></sandtable-board>
    <sandtable-board id="game" game="go"></sandtable-board>
    <sandtable-board id="fen" game="chess" position="8/8/8/8"></sandtable-board>
    <sandtable-board id="side" game="chess" orientation="red"></sandtable-board>
    <sandtable-board id="good" game="chess" interactive></sandtable-board>`);
  const message = (id: string) => page.locator(`#${id} [role=alert]`);
  await expect.poll(() => message('none').textContent()).toContain('missing attribute `game`');
  await expect.poll(() => message('game').textContent()).toContain('unknown game `go`');
  await expect
    .poll(() => message('side').textContent())
    .toBe('unknown orientation `red`: expected first, white, second or black');
  await expectRejections(errors, 2);
  await expect.poll(async () => (await events(page)).length).toBe(4);
  expect((await events(page)).every((event) => / error ./.test(event))).toBe(true);
  // The others are not affected.
  await cell(page, 'good', 'e2').click();
  await cell(page, 'good', 'e4').click();
  await expect.poll(() => played(page, 'good')).toEqual(['e2e4']);
  await element(page, 'side').evaluate((board: SandtableBoard) => (board.orientation = 'black'));
  await cell(page, 'side', 'e2').waitFor();
  expect(await message('side').count()).toBe(0);
});

test('shows errors of the core in the language of the element', async () => {
  const { page, errors } = await open(`
    <sandtable-board id="board" game="chess" position="8/8/8/8 w - - 0 1" lang="vi"></sandtable-board>`);
  const message = page.locator('#board [role=alert]');
  await expect.poll(() => message.textContent()).toContain('cần 8 hàng, nhưng có 4');
  expect((await events(page)).join()).toContain('ranks');
  await element(page, 'board').evaluate((board: SandtableBoard) => (board.lang = 'en'));
  await expect.poll(() => message.textContent()).toContain('ranks');
  await expectRejections(errors, 2);
});

test('works with properties set before it was upgraded, and after it was moved', async () => {
  const { page } = await open('<div id="place"></div>');
  const moves = await page.evaluate(async () => {
    // Elements of a document without a window are upgraded when they are inserted elsewhere.
    const board = document.implementation.createHTMLDocument().createElement('sandtable-board');
    board.id = 'board';
    board.game = 'chess';
    document.getElementById('place')?.append(board);
    await board.play('e4');
    board.remove();
    document.querySelector('h1')?.append(board);
    await board.play('e5');
    return board.view?.moves_played.map(({ san }) => san);
  });
  expect(moves).toEqual(['e4', 'e5']);
  await expect.poll(() => cell(page, 'board', 'e5').getAttribute('aria-label')).toContain('black Pawn');
  expect(await page.locator('svg.board').count()).toBe(1);
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

test('the boards and their choices are accessible, light and dark', async () => {
  const { page, errors } = await open(
    `
    <sandtable-board id="chess" game="chess" interactive></sandtable-board>
    <sandtable-board id="cotulenh" game="cotulenh" position="${STACK}" moves="Nc4>a4" interactive></sandtable-board>
    <sandtable-board id="tribun" game="tribun" position="${SPLIT}" interactive></sandtable-board>
    <sandtable-board id="wrong" game="go"></sandtable-board>`,
    { colorScheme: 'light' },
  );
  await cell(page, 'cotulenh', 'c4').click();
  await cell(page, 'tribun', 'f6').click();
  await cell(page, 'chess', 'e2').click();
  await page.locator('#tribun').getByTestId('choices').waitFor();
  await expectRejections(errors, 1);
  await page.evaluate(axe);
  const violations = () =>
    page.evaluate(async () => {
      type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      const { violations } = await (window as unknown as { axe: Axe }).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`);
    });
  expect(await violations()).toEqual([]);
  const ground = () =>
    page
      .locator('#chess .ground .light')
      .first()
      .evaluate((square) => getComputedStyle(square).fill);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).not.toBe(light);
  expect(await violations()).toEqual([]);
});

test('board themes, piece themes and coordinates are attributes', async () => {
  const { page, errors } = await open(`
    <sandtable-board id="plain" game="chess" theme="light"></sandtable-board>
    <sandtable-board id="styled" game="chess" theme="dark" board="slate" pieces="contrast" coordinates="off">
    </sandtable-board>
    <sandtable-board id="own" game="chess" board="meadow"></sandtable-board>`);
  const ground = (id: string) =>
    element(page, id).evaluate((board) => getComputedStyle(board).getPropertyValue('--ground-light').trim());
  /** The drawing of a figure with its colours. */
  const drawing = (id: string) => page.locator(`#${id} [data-figure=e1]`).innerHTML();
  const texts = (id: string) => page.locator(`#${id} svg.board text`).count();
  for (const id of ['plain', 'styled', 'own']) await cell(page, id, 'e2').waitFor();
  const plain = await ground('plain');
  expect(await ground('styled')).toBe('#d9dfe5');
  expect(plain).not.toBe('#d9dfe5');
  // The colours of the page around it count more.
  expect(await ground('own')).toBe('#e8ebcb');
  await element(page, 'own').evaluate((board) => board.style.setProperty('--ground-light', '#010203'));
  expect(await ground('own')).toBe('#010203');
  expect(await drawing('styled')).not.toBe(await drawing('plain'));
  expect(await texts('plain')).toBeGreaterThan(0);
  expect(await texts('styled')).toBe(0);

  // They change without loading the position anew.
  await element(page, 'plain').evaluate((board: SandtableBoard) => board.play('e4'));
  const wide = await cell(page, 'plain', 'e2').boundingBox();
  await element(page, 'plain').evaluate((board: SandtableBoard) =>
    Object.assign(board, { board: 'slate', pieces: 'contrast', coordinates: 'inside' }),
  );
  await expect.poll(() => ground('plain')).toBe('#d9dfe5');
  await expect.poll(async () => (await drawing('plain')) === (await drawing('styled'))).toBe(true);
  await expect
    .poll(async () => (await cell(page, 'plain', 'e2').boundingBox())!.width)
    .toBeGreaterThan(wide!.width);
  expect(await played(page, 'plain')).toEqual(['e2e4']);
  expect(await events(page)).toEqual([]);

  await element(page, 'plain').evaluate((board: SandtableBoard) => (board.board = 'pink'));
  await page.locator('#plain').getByText('unknown board `pink`: expected classic, slate or meadow').waitFor();
  expect(await events(page)).toEqual(['plain error unknown board `pink`: expected classic, slate or meadow']);
  expect(errors).toEqual([]);
});
