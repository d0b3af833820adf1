// The linter of the page: `npm run lint`, which `cargo xtask test` runs. Prettier decides the layout, svelte-check the types.

import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  // The build, and what Rust types generate.
  { ignores: ['dist/', 'dist-site/', 'src/lib/types.generated.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  // Turns off the rules about layout.
  svelte.configs.prettier,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.mjs', 'site/*.mjs', 'vite.*.ts'] },
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // In the preset. Named, because a promise that nobody waits for loses its error, such as that of a move.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // Numbers have one text.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return announce(…)` ends a function that returns nothing.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // An empty text and false are no value.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: true }],
      // Of an object that an `await` returns, some values may be replaced later.
      'prefer-const': ['error', { destructuring: 'all' }],
      // A type parameter that is used once names what callers receive or send, such as the messages of a socket.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // An alias and an interface are the same for an object.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // The base class of the element outside a browser.
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true }],
      // A handler that does nothing, or a stub.
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions', 'methods'] }],
      // `void value` in an effect reads a value on which the effect depends.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // The rule does not know that functions called meanwhile change a variable or a property, such as `cancelled` during
      // an `await`, nor that bound fields and stored values can be null or undefined at run time.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Records by cell are plain JSON objects, whose entries come and go.
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Parameters before the one that is used.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_$' }],
      // Maps and sets of the page are replaced as a whole (`$state.raw`) or are no state: nothing follows their entries.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // The linter sees no types of the values that come from other components: snippets, `{#await}` and callbacks of
      // components are `any` to it. svelte-check knows them.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // It reports comments that svelte-check needs: without them, svelte-check warns.
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**'],
    rules: {
      // A missing value fails the test.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Stubs of functions, pages and classes.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    // Scripts without types.
    files: ['**/*.js', '**/*.mjs'],
    extends: [ts.configs.disableTypeChecked],
  },
);
