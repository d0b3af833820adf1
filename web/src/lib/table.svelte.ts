// A board with the moves that were made on it: what game and analysis have in common. The tree says which positions
// there are; the server's views say what they look like and what is legal in them.

import { t, term } from '../i18n';
import { announce } from './announce.svelte';
import { api, reason } from './api';
import { known } from './kinds.svelte';
import { choose, facets, goals, meant, nothing, possible, targets, type Pick } from './narrow';
import { persist } from './persist';
import { play as playSound } from './sound';
import { ending } from './speech';
import { add, addLine, end, moves, newTree, path, remove, type Node, type Tree } from './tree';
import type { Action, Board, Player, Said, View } from './types';

/** A move as the tree needs it. */
type Move = { text: string; san: string; player: Player };

/** Views that are kept, so that walking through a game asks for each position once. */
const KEPT = 400;

export class Table {
  tree: Tree = newTree();
  /** Grows when the tree changes, which Svelte does not watch. */
  revision = $state(0);
  node: Node = $state.raw(this.tree.root);
  view: View | null = $state.raw(null);
  flipped = $state(false);
  pick: Pick = $state.raw(nothing);
  preview: Board | null = $state.raw(null);
  error = $state('');
  /** Is the view that of the node that is shown? Not while it is on its way. */
  settled = $state(false);
  private base: Said;
  private views = new Map<Node, View>();
  /** Ends the asking for a position that is no longer wanted. */
  private stop = () => {};

  /** Where nobody may act – the engine's turn, a game that is over, a look back – nothing is legal. */
  readonly active: Action[] = $derived.by(() =>
    this.view && this.settled && this.mayAct() ? this.view.actions : [],
  );
  /** Those that are chosen on the board: to end a turn is a button. */
  private readonly onBoard = $derived(this.active.filter((action) => goals(action).length > 0));
  readonly targets = $derived(targets(this.onBoard, this.pick));
  readonly facets = $derived(facets(this.onBoard, this.pick));
  readonly possible = $derived(possible(this.onBoard, this.pick));
  readonly meant = $derived(this.pick.cells.length > 0 ? meant(this.onBoard, this.pick) : null);
  /** Where figures act together or fall into parts, an action is shown before it is played. */
  readonly confirms = $derived(known.kinds.find(({ name }) => name === this.view?.kind)?.confirms ?? false);
  readonly end = $derived(this.active.find((action) => action.kind === 'end') ?? null);

  constructor(
    said: Said,
    private readonly mayAct: () => boolean,
    private readonly act: (text: string) => Promise<void>,
  ) {
    this.base = said;
  }

  /** The position of a node, as the server is told. */
  said(node: Node = this.node): Said {
    return { ...this.base, moves: [...(this.base.moves ?? []), ...moves(node)] };
  }

  /** The line that is shown, to its end. */
  get line(): Said {
    return this.said(end(this.node));
  }

  /** Is the position that is shown the last of its line? */
  get atEnd(): boolean {
    return this.node.children.length === 0;
  }

  /** Shows a node. The old position stays until the new one is there. */
  go(node: Node): void {
    this.node = node;
    this.drop();
    this.leave();
    const known = this.views.get(node);
    this.settled = known !== undefined;
    if (known) {
      this.view = known;
      return;
    }
    const said = this.said(node);
    const ask = async () => {
      const view = await api.position(said);
      // Who walks on before it is there may come back.
      this.keep(node, view);
      return view;
    };
    this.stop = persist(ask, {
      found: (view) => {
        this.view = view;
        this.settled = true;
        this.error = '';
      },
      failed: (error) => {
        // It may fail again and again; to hear it once is enough.
        if (!this.error) this.fail(error);
      },
    });
  }

  /** Nobody looks any longer: nothing more is asked for. */
  leave(): void {
    this.stop();
  }

  walk(by: -1 | 1): void {
    const to = by < 0 ? this.node.parent : this.node.children[0];
    if (to) this.walkTo(to);
  }

  toStart(): void {
    this.walkTo(this.tree.root);
  }

  toEnd(): void {
    this.walkTo(end(this.node));
  }

  /** Goes to a node and says which it is. */
  private walkTo(node: Node): void {
    this.go(node);
    const player = node.player && this.view && term(this.view.players[node.player]);
    announce(player ? t('move.played', { player, move: node.san }) : t('move.beginning'));
  }

  /** Plays a move, in any notation, below the node that is shown, and shows where it leads. */
  async extend(text: string): Promise<void> {
    const parent = this.node;
    const said = this.said(parent);
    const view = await api.position({ ...said, moves: [...(said.moves ?? []), text] });
    const move = view.history.at(-1);
    if (!move) return;
    const node = add(this.tree, parent, move);
    this.keep(node, view);
    this.revision++;
    this.go(node);
    this.heard(view, move, parent);
  }

