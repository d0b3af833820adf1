// One server and one browser per test file. Every tab must close without unexpected errors.

import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newContext, openTabIn, startBrowser, type Page, type Tab } from './browser';
import { isSite, startServer, type Server } from './server';
import { addContext, removeContext } from './site-games';
import { startStaticServer } from './static-server';

/** A test of the server, its API or the connection to it. */
export const serverTest = test.skipIf(isSite);

export interface Environment {
  readonly url: string;
  readonly server: Server;
  readonly browser: Browser;
  open(
    path: string,
    options?: Parameters<typeof newContext>[1],
    before?: (page: Page) => unknown,
  ): Promise<Tab>;
}

/** Waits for exactly `count` error responses, which the browser logs, and removes them from `errors`. */
export async function expectErrorResponses(errors: string[], status: number, count: number): Promise<void> {
  // Without a server there are no responses.
  if (isSite) return;
  const matching = () => errors.filter((error) => error.includes(`status of ${status}`));
  await expect.poll(matching).toHaveLength(count);
  for (const error of matching()) errors.splice(errors.indexOf(error), 1);
}

/** Expects only errors of a connection that was cut on purpose, and clears `errors`. */
export function expectConnectionErrors(errors: string[]): void {
  const others = errors.filter(
    (error) =>
      !/WebSocket|ERR_CONNECTION|ERR_FAILED|ERR_INTERNET_DISCONNECTED|socket|status of 404/i.test(error),
  );
  expect(others).toEqual([]);
  errors.length = 0;
}

/** `flags` are passed to the server. */
export function setUpEnvironment(flags: string[] = []): Environment {
  let server: Server;
  let browser: Browser;
  let tabs: Tab[] = [];
  let contexts = new Map<string, Promise<BrowserContext>>();
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      isSite ? startStaticServer() : startServer(flags),
      startBrowser(),
    ]);
  });
  afterEach(async () => {
    const errors = tabs.flatMap((tab) => tab.errors);
    for (const opening of contexts.values()) {
      const context = await opening;
      removeContext(context);
      await context.close();
    }
    tabs = [];
    contexts = new Map();
    expect(errors).toEqual([]);
  });
  /** The context of a tab. The games of the static page are in its context: tabs with the same options share one. */
  const contextFor = (options: Parameters<typeof newContext>[1] = {}): Promise<BrowserContext> => {
    const open = async () => {
      const context = await newContext(browser, options);
      if (isSite) await addContext(context, server.url);
      return context;
    };
    const key = isSite ? JSON.stringify(options) : String(contexts.size);
    const context = contexts.get(key) ?? open();
    // Tabs may be opened at the same time, so the context is registered before it exists.
    contexts.set(key, context);
    return context;
  };
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
      const tab = await openTabIn(await contextFor(options));
      tabs.push(tab);
      tab.page.setDefaultTimeout(20_000);
      await before?.(tab.page);
      await tab.page.goto(new URL(path, server.url).href);
      return tab;
    },
  };
}
