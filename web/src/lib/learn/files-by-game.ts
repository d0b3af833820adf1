/** What `import.meta.glob` found, by the names of the files without folders and endings: the games. */
export function filesByGame<T>(files: Record<string, T>): Record<string, T> {
  const nameOf = (path: string) => path.replace(/^.*\//, '').replace(/\..*$/, '');
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [nameOf(path), file]));
}
