// The evaluation networks of the engine. They are not part of the core: a worker loads that of a game before the first
// search in it.

/** Makes the network of a file the evaluation of a game. Throws if the file is not one for this game. */
export type InstallNetwork = (kind: string, bytes: Uint8Array) => void;

export class Networks {
  private readonly installed = new Set<string>();

  /** `addresses` are those of the files by game. `warn` is told why a search goes without a network. */
  constructor(
    private readonly addresses: Record<string, string>,
    private readonly install: InstallNetwork,
    private readonly warn: (message: string) => void,
    private readonly load: (address: string) => Promise<Response> = (address) => fetch(address),
  ) {}

  /**
   * Resolves when the network of a game is installed. A network that cannot be loaded is no error: the search uses the
   * hand-made evaluation, and the next one tries again.
   */
  async ready(kind: string): Promise<void> {
    const address = this.addresses[kind];
    if (address === undefined || this.installed.has(kind)) return;
    try {
      const response = await this.load(address);
      if (!response.ok) throw new Error(`status ${response.status}`);
      this.install(kind, new Uint8Array(await response.arrayBuffer()));
      this.installed.add(kind);
    } catch (error) {
      this.warn(`no evaluation network for ${kind}: ${String(error)}`);
    }
  }
}

/** The game of an engine task or an analysis request, which both are JSON of the API. */
export function kindOf(request: string): string {
  const { position } = JSON.parse(request) as { position?: { kind?: string } };
  return position?.kind ?? '';
}
