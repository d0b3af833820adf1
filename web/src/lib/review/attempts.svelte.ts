// Second attempts at the errors of a review: the player looks for a better turn, and the engine judges it.

import { t, term } from '../../i18n';
import type { BoardController } from '../board/board-controller.svelte';
import { lineEnd, pathTo, type Node } from '../moves/tree';
import { announce } from '../platform/announce.svelte';
import type { Player, Review, ReviewedTurn, TriedTurn } from '../types';
import { nextTry, numberOf, suffixOf } from './review';
import { judgementName, percent } from './review-text';

/** How the engine judges a turn. */
type TurnResult = Pick<TriedTurn, 'after' | 'loss' | 'judgement'>;

/** A second attempt at an error. */
export interface Attempt {
  /** The index of the turn. */
  index: number;
  turn: ReviewedTurn;
  /** The position before the turn. */
  base: Node;
  state: 'playing' | 'judging' | 'good' | 'worse' | 'shown';
  result: TurnResult | null;
  /** The first node that the attempt has added to the tree. */
  added: Node | null;
}

/** Asks the engine to judge the moves of a turn, played in the position of a node. */
export type RequestJudgement = (base: Node, moves: string[], better: string[]) => void;

/** The game whose errors are tried again. */
interface TriedGame {
  review: () => Review | null;
  /** The position after a number of its moves. */
  nodeAt: (ply: number) => Node | undefined;
  requestJudgement: RequestJudgement;
  /** Shows the position after moves in the position of a node. */
  showMoves: (base: Node, moves: string[]) => Promise<void>;
}

export class Attempts {
  current: Attempt | null = $state.raw(null);

  constructor(
    private readonly controller: BoardController,
    private readonly game: TriedGame,
  ) {}

  /** Begins an attempt at an error. */
  begin(index: number): void {
    const turn = this.game.review()?.turns[index];
    const base = turn && this.game.nodeAt(turn.from);
    if (!turn?.better || !base) return;
    this.end();
    this.controller.goTo(base);
    this.current = { index, turn, base, state: 'playing', result: null, added: null };
    announce(this.text);
  }

  /** Ends the attempt, and removes its moves. */
  end(): void {
    this.removeMoves();
    this.current = null;
  }

  private removeMoves(): void {
    const added = this.current?.added;
    if (added?.parent?.children.includes(added)) this.controller.remove(added);
  }

  /** The next error of a player, or of both, that can be tried again. */
  next(player: Player | null): number | null {
    const review = this.game.review();
    return review && nextTry(review, player, this.current?.index ?? -1);
  }

  /** Whether the player looks for a better turn, so that it must not be shown. */
  get isTrying(): boolean {
    return this.current !== null && this.current.state !== 'good' && this.current.state !== 'shown';
  }

  /** Whether the player may play a move now: in the turn that is tried. */
  get canMove(): boolean {
    return this.current?.state === 'playing' && this.isInTurn(this.current);
  }

  /** Whether the position is the one before the tried turn, or within the turn. */
  private isInTurn({ base, turn }: Attempt): boolean {
    const { node, view } = this.controller;
    const path = pathTo(node);
    const depth = pathTo(base).length;
    const isBelow = depth === 0 || path[depth - 1] === base;
    return (
      isBelow && view?.turn === turn.player && path.slice(depth).every(({ player }) => player === turn.player)
    );
  }

  /** Whether a step of the turn can be taken back. */
  get canTakeBack(): boolean {
    return this.canMove && this.controller.node !== this.current?.base;
  }

  /** Takes back a step of the turn. */
  takeBack(): void {
    if (this.canTakeBack) this.controller.step(-1);
  }

  /** Plays a move of an attempt; the complete turn is judged. */
  async play(text: string): Promise<void> {
    const { current: attempt, controller } = this;
    if (!attempt) return;
    const { nextId } = controller.tree;
    await controller.extend(text);
    if (this.current !== attempt) return;
    const path = pathTo(controller.node).slice(pathTo(attempt.base).length);
    const added = attempt.added ?? path.find(({ id }) => id >= nextId) ?? null;
    const { view } = controller;
    const isComplete = view?.turn !== attempt.turn.player || view.outcome.over;
    this.current = { ...attempt, added, state: isComplete ? 'judging' : 'playing' };
    if (!isComplete) return;
    // The review has judged the turn that was played.
    if (controller.node === this.game.nodeAt(attempt.turn.to)) return this.judge(attempt.turn);
    const better = attempt.turn.better?.line[0]?.moves ?? [];
    this.game.requestJudgement(
      attempt.base,
      path.map((node) => node.text),
      better,
    );
  }

  /** Notes how the engine judges the turn. */
  judge({ after, loss, judgement }: TurnResult): void {
    if (this.current?.state !== 'judging') return;
    const result = { after, loss, judgement };
    this.current = { ...this.current, result, state: judgement === null ? 'good' : 'worse' };
    announce(this.text);
  }

  /** How the engine judges the position on the board, if it ends the turn that was tried. */
  get result(): TurnResult | null {
    const { current } = this;
    return current?.added && this.controller.node === lineEnd(current.added) ? current.result : null;
  }

  /** Shows the better turn in place of the attempt. */
  async showBetter(): Promise<void> {
    const { current: attempt } = this;
    const moves = attempt?.turn.better?.line[0]?.moves;
    if (!attempt || !moves) return;
    this.removeMoves();
    this.current = { ...attempt, state: 'shown', added: null, result: null };
    await this.game.showMoves(attempt.base, moves);
    announce(this.text);
  }

  /** What the page says about the attempt. */
  get text(): string {
    const { current } = this;
    if (!current) return '';
    const { turn, state, result } = current;
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