  /** Adds a whole line without leaving the node that is shown. */
  addLine(line: Move[]): Node {
    const last = addLine(this.tree, this.node, line);
    this.revision++;
    return last;
  }

  cut(node: Node): void {
    const onIt = path(this.node).includes(node);
    const parent = remove(node);
    this.revision++;
    if (onIt) this.go(parent);
  }

  /** Takes over a position with its past – a record that was loaded, a game that begins – and shows it after `ply` moves. */
  begin(base: Said, view: View, ply = Infinity): void {
    this.base = base;
    this.tree = newTree();
    this.views.clear();
    const past = view.history.slice(base.moves?.length ?? 0);
    const last = addLine(this.tree, this.tree.root, past);
    this.keep(last, view);
    this.revision++;
    this.go(ply > 0 ? (path(last)[ply - 1] ?? last) : this.tree.root);
  }

  /** Follows a game that is kept by the server: its history is the main line. Says what is new. */
  follow(view: View): void {
    const followed = this.atEnd;
    const old = path(end(this.tree.root));
    const same = old.findIndex((node, i) => view.history[i]?.text !== node.text);
    if (same >= 0 && old[same]) remove(old[same]);
    const last = addLine(this.tree, this.tree.root, view.history);
    const isNew = view.history.length > old.length;
    this.views.delete(last);
    this.keep(last, view);
    this.revision++;
    const onTree = path(this.node).every((node) => node.parent?.children.includes(node));
    const wasHere = this.view?.position === view.position && this.node === last;
    if (wasHere) this.view = view;
    else if (followed || !onTree) this.go(last);
    const move = view.history.at(-1);
    if (isNew && move) this.heard(view, move, last.parent);
  }

  private keep(node: Node, view: View): void {
    if (this.views.size >= KEPT) this.views.clear();
    this.views.set(node, view);
  }

  /** Says and sounds a move that was just made, and what came of it. */
  private heard(view: View, move: Move, parent: Node | null): void {
    announce(
      t('move.played', { player: term(view.players[move.player]), move: move.san }),
      view.check && !view.outcome.over ? t('game.check') : '',
      ending(view.outcome, view.players),
    );
    const before = parent ? this.views.get(parent) : undefined;
    const takes = before !== undefined && strength(before, move.player) > strength(view, move.player);
    playSound(view.outcome.over ? 'end' : view.check ? 'check' : takes ? 'take' : 'move');
  }

  // Choosing an action.

  async choose(cell: string): Promise<void> {
    this.error = '';
    await this.narrowTo(choose(this.onBoard, this.pick, cell));
  }

  /** Chooses one of the things that are offered beside the board; a second time takes the choice back. */
  async option(part: 'kind' | 'group' | 'becomes' | 'amount', value: string | number): Promise<void> {
    const again = this.pick[part] === value;
    await this.narrowTo({ ...this.pick, [part]: again ? null : value, shares: {} });
  }

  async share(cell: string, amount: number): Promise<void> {
    const shares = { ...this.pick.shares };
    if (shares[cell] === amount) delete shares[cell];
    else shares[cell] = amount;
    await this.narrowTo({ ...this.pick, shares });
  }

  drop(): void {
    this.pick = nothing;
    this.preview = null;
    this.error = '';
  }

  async submit(): Promise<void> {
    if (this.meant) await this.make(this.meant.text);
  }

  /** Plays a move, in any form that the server reads. */
  async make(text: string): Promise<void> {
    this.drop();
    try {
      await this.act(text);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.error = reason(error);
    announce(this.error);
  }

  private async narrowTo(pick: Pick): Promise<void> {
    this.pick = pick;
    const action = this.meant;
    this.preview = null;
    if (!action) return;
    // One cell alone is no order to move, even if there is only one way to go from it.
    const decided = pick.cells.length > 1 || pick.kind !== null || pick.amount !== null;
    if (!this.confirms) {
      if (decided) await this.make(action.text);
      return;
    }
    const said = this.said();
    const shown = await api
      .position({ ...said, moves: [...(said.moves ?? []), action.text], actions: false })
      .catch(() => null);
    if (this.pick === pick) this.preview = shown?.board ?? null;
  }
}

/** How many pieces stand against a player. */
function strength(view: View, player: Player): number {
  return view.board.cells.reduce(
    (sum, { figure }) => sum + (figure && figure.owner !== player ? figure.pieces.length : 0),
    0,
  );
}
