// A connection for searches of the engine. It sends the latest request, and sends it again after every reconnection.

import { api } from '../api';
import type { Analysis } from '../backend/backend';
import type { AnalysisMessage, StartSearch } from '../types';

export interface SearchHandlers {
  message: (message: AnalysisMessage) => void;
  disconnected?: () => void;
}

export class SearchConnection {
  private analysis: Analysis | null = null;
  private connected = false;
  private latest: (() => StartSearch) | null = null;

  constructor(private readonly on: SearchHandlers) {}

  /** Whether there is a request that was not closed. */
  get isOpen(): boolean {
    return this.latest !== null;
  }

  /** Sends a request in place of the current one. `request` is called whenever it is sent. */
  send(request: () => StartSearch): void {
    this.latest = request;
    if (this.connected) return this.analysis?.send(request());
    this.analysis ??= api.openAnalysis({
      connected: () => {
        this.connected = true;
        if (this.latest) this.analysis?.send(this.latest());
      },
      message: (message) => this.on.message(message),
      disconnected: () => {
        this.connected = false;
        this.on.disconnected?.();
      },
    });
  }

  /** Ends the search. */
  close(): void {
    this.analysis?.close();
    this.analysis = null;
    this.connected = false;
    this.latest = null;
  }
}
