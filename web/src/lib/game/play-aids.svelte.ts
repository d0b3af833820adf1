// What helps a player during a game: advice of the engine, premoves, and a board that turns to the side to move.

import { untrack } from 'svelte';
import { Advice } from './advice.svelte';
import type { BoardController } from '../board/board-controller.svelte';
import type { Shape } from '../board/layers';
import { Premove } from './premove.svelte';
import { settings } from '../platform/settings.svelte';
import { opponent, type AdviceKind, type Game, type Player } from '../types';
import { FLIP_DELAY } from '../platform/time-limits';

export class PlayAids {
  readonly advice = new Advice();
  private readonly premove: Premove;
  /** The player of this page in a game against the engine. */
  private readonly player = $derived.by(() => {
    const game = this.game();
    const player = game?.you.length === 1 ? game.you[0] : undefined;
    return game && player && game.seats[opponent(player)].type === 'engine' ? player : null;
  });
  /** Whether the people at this screen play both sides. */
  readonly sharesScreen = $derived.by(() => {
    const game = this.game();
    return game?.you.length === 2 && Object.values(game.seats).every(({ type }) => type === 'human');
  });
  /** Whether the engine may advise: never against another person. */
  readonly offersAdvice = $derived.by(
    () => !(this.game()?.view.outcome.over ?? true) && (this.player !== null || this.sharesScreen),
  );
  readonly canAdvise = $derived.by(() => this.offersAdvice && this.canMove() && this.controller.settled);
  /** The premove while it can be chosen: during the turn of the engine. */
  readonly activePremove: Premove | null = $derived.by(() => {
    const game = this.game();
    if (!game || this.player === null || game.view.outcome.over) return null;
    return game.view.turn !== this.player && this.controller.atEnd ? this.premove : null;
  });
  readonly shapes: Shape[] = $derived.by(() => {
    const arrow = this.premove.arrow;
    return arrow ? [...this.advice.shapes, { ...arrow, tone: 'premove' as const }] : this.advice.shapes;
  });

  /** Settled while no advice is being counted. A change of the game waits for it, because it needs the latest version. */
  counted: Promise<void> = Promise.resolve();

  constructor(
    private readonly controller: BoardController,
    private readonly game: () => Game | null,
    private readonly canMove: () => boolean,
    /** Counts advice for a player. The record of the game says how often they got some. */
    private readonly count: (player: Player, kind: AdviceKind) => Promise<void>,
  ) {
    this.premove = new Premove(controller, () => this.player);
  }

  /** Shows or hides advice. */
  toggleAdvice(kind: AdviceKind): void {
    const { view } = this.controller;
    if (!view) return;
    this.advice.toggle(kind, view, this.controller.request(), () => {
      const counted = this.count(view.turn, kind);
      this.counted = counted.catch(() => undefined);
      return counted;
    });
  }

  /** Follows the game. Called once, when the page is created. */
  follow(): void {
    // Advice is about one position.
    $effect(() => {
      void [this.controller.node, this.canAdvise];
      return () => this.advice.clear();
    });
    $effect(() => {
      if (this.premove.isSet && this.canMove() && this.controller.settled)
        untrack(() => void this.premove.play());
    });
    $effect(() => {
      if (this.game()?.view.outcome.over) untrack(() => this.premove.clear());
    });
    $effect(() => {
      const turn = this.game()?.view.turn;
      if (!settings.autoFlip || !this.sharesScreen || !turn) return;
      const timer = setTimeout(() => (this.controller.flipped = turn === 'second'), FLIP_DELAY);
      return () => clearTimeout(timer);
    });
  }
}
