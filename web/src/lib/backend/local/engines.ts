// Engine workers. A search blocks its worker, which then receives no messages: stopping a search means ending its worker.
// A spare one is started at once, so that the next search need not wait.

import type { AnalysisMessage, ErrorBody } from '../../types';
import { internalError } from './protocol';

export interface Engines {
  /** Runs an engine task. The decision is JSON; undefined if it was stopped. */
  decide(task: string): { decision: Promise<string | undefined>; stop: () => void };
  /** Runs an analysis or a review. The request and the messages are JSON of the API. Returns a function that stops it. */
  analyze(request: string, on: (message: string) => void): () => void;
}

/** A message to an engine worker. The first one is the compiled core. */
export type EngineRequest =
  | { type: 'core'; module: WebAssembly.Module }
  | { type: 'decide'; task: string }
  | { type: 'analyze'; request: string };

/** A message of an engine worker. The last one of a search is `decided`, `analysed` or `failed`. */
export type EngineResponse =
  | { type: 'decided'; decision: string | undefined }
  /** About an analysis, as JSON of the API. */
  | { type: 'message'; message: string }
  | { type: 'analysed' }
  | { type: 'failed'; error: ErrorBody };

/** The part of `Worker` that is used here. */
export type EngineWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** How many engines think about games at the same time. */
const MAX_DECISIONS = 2;

export class EnginePool implements Engines {
  private readonly idle: EngineWorker[] = [];
  private readonly waiting: (() => void)[] = [];
  private deciding = 0;

  /** `start` starts a worker and sends it the core. */
  constructor(private readonly start: () => EngineWorker) {}

  decide(task: string): { decision: Promise<string | undefined>; stop: () => void } {
    let stop = () => {};
    const decision = new Promise<string | undefined>((resolve, reject) => {
      const run = () => {
        this.deciding++;
        const ended = () => {
          this.deciding--;
          this.waiting.shift()?.();
        };
        stop = this.run({ type: 'decide', task }, (response) => {
          ended();
          if (response?.type === 'decided') resolve(response.decision);
          else if (response === null) resolve(undefined);
          else reject(new Error('the engine failed'));
        });
      };
      if (this.deciding < MAX_DECISIONS) return run();
      this.waiting.push(run);
      stop = () => {
        const place = this.waiting.indexOf(run);
        if (place >= 0) this.waiting.splice(place, 1);
        resolve(undefined);
      };
    });
    return { decision, stop: () => stop() };
  }

  analyze(request: string, on: (message: string) => void): () => void {
    return this.run({ type: 'analyze', request }, (response) => {
      if (response?.type === 'message') return on(response.message);
      if (response?.type !== 'failed') return;
      const { id } = JSON.parse(request) as { id: number };
      on(JSON.stringify({ type: 'error', id, error: response.error } satisfies AnalysisMessage));
    });
  }

  /** Runs a search. The handler receives its messages, or null if it is stopped. Returns a function that stops it. */
  private run(request: EngineRequest, on: (response: EngineResponse | null) => void): () => void {
    const worker = this.idle.pop() ?? this.start();
    let running = true;
    worker.onmessage = ({ data }: MessageEvent<EngineResponse>) => {
      if (!running) return;
      if (data.type !== 'message') {
        running = false;
        this.idle.push(worker);
      }
      on(data);
    };
    worker.onerror = (event) => {
      // The error is reported to the page, not to the console.
      event.preventDefault();
      if (!running) return;
      running = false;
      worker.terminate();
      on({ type: 'failed', error: internalError(event.message) });
    };
    worker.postMessage(request);
    return () => {
      if (!running) return;
      running = false;
      worker.terminate();
      if (this.idle.length === 0) this.idle.push(this.start());
      on(null);
    };
  }
}
