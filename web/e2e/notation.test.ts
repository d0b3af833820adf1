// Typed moves, and export and import of positions and records.

import { expect, test } from 'vitest';
import { cell, currentMove, fetchView, moves, openLab, openMoves, typeMove } from './helpers';
import { expectErrorResponses, setUpEnvironment } from './environment';

const env = setUpEnvironment();

const hex = (word: number) => `0x${word.toString(16).toUpperCase().padStart(8, '0')}`;

test('plays moves of Cờ Tư Lệnh typed in LAN and SAN, and a deployment step by step', async () => {
  const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
  const { page, errors } = await env.open(
    `#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`,
  );
  await typeMove(page, 'Nc4>a4');
  await currentMove(page, 'N>a4').waitFor();
  await page.getByTestId('deployment').waitFor();
  await typeMove(page, 'F>f4');
  await currentMove(page, 'F>f4').waitFor();
  await typeMove(page, 'end');
  await page.getByText('Blue to move').waitFor();
  await typeMove(page, 'Ce12');
  await page.getByText('Red to move').waitFor();
  await typeMove(page, 'Nz9');
  await page.getByRole('alert').getByText('unknown file').waitFor();
  await expectErrorResponses(errors, 422, 1);
  await expect.poll(() => moves(page).count()).toBe(4);
});

test('plays a complete deployment typed as one turn', async () => {
  const { page } = await env.open(
    `#/analysis?kind=cotulenh&position=${encodeURIComponent(SAMPLES.cotulenh?.position ?? '')}`,
  );
  await typeMove(page, 'c4:-:N>a4,F>f4,T>c6');
  await page.getByText('Blue to move').waitFor();
  await expect.poll(() => moves(page).allTextContents()).toEqual(['N>a4', 'F>f4', 'T>c6']);
});

test('plays moves of Tribun typed as text and as action words', async () => {
  const first = (await fetchView(env.url, 'tribun')).legal_moves.find(({ kind }) => kind === 'move');
  if (!first) throw new Error('no unit can move');
  const second = (await fetchView(env.url, 'tribun', undefined, [first.text])).legal_moves[0];
  if (!second) throw new Error('no legal reply');
  const { page, errors } = await env.open('#/analysis?kind=tribun');
  await typeMove(page, first.text);
  await currentMove(page, first.san).waitFor();
  await typeMove(page, hex(second.action_word ?? 0));
  await currentMove(page, second.san).waitFor();
  await typeMove(page, '0xFFFFFFFF');
  await page.getByRole('alert').getByText('opcode').waitFor();
  await expectErrorResponses(errors, 422, 1);
  await expect.poll(() => moves(page).count()).toBe(2);
});

interface Sample {
  position?: string;
  moves: string[];
  /** The moves as the record writes them. */
  recorded: string;
  file: string;
}

const SAMPLES: Record<string, Sample> = {
  chess: { moves: ['e2e4', 'e7e5', 'g1f3'], recorded: '1. e4 e5 2. Nf3', file: 'sandtable.pgn' },
  cotulenh: {
    position: '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1',
    moves: ['Nc4>a4', 'Fc4>f4', 'Tc4>c6', 'Cf12e12'],
    recorded: '1. c4:-:N>a4,F>f4,T>c6 Ce12',
    file: 'sandtable.ctl',
  },
  tribun: {
    position: 'black:a1=1*,f6=2,e5=1 white:k11=1*,g8=1 b -',
    moves: ['f6xg8'],
    recorded: '1. f6xg8',
    file: 'sandtable.tribun',
  },
};

test.each(Object.entries(SAMPLES))(
  'exports and imports a record and a position of %s',
  async (kind, sample) => {
    const query = new URLSearchParams({ kind, moves: sample.moves.join(' ') });
    if (sample.position) query.set('position', sample.position);
    const { page, errors } = await env.open(`#/analysis?${query}`);
    await expect.poll(() => moves(page).count()).toBe(sample.moves.length);
    await openLab(page);
    await page.getByText('Import and export').click();
    const record = page.getByLabel('Game record', { exact: true });
    await expect.poll(() => record.inputValue()).toContain(sample.recorded);
    const text = await record.inputValue();
    const position = page.getByLabel('Position', { exact: true });
    const reached = await position.inputValue();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(sample.file);

    const paste = page.getByLabel('Paste a position or game record');
    const load = page.getByRole('button', { name: 'Load', exact: true });
    await paste.fill('no position at all');
    await load.click();
    await page.getByRole('alert').waitFor();
    await expectErrorResponses(errors, 422, 2);
    await paste.fill(reached);
    await load.click();
    await expect.poll(() => moves(page).count()).toBe(0);
    await expect.poll(() => position.inputValue()).toBe(reached);
    await paste.fill(text);
    await load.click();
    await expect.poll(() => moves(page).count()).toBe(sample.moves.length);
    await expect.poll(() => position.inputValue()).toBe(reached);

    const other = await env.open(link.slice(link.indexOf('#')));
    await expect.poll(() => moves(other.page).count()).toBe(sample.moves.length);
    await expect.poll(async () => (await cellsOf(other.page)).sort()).toEqual((await cellsOf(page)).sort());
  },
);

const cellsOf = (page: Parameters<typeof cell>[0]) =>
  page.locator('[data-cell]').evaluateAll((cells) => cells.map((at) => at.getAttribute('aria-label') ?? ''));

test('imports a game of Tribun written as action words', async () => {
  const game = await fetchView(env.url, 'tribun', SAMPLES.tribun?.position, SAMPLES.tribun?.moves);
  const words = game.moves_played.map((move) => hex(move.action_word ?? 0)).join(' ');
  const { page } = await env.open(
    `#/analysis?kind=tribun&position=${encodeURIComponent(game.first_position)}&moves=f6xg8`,
  );
  await openLab(page);
  await page.getByText('Inspect position').click();
  await page.getByTestId('inspector').getByText(words, { exact: true }).first().waitFor();
  await page.getByText('Import and export').click();
  await page
    .getByLabel('Paste a position or game record')
    .fill(`[Position "${game.first_position}"]\n\n1. ${words}`);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByText('Loaded', { exact: true }).waitFor();
  await openMoves(page);
  await currentMove(page, 'f6xg8').waitFor();
});

test.each(['absent, as over plain HTTP', 'denied, as in a frame'])(
  'copies where the clipboard of the browser is %s',
  async (clipboardIs) => {
    const { page } = await env.open('#/analysis?kind=chess&moves=e2e4', {}, (page) =>
      page.addInitScript((isAbsent) => {
        const { clipboard } = navigator;
        Object.assign(window, { readCopied: () => clipboard.readText() });
        if (isAbsent) Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });
        else Clipboard.prototype.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
      }, clipboardIs.startsWith('absent')),
    );
    await openLab(page);
    await page.getByText('Import and export').click();
    const record = page.getByLabel('Game record', { exact: true });
    await expect.poll(() => record.inputValue()).toContain('1. e4');
    const copied = () =>
      page.evaluate(() => (window as unknown as { readCopied: () => Promise<string> }).readCopied());
    for (const [i, label] of ['Position', 'Link', 'Game record'].entries()) {
      await page
        .getByTestId('share')
        .getByRole('button', { name: /^Cop(y|ied)$/ })
        .nth(i)
        .click();
      const text = await page.getByLabel(label, { exact: true }).inputValue();
      await expect.poll(copied).toBe(text);
    }
  },
);
