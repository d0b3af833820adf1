// The other tabs of the page: messages about changed games, and one lock per game that only one tab can hold.

export interface Claim {
  /** Whether this tab holds the lock now. */
  isHost: boolean;
  /** Releases the lock, or leaves its queue. */
  release: () => void;
}

export interface Tabs {
  announceChange(id: string, version: number): void;
  announceDelete(id: string): void;
  onchange: (id: string, version: number) => void;
  ondelete: (id: string) => void;
  /** Requests the lock of a game. If another tab holds it, `granted` is called once it is free. */
  claim(id: string, granted: () => void): Promise<Claim>;
}

type Message = { type: 'changed'; id: string; version: number } | { type: 'deleted'; id: string };

const NAME = 'sandtable';

export class BrowserTabs implements Tabs {
  onchange: Tabs['onchange'] = () => undefined;
  ondelete: Tabs['ondelete'] = () => undefined;
  private readonly channel = new BroadcastChannel(NAME);

  /** Without locks, which insecure origins do not have, every tab hosts its games. */
  constructor(private readonly locks: LockManager | undefined = navigator.locks) {
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'changed') this.onchange(data.id, data.version);
      else this.ondelete(data.id);
    };
  }

  announceChange(id: string, version: number): void {
    this.channel.postMessage({ type: 'changed', id, version } satisfies Message);
  }

  announceDelete(id: string): void {
    this.channel.postMessage({ type: 'deleted', id } satisfies Message);
  }

  async claim(id: string, granted: () => void): Promise<Claim> {
    const { locks } = this;
    if (!locks) return { isHost: true, release: () => undefined };
    const name = `${NAME} ${id}`;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const isHost = await new Promise<boolean>((resolve, reject) => {
      locks
        .request(name, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          return lock ? released : undefined;
        })
        .catch(reject);
    });
    if (isHost) return { isHost, release };
    const waiting = new AbortController();
    locks
      .request(name, { signal: waiting.signal }, () => {
        granted();
        return released;
      })
      // Only an abort rejects it.
      .catch(() => undefined);
    return {
      isHost,
      release: () => {
        waiting.abort();
        release();
      },
    };
  }
}
