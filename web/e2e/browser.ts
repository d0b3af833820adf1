// Chromium driven by Playwright. Everything it logs as an error or warning is recorded.

import { execFileSync } from 'node:child_process';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';

export type { Page };

export function startBrowser(): Promise<Browser> {
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome'])
    .toString()
    .trim();
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}

export interface Tab {
  page: Page;
  /** Console errors and warnings, exceptions and error responses. */
  errors: string[];
  /** Closes the context of the tab. */
  close(): Promise<void>;
}

export function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
}

/** Opens a tab in a context of its own. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  return openTabIn(await newContext(browser, options));
}

export async function openTabIn(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { page, errors, close: () => context.close() };
}

/** Stores settings before the page is opened. */
export async function storeSettings(page: Page, settings: Record<string, unknown>): Promise<void> {
  await page.addInitScript(
    (text) => localStorage.setItem('sandtable', text),
    JSON.stringify({ sound: false, ...settings }),
  );
}

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  hasTouch: true,
  isMobile: true,
};

/** A touch with one finger; coordinates are in pixels. */
export interface Touch {
  down(x: number, y: number): Promise<void>;
  moveBy(dx: number, dy: number): Promise<void>;
  up(): Promise<void>;
}

export async function startTouch(page: Page): Promise<Touch> {
  const session = await page.context().newCDPSession(page);
  let [x, y] = [0, 0];
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
    });
  return {
    async down(atX, atY) {
      [x, y] = [atX, atY];
      await send('touchStart');
    },
    async moveBy(dx, dy) {
      for (let step = 0; step < 5; step++) {
        [x, y] = [x + dx / 5, y + dy / 5];
        await send('touchMove');
      }
    },
    async up() {
      await send('touchEnd');
    },
  };
}

/** Counts the notes and animations that the page starts. */
export async function countEffects(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counts = Object.assign(window, { notes: 0, animations: 0 });
    const oscillator = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      counts.notes++;
      return oscillator.call(this);
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...args: Parameters<Element['animate']>) {
      counts.animations++;
      return animate.apply(this, args);
    };
  });
}

/** The notes and animations since the page was opened. */
export function effectCounts(page: Page): Promise<{ notes: number; animations: number }> {
  return page.evaluate(() => {
    const { notes, animations } = window as unknown as { notes: number; animations: number };
    return { notes, animations };
  });
}
