// One server and one browser per test file. Every tab must close without unexpected errors.

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openTab, startBrowser, type Page, type Tab } from './browser';
import { startServer, type Server } from './server';

export interface Environment {
  readonly url: string;
  readonly server: Server;
  readonly browser: Browser;
  open(
    path: string,
    options?: Parameters<typeof openTab>[1],
    before?: (page: Page) => Promise<unknown>,
  ): Promise<Tab>;
}

/** Waits for exactly `count` error responses, which the browser logs, and removes them from `errors`. */
export async function expectErrorResponses(errors: string[], status: number, count: number): Promise<void> {
  const matching = () => errors.filter((error) => error.includes(`status of ${status}`));
  await expect.poll(matching).toHaveLength(count);
  for (const error of matching()) errors.splice(errors.indexOf(error), 1);
}

/** Expects only errors of a connection that was cut on purpose, and clears `errors`. */
export function expectConnectionErrors(errors: string[]): void {
  const others = errors.filter(
    (error) => !/WebSocket|ERR_CONNECTION|ERR_FAILED|socket|status of 404/i.test(error),
  );
  expect(others).toEqual([]);
  errors.length = 0;
}

export function setUpEnvironment(): Environment {
  let server: Server;
  let browser: Browser;
  let tabs: Tab[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
  });
  afterEach(async () => {
    const errors = tabs.flatMap((tab) => tab.errors);
    await Promise.all(tabs.map((tab) => tab.close()));
    tabs = [];
    expect(errors).toEqual([]);
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
