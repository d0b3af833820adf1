// The state behind a board that shows a game: its move tree, the position on the board and the player's selection.
// Shared by the game and analysis pages. Positions and legal moves come from the server.

import { serverText, t, term } from '../../i18n';
import { announce } from '../platform/announce.svelte';
import { api, errorMessage } from '../api';
import { describeOutcome } from '../text/descriptions';
import { BoundedMap } from '../platform/bounded-map';
import { loaded } from '../platform/kinds.svelte';
import { isComplete, withAllMoves } from '../moves/legal-moves';
import { moveEffects, type Effect } from '../moves/move-effects';
import { findFigure, MoveSelector } from '../moves/move-selector.svelte';
import { whenReachable } from '../platform/reachable';
import { retry } from '../platform/retry';
import { restoreTree, type SavedTree } from '../moves/saved-tree';
import { paletteOf } from '../editor/palettes';
import { playSound } from '../platform/sound';
import {
  addLine,
  lineEnd,
  movesTo,
  newTree,
  pathTo,
  removeSubtree,
  type Node,
  type Tree,
} from '../moves/tree';
import type { Board, Figure, LegalMove, PlayedMove, PositionRequest, View } from '../types';

/** The maximum number of cached views: enough to request each position of a game only once. */
const MAX_VIEWS = 400;

export class BoardController extends MoveSelector {
  tree: Tree = newTree();
  /** Incremented when the tree changes, because Svelte does not track changes inside it. */
  revision = $state(0);
  node: Node = $state.raw(this.tree.root);
  view: View | null = $state.raw(null);
  flipped = $state(false);
  /** The effects of the last move, for the board to show. */
  effects: Effect[] = $state.raw([]);
  /** The board at the root of the tree, which tells what was captured since; null until it is loaded. */
  startBoard: Board | null = $state.raw(null);
  /** Whether the zones of air defence are shown. */
  zonesShown = $state(false);
  /** Whether `view` belongs to `node`; false while the view is being requested. */
  settled = $state(false);
  /** The position at the root of the tree. */
  private base: PositionRequest;
  private readonly views = new BoundedMap<Node, View>(MAX_VIEWS);
  private cancelRequest = () => {};
  private cancelProbe = () => {};
  private cancelStart = () => {};
  /** The view whose further moves are being requested. */
  private completion: { view: View; done: Promise<void> } | null = null;

  readonly confirmMoves: boolean = $derived(
    loaded.kinds.find(({ name }) => name === this.view?.kind)?.confirm_moves ?? false,
  );

  constructor(
    base: PositionRequest,
    private readonly canMove: () => boolean,
    /** Plays a move given as text: on the server or in the tree. */
    private readonly onmove: (text: string) => Promise<void>,
  ) {
    super();
    this.base = base;
  }

  /** Empty during the engine's turn, in an earlier position and after the end. */
  protected override selectableMoves(): LegalMove[] {
    return this.view && this.settled && this.canMove() ? this.view.legal_moves : [];
  }

  override completeMoves(): Promise<void> | null {
    const { node, view } = this;
    if (!view || isComplete(view) || !this.settled) return null;
    if (this.completion?.view !== view) this.completion = { view, done: this.complete(node, view) };
    return this.completion.done;
  }

