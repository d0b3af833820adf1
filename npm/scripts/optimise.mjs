// Makes a WebAssembly module in target/wasm smaller with wasm-opt: `node scripts/optimise.mjs all`.

import { execFileSync } from 'node:child_process';
import { renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const npm = dirname(dirname(fileURLToPath(import.meta.url)));
const target = process.env.CARGO_TARGET_DIR ?? join(dirname(npm), 'target');

for (const name of process.argv.slice(2)) {
  const module = join(target, 'wasm', name, 'sandtable_wasm_bg.wasm');
  const optimised = `${module}.optimised`;
  const before = statSync(module).size;
  const options = [
    '-O2',
    // What Rust's target uses.
    '--enable-bulk-memory',
    '--enable-multivalue',
    '--enable-mutable-globals',
    '--enable-nontrapping-float-to-int',
    '--enable-reference-types',
    '--enable-sign-ext',
    // It drops zeros from the data, after which the rest compresses worse.
    '--skip-pass=memory-packing',
    '--strip-debug',
    '--strip-producers',
  ];
  const program = join(npm, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
  execFileSync(process.execPath, [program, ...options, module, '-o', optimised], { stdio: 'inherit' });
  renameSync(optimised, module);
  console.log(`${name}: ${before} bytes, now ${statSync(module).size}`);
}
