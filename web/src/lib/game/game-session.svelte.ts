// A game that is played or watched: its connection, its clock, its offers and its end. The page of a game shows it.

import { t, term } from '../../i18n';
import { api, errorMessage, isConflict, isForbidden, isNotFound } from '../api';
import type { Online } from '../backend/backend';
import { BoardController } from '../board/board-controller.svelte';
import { announce } from '../platform/announce.svelte';
import { attention, notify } from '../platform/attention.svelte';
import { ignoreWhileBusy } from '../platform/ignore-while-busy';
import { playSound } from '../platform/sound';
import { describeOutcome } from '../text/descriptions';
import { opponent, type ChatMessage, type Game, type Player, type Presence } from '../types';
import { nextGame, swapSeats, withLevel } from './end-card';
import { gameChange, isOpen } from './game-change';
import { forgetInvitation } from './invitations';
import { PlayAids } from './play-aids.svelte';
import { ServerClock } from './server-clock';

export interface SessionHandlers {
  /** Called with the kind of the game once it is loaded. */
  load: (kind: string) => void;
  /** Called with the id of another game that is to be opened. */
  open: (id: string) => void;
}

export class GameSession {
  game: Game | null = $state.raw(null);
  /** When the backend sent the game, in the browser's time. */
  received = $state(0);
  disconnected = $state(false);
  /** Why there is no game, if there is none. */
  missing: 'deleted' | 'aborted' | null = $state(null);
  /** Why the game cannot be shown. */
  failure = $state('');
  /** A notice about the last offer, shown until the next change. */
  notice = $state('');
  presence: Presence | null = $state.raw(null);
  /** The last chat message. */
  message: ChatMessage | null = $state.raw(null);
  /** Whether the player has closed the card at the end of the game. */
  private endClosed = $state(false);
  private readonly clock = new ServerClock();

  readonly controller: BoardController;
  readonly aids: PlayAids;

  readonly over = $derived(this.game?.view.outcome.over ?? false);
  /** Whether the latest position is on the board. */
  readonly latest = $derived.by(() => this.controller.revision >= 0 && this.controller.atEnd);
  readonly firstTurn: Player = $derived(
    this.game?.view.moves_played[0]?.player ?? this.game?.view.turn ?? 'first',
  );
  /** Null if everyone at this screen plays for both sides. */
  readonly online: Online | null = $derived(this.game?.access === 'seats' ? api.online : null);
  /** Whether the second player has not joined yet. */
  readonly isWaiting = $derived(
    this.game !== null && (isOpen(this.game, 'first') || isOpen(this.game, 'second')),
  );
  /** The side of this page in a game with another person. */
  readonly me: Player | undefined = $derived.by(() => {
    const { game } = this;
    const side = game?.you.length === 1 ? game.you[0] : undefined;
    return game && side && game.seats[opponent(side)].type !== 'engine' ? side : undefined;
  });
  private readonly isMyTurn = $derived(this.isRunning() && this.game?.you.length === 1 && this.hasTurn());
  /** When the opponent's absence lets the player claim the win, in the browser's time; null while they are connected. */
  readonly claimableAt: number | null = $derived.by(() => {
    const { me, presence } = this;
    const from = me && presence && !this.isWaiting ? presence.claim_from[opponent(me)] : null;
    return from === null ? null : this.clock.toBrowser(from);
  });
  readonly cardOpen = $derived(this.over && this.latest && !this.endClosed);
  /** What the heading says about the position on the board. */
  readonly status = $derived.by(() => (this.latest ? this.gameStatus() : this.nodeStatus()));

  constructor(
    readonly id: string,
    private readonly on: SessionHandlers,
  ) {
    const canMove = () => this.canMove;
    this.controller = new BoardController({ kind: '' }, canMove, async (text) => {
      await this.send(({ version }) => api.move(id, text, version));
    });
    this.aids = new PlayAids(
      this.controller,
      () => this.game,
      canMove,
      async (player, kind) => {
        this.update(await api.advice(id, player, kind));
      },
    );
  }

  /** Follows the game. Called once, when the page is created. */
  follow(): void {
    this.aids.follow();
    $effect(() => this.callAttention());
    $effect(() => this.connect());
  }

  /** Receives the changes of the game. Returns a function that ends it. */
  connect(): () => void {
    const leave = api.follow(this.id, {
      game: (game) => this.update(game),
      deleted: (reason) => (this.missing = reason ?? 'deleted'),
      connection: (connected) => (this.disconnected = !connected),
      failed: (error) => (this.failure = errorMessage(error)),
      chat: (added) => (this.message = added),
      presence: (now) => (this.presence = now),
    });
    return () => {
      leave();
      this.controller.destroy();
    };
  }

  /** Whether the player may move: it is their turn, and the latest position is on the board. */
  get canMove(): boolean {
    return this.latest && this.isRunning() && this.hasTurn();
  }

  private isRunning(): boolean {
    return this.game !== null && !this.over && !this.isWaiting;
  }

