// How much the browser tests cover: a selection, or with `SANDTABLE_E2E=all` (`cargo xtask test --deep`) everything.

const isDeep = process.env.SANDTABLE_E2E === 'all';

/** The cases of a test: all of them in a deep run, otherwise those that are `chosen`. */
export function cases<T>(all: T[], chosen: (item: T, index: number) => boolean): T[] {
  return isDeep ? all : all.filter(chosen);
}
