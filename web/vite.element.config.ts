// Builds the custom element into the npm package: board.js, which loads the core from contract.js beside it, and for an error
// board-server-text.vi.js.

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const source = (name: string) => resolve(import.meta.dirname, 'src/element', name);

/** Puts the styles of the components into the script, because the element applies them to its shadow root. */
function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    // After Vite has written the style sheet.
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const sheets = files.filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
      const css = sheets.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('');
      for (const { fileName } of sheets) delete bundle[fileName];
      for (const file of files) {
        if (file.type === 'chunk')
          file.code = file.code.replace(/\bCOMPONENT_STYLES\b/, () => JSON.stringify(css));
      }
    },
  };
}

/** Copies the public types beside the script. */
function publicTypes(): Plugin {
  return {
    name: 'public-types',
    generateBundle() {
      const types = readFileSync(source('board.d.ts'), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'board.d.ts',
        source: types.replace("'../lib/types'", "'./contract.js'"),
      });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), inlineStyles(), publicTypes()],
  publicDir: false,
  build: {
    target: 'es2022',
    outDir: process.env.SANDTABLE_ELEMENT ?? '../npm/dist',
    emptyOutDir: false,
    lib: { entry: source('index.ts'), formats: ['es'], fileName: () => 'board.js', cssFileName: 'board' },
    rolldownOptions: {
      external: ['sandtable/contract'],
      output: { paths: { 'sandtable/contract': './contract.js' }, chunkFileNames: 'board-[name].js' },
    },
  },
});
