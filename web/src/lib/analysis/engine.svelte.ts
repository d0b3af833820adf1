// Engine analysis of the current position.

import { serverText } from '../../i18n';
import type { AnalysisEngine, AnalysisMessage, PositionRequest, Report, Score } from '../types';
import { SearchConnection } from './search-connection';
import { ANALYSIS_TIME } from '../platform/time-limits';

export class Engine {
  report: Report | null = $state.raw(null);
  /** The latest score, kept until the next position has one; null while the engine is off. */
  score: Score | null = $state.raw(null);
  state: 'off' | 'disconnected' | 'queued' | 'running' | 'done' | 'over' = $state('off');
  error = $state('');
  private id = 0;
  private readonly search = new SearchConnection({
    message: (message) => this.handle(message),
    disconnected: () => {
      this.report = null;
      this.score = null;
      this.state = 'disconnected';
    },
  });

  /** Starts to analyze a position, or switches to another one or to another engine. */
  analyze(position: PositionRequest, lines: number, engine: AnalysisEngine = 'built_in'): void {
    this.report = null;
    this.error = '';
    this.search.send(() => {
      this.id++;
      this.state = 'queued';
      return { type: 'analyze', id: this.id, position, lines, engine, time: ANALYSIS_TIME };
    });
  }

  stop(): void {
    this.search.close();
    this.report = null;
    this.score = null;
    this.state = 'off';
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