  private async complete(node: Node, view: View): Promise<void> {
    const request = this.request(node);
    try {
      const complete = await withAllMoves(view, (legal_offset) => api.position({ ...request, legal_offset }));
      if (this.view !== view) return;
      this.views.set(node, complete);
      this.view = complete;
    } catch (error) {
      this.completion = null;
      this.showError(error);
    }
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
    this.effects = [];
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
      this.views.set(node, view);
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
    this.cancelProbe();
    this.cancelStart();
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

  /** Adds moves, in any notation, after the current node and shows the position after them. */
  async extend(...texts: string[]): Promise<void> {
    const { tree, node: parent } = this;
    const request = this.request(parent);
    const view = await api.position({ ...request, moves: [...(request.moves ?? []), ...texts] });
    // Another game was loaded meanwhile.
    if (this.tree !== tree) return;
    // A complete turn is one text and several moves.
    const added = view.moves_played.slice(request.moves?.length ?? 0);
    const last = added.at(-1);
    if (!last) return;
    const node = addLine(tree, parent, added);
    this.views.set(node, view);
    this.revision++;
    this.goTo(node);
    this.announceMove(view, last, texts.length === 1 ? parent : node.parent);
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
    this.views.set(last, view);
    this.revision++;
    this.goTo(ply > 0 ? (pathTo(last)[ply - 1] ?? last) : this.tree.root);
    this.loadStart(last === this.tree.root ? view.board : null);
  }

  private loadStart(known: Board | null): void {
    this.cancelStart();
    this.startBoard = known;
    if (known) return;
    const request = { ...this.base, legal_moves: false };
    this.cancelStart = retry(() => api.position(request), {
      success: ({ board }) => (this.startBoard = board),
      // Only what was captured is missing meanwhile.
      failure: () => {},
    });
  }

  /** Adds the variations of an earlier visit to the page. */
  restore(saved: SavedTree): void {
    restoreTree(this.tree, saved);
    this.revision++;
  }

  /** Updates the main line to a game on the server, and announces a new move. */
  update(view: View): void {
    const wasAtEnd = this.atEnd;
    const old = pathTo(lineEnd(this.tree.root));
    const different = old.findIndex((node, i) => view.moves_played[i]?.text !== node.text);
    if (different >= 0 && old[different]) removeSubtree(old[different]);
    const last = addLine(this.tree, this.tree.root, view.moves_played);
    const hasNewMove = view.moves_played.length > old.length;
    this.views.set(last, view);
    this.revision++;
    const nodeExists = pathTo(this.node).every((node) => node.parent?.children.includes(node));
    const isShown = this.view?.position === view.position && this.node === last;
    if (isShown) this.view = view;
    else if (wasAtEnd || !nodeExists) this.goTo(last);
    const move = view.moves_played.at(-1);
    if (hasNewMove && move) this.announceMove(view, move, last.parent);
  }

  /** Announces a move with its result and plays its sound. */
  private announceMove(view: View, move: PlayedMove, parent: Node | null): void {
    announce(
      t('move.played', { player: term(view.players[move.player]), move: move.san }),
      view.in_check && !view.outcome.over ? t('game.check') : '',
      describeOutcome(view.outcome, view.players),
    );
    const before = parent ? this.views.get(parent) : undefined;
    this.effects = before ? moveEffects(before, view, move) : [];
    const kinds = [...new Set(this.effects.map(({ kind }) => kind))];
    playSound(...(view.outcome.over ? (['end'] as const) : kinds.length > 0 ? kinds : (['move'] as const)));
  }

  protected override async playMove(text: string): Promise<void> {
    await this.onmove(text);
  }

  protected override async previewMove(text: string): Promise<Board> {
    const request = this.request();
    const moves = [...(request.moves ?? []), text];
    return (await api.position({ ...request, moves, legal_moves: false })).board;
  }

  override async promotedFigure(kind: string): Promise<Figure | null> {
    const view = this.view;
    return view && findFigure(await paletteOf(view.kind, view.rules), kind, view.turn);
  }

  protected override async requestRefusal(
    from: string,
    to: string | null,
    group: string[],
  ): Promise<string | null> {
    const { refusal } = await api.refusal({
      position: this.request(),
      from,
      ...(to === null ? {} : { to }),
      group,
    });
    return refusal && serverText(refusal.detail, refusal.text);
  }

  override showError(error: unknown): void {
    const message = errorMessage(error);
    this.error = message;
    announce(message);
    this.cancelProbe();
    this.cancelProbe = whenReachable(error, () => {
      if (this.error === message) this.error = '';
    });
  }
}
