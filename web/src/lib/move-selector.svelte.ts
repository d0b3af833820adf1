// Selecting a move on a board and playing it: the state that the board and its choices show.
// Shared by the page and the custom element, which know where legal moves come from and what playing a move means.

import {
  candidates,
  emptySelection,
  openChoices,
  selectCell,
  selectedMove,
  targetCells,
  targetMarks,
  type Selection,
} from './selection';
import type { Board, LegalMove } from './types';

export abstract class MoveSelector {
  selection: Selection = $state.raw(emptySelection);
  /** The board after the selected move, until it is confirmed. */
  preview: Board | null = $state.raw(null);
  error = $state('');
  /** Whether moves are previewed and confirmed before they are played. */
  abstract readonly confirmMoves: boolean;

  /** The moves that the player may select now. */
  readonly legalMoves: LegalMove[] = $derived.by(() => this.selectableMoves());
  /** The moves that are selected on the board. Ending a turn is a button instead. */
  private readonly boardMoves = $derived(this.legalMoves.filter((move) => targetCells(move).length > 0));
  readonly targets = $derived(targetMarks(this.boardMoves, this.selection));
  readonly choices = $derived(openChoices(this.boardMoves, this.selection));
  readonly candidates = $derived(candidates(this.boardMoves, this.selection));
  readonly selectedMove = $derived(
    this.selection.cells.length > 0 ? selectedMove(this.boardMoves, this.selection) : null,
  );
  readonly endTurnMove = $derived(this.legalMoves.find((move) => move.kind === 'end') ?? null);

  protected abstract selectableMoves(): LegalMove[];

  /** Plays a move given as text. */
  protected abstract playMove(text: string): Promise<void>;

  /** The board after a move. */
  protected abstract previewMove(text: string): Promise<Board>;

  abstract showError(error: unknown): void;

  /** Returns whether the figure on a cell can be dragged. */
  canDrag(cell: string): boolean {
    return this.legalMoves.some((move) => move.from === cell);
  }

  /** Requests the moves that the view does not list; null if it lists all. */
  abstract completeMoves(): Promise<void> | null;

  async selectCell(cell: string): Promise<void> {
    this.error = '';
    const completion = this.completeMoves();
    if (completion) await completion;
    await this.select(selectCell(this.boardMoves, this.selection, cell));
  }

  /** Selects an option offered beside the board, or deselects it. */
  async toggleOption(detail: 'kind' | 'group' | 'becomes' | 'amount', value: string | number): Promise<void> {
    const isSelected = this.selection[detail] === value;
    await this.select({ ...this.selection, [detail]: isSelected ? null : value, shares: {} });
  }

  async toggleShare(cell: string, amount: number): Promise<void> {
    const shares = { ...this.selection.shares };
    if (shares[cell] === amount) delete shares[cell];
    else shares[cell] = amount;
    await this.select({ ...this.selection, shares });
  }

  clearSelection(): void {
    this.selection = emptySelection;
    this.preview = null;
    this.error = '';
  }

  /** Plays the selected move. */
  async submit(): Promise<void> {
    if (this.selectedMove) await this.play(this.selectedMove.text);
  }

  async endTurn(): Promise<void> {
    if (this.endTurnMove) await this.play(this.endTurnMove.text);
  }

  /** Plays a move in any notation. */
  async play(text: string): Promise<void> {
    this.clearSelection();
    try {
      await this.playMove(text);
    } catch (error) {
      this.showError(error);
    }
  }

  private async select(selection: Selection): Promise<void> {
    this.selection = selection;
    const move = this.selectedMove;
    this.preview = null;
    if (!move) return;
    if (!this.confirmMoves) {
      // A single cell never plays a move, even if only one move starts there.
      const isExplicit = selection.cells.length > 1 || selection.kind !== null || selection.amount !== null;
      if (isExplicit) await this.play(move.text);
      return;
    }
    const board = await this.previewMove(move.text).catch(() => null);
    if (this.selection === selection) this.preview = board;
  }
}
