// The state behind a board that shows a game: its move tree, the position on the board and the player's selection.
// Shared by the game and analysis pages. Positions and legal moves come from the server.

import { t, term } from '../i18n';
import { announce } from './announce.svelte';
import { api, errorMessage } from './api';
import { describeOutcome } from './descriptions';
import { loaded } from './kinds.svelte';
import { retry } from './retry';
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
import { playSound } from './sound';
import { addLine, lineEnd, movesTo, newTree, pathTo, removeSubtree, type Node, type Tree } from './tree';
import type { Board, LegalMove, PlayedMove, Player, PositionRequest, View } from './types';

/** The maximum number of cached views: enough to request each position of a game only once. */
const MAX_VIEWS = 400;

export class BoardController {
  tree: Tree = newTree();
  /** Incremented when the tree changes, because Svelte does not track changes inside it. */
  revision = $state(0);
  node: Node = $state.raw(this.tree.root);
  view: View | null = $state.raw(null);
  flipped = $state(false);
  selection: Selection = $state.raw(emptySelection);
  /** The board after the selected move, until it is confirmed. */
  preview: Board | null = $state.raw(null);
  error = $state('');
  /** Whether `view` belongs to `node`; false while the view is being requested. */
  settled = $state(false);
  /** The position at the root of the tree. */
  private base: PositionRequest;
  private views = new Map<Node, View>();
  private cancelRequest = () => {};

  /** The legal moves of a human to move; empty during the engine's turn, in an earlier position and after the end. */
  readonly legalMoves: LegalMove[] = $derived.by(() =>
    this.view && this.settled && this.canMove() ? this.view.legal_moves : [],
  );
  /** The moves that are selected on the board. Ending a turn is a button instead. */
  private readonly boardMoves = $derived(this.legalMoves.filter((move) => targetCells(move).length > 0));
  readonly targets = $derived(targetMarks(this.boardMoves, this.selection));
  readonly choices = $derived(openChoices(this.boardMoves, this.selection));
  readonly candidates = $derived(candidates(this.boardMoves, this.selection));
  readonly selectedMove = $derived(
    this.selection.cells.length > 0 ? selectedMove(this.boardMoves, this.selection) : null,
  );
  /** Whether moves are previewed and confirmed before they are played. */
  readonly confirmMoves = $derived(
    loaded.kinds.find(({ name }) => name === this.view?.kind)?.confirm_moves ?? false,
  );
  readonly endTurnMove = $derived(this.legalMoves.find((move) => move.kind === 'end') ?? null);

  constructor(
    base: PositionRequest,
    private readonly canMove: () => boolean,
    /** Plays a move given as text: on the server or in the tree. */
    private readonly onmove: (text: string) => Promise<void>,
  ) {
    this.base = base;
  }

  /** The request for the position of a node. */
  request(node: Node = this.node): PositionRequest {
    return { ...this.base, moves: [...(this.base.moves ?? []), ...movesTo(node)] };
  }

  /** The request for the end of the current line. */
  get lineRequest(): PositionRequest {
    return this.request(lineEnd(this.node));
  }

  /** Whether the position on the board is the last of its line. */
  get atEnd(): boolean {
    return this.node.children.length === 0;
  }

  /** Shows a node. The old position stays on the board until the new one arrives. */
  goTo(node: Node): void {
    this.node = node;
    this.clearSelection();
    this.cancelRequest();
    const cached = this.views.get(node);
    this.settled = cached !== undefined;
    if (cached) {
      this.view = cached;
      return;
    }
    const request = this.request(node);
    const send = async () => {
      const view = await api.position(request);
      // Cached even if the request was cancelled meanwhile: the player may come back.
      this.cache(node, view);
      return view;
    };
    this.cancelRequest = retry(send, {
      success: (view) => {
        this.view = view;
        this.settled = true;
        this.error = '';
      },
      failure: (error) => {
        // Announce the first of several failed attempts only.
        if (!this.error) this.showError(error);
      },
    });
  }

  /** Cancels pending requests when the page is left. */
  destroy(): void {
    this.cancelRequest();
  }

  /** Steps to the previous or next position. */
  step(by: -1 | 1): void {
    const node = by < 0 ? this.node.parent : this.node.children[0];
    if (node) this.stepTo(node);
  }

