// The analysis of the page, of which there is one at a time: opening another one replaces it.

import type { AnalysisMessage } from '../../types';
import type { Analysis, AnalysisHandlers } from '../backend';
import { ApiError } from '../errors';

/** How long to wait before an analysis that failed is started again, in milliseconds. */
const RETRY_DELAY = 1_000;

export class Analyses {
  private current: { number: number; on: AnalysisHandlers } | null = null;
  private last = 0;

  /** `send` sends a request to the worker under the number of its analysis; `stop` ends the running search. */
  constructor(
    private readonly send: (analysis: number, request: string) => Promise<unknown>,
    private readonly stop: () => void,
  ) {}

  open(on: AnalysisHandlers): Analysis {
    const number = ++this.last;
    this.current = { number, on };
    const isCurrent = () => this.current?.number === number;
    const connect = () => {
      if (isCurrent()) on.connected();
    };
    queueMicrotask(connect);
    const fail = (id: number, error: unknown) => {
      if (!isCurrent()) return;
      if (error instanceof ApiError) return on.message({ type: 'error', id, error: error.body });
      on.disconnected();
      setTimeout(connect, RETRY_DELAY);
    };
    return {
      send: (request) => {
        this.send(number, JSON.stringify(request)).catch((error: unknown) => fail(request.id, error));
      },
      close: () => {
        if (!isCurrent()) return;
        this.current = null;
        this.stop();
      },
    };
  }

  /** Handles a message of the worker. One of an analysis that was closed may still arrive. */
  receive(analysis: number, message: AnalysisMessage): void {
    if (this.current?.number === analysis) this.current.on.message(message);
  }

  /** Continues with another worker. */
  reconnect(): void {
    const { current } = this;
    current?.on.disconnected();
    if (this.current === current) current?.on.connected();
  }
}
