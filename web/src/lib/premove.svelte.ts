// A move that the player chooses while the engine thinks, and that is played as soon as it is their turn.

import { t } from '../i18n';
import { announce } from './announce.svelte';
import { sourceCells, targetCells } from './selection';
import type { BoardController } from './board-controller.svelte';
import type { Player } from './types';

export class Premove {
  private from: string | null = $state(null);
  private to: string | null = $state(null);

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
    return figure != null && figure.owner === this.player();
  }

  /** Chooses the figure, then its target. Choosing the figure again cancels. */
  select(cell: string): void {
    if (this.from !== null && this.to === null && !this.canStartFrom(cell)) this.set(this.from, cell);
    else if (this.canStartFrom(cell) && cell !== this.from) this.start(cell);
    else this.clear();
  }

  private start(cell: string): void {
    this.from = cell;
    this.to = null;
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
    const isLegal = this.controller.legalMoves.some(
      (move) => sourceCells(move).includes(from) && targetCells(move).includes(to),
    );
    if (!isLegal) return announce(t('premove.illegal'));
    await this.controller.selectCell(from);
    await this.controller.selectCell(to);
  }
}
