// A reviewed game on the board: the current turn, its evaluation, and better lines.

import { t, term } from '../../i18n';
import type { Evaluation } from '../analysis/evaluation';
import type { BoardController } from '../board/board-controller.svelte';
import type { Shape } from '../board/layers';
import { lineEnd, pathTo, type Node } from '../moves/tree';
import { announce } from '../platform/announce.svelte';
import { describeOutcome } from '../text/descriptions';
import type { Assessment, PositionRequest, Review, ReviewedTurn } from '../types';
import { Attempts, type RequestJudgement } from './attempts.svelte';
import { numberOf, pointAt, pointsOf, suffixOf, type Point } from './review';
import { judgementName } from './review-text';

export class ReviewedGame {
  /** Null until the game is reviewed. */
  review: Review | null = $state.raw(null);
  readonly points: Point[] = $derived(this.review ? pointsOf(this.review) : []);
  /** Second attempts at the errors. */
  readonly attempts: Attempts;
  /** The first position, and one after each move. */
  private line: Node[] = [];

  constructor(
    private readonly controller: BoardController,
    requestJudgement: RequestJudgement,
  ) {
    this.attempts = new Attempts(controller, {
      review: () => this.review,
      nodeAt: (ply) => this.line[ply],
      requestJudgement,
      showMoves: (base, moves) => this.showMoves(base, moves),
    });
  }

  /** Notes that the controller has loaded the game. */
  load(): void {
    const { root } = this.controller.tree;
    this.line = [root, ...pathTo(lineEnd(root))];
  }

  /** The request for the whole game. */
  get request(): PositionRequest {
    return this.controller.request(this.line.at(-1));
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
    const { result } = this.attempts;
    const point = this.points[this.point];
    if (this.isInGame) return point ? { share: point.expected, text: point.text } : null;
    if (result) return bar(result.after);
    const better = this.review?.turns.find(({ from }) => from === this.ply)?.better;
    const moves = pathTo(this.controller.node).slice(this.ply);
    const isBetter = better?.line[0]?.moves.join(' ') === moves.map(({ text }) => text).join(' ');
    return better && isBetter ? bar(better.after) : null;
  }

  /** The arrows of the better turn, in the position before an error. */
  get shapes(): Shape[] {
    if (!this.isInGame || this.attempts.isTrying) return [];
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
    if (!node) return;
    this.attempts.end();
    this.controller.goTo(node);
  }

  /** Shows the position after a turn of the game. */
  showTurn(index: number): void {
    this.showPoint(index + 1);
    const turn = this.review?.turns[index];
    if (turn) announce(this.describe(turn));
  }

  /** A turn in words: what was played, by whom, and how it is judged. */
  private describe(turn: ReviewedTurn): string {
    const player = this.controller.view ? term(this.controller.view.players[turn.player]) : '';
    const played = t('move.played', { player, move: `${numberOf(turn)} ${turn.text}` });
    return turn.judgement === null ? played : `${played} – ${judgementName(turn.judgement)}`;
  }

  /** Shows the better line of a turn, up to one of its turns. */
  async showLine(index: number, length = 1): Promise<void> {
    const turn = this.review?.turns[index];
    const base = turn && this.line[turn.from];
    if (!turn?.better || !base) return;
    this.attempts.end();
    await this.showMoves(
      base,
      turn.better.line.slice(0, length).flatMap(({ moves }) => moves),
    );
  }

  private async showMoves(base: Node, moves: string[]): Promise<void> {
    const { controller } = this;
    controller.goTo(base);
    try {
      await controller.extend(...moves);
    } catch (error) {
      controller.showError(error);
    }
  }
}
