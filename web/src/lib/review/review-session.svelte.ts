// The review of a game or a line: what is known of it, and the search.

import { serverText, t } from '../../i18n';
import { knownRecord, recordRequest, rememberReview, restoreRecord } from '../analysis/known-records';
import { savedRecord } from '../analysis/saved-record';
import { SearchConnection } from '../analysis/search-connection';
import { api, ApiError, errorMessage } from '../api';
import { BoardController } from '../board/board-controller.svelte';
import type { Node } from '../moves/tree';
import { announce } from '../platform/announce.svelte';
import { retry } from '../platform/retry';
import type { AnalysisMessage, Game, GameRecord, GameReview, PositionRequest } from '../types';
import { ReviewedGame } from './reviewed-game.svelte';

/** What is reviewed: a saved game, or a line. */
export type Subject = { id: string } | { request: PositionRequest };

export type ReviewState = 'loading' | 'unfinished' | 'queued' | 'running' | 'stopped' | 'done';

export class ReviewSession {
  state: ReviewState = $state('loading');
  /** The share of the review that is done. */
  progress = $state(0);
  error = $state('');
  /** Whether there is no such game or line. */
  isRejected = $state(false);
  game: Game | null = $state.raw(null);
  readonly controller: BoardController;
  readonly reviewed: ReviewedGame;
  private readonly search = new SearchConnection({ message: (message) => this.receive(message) });
  private lastId = 0;
  private isDestroyed = false;
  private readonly cancel: () => void;

  constructor(
    private readonly subject: Subject,
    /** The number of nodes for each position. */
    private readonly nodes: number | undefined,
    private readonly onload: (kind: string) => void,
  ) {
    this.controller = new BoardController(
      'request' in subject ? subject.request : { kind: '' },
      () => this.reviewed.attempts.canMove,
      (text) => this.reviewed.attempts.play(text),
    );
    this.reviewed = new ReviewedGame(this.controller, (base, moves, better) =>
      this.judge(base, moves, better),
    );
    this.cancel = retry(() => this.load(), {
      success: () => (this.error = ''),
      failure: (error) => {
        this.error = errorMessage(error);
        this.isRejected = error instanceof ApiError;
      },
    });
  }

  destroy(): void {
    this.isDestroyed = true;
    this.cancel();
    this.search.close();
    this.controller.destroy();
  }

  private async load(): Promise<void> {
    const { subject, controller } = this;
    let known: GameReview | null;
    if ('id' in subject) {
      const [game, review] = await Promise.all([api.game(subject.id), api.review(subject.id)]);
      // Nobody would stop a search that starts now.
      if (this.isDestroyed) return;
      this.game = game;
      known = review;
      const { kind, rules, first_position: position } = game.view;
      controller.load({ kind, rules, position }, game.view);
      controller.flipped = game.you.length === 1 && game.you[0] === 'second';
    } else {
      const view = await api.position(subject.request);
      if (this.isDestroyed) return;
      const { kind, rules, first_position: position } = view;
      controller.load({ kind, rules, position }, view);
      known = restoreRecord(controller.lineRequest, history.state)?.review ?? null;
    }
    this.reviewed.load();
    this.onload(controller.request().kind);
    this.save();
    if (known) this.finish(known);
    else if (this.game && !this.game.view.outcome.over) this.state = 'unfinished';
    else this.start();
  }

  /** Starts the search. */
  start(): void {
    const { subject, effort, reviewed } = this;
    reviewed.attempts.end();
    reviewed.review = null;
    this.progress = 0;
    this.error = '';
    this.state = 'queued';
    const id = ++this.lastId;
    this.search.send(() =>
      'id' in subject
        ? { type: 'review_game', id, game: subject.id, ...effort }
        : { type: 'review', id, position: reviewed.request, ...effort },
    );
  }

  /** The number of nodes for each position, as requests name it. */
  private get effort(): { nodes?: number } {
    return this.nodes === undefined ? {} : { nodes: this.nodes };
  }

  /** Asks the engine to judge a turn that was tried. */
  private judge(base: Node, moves: string[], better: string[]): void {
    const id = ++this.lastId;
    const position = this.controller.request(base);
    this.search.send(() => ({ type: 'try', id, position, moves, better, ...this.effort }));
  }

  /** Stops the search. */
  stop(): void {
    this.search.close();
    this.state = 'stopped';
    announce(t('review.stopped'));
  }

  private receive(message: AnalysisMessage): void {
    // Messages about an earlier request may still arrive. A request that could not be read has no number.
    if ((message.id ?? this.lastId) !== this.lastId || !this.search.isOpen) return;
    switch (message.type) {
      case 'started':
        // A turn is tried once the review is done.
        if (this.state !== 'done') this.state = 'running';
        break;
      case 'progress':
        this.state = 'running';
        this.progress = message.done / message.total;
        break;
      case 'reviewed': {
        const { review, annotations } = message;
        this.finish({ review, annotations });
        if (!('id' in this.subject)) rememberReview(this.reviewed.request, { review, annotations });
        this.save();
        announce(t('review.finished'));
        break;
      }
      case 'tried':
        this.reviewed.attempts.judge(message);
        break;
      case 'error':
        this.fail(serverText(message.error.detail, message.error.message));
        break;
      case 'done':
        if (message.reason !== 'complete') this.fail('');
        this.search.close();
    }
  }

  /** Ends a search without a result. */
  private fail(error: string): void {
    this.search.close();
    const { attempts } = this.reviewed;
    if (attempts.current?.state === 'judging') attempts.begin(attempts.current.index);
    else if (this.state !== 'done') this.state = 'stopped';
    this.error = error;
    if (error) announce(error);
  }

  private finish({ review }: GameReview): void {
    this.reviewed.review = review;
    this.state = 'done';
  }

  /** Keeps what is known of the line for a reload. */
  private save(): void {
    const known = 'id' in this.subject ? null : knownRecord(this.reviewed.request);
    if (!known) return;
    try {
      history.replaceState(savedRecord(known), '');
    } catch {
      // Too large for the browser: a reload reviews the line again.
    }
  }

  /** The record of the game with its review. */
  fetchRecord(): Promise<GameRecord> {
    return 'id' in this.subject
      ? api.record(this.subject.id)
      : api.writeRecord(recordRequest(this.reviewed.request));
  }

  /** Begins an attempt at an error. */
  tryAgain(index: number): void {
    this.error = '';
    this.reviewed.attempts.begin(index);
  }
}
