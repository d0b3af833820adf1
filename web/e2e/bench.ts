// Measures the time from pressing a figure until its targets are on the board.

import { openTab, startBrowser } from './browser';
import { startServer } from './server';

const FIGURES = { chess: 'g1', cotulenh: 'g5', tribun: 'c3' };
const ROUNDS = 100;

export async function measureSelection(): Promise<Record<string, { median: number; p95: number }>> {
  const [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const results: Record<string, { median: number; p95: number }> = {};
  try {
    for (const [kind, figure] of Object.entries(FIGURES)) {
      const { page, close } = await openTab(browser);
      await page.goto(`${server.url}#/analysis?kind=${kind}`);
      await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
      await page.locator(`[data-cell=${figure}]`).waitFor();
      const times = await page.evaluate(pressRepeatedly, { figure, rounds: ROUNDS });
      times.sort((a, b) => a - b);
      const quantile = (part: number) => times[Math.floor(part * (times.length - 1))] ?? NaN;
      results[kind] = { median: quantile(0.5), p95: quantile(0.95) };
      await close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return results;
}

/** Runs in the page: presses the figure, waits for the layout of its targets, releases it and cancels the selection. */
async function pressRepeatedly({ figure, rounds }: { figure: string; rounds: number }): Promise<number[]> {
  const cell = document.querySelector<SVGElement>(`[data-cell=${figure}]`)!;
  const board = cell.closest('svg')!;
  board.setPointerCapture = () => undefined;
  const box = cell.getBoundingClientRect();
  const at = {
    clientX: box.x + box.width / 2,
    clientY: box.y + box.height / 2,
    bubbles: true,
    pointerId: 1,
    isPrimary: true,
    button: 0,
  };
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    cell.dispatchEvent(new PointerEvent('pointerdown', at));
    while (!document.querySelector('.target')) await Promise.resolve();
    board.getBoundingClientRect();
    times.push(performance.now() - start);
    cell.dispatchEvent(new PointerEvent('pointerup', at));
    cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await new Promise((resume) => setTimeout(resume, 5));
  }
  return times;
}
