// What the first view weighs: every file that the page loads, as a browser asks for it, compressed. Fails if it is too much.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT = 200_000;
const dist = join(import.meta.dirname, 'dist');
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const loaded = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((found) => found[1]);
let total = 0;
for (const name of ['index.html', ...loaded]) {
  const weight = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  total += weight;
  console.log(`${String(weight).padStart(7)} bytes  ${name}`);
}
console.log(`${String(total).padStart(7)} bytes  in all, of ${LIMIT} allowed`);
if (total > LIMIT) process.exit(1);
