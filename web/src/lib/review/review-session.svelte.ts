// A review on the board: its search, the current turn, better lines and second attempts at the errors.

import { formatNumber, serverText, t, term } from '../../i18n';
import { announce } from '../platform/announce.svelte';
import { api, ApiError, errorMessage } from '../api';
import type { Analysis } from '../backend/backend';
import { BoardController } from '../board/board-controller.svelte';
import { describeOutcome } from '../text/descriptions';
import type { Evaluation } from '../analysis/evaluation';
import { knownRecord, recordRequest, rememberReview, restoreRecord } from '../analysis/known-records';
import type { Shape } from '../board/layers';
import { retry } from '../platform/retry';
import { nextTry, numberOf, pointAt, pointsOf, suffixOf, type Point } from './review';
import { savedRecord } from '../analysis/saved-record';
import { lineEnd, pathTo, type Node } from '../moves/tree';
import type {
  AnalysisMessage,
  Assessment,
  Game,
  GameRecord,
  GameReview,
  Judgement,
  Player,
  PositionRequest,
  Review,
  ReviewedTurn,
  StartSearch,
  TriedTurn,
} from '../types';

/** What is reviewed: a saved game, or a line. */
export type Subject = { id: string } | { request: PositionRequest };

export type ReviewState = 'loading' | 'unfinished' | 'queued' | 'running' | 'stopped' | 'done';

/** A second attempt at an error. */
export interface Attempt {
  /** The index of the turn. */
  index: number;
  turn: ReviewedTurn;
  /** The position before the turn. */
  base: Node;
  state: 'playing' | 'judging' | 'good' | 'worse' | 'shown';
  /** How the engine judges the turn. */
  result: TriedTurn | null;
  /** The first node that the attempt has added to the tree. */
  added: Node | null;
}

