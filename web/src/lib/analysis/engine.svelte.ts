// Engine analysis of the current position.

import { serverText } from '../../i18n';
import { api } from '../api';
import type { Analysis } from '../backend/backend';
import type { AnalysisEngine, AnalysisMessage, PositionRequest, Report, Score } from '../types';

/** Search time per position, in milliseconds. */
const SEARCH_TIME = 60_000;

export class Engine {
  report: Report | null = $state.raw(null);
  /** The latest score, kept until the next position has one; null while the engine is off. */
  score: Score | null = $state.raw(null);
  state: 'off' | 'disconnected' | 'queued' | 'running' | 'done' | 'over' = $state('off');
  error = $state('');
  private analysis: Analysis | null = null;
  private connected = false;
  private id = 0;
  /** The latest request, sent again after every reconnection. */
  private request: { position: PositionRequest; lines: number; engine: AnalysisEngine } | null = null;

  /** Starts to analyse a position, or switches to another one or to another engine. */
  analyse(position: PositionRequest, lines: number, engine: AnalysisEngine = 'built_in'): void {
    this.request = { position, lines, engine };
    this.report = null;
    this.error = '';
    if (this.analysis) {
      if (this.connected) this.sendRequest();
      return;
    }
    this.analysis = api.openAnalysis({
      connected: () => {
        this.connected = true;
        this.sendRequest();
      },
      message: (message) => this.handle(message),
      disconnected: () => {
        this.connected = false;
        this.report = null;
        this.score = null;
        this.state = 'disconnected';
      },
    });
  }

  stop(): void {
    this.analysis?.close();
    this.analysis = null;
    this.connected = false;
    this.request = null;
    this.report = null;
    this.score = null;
    this.state = 'off';
  }

  private sendRequest(): void {
    if (!this.request) return;
    this.id++;
    this.state = 'queued';
    this.analysis?.send({ type: 'analyse', id: this.id, ...this.request, time: SEARCH_TIME });
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
        this.score = message.lines[0]?.score ?? this.score;
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
