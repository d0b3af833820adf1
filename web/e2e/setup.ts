// One server and one browser for a file of tests; every tab must end without a fault.

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openTab, startBrowser, type Page, type Tab } from './browser';
import { startServer, type Server } from './server';

export interface World {
  readonly url: string;
  readonly server: Server;
  readonly browser: Browser;
  open(
    path: string,
    options?: Parameters<typeof openTab>[1],
    before?: (page: Page) => Promise<unknown>,
  ): Promise<Tab>;
}

/** What the server refused on purpose is reported by the browser itself: so many refusals, and no more. */
export async function forgive(faults: string[], status: number, count: number): Promise<void> {
  const refused = () => faults.filter((fault) => fault.includes(`status of ${status}`));
  await expect.poll(refused).toHaveLength(count);
  for (const fault of refused()) faults.splice(faults.indexOf(fault), 1);
}

/** Where the connection was cut on purpose, the browser reports every try; nothing else is wrong. */
export function forgiveCut(faults: string[]): void {
  const others = faults.filter(
    (fault) => !/WebSocket|ERR_CONNECTION|ERR_FAILED|socket|status of 404/i.test(fault),
  );
  expect(others).toEqual([]);
  faults.length = 0;
}

export function world(): World {
  let server: Server;
  let browser: Browser;
  let tabs: Tab[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
  });
  afterEach(async () => {
    const faults = tabs.flatMap((tab) => tab.faults);
    await Promise.all(tabs.map((tab) => tab.close()));
    tabs = [];
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  return {
    get url() {
      return server.url;
    },
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    async open(path, options, before) {
      const tab = await openTab(browser, options);
      tabs.push(tab);
      tab.page.setDefaultTimeout(8_000);
      await before?.(tab.page);
      await tab.page.goto(new URL(path, server.url).href);
      return tab;
    },
  };
}
