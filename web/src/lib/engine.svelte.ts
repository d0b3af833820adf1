// What the engine thinks of the position that is shown, as long as somebody wants to know.

import { sentence } from '../i18n';
import { follow, type Following } from './socket';
import type { AnalysisMessage, Report, Said } from './types';

/** The engine thinks this long about a position, in milliseconds. */
const TIME = 60_000;

export class Engine {
  report: Report | null = $state.raw(null);
  state: 'off' | 'lost' | 'queued' | 'running' | 'done' | 'over' = $state('off');
  error = $state('');
  private socket: Following | null = null;
  /** What is wanted while there is no connection is asked for when there is one. */
  private connected = false;
  private id = 0;
  private wanted: { said: Said; lines: number } | null = null;

  /** Begins with a position, or goes on to the next. */
  analyse(said: Said, lines: number): void {
    this.wanted = { said, lines };
    this.report = null;
    this.error = '';
    if (this.socket) {
      if (this.connected) this.ask();
      return;
    }
    this.socket = follow<AnalysisMessage>(() => 'analysis', {
      open: () => {
        this.connected = true;
        this.ask();
      },
      message: (message) => this.hear(message),
      lost: () => {
        this.connected = false;
        this.report = null;
        this.state = 'lost';
      },
    });
  }

  stop(): void {
    this.socket?.close();
    this.socket = null;
    this.connected = false;
    this.wanted = null;
    this.report = null;
    this.state = 'off';
  }

  private ask(): void {
    if (!this.wanted) return;
    this.id++;
    this.state = 'queued';
    const { said, lines } = this.wanted;
    this.socket?.send({ type: 'analyse', id: this.id, said, lines, time: TIME });
  }

  private hear(message: AnalysisMessage): void {
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
        this.state = message.why === 'over' ? 'over' : 'done';
        break;
      case 'refused':
        this.error = sentence(message.error.message);
        this.state = 'done';
    }
  }
}

/** How much of the bar the first player has, from 0 to 1. */
export function share(score: { centipawns: number | null; mate: number | null }): number {
  if (score.mate !== null) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-(score.centipawns ?? 0) / 250));
}
