// Effects and sounds of moves.

import { expect, test } from 'vitest';
import { countEffects, effectCounts, storeSettings, type Page } from './browser';
import { setUpEnvironment } from './environment';
import { currentMove, fetchView, play } from './helpers';

const env = setUpEnvironment();

/** A game with a position, the text or the kind of a move, its effect, and the number of notes of the sounds. */
const EFFECTS: [kind: string, position: string, move: string, effects: string[], notes: number][] = [
  ['chess', '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1', 'e4d5', ['capture'], 2],
  ['chess', '4k3/8/8/8/8/8/8/3QK3 w - - 0 1', 'd1a4', ['check'], 2],
  ['chess', '4k3/8/8/8/8/8/8/3QK3 w - - 0 1', 'd1d3', [], 1],
  ['cotulenh', '6c4/11/5T5/11/11/11/11/11/11/11/11/4C6 r - - 0 1', 'g10', ['heroic', 'check'], 5],
  ['tribun', 'black:a1=1*,f6=3 white:k11=1*,g9=2 b -', 'enslave', ['enslave'], 2],
  ['tribun', 'black:a1=1*,f6=4 white:k11=1*,g8=2/1 b -', 'liberate', ['liberate'], 2],
];

/** Records the effects that the board shows. */
async function recordEffects(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { seen } = Object.assign(window, { seen: new Set<string>() });
    new MutationObserver(() => {
      for (const { dataset } of document.querySelectorAll<SVGElement>('[data-effect]'))
        seen.add(dataset.effect ?? '');
    }).observe(document.body, { childList: true, subtree: true });
  });
}

function seenEffects(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
}

async function openAndPlay(
  [kind, position, wanted]: (typeof EFFECTS)[number],
  reducedMotion: 'reduce' | 'no-preference',
): Promise<Page> {
  const view = await fetchView(env.url, kind, position);
  const move = view.legal_moves.find(({ text, to, kind }) => [text, to, kind].includes(wanted));
  if (!move) throw new Error(`no move ${wanted}: ${view.legal_moves.map(({ text }) => text).join(' ')}`);
  const query = new URLSearchParams({ kind, position });
  const { page } = await env.open(`#/analysis?${query}`, { reducedMotion }, async (page) => {
    await storeSettings(page, { sound: true });
    await countEffects(page);
  });
  await page.locator('[data-cell]').first().waitFor();
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await recordEffects(page);
  await play(page, view, move);
  await currentMove(page).waitFor();
  return page;
}

test.each(EFFECTS)('%s, %s: %s has the effects %s', async (...example) => {
  const page = await openAndPlay(example, 'no-preference');
  const [, , , effects, notes] = example;
  await expect.poll(() => seenEffects(page)).toEqual(effects);
  expect((await effectCounts(page)).notes).toBe(notes);
});

test('with reduced motion, effects are heard and not shown', async () => {
  const page = await openAndPlay(EFFECTS[0]!, 'reduce');
  await expect.poll(async () => (await effectCounts(page)).notes).toBe(2);
  expect(await seenEffects(page)).toEqual([]);
});
