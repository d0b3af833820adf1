// Debian's Chromium, driven by Playwright; whatever it complains about is a fault.

import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

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
  /** Errors and warnings of the console, exceptions, failed answers. */
  faults: string[];
  close(): Promise<void>;
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, faults, close: () => context.close() };
}

/** Sets what the player prefers before the page is opened. */
export async function prefer(page: Page, settings: Record<string, unknown>): Promise<void> {
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

/** A finger that is put down somewhere, moved by so many pixels, in steps, and lifted. */
export interface Finger {
  down(x: number, y: number): Promise<void>;
  along(dx: number, dy: number): Promise<void>;
  up(): Promise<void>;
}

export async function finger(page: Page): Promise<Finger> {
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
    async along(dx, dy) {
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

/** Counts the notes that are played and the figures that are seen to move. */
export async function count(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counts = Object.assign(window, { notes: 0, glides: 0 });
    const oscillator = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      counts.notes++;
      return oscillator.call(this);
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how: Parameters<Element['animate']>) {
      counts.glides++;
      return animate.apply(this, how);
    };
  });
}

/** What has been counted since the page was opened. */
export function counted(page: Page): Promise<{ notes: number; glides: number }> {
  return page.evaluate(() => {
    const { notes, glides } = window as unknown as { notes: number; glides: number };
    return { notes, glides };
  });
}
