// Engine analysis of the current position over a WebSocket.

import { serverText } from '../i18n';
import { openSocket, type ReconnectingSocket } from './socket';
import type { AnalysisMessage, PositionRequest, Report } from './types';

/** Search time per position, in milliseconds. */
const SEARCH_TIME = 60_000;

export class Engine {
  report: Report | null = $state.raw(null);
  state: 'off' | 'disconnected' | 'queued' | 'running' | 'done' | 'over' = $state('off');
  error = $state('');
  private socket: ReconnectingSocket | null = null;
  private connected = false;
  private id = 0;
  /** The latest request, sent again after every reconnection. */
  private request: { position: PositionRequest; lines: number } | null = null;

  /** Starts to analyse a position, or switches to another one. */
  analyse(position: PositionRequest, lines: number): void {
    this.request = { position, lines };
    this.report = null;
    this.error = '';
    if (this.socket) {
      if (this.connected) this.sendRequest();
      return;
    }
    this.socket = openSocket<AnalysisMessage>(() => 'analysis', {
      connected: () => {
        this.connected = true;
        this.sendRequest();
      },
      message: (message) => this.handle(message),
      disconnected: () => {
        this.connected = false;
        this.report = null;
        this.state = 'disconnected';
      },
    });
  }

  stop(): void {
    this.socket?.close();
    this.socket = null;
    this.connected = false;
    this.request = null;
    this.report = null;
    this.state = 'off';
  }

  private sendRequest(): void {
    if (!this.request) return;
    this.id++;
    this.state = 'queued';
    this.socket?.send({ type: 'analyse', id: this.id, ...this.request, time: SEARCH_TIME });
  }

  private handle(message: AnalysisMessage): void {
    // Messages about an earlier position may still arrive.
    if (message.id !== this.id) return;
    switch (message.type) {
      case 'queued':
        this.state = 'queued';
        break;
      case 'started':
        this.state = 'running';
        break;
      case 'report':
        this.report = message;
        break;
      case 'done':
        this.state = message.reason === 'game_over' ? 'over' : 'done';
        break;
      case 'error':
        this.error = serverText(message.error.detail, message.error.message);
        this.state = 'done';
    }
  }
}

/** The first player's share of the evaluation bar, from 0 to 1. */
export function barShare(score: { centipawns: number | null; mate: number | null }): number {
  if (score.mate !== null) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-(score.centipawns ?? 0) / 250));
}