export class ReviewSession {
  state: ReviewState = $state('loading');
  /** The share of the review that is done. */
  progress = $state(0);
  error = $state('');
  /** Whether there is no such game or line. */
  isRejected = $state(false);
  game: Game | null = $state.raw(null);
  found: GameReview | null = $state.raw(null);
  attempt: Attempt | null = $state.raw(null);
  readonly controller: BoardController;
  readonly review: Review | null = $derived(this.found?.review ?? null);
  readonly points: Point[] = $derived(this.review ? pointsOf(this.review) : []);
  /** The nodes of the game: the first position, and one after each move. */
  private line: Node[] = [];
  private analysis: Analysis | null = null;
  private connected = false;
  private request: StartSearch | null = null;
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
      () => this.canMove,
      (text) => this.play(text),
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
    this.analysis?.close();
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
    this.line = [controller.tree.root, ...pathTo(lineEnd(controller.tree.root))];
    this.onload(controller.request().kind);
    this.save();
    if (known) this.finish(known);
    else if (this.game && !this.game.view.outcome.over) this.state = 'unfinished';
    else this.start();
  }

  /** The request for the whole line. */
  private get lineRequest(): PositionRequest {
    return this.controller.request(this.line.at(-1));
  }

  /** Starts the search. */
  start(): void {
    const options = this.nodes === undefined ? {} : { nodes: this.nodes };
    this.endAttempt();
    this.found = null;
    this.progress = 0;
    this.error = '';
    this.state = 'queued';
    const id = ++this.lastId;
    this.send(
      'id' in this.subject
        ? { type: 'review_game', id, game: this.subject.id, ...options }
        : { type: 'review', id, position: this.lineRequest, ...options },
    );
  }

  /** Stops the search. */
  stop(): void {
    this.close();
    this.state = 'stopped';
    announce(t('review.stopped'));
  }

  private close(): void {
    this.analysis?.close();
    this.analysis = null;
    this.connected = false;
    this.request = null;
  }

  /** Sends a request, again after every reconnection. */
  private send(request: StartSearch): void {
    this.request = request;
    if (this.connected) return this.analysis?.send(request);
    this.analysis ??= api.openAnalysis({
      connected: () => {
        this.connected = true;
        if (this.request) this.analysis?.send(this.request);
      },
      message: (message) => this.receive(message),
      disconnected: () => (this.connected = false),
    });
  }

  private receive(message: AnalysisMessage): void {
    // Messages about an earlier request may still arrive. A request that could not be read has no number.
    if ((message.id ?? this.lastId) !== this.lastId || !this.request) return;
    const isReview = this.request.type !== 'try';
    switch (message.type) {
      case 'started':
        if (isReview) this.state = 'running';
        break;
      case 'progress':
        this.state = 'running';
        this.progress = message.done / message.total;
        break;
      case 'reviewed': {
        const { review, annotations } = message;
        this.finish({ review, annotations });
        if (!('id' in this.subject)) rememberReview(this.lineRequest, { review, annotations });
        this.save();
        announce(t('review.finished'));
        break;
      }
      case 'tried':
        this.judge(message);
        break;
      case 'error':
        this.fail(serverText(message.error.detail, message.error.message));
        break;
      case 'done':
        if (message.reason !== 'complete') this.fail('');
        this.close();
    }
  }

  /** Ends a search without a result. */
  private fail(error: string): void {
    this.close();
    if (this.attempt?.state === 'judging') this.retry();
    else if (this.state !== 'done') this.state = 'stopped';
    // A new attempt begins without an error.
    this.error = error;
    if (error) announce(error);
  }

  private finish(found: GameReview): void {
    this.found = found;
    this.state = 'done';
  }

  /** Keeps what is known of the line for a reload. */
  private save(): void {
    const known = 'id' in this.subject ? null : knownRecord(this.lineRequest);
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
      : api.writeRecord(recordRequest(this.lineRequest));
  }

  /** The number of moves of the game before the current position, or before the variation that it is in. */
  get ply(): number {
    return Math.max(
      0,
      pathTo(this.controller.node).findLastIndex((node, i) => this.line[i + 1] === node) + 1,
    );
  }

  /** Whether the current position is one of the game. */
  get isInGame(): boolean {
    return this.line[this.ply] === this.controller.node;
  }

  /** The index of the current point of the graph. */
  get point(): number {
    return pointAt(this.points, this.ply);
  }

  /** The turn that has led to the current position of the game, if it is complete. */
  get turn(): ReviewedTurn | null {
    const point = this.points[this.point];
    return this.isInGame && point?.ply === this.ply ? point.turn : null;
  }

  /** The sign after the last move of an error. */
  suffix(node: Node): string {
    const ply = this.line.indexOf(node);
    const turn = ply > 0 ? this.review?.turns.find(({ to }) => to === ply) : undefined;
    return turn ? suffixOf(turn) : '';
  }

  /** The evaluation of the current position, if the review has one. */
  get evaluation(): Evaluation | null {
    const bar = ({ expected, score }: Assessment) => ({ share: expected, text: score.text });
    const { attempt, review } = this;
    const point = this.points[this.point];
    if (this.isInGame) return point ? { share: point.expected, text: point.text } : null;
    if (attempt?.result && this.controller.node === this.lastTried(attempt)) return bar(attempt.result.after);
    const better = review?.turns.find(({ from }) => from === this.ply)?.better;
    const moves = pathTo(this.controller.node).slice(this.ply);
    const isBetter = better?.line[0]?.moves.join(' ') === moves.map(({ text }) => text).join(' ');
    return better && isBetter ? bar(better.after) : null;
  }

  private lastTried({ added }: Attempt): Node | null {
    return added && lineEnd(added);
  }

  /** Whether the player looks for a better turn, so that it must not be shown. */
  get isTrying(): boolean {
    return this.attempt !== null && this.attempt.state !== 'good' && this.attempt.state !== 'shown';
  }

  /** The arrows of the better turn, in the position before an error. */
  get shapes(): Shape[] {
    if (!this.isInGame || this.isTrying) return [];
    const better = this.review?.turns.find(({ from }) => from === this.ply)?.better;
    return (better?.arrows ?? []).map(({ from, to }) => ({ from, to, tone: 'engine' }));
  }

  /** What the heading says about the current position. */
  get heading(): string {
    const { node, view } = this.controller;
    const { turn } = this;
    if (!turn) return node.parent ? t('game.after', { move: node.san }) : t('review.title');
    const text = `${numberOf(turn)} ${turn.text}${suffixOf(turn)}`;
    const over = view && node === this.line.at(-1) ? describeOutcome(view.outcome, view.players) : '';
    return [text, over].filter(Boolean).join(' – ');
  }

  /** Shows a point of the graph. */
  showPoint(index: number): void {
    const node = this.line[this.points[index]?.ply ?? 0];
    if (node) this.go(node);
  }

  /** Shows the position after a turn of the game. */
  showTurn(index: number): void {
    this.showPoint(index + 1);
    const turn = this.review?.turns[index];
    if (turn) announce(this.describe(turn));
  }

  /** A turn in words: what was played, by whom, and how it is judged. */
  describe(turn: ReviewedTurn): string {
    const player = this.controller.view ? term(this.controller.view.players[turn.player]) : '';
    const played = t('move.played', { player, move: `${numberOf(turn)} ${turn.text}` });
    return turn.judgement === null ? played : `${played} – ${judgementName(turn.judgement)}`;
  }

  private go(node: Node): void {
    this.endAttempt();
    this.controller.goTo(node);
  }

  /** Shows the better line of a turn, up to one of its turns. */
  async showLine(index: number, length = 1): Promise<void> {
    const turn = this.review?.turns[index];
    const base = turn && this.line[turn.from];
    if (!turn?.better || !base) return;
    this.endAttempt();
    await this.extendFrom(
      base,
      turn.better.line.slice(0, length).flatMap(({ moves }) => moves),
    );
  }

  private async extendFrom(base: Node, moves: string[]): Promise<void> {
    const { controller } = this;
    controller.goTo(base);
    try {
      await controller.extend(...moves);
    } catch (error) {
      controller.showError(error);
    }
  }

  /** Whether the player may play a move now: in the turn that is tried. */
  get canMove(): boolean {
    const { attempt } = this;
    return attempt?.state === 'playing' && this.isInAttempt(attempt);
  }

  /** Whether the position is the one before the tried turn, or within the turn. */
  private isInAttempt({ base, turn }: Attempt): boolean {
    const { node, view } = this.controller;
    const path = pathTo(node);
    const depth = pathTo(base).length;
    const isBelow = depth === 0 || path[depth - 1] === base;
    return (
      isBelow && view?.turn === turn.player && path.slice(depth).every(({ player }) => player === turn.player)
    );
  }

  /** Begins an attempt at an error. */
  tryAgain(index: number): void {
    const turn = this.review?.turns[index];
    const base = turn && this.line[turn.from];
    if (!turn?.better || !base) return;
    this.endAttempt();
    this.error = '';
    this.controller.goTo(base);
    this.attempt = { index, turn, base, state: 'playing', result: null, added: null };
    announce(this.attemptText);
  }

  /** The next error of a player, or of both, that can be tried again. */
  nextTry(player: Player | null): number | null {
    return this.review && nextTry(this.review, player, this.attempt?.index ?? -1);
  }

  /** Takes the turn back, to play another one. */
  retry(): void {
    if (this.attempt) this.tryAgain(this.attempt.index);
  }

  /** Takes back a step of the turn. */
  takeBack(): void {
    if (this.canMove && this.controller.node !== this.attempt?.base) this.controller.step(-1);
  }

  /** Shows the better turn in place of the attempt. */
  async showBetter(): Promise<void> {
    const { attempt } = this;
    const moves = attempt?.turn.better?.line[0]?.moves;
    if (!attempt || !moves) return;
    this.clearTried();
    this.attempt = { ...attempt, state: 'shown', added: null, result: null };
    await this.extendFrom(attempt.base, moves);
    announce(this.attemptText);
  }

  /** Ends the attempt, and removes its moves. */
  endAttempt(): void {
    this.clearTried();
    this.attempt = null;
  }

  private clearTried(): void {
    const added = this.attempt?.added;
    if (added?.parent?.children.includes(added)) this.controller.remove(added);
  }

  /** Plays a move of an attempt; the complete turn is judged. */
  private async play(text: string): Promise<void> {
    const { attempt, controller } = this;
    if (!attempt) return;
    const { nextId } = controller.tree;
    await controller.extend(text);
    if (this.attempt !== attempt) return;
    const path = pathTo(controller.node).slice(pathTo(attempt.base).length);
    const added = attempt.added ?? path.find(({ id }) => id >= nextId) ?? null;
    const { view } = controller;
    const isComplete = !view || view.turn !== attempt.turn.player || view.outcome.over;
    this.attempt = { ...attempt, added, state: isComplete ? 'judging' : 'playing' };
    if (!isComplete) return;
    const { after, loss, judgement, to } = attempt.turn;
    // The review has judged the turn that was played.
    if (controller.node === this.line[to]) return this.judge({ id: this.lastId, after, loss, judgement });
    this.send({
      ...{ type: 'try', id: ++this.lastId, position: controller.request(attempt.base) },
      moves: path.map((node) => node.text),
      better: attempt.turn.better?.line[0]?.moves ?? [],
      ...(this.nodes === undefined ? {} : { nodes: this.nodes }),
    });
  }

  private judge(result: TriedTurn): void {
    if (this.attempt?.state !== 'judging') return;
    this.attempt = { ...this.attempt, result, state: result.judgement === null ? 'good' : 'worse' };
    announce(this.attemptText);
  }

  /** What the page says about the attempt. */
  get attemptText(): string {
    const { attempt } = this;
    if (!attempt) return '';
    const { turn, state, result } = attempt;
    const played = `${numberOf(turn)} ${turn.text}${suffixOf(turn)}`;
    switch (state) {
      case 'playing': {
        const player = this.controller.view ? term(this.controller.view.players[turn.player]) : '';
        return t('review.try.playing', { player, turn: played });
      }
      case 'judging':
        return t('review.try.judging');
      case 'good':
        return t('review.try.good');
      case 'worse':
        return t('review.try.worse', {
          judgement: judgementName(result?.judgement ?? 'inaccuracy'),
          loss: percent(result?.loss ?? 0),
        });
      case 'shown':
        return t('review.try.shown', { turn: turn.better?.line[0]?.text ?? '' });
    }
  }
}

export function judgementName(judgement: Judgement): string {
  return t(`review.judgement.${judgement}`);
}

/** A share in per cent. */
export function percent(share: number): string {
  return `${formatNumber(Math.round(100 * share))} %`;
}