  goToStart(): void {
    this.stepTo(this.tree.root);
  }

  goToEnd(): void {
    this.stepTo(lineEnd(this.node));
  }

  /** Shows a node and announces its move. */
  private stepTo(node: Node): void {
    this.goTo(node);
    const player = node.player && this.view && term(this.view.players[node.player]);
    announce(player ? t('move.played', { player, move: node.san }) : t('move.start'));
  }

  /** Adds a move, in any notation, after the current node and shows the result. */
  async extend(text: string): Promise<void> {
    const parent = this.node;
    const request = this.request(parent);
    const view = await api.position({ ...request, moves: [...(request.moves ?? []), text] });
    // A complete turn is one text and several moves.
    const added = view.moves_played.slice(request.moves?.length ?? 0);
    const last = added.at(-1);
    if (!last) return;
    const node = addLine(this.tree, parent, added);
    this.cache(node, view);
    this.revision++;
    this.goTo(node);
    this.announceMove(view, last, parent);
  }

  /** Removes a node and everything after it. */
  remove(node: Node): void {
    const wasShown = pathTo(this.node).includes(node);
    const parent = removeSubtree(node);
    this.revision++;
    if (wasShown) this.goTo(parent);
  }

  /** Starts over with another game, and shows the position after `ply` of its moves. */
  load(base: PositionRequest, view: View, ply = Infinity): void {
    this.base = base;
    this.tree = newTree();
    this.views.clear();
    const last = addLine(this.tree, this.tree.root, view.moves_played.slice(base.moves?.length ?? 0));
    this.cache(last, view);
    this.revision++;
    this.goTo(ply > 0 ? (pathTo(last)[ply - 1] ?? last) : this.tree.root);
  }

  /** Updates the main line to a game on the server, and announces a new move. */
  update(view: View): void {
    const wasAtEnd = this.atEnd;
    const old = pathTo(lineEnd(this.tree.root));
    const different = old.findIndex((node, i) => view.moves_played[i]?.text !== node.text);
    if (different >= 0 && old[different]) removeSubtree(old[different]);
    const last = addLine(this.tree, this.tree.root, view.moves_played);
    const hasNewMove = view.moves_played.length > old.length;
    this.views.delete(last);
    this.cache(last, view);
    this.revision++;
    const nodeExists = pathTo(this.node).every((node) => node.parent?.children.includes(node));
    const isShown = this.view?.position === view.position && this.node === last;
    if (isShown) this.view = view;
    else if (wasAtEnd || !nodeExists) this.goTo(last);
    const move = view.moves_played.at(-1);
    if (hasNewMove && move) this.announceMove(view, move, last.parent);
  }

  private cache(node: Node, view: View): void {
    if (this.views.size >= MAX_VIEWS) this.views.clear();
    this.views.set(node, view);
  }

  /** Announces a move with its result and plays its sound. */
  private announceMove(view: View, move: PlayedMove, parent: Node | null): void {
    announce(
      t('move.played', { player: term(view.players[move.player]), move: move.san }),
      view.in_check && !view.outcome.over ? t('game.check') : '',
      describeOutcome(view.outcome, view.players),
    );
    const before = parent ? this.views.get(parent) : undefined;
    const captures =
      before !== undefined && enemyPieces(before, move.player) > enemyPieces(view, move.player);
    playSound(view.outcome.over ? 'end' : view.in_check ? 'check' : captures ? 'capture' : 'move');
  }

  async selectCell(cell: string): Promise<void> {
    this.error = '';
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
      await this.onmove(text);
    } catch (error) {
      this.showError(error);
    }
  }

  showError(error: unknown): void {
    this.error = errorMessage(error);
    announce(this.error);
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
    const request = this.request();
    const view = await api
      .position({ ...request, moves: [...(request.moves ?? []), move.text], legal_moves: false })
      .catch(() => null);
    if (this.selection === selection) this.preview = view?.board ?? null;
  }
}

/** The number of pieces on the board that a player does not own. */
function enemyPieces(view: View, player: Player): number {
  return view.board.cells.reduce(
    (sum, { figure }) => sum + (figure && figure.owner !== player ? figure.pieces.length : 0),
    0,
  );
}
