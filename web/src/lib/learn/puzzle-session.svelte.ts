// A puzzle on the board: the solver's turns are compared with the solution, and the replies come from it.

import { t } from '../../i18n';
import { announce } from '../platform/announce.svelte';
import { api } from '../api';
import { BoardController } from '../board/board-controller.svelte';
import type { Puzzle } from './puzzles';
import { retry } from '../platform/retry';
import { lineEnd, pathTo } from '../moves/tree';
import type { LegalMove, Player, PositionRequest } from '../types';

export type State = 'loading' | 'solving' | 'wrong' | 'correct' | 'solved' | 'shown';

export class PuzzleSession {
  state: State = $state('loading');
  /** The number of hints for the current turn: its first cell is shown, then its moves. */
  hints = $state(0);
  readonly controller: BoardController;
  solver: Player = $state('first');
  private unaided = true;
  /** The index of the current turn in the solution. */
  private turn = 0;
  private readonly base: PositionRequest;
  private readonly cancel: () => void;

  constructor(
    kind: string,
    rules: string,
    readonly puzzle: Puzzle,
    /** Called once, when the puzzle is solved or its solution shown. */
    private readonly onend: (unaided: boolean) => void,
  ) {
    this.base = { kind, rules, position: puzzle.position };
    this.controller = new BoardController(
      this.base,
      () => this.isSolving && this.controller.atEnd,
      (text) => this.play(text),
    );
    this.cancel = retry(() => api.position(this.base), {
      success: (view) => {
        this.solver = view.turn;
        this.controller.flipped = view.turn === 'second';
        this.controller.load(this.base, view);
        this.state = 'solving';
      },
      failure: (error) => this.controller.showError(error),
    });
  }

  destroy(): void {
    this.cancel();
    this.controller.destroy();
  }

  /** Whether turns of the solver are taken. */
  get isSolving(): boolean {
    return this.state === 'solving' || this.state === 'wrong' || this.state === 'correct';
  }

  /** The moves of a turn of the solution. */
  private movesOf(turn: number): string[] {
    return this.puzzle.turns[turn]?.split(' ') ?? [];
  }

  /** The moves of the solution before the current turn. */
  private get movesBefore(): string[] {
    return this.puzzle.turns.slice(0, this.turn).flatMap((turn) => turn.split(' '));
  }

  /** Plays a move, and judges the turn once it is complete. */
  private async play(text: string): Promise<void> {
    const { controller } = this;
    await controller.extend(text);
    const { view } = controller;
    if (!view || (view.turn === this.solver && !view.outcome.over)) return;
    const moves = [...this.movesBefore, ...this.movesOf(this.turn)];
    // The steps of a deployment may have another order: the position after the turn decides.
    const expected = await api.position({ ...this.base, moves, legal_moves: false });
    if (view.position !== expected.position) this.refuse();
    else if (this.turn + 1 >= this.puzzle.turns.length) this.end('solved');
    else {
      await controller.extend(...this.movesOf(this.turn + 1));
      this.turn += 2;
      this.hints = 0;
      this.state = 'correct';
      announce(t('puzzle.correct'));
    }
  }

  /** Takes back a turn that is not the solution. */
  private refuse(): void {
    this.unaided = false;
    this.state = 'wrong';
    this.takeBack();
    announce(t('puzzle.wrong'));
  }

  /** Takes back the moves of the current turn. */
  takeBack(): void {
    const path = pathTo(lineEnd(this.controller.tree.root));
    const first = path[path.findLastIndex(({ player }) => player !== this.solver) + 1];
    if (first) this.controller.remove(first);
  }

  /** Shows where the current turn begins, then its first move. */
  async hint(): Promise<void> {
    this.unaided = false;
    this.takeBack();
    // Only some of many legal moves come with a position.
    await this.controller.completeMoves();
    this.hints++;
  }

  /** The first move of the current turn, if it was asked for and the board shows the position before it. */
  get hinted(): LegalMove | null {
    if (this.hints === 0 || !this.isSolving) return null;
    const first = this.movesOf(this.turn)[0];
    return this.controller.view?.legal_moves.find(({ text }) => text === first) ?? null;
  }

  /** Plays the rest of the solution. */
  async showSolution(): Promise<void> {
    this.takeBack();
    const rest = this.puzzle.turns.slice(this.turn).flatMap((turn) => turn.split(' '));
    this.unaided = false;
    try {
      await this.controller.extend(...rest);
      this.end('shown');
    } catch (error) {
      this.controller.showError(error);
    }
  }

  private end(state: 'solved' | 'shown'): void {
    this.state = state;
    announce(t(state === 'solved' ? 'puzzle.solved' : 'puzzle.shown'));
    this.onend(this.unaided);
  }
}
