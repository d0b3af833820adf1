// The parts of the static build that Vite does not have: data for the first view, manifest and icons, service worker.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const files = join(import.meta.dirname, 'files');
const FIRST_VIEW = '#first-view';

interface Wasm {
  initSync: (options: { module: Uint8Array }) => unknown;
  respond: (route: string, body: string) => string;
}

/** The module that answers the requests of the first view before the core is loaded (src/lib/backend/local.ts). */
async function firstView(wasm: string): Promise<string> {
  const { initSync, respond } = (await import(pathToFileURL(join(wasm, 'sandtable_wasm.js')).href)) as Wasm;
  initSync({ module: readFileSync(join(wasm, 'sandtable_wasm_bg.wasm')) });
  const kinds = respond('kinds', '{}');
  const positions = (JSON.parse(kinds) as { name: string }[]).map(({ name }) => [
    name,
    respond('position', JSON.stringify({ kind: name, legal_moves: false })),
  ]);
  return `export const kinds = ${JSON.stringify(kinds)};
    export const positions = ${JSON.stringify(Object.fromEntries(positions))};`;
}

/** All files below a folder, as relative paths of a URL. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

async function buildServiceWorker(folder: string): Promise<void> {
  const paths = listFiles(folder);
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(readFileSync(join(folder, path)));
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: {
      VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)),
      // The page itself is stored under the path `./`.
      FILES: JSON.stringify(paths.filter((path) => path !== 'index.html')),
    },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'service-worker.ts'), formats: ['iife'], name: 'worker' },
    },
  })) as Rolldown.RolldownOutput[];
  const [bundle] = output;
  if (!bundle) throw new Error('no bundle of the service worker');
  writeFileSync(join(folder, 'service-worker.js'), bundle.output[0].code);
}

/** `wasm` is the output folder of wasm-bindgen. */
export function sitePlugin(wasm: string): Plugin {
  let folder = '';
  return {
    name: 'sandtable-site',
    configResolved(config) {
      folder = config.build.outDir;
    },
    buildStart() {
      if (!existsSync(join(wasm, 'sandtable_wasm.js')))
        this.error(`WebAssembly is not built: ${wasm} has no sandtable_wasm.js; run \`cargo xtask site\``);
      for (const fileName of readdirSync(files))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(files, fileName)) });
    },
    resolveId: (id) => (id === FIRST_VIEW ? `\0${FIRST_VIEW}` : undefined),
    load: (id) => (id === `\0${FIRST_VIEW}` ? firstView(wasm) : undefined),
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: './apple-touch-icon.png' }, injectTo: 'head' },
      { tag: 'meta', attrs: { name: 'theme-color', content: '#b5894f' }, injectTo: 'head' },
    ],
    closeBundle: () => buildServiceWorker(folder),
  };
}
