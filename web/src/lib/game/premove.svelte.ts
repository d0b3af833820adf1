// A move that the player chooses while the engine thinks, and that is played as soon as it is their turn.

import { t } from '../../i18n';
import { announce } from '../platform/announce.svelte';
import type { BoardController } from '../board/board-controller.svelte';
import { canRecapture, hasMove, movesAfterPass } from '../moves/recapture';
import { emptySelection, sourceCells, targetMarks } from '../moves/selection';
import type { LegalMove, Player, View } from '../types';

export class Premove {
  private from: string | null = $state(null);
  private to: string | null = $state(null);
  /** What the player could do if the opponent passed, and the view that it is about. */
  private reach: { view: View; moves: LegalMove[] } | null = $state.raw(null);
  /** The cells that the chosen figure can probably go to. Others can be chosen too. */
  readonly targets = $derived.by(() => {
    const moves = this.reach?.view === this.controller.view ? (this.reach?.moves ?? []) : [];
    const from = this.to === null ? this.from : null;
    const own = from === null ? [] : moves.filter((move) => sourceCells(move).includes(from));
    return targetMarks(own, { ...emptySelection, cells: this.cells });
  });

  constructor(
    private readonly controller: BoardController,
    /** The player whose figures can be chosen. */
    private readonly player: () => Player | null,
  ) {}

  get isSet(): boolean {
    return this.to !== null;
  }

  /** The chosen cells. */
  get cells(): string[] {
    return [this.from, this.to].filter((cell) => cell !== null);
  }

  /** The move as an arrow, if it is complete. */
  get arrow(): { from: string; to: string } | null {
    return this.from !== null && this.to !== null ? { from: this.from, to: this.to } : null;
  }

  /** Returns whether a cell has a figure that the premove can be made with. */
  canStartFrom(cell: string): boolean {
    const figure = this.controller.view?.board.cells.find(({ name }) => name === cell)?.figure;
    return figure?.owner === this.player();
  }

  /**
   * Chooses the figure, then its target. Choosing the figure again cancels. Another own figure is the target if the first one
   * can act on it, or could recapture there; otherwise it is chosen instead.
   */
  async select(cell: string): Promise<void> {
    const { from } = this;
    if (cell === from || (from === null && !this.canStartFrom(cell))) return this.clear();
    if (from === null || this.to !== null) return this.canStartFrom(cell) ? this.start(cell) : this.clear();
    if (!this.canStartFrom(cell)) return this.set(from, cell);
    const isTarget = await this.canActOn(from, cell);
    // The player may have gone on meanwhile.
    if (this.from !== from || this.to !== null) return;
    if (isTarget) this.set(from, cell);
    else this.start(cell);
  }

  private start(cell: string): void {
    this.from = cell;
    this.to = null;
    void this.loadReach();
  }

  private async loadReach(): Promise<void> {
    const { view } = this.controller;
    if (!view || this.reach?.view === view) return;
    // Without the marks, every cell can still be chosen.
    const moves = await movesAfterPass(view).catch(() => []);
    this.reach = { view, moves };
  }

  /** Returns whether a figure can act on the cell of another own figure, or could recapture there. */
  private async canActOn(from: string, to: string): Promise<boolean> {
    const { view } = this.controller;
    if (!view) return false;
    if (this.reach?.view === view && hasMove(this.reach.moves, from, to)) return true;
    return canRecapture(view, from, to).catch(() => false);
  }

  /** Chooses both cells. The target may be a cell with an own figure, which the opponent may capture meanwhile. */
  set(from: string, to: string): void {
    this.from = from;
    this.to = to;
    announce(t('premove.set', { from, to }));
  }

  clear(): void {
    if (this.isSet) announce(t('premove.cancelled'));
    this.from = null;
    this.to = null;
  }

  /** Plays the move if it is legal now. If its cells allow several moves, the player chooses one of them. */
  async play(): Promise<void> {
    const { from, to } = this;
    if (from === null || to === null) return;
    this.from = null;
    this.to = null;
    await this.controller.completeMoves();
    if (!hasMove(this.controller.legalMoves, from, to)) return announce(t('premove.illegal'));
    await this.controller.selectCell(from);
    await this.controller.selectCell(to);
  }
}
