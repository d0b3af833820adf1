// Accessibility checks with axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import type { Page } from './browser';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations of all rules, or of `rules`. */
export function violations(page: Page, rules: string[] = []): Promise<string[]> {
  return page.evaluate(async (only) => {
    type Found = { id: string; nodes: { html: string }[] };
    type Axe = { run(options: object): Promise<{ violations: Found[] }> };
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(only.length > 0 ? { runOnly: only } : {});
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`);
  }, rules);
}

/** Checks all rules in the light theme, and contrast in the dark one, which differs only in colours. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await violations(page, ['color-contrast'])).toEqual([]);
}
