// The module beside board.js in the package: the WebAssembly core. It is loaded once for all boards and the rest of the
// package.
declare module 'sandtable/contract' {
  /** Answers a request of the HTTP API that needs no stored data: JSON in, JSON out. */
  export function respond(route: string, body: string): string | Promise<string>;
}