  private hasTurn(): boolean {
    return this.game?.you.includes(this.game.view.turn) ?? false;
  }

  private update(next: Game): void {
    const before = this.game;
    if (before && next.version < before.version) return;
    // First, because times of the presence are converted with it.
    this.clock.observe(next.now, Date.now());
    this.game = next;
    this.received = this.clock.toBrowser(next.now);
    this.presence = next;
    if (before) {
      this.controller.update(next.view);
      if (next.version > before.version) this.announceChange(before, next);
    } else {
      const { kind, rules, first_position: position } = next.view;
      this.controller.load({ kind, rules, position }, next.view);
      this.on.load(kind);
      this.controller.flipped = next.you.length === 1 && next.you[0] === 'second';
    }
  }

  /** Announces a change without a new move: a move taken back, the end of the game, an offer, a player who joined. */
  private announceChange(before: Game, next: Game): void {
    this.notice = '';
    if (!next.view.outcome.over) this.endClosed = false;
    if (next.view.moves_played.length > before.view.moves_played.length) return notifyTurn(next);
    const change = gameChange(before, next, this.me);
    if (!change) return;
    this.notice = change.notice;
    announce(...change.texts);
    if (change.kind === 'end' || change.kind === 'offer') playSound(change.kind);
    if (change.kind !== 'joined') return;
    forgetInvitation(this.id);
    playSound('offer');
    notifyTurn(next);
  }

  /** Shows whose turn it is in the title and the icon of the document. Returns a function that ends it. */
  private callAttention(): (() => void) | undefined {
    const { game, over, isWaiting, isMyTurn } = this;
    if (!game || over) return;
    const { turn, players, board } = game.view;
    attention.title = isMyTurn
      ? t('game.yourTurn')
      : isWaiting
        ? t('invite.waiting')
        : t('game.turn', { player: term(players[turn]) });
    attention.mark = isWaiting ? null : { ink: board.inks[turn], isOwn: isMyTurn };
    return () => Object.assign(attention, { title: '', mark: null });
  }

  /** Sends a request that changes the game. After a conflict, shows the latest version of the game. */
  readonly send = ignoreWhileBusy(async (request: (game: Game) => Promise<Game>) => {
    await this.aids.counted;
    const { game } = this;
    if (!game) return;
    try {
      this.update(await request(game));
    } catch (error) {
      if (isNotFound(error)) {
        this.missing = 'deleted';
        return;
      }
      // A player who has moved the seat to another device is a spectator here.
      if (!isConflict(error) && !isForbidden(error)) return this.controller.showError(error);
      const current = await api.game(this.id).catch(() => null);
      if (current) this.update(current);
      const isStale = current && current.version > game.version;
      this.controller.showError(isStale ? new Error(t('game.stale')) : error);
    }
  });

  /** Aborts the game. */
  abort(): Promise<void> {
    const { online } = this;
    return online ? this.remove(() => online.abort(this.id)) : Promise.resolve();
  }

  /** Cancels the challenge or invitation. */
  cancel(): Promise<void> {
    return this.remove(() => api.deleteGame(this.id));
  }

  private readonly remove = ignoreWhileBusy(async (request: () => Promise<void>) => {
    try {
      await request();
      this.missing ??= 'aborted';
    } catch (error) {
      this.controller.showError(error);
    }
  });

  readonly rematch = ignoreWhileBusy(async () => {
    const { game, online } = this;
    if (game)
      await this.open(online ? online.rematch(this.id) : api.newGame(nextGame(game, swapSeats(game.seats))));
  });

  /** Starts another game against a level of the engine. */
  readonly playLevel = ignoreWhileBusy(async (level: number) => {
    const { game } = this;
    if (game) await this.open(api.newGame(nextGame(game, withLevel(game.seats, level))));
  });

  private async open(created: Promise<Game>): Promise<void> {
    try {
      this.on.open((await created).id);
    } catch (error) {
      this.controller.showError(error);
    }
  }

  /** Closes the card at the end of the game. */
  closeCard(): void {
    this.endClosed = true;
  }

  private gameStatus(): string {
    const { game } = this;
    if (!game) return '';
    const { outcome, players, turn, in_check } = game.view;
    if (outcome.over) return describeOutcome(outcome, players);
    const player = term(players[turn]);
    if (this.isWaiting) return t('invite.waiting');
    if (game.thinking) return t('game.thinking', { player });
    return t('game.turn', { player }) + (in_check ? ` – ${t('game.check')}` : '');
  }

  private nodeStatus(): string {
    const { node } = this.controller;
    return node.parent ? t('game.after', { move: node.san }) : t('move.start');
  }
}

/** Notifies a player who does not see the page that it is their turn. */
function notifyTurn({ view, you, access }: Game): void {
  if (access !== 'seats' || you.length !== 1 || view.outcome.over || view.turn !== you[0]) return;
  notify(t('game.yourTurn'), `${term(view.kind)}: ${view.moves_played.at(-1)?.san ?? t('move.start')}`);
}
