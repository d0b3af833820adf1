// Prints the compressed size of every file that the first view loads. Fails if the total exceeds the limit.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT = 200_000;
const dist = join(import.meta.dirname, 'dist');
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const loaded = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((found) => found[1]);
let total = 0;
for (const name of ['index.html', ...loaded]) {
  const size = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(7)} bytes  ${name}`);
}
console.log(`${String(total).padStart(7)} bytes  total, limit ${LIMIT}`);
if (total > LIMIT) process.exit(1);
