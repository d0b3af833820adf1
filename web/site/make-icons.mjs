// Draws the icons of the installed page from public/icon.svg: `node site/make-icons.mjs`. Needs Chromium.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const svg = readFileSync(join(root, 'public/icon.svg'), 'utf8');
/** Name, size in pixels, and the part of the width that the drawing fills. */
const ICONS = [
  ['icon-192.png', 192, 1, 'transparent'],
  ['icon-512.png', 512, 1, 'transparent'],
  // Systems cut a maskable icon to their own shape; only a circle of 80 % is always visible.
  ['icon-maskable-512.png', 512, 0.7, '#f0e2c0'],
  // iOS shows transparent parts as black.
  ['apple-touch-icon.png', 180, 0.86, '#f0e2c0'],
];

const executablePath = execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome'])
  .toString()
  .trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const [name, size, part, background] of ICONS) {
  await page.setViewportSize({ width: size, height: size });
  const style = `margin:0;height:100vh;display:grid;place-items:center;background:${background}`;
  await page.setContent(`<body style="${style}"><div style="width:${100 * part}vw">${svg}</div></body>`);
  await page.screenshot({ path: join(root, 'site/files', name), omitBackground: true });
}
await browser.close();
