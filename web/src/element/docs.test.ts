// The tables of docs/board-element.md name what exists.

/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DISPLAY_ATTRIBUTES, POSITION_ATTRIBUTES } from './attributes';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../../docs/board-element.md');
const types = read('./board.d.ts');

/** The code in the first column of the table under a heading. */
function names(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
  );
}

test('documents all attributes', () => {
  expect(names('Attributes')).toEqual([...POSITION_ATTRIBUTES, ...DISPLAY_ATTRIBUTES, 'lang']);
});

test('documents all methods and events', () => {
  const methods = [...types.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  const documented = names('Properties and methods').flatMap((name) => /^(\w+)\(/.exec(name)?.[1] ?? []);
  expect(documented).toEqual([...methods.filter((name) => !name?.endsWith('EventListener')), 'focus']);
  const map = types.split('interface SandtableBoardEventMap')[1]?.split('\n}')[0] ?? '';
  const events = [...map.matchAll(/^ {2}(\w+): CustomEvent/gm)].map(([, name]) => name);
  expect(names('Events')).toEqual(events);
});

/** The text of a component and of all components that it imports. */
function withImports(url: URL, seen = new Set<string>()): string {
  if (seen.has(url.href)) return '';
  seen.add(url.href);
  const text = readFileSync(url, 'utf8');
  const imports = [...text.matchAll(/from '(\.[^']*\/[A-Z]\w*\.svelte)'/g)].map(
    ([, name]) => new URL(name ?? '', url),
  );
  return text + imports.map((component) => withImports(component, seen)).join('');
}

test('documents all colours that the element uses', () => {
  const defined = [...read('../theme/light.css').matchAll(/^\s+(--[\w-]+):/gm)].map(([, name]) => name ?? '');
  const styles = [
    withImports(new URL('./BoardElement.svelte', import.meta.url)),
    read('../theme/controls.css'),
    read('./element.css'),
  ].join('');
  const used = defined.filter((name) => styles.includes(`var(${name})`));
  expect(names('Colours').sort()).toEqual(used.sort());
});
