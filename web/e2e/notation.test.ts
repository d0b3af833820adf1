// Moves that are typed, positions and records that go out and come back, in the notations of the games.

import { expect, test } from 'vitest';
import { cell, current, moves, type, view } from './player';
import { forgive, world } from './setup';

const there = world();

const hex = (word: number) => `0x${word.toString(16).toUpperCase().padStart(8, '0')}`;

test('moves of Cờ Tư Lệnh are typed in LAN and SAN, a deployment step by step', async () => {
  const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
  const { page, faults } = await there.open(
    `#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`,
  );
  await type(page, 'Nc4>a4');
  await current(page, 'N>a4').waitFor();
  await page.getByTestId('deployment').waitFor();
  await type(page, 'F>f4');
  await current(page, 'F>f4').waitFor();
  await type(page, 'end');
  await page.getByText('Blue to move').waitFor();
  await type(page, 'Ce12');
  await page.getByText('Red to move').waitFor();
  await type(page, 'Nz9');
  await page.getByRole('alert').getByText('no file').waitFor();
  await forgive(faults, 422, 1);
  await expect.poll(() => moves(page).count()).toBe(4);
});

test('actions of Tribun are typed as texts and as words', async () => {
  const first = (await view(there.url, 'tribun')).actions.find(({ kind }) => kind === 'move');
  if (!first) throw new Error('no unit can move');
  const second = (await view(there.url, 'tribun', undefined, [first.text])).actions[0];
  if (!second) throw new Error('nobody can answer');
  const { page, faults } = await there.open('#/analysis?kind=tribun');
  await type(page, first.text);
  await current(page, first.san).waitFor();
  await type(page, hex(second.word ?? 0));
  await current(page, second.san).waitFor();
  await type(page, '0xFFFFFFFF');
  await page.getByRole('alert').getByText('opcode').waitFor();
  await forgive(faults, 422, 1);
  await expect.poll(() => moves(page).count()).toBe(2);
});

interface Sample {
  position?: string;
  moves: string[];
  /** What the record says of the moves. */
  written: string;
  file: string;
}

const SAMPLES: Record<string, Sample> = {
  chess: { moves: ['e2e4', 'e7e5', 'g1f3'], written: '1. e4 e5 2. Nf3', file: 'sandtable.pgn' },
  cotulenh: {
    position: '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1',
    moves: ['Nc4>a4', 'Fc4>f4', 'Tc4>c6', 'Cf12e12'],
    written: '1. c4:-:N>a4,F>f4,T>c6 Ce12',
    file: 'sandtable.ctl',
  },
  tribun: {
    position: 'black:a1=1*,f6=2,e5=1 white:k11=1*,g8=1 b -',
    moves: ['f6xg8'],
    written: '1. f6xg8',
    file: 'sandtable.tribun',
  },
};

test.each(Object.entries(SAMPLES))(
  'a record and a position of %s go out and come back',
  async (kind, sample) => {
    const query = new URLSearchParams({ kind, moves: sample.moves.join(' ') });
    if (sample.position) query.set('position', sample.position);
    const { page, faults } = await there.open(`#/analysis?${query}`);
    await expect.poll(() => moves(page).count()).toBe(sample.moves.length);
    await page.getByText('Import and export').click();
    const record = page.getByLabel('Record', { exact: true });
    await expect.poll(() => record.inputValue()).toContain(sample.written);
    const text = await record.inputValue();
    const position = page.getByLabel('Position', { exact: true });
    const reached = await position.inputValue();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(sample.file);

    const paste = page.getByLabel('Paste a position or a record');
    const load = page.getByRole('button', { name: 'Load', exact: true });
    await paste.fill('no position at all');
    await load.click();
    await page.getByRole('alert').waitFor();
    await forgive(faults, 422, 2);
    await paste.fill(reached);
    await load.click();
    await expect.poll(() => moves(page).count()).toBe(0);
    await expect.poll(() => position.inputValue()).toBe(reached);
    await paste.fill(text);
    await load.click();
    await forgive(faults, 422, 1);
    await expect.poll(() => moves(page).count()).toBe(sample.moves.length);
    await expect.poll(() => position.inputValue()).toBe(reached);

    const other = await there.open(link.slice(link.indexOf('#')));
    await expect.poll(() => moves(other.page).count()).toBe(sample.moves.length);
    await expect.poll(async () => (await cellsOf(other.page)).sort()).toEqual((await cellsOf(page)).sort());
  },
);

const cellsOf = (page: Parameters<typeof cell>[0]) =>
  page.locator('[data-cell]').evaluateAll((cells) => cells.map((at) => at.getAttribute('aria-label') ?? ''));

test('a game of Tribun goes out and comes back as words', async () => {
  const game = await view(there.url, 'tribun', SAMPLES.tribun?.position, SAMPLES.tribun?.moves);
  const words = game.history.map((move) => hex(move.word ?? 0)).join(' ');
  const { page, faults } = await there.open(
    `#/analysis?kind=tribun&position=${encodeURIComponent(game.first_position)}&moves=f6xg8`,
  );
  await page.getByText('Look inside').click();
  await page.getByTestId('inside').getByText(words, { exact: true }).first().waitFor();
  await page.getByText('Import and export').click();
  await page
    .getByLabel('Paste a position or a record')
    .fill(`[Position "${game.first_position}"]\n\n1. ${words}`);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByText('Loaded.').waitFor();
  await forgive(faults, 422, 1);
  await current(page, 'f6xg8').waitFor();
});
