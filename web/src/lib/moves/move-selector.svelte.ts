// Selecting a move on a board and playing it: the state that the board and its choices show.
// Shared by the page and the custom element, which know where legal moves come from and what playing a move means.

import { optionsAtFigure, optionsAtTarget } from './options';
import { pickCell } from './picking';
import {
  candidates,
  confirmingCell,
  emptySelection,
  groupPieces,
  isSource,
  moveArrow,
  selectedMove,
  targetCells,
  targetMarks,
  type Selection,
} from './selection';
import type { Board, Figure, LegalMove, Palette, Player, View } from '../types';

export abstract class MoveSelector {
  selection: Selection = $state.raw(emptySelection);
  /** The board after the selected move, until it is confirmed. */
  preview: Board | null = $state.raw(null);
  error = $state('');
  abstract view: View | null;
  /** Why the figure on a cell cannot do what the player has tried. */
  refusal: { cell: string; text: string } | null = $state.raw(null);
  /** Whether moves are previewed and confirmed before they are played. */
  abstract readonly confirmMoves: boolean;

  /** The moves that the player may select now. */
  readonly legalMoves: LegalMove[] = $derived.by(() => this.selectableMoves());
  /** The moves that are selected on the board. Ending a turn is a button instead. */
  private readonly boardMoves = $derived(this.legalMoves.filter((move) => targetCells(move).length > 0));
  readonly targets = $derived(targetMarks(this.boardMoves, this.selection));
  /** During a deployment, the remaining pieces of the stack are offered even if it is not selected. */
  readonly optionsAtFigure = $derived.by(() => {
    const from = this.view?.turn_in_progress?.from;
    if (from === undefined) return optionsAtFigure(this.boardMoves, this.selection);
    const isSelected = this.selection.cells[0] === from;
    const selection = isSelected ? this.selection : { ...emptySelection, cells: [from] };
    return optionsAtFigure(this.boardMoves, selection, 1);
  });
  /** The figure that the player has selected, or tried to select. */
  readonly selectedFigure = $derived.by(() => {
    const cell = this.selection.cells[0] ?? this.refusal?.cell;
    return this.view?.board.cells.find(({ name }) => name === cell)?.figure ?? null;
  });
  readonly optionsAtTarget = $derived(optionsAtTarget(this.boardMoves, this.selection));
  readonly candidates = $derived(candidates(this.boardMoves, this.selection));
  readonly selectedMove = $derived(
    this.selection.cells.length > 0 ? selectedMove(this.boardMoves, this.selection) : null,
  );
  /** The selected move, if it is previewed until it is confirmed: one that shares out heights. */
  readonly unconfirmedMove = $derived.by(() => {
    const move = this.selectedMove;
    return this.confirmMoves && move && move.shares.length > 0 ? move : null;
  });
  /** The moves that are neither selected on the board nor end a turn: each has a button of its own. */
  readonly movesWithoutCells = $derived(
    this.legalMoves.filter((move) => moveArrow(move) === null && move.kind !== 'end'),
  );
  readonly endTurnMove = $derived(this.legalMoves.find((move) => move.kind === 'end') ?? null);

  protected abstract selectableMoves(): LegalMove[];

  /** Plays a move given as text. */
  protected abstract playMove(text: string): Promise<void>;

  /** The board after a move. */
  protected abstract previewMove(text: string): Promise<Board>;

  /** The figure of a piece that is not on the board, for the choice of a promotion. */
  abstract promotedFigure(kind: string): Promise<Figure | null>;

  /** Why a figure cannot act, or some of its pieces; null if it can. */
  protected abstract requestRefusal(
    from: string,
    to: string | null,
    pieces: string[],
  ): Promise<string | null>;

  abstract showError(error: unknown): void;

  /** Returns whether the figure on a cell can be dragged. */
  canDrag(cell: string): boolean {
    return this.legalMoves.some((move) => move.from === cell);
  }

  /** Requests the moves that the view does not list; null if it lists all. */
  abstract completeMoves(): Promise<void> | null;

  /** Picks a cell. Picking the cell of a previewed move again plays it. */
  async selectCell(cell: string): Promise<void> {
    this.error = '';
    this.refusal = null;
    const completion = this.completeMoves();
    if (completion) await completion;
    const move = this.unconfirmedMove;
    if (move && confirmingCell(move) === cell) return this.submit();
    const { cells, group } = this.selection;
    const picked = pickCell(this.boardMoves, this.selection, cell);
    await this.select(picked);
    const [first] = cells;
    if (picked.cells.length > 0 || first === cell) return;
    if (first !== undefined && isSource(this.boardMoves, first)) await this.explain(first, cell, group);
    else if (this.view?.board.cells.some(({ name, figure }) => name === cell && figure))
      await this.explain(cell, null, null);
  }

  /** Shows why a figure cannot act, or cannot act on a cell. */
  async explain(from: string, to: string | null, group: string | null): Promise<void> {
    // It is not the player's turn.
    if (this.legalMoves.length === 0) return;
    const { selection, view } = this;
    const pieces = group === null ? [] : groupPieces(group);
    const text = await this.requestRefusal(from, to, pieces).catch(() => null);
    if (text !== null && this.selection === selection && this.view === view)
      this.refusal = { cell: from, text };
  }

  clearSelection(): void {
    this.selection = emptySelection;
    this.preview = null;
    this.error = '';
    this.refusal = null;
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

  /** Changes the selection, and plays or previews the move that it describes. */
  async select(selection: Selection): Promise<void> {
    this.selection = selection;
    this.refusal = null;
    const move = this.selectedMove;
    if (!this.unconfirmedMove) this.preview = null;
    if (!move) return;
    if (!this.unconfirmedMove) {
      // A single cell never plays a move, even if only one move starts there, unless nobody in particular acts.
      const isExplicit = selection.cells.length > 1 || (selection.kind !== null && move.from === null);
      if (isExplicit) await this.play(move.text);
      return;
    }
    const board = await this.previewMove(move.text).catch(() => null);
    if (this.selection === selection) this.preview = board;
  }
}

/** The figure of a single piece. */
export function findFigure({ figures }: Palette, kind: string, owner: Player): Figure | null {
  const found = figures.find(
    ({ figure }) => figure.owner === owner && figure.pieces.length === 1 && figure.pieces[0]?.kind === kind,
  );
  return found?.figure ?? null;
}
