// Checks the compressed sizes of the WebAssembly modules in dist/.

import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
let tooLarge = false;
for (const [name, most] of [
  ['all', 350_000],
  ['chess', 180_000],
  ['cotulenh', 180_000],
  ['tribun', 180_000],
]) {
  const module = readFileSync(new URL(`../dist/wasm/${name}.wasm`, import.meta.url));
  const [brotli, gzip] = [brotliCompressSync(module).length, gzipSync(module, { level: 9 }).length];
  const glue = brotliCompressSync(readFileSync(new URL(`../dist/wasm/${name}.js`, import.meta.url))).length;
  const verdict = brotli <= most ? '' : `  TOO LARGE: at most ${kB(most)}`;
  console.log(
    `${name.padEnd(9)} ${kB(module.length).padStart(10)}  brotli ${kB(brotli)}  gzip ${kB(gzip)}  glue ${kB(glue)}${verdict}`,
  );
  tooLarge ||= brotli > most;
}
process.exitCode = tooLarge ? 1 : 0;
