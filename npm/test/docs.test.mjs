// Runs the code on the pages: each page is one program per heading, in order.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { repository } from './helpers.mjs';

const npm = fileURLToPath(new URL('..', import.meta.url));

/** The blocks of JavaScript on a page, by section. A block after `<!-- not run -->` is left out. */
function programs(page) {
  const text = readFileSync(new URL(page, repository), 'utf8');
  return text
    .split(/^## /m)
    .map((section) => {
      const blocks = section.matchAll(/(<!-- not run -->\s*)?```(?:js|ts)\n(.*?)```/gs);
      return [
        section.split('\n')[0],
        [...blocks].filter(([, skipped]) => !skipped).map(([, , code]) => code),
      ];
    })
    .filter(([, blocks]) => blocks.length > 0);
}

/** The code with every `expression; // value` checked. */
function checked(code) {
  const checks = code.replace(/^(?!const |let |import )(.*?);? \/\/ → (.*)$/gm, 'assert.deepEqual($1, $2);');
  // Imports come first in a module, and twice is an error.
  const imports = new Set();
  const body = checks.replace(/^import .*?;\n/gms, (line) => {
    imports.add(line);
    return '';
  });
  return `import assert from 'node:assert/strict';\n${[...imports].join('')}\n${body}`;
}

for (const page of [
  'docs/javascript.md',
  'docs/from-cotulenh-core.md',
  'docs/from-tribunplay.md',
  'npm/README.md',
  'README.md',
]) {
  for (const [heading, blocks] of programs(page)) {
    test(`${page}: ${heading}`, () => {
      const folder = mkdtempSync(join(npm, 'dist', 'docs-'));
      try {
        const file = join(folder, 'page.mjs');
        const code = checked(blocks.join('\n'));
        writeFileSync(file, code);
        execFileSync(process.execPath, [file], {
          cwd: npm,
          timeout: 60_000,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
  test(`${page} has code`, () => assert.ok(programs(page).length > 0));
}
