// Builds the package into dist/ from the sources and the WebAssembly modules in target/wasm, which `cargo xtask npm` builds.
// A module of one game that was not built is replaced by the module of all games, which does the same and is larger.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const npm = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(npm);
const modules = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'wasm');
const dist = join(npm, 'dist');
const sources = join(npm, 'src');
const glue = join(sources, 'wasm');

if (!existsSync(join(modules, 'all', 'sandtable_wasm.js'))) {
  console.error(`${modules} has no WebAssembly module: run \`cargo xtask npm\``);
  process.exit(1);
}

for (const folder of [dist, glue]) rmSync(folder, { recursive: true, force: true });
mkdirSync(join(dist, 'wasm'), { recursive: true });
mkdirSync(glue, { recursive: true });
cpSync(join(root, 'crates', 'engine', 'nets'), join(dist, 'nets'), { recursive: true });
for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(join(root, licence), join(npm, licence));
// The types of the contract are generated for the page.
cpSync(join(root, 'web', 'src', 'lib', 'types.generated.ts'), join(sources, 'contract-types.ts'));

for (const name of ['all', 'chess', 'cotulenh', 'tribun']) {
  const built = join(modules, name);
  const folder = existsSync(built) ? built : join(modules, 'all');
  const code = withoutDefaultPath(readFileSync(join(folder, 'sandtable_wasm.js'), 'utf8'));
  writeFileSync(join(glue, `${name}.js`), code);
  writeFileSync(join(dist, 'wasm', `${name}.js`), code);
  cpSync(join(folder, 'sandtable_wasm.d.ts'), join(glue, `${name}.d.ts`));
  cpSync(join(folder, 'sandtable_wasm.d.ts'), join(dist, 'wasm', `${name}.d.ts`));
  cpSync(join(folder, 'sandtable_wasm_bg.wasm'), join(dist, 'wasm', `${name}.wasm`));
  // Self-contained, so that a bundler that does not know workers can copy them.
  for (const [platform, file] of [
    ['web', `${name}-worker.js`],
    ['node', `${name}-worker.node.js`],
  ]) {
    await build({
      entryPoints: [join(sources, 'worker', `${platform}.ts`)],
      outfile: join(dist, 'wasm', file),
      bundle: true,
      minify: true,
      format: 'esm',
      platform: platform === 'node' ? 'node' : 'browser',
      target: 'es2022',
      logLevel: 'error',
      plugins: [
        {
          name: 'module',
          setup: ({ onResolve }) =>
            onResolve({ filter: /\/wasm\/all\.js$/ }, () => ({ path: join(glue, `${name}.js`) })),
        },
      ],
    });
  }
}

/** Removes the default address of the module: bundlers would look for that file. */
function withoutDefaultPath(code) {
  const address = "new URL('sandtable_wasm_bg.wasm', import.meta.url)";
  if (!code.includes(address)) throw new Error(`wasm-bindgen's code has no ${address}`);
  return code.replace(address, 'undefined');
}

execFileSync(process.execPath, [join(npm, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', npm], {
  stdio: 'inherit',
});
