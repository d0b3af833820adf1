// The state of one custom element: a position, the moves played from it and the player's selection.

import { en } from '../i18n/en';
import { translator } from '../i18n/server-text';
import { textsOf } from '../i18n/texts';
import { vi } from '../i18n/vi';
import { describer } from '../lib/text/describer';
import { isComplete, withAllMoves } from '../lib/moves/legal-moves';
import { findFigure, MoveSelector } from '../lib/moves/move-selector.svelte';
import type {
  Board,
  ErrorBody,
  Figure,
  Kind,
  LegalMove,
  Palette,
  PlayedMove,
  PositionRequest,
  RefusalResponse,
  View,
} from '../lib/types';
import {
  AttributeError,
  parseDisplay,
  parseMoves,
  POSITION_ATTRIBUTES,
  type Attributes,
  type Display,
} from './attributes';
import type { Arrow, Mark } from './board';

/** Sends a request to the core. */
export type Request = (
  route: 'kinds' | 'palette' | 'position' | 'refusal',
  body: unknown,
) => Promise<unknown>;

/** What the element does when its board changes. */
export interface Hooks {
  /** Called before the user's move is played; `view` is the position after it. Returns false to reject the move. */
  allowMove: (move: PlayedMove, view: View) => boolean;
  /** Called when the board shows another position. */
  updated: (view: View) => void;
  failed: (error: unknown) => void;
}

export type Language = 'en' | 'vi';
const MESSAGES = { en, vi };

const DEFAULT_DISPLAY: Display = {
  orientation: 'first',
  movers: [],
  coordinates: 'outside',
  animation: true,
  theme: 'auto',
  board: 'classic',
  pieces: 'flat',
};

export class BoardModel extends MoveSelector {
  view: View | null = $state.raw(null);
  display: Display = $state.raw(DEFAULT_DISPLAY);
  language: Language = $state('en');
  /** Why there is no board: an attribute is wrong or the core is missing. */
  problem = $state('');
  arrows: Arrow[] = $state.raw([]);
  marks: Mark[] = $state.raw([]);
  /** The text of the live region; `count` distinguishes repeated announcements of the same text. */
  announcement = $state({ text: '', count: 0 });
  readonly texts = textsOf(() => MESSAGES[this.language]);
  private kinds: Kind[] = $state.raw([]);
  /** The attributes of the position that is shown or being loaded. */
  private loaded: Attributes | null = null;
  /** Changes happen one after the other, because the core may still be loading. */
  private queue: Promise<unknown> = Promise.resolve();

  readonly confirmMoves: boolean = $derived(
    this.kinds.find(({ name }) => name === this.view?.kind)?.confirm_moves ?? false,
  );

  constructor(
    private readonly request: Request,
    private readonly hooks: Hooks,
  ) {
    super();
  }

  /** Applies the attributes. The position is loaded only if its attributes changed, or if `reload` is true. */
  apply(attributes: Attributes, reload = false): Promise<void> {
    return this.enqueue(async () => {
      const last = this.loaded;
      const isSame = last && POSITION_ATTRIBUTES.every((name) => attributes[name] === last[name]);
      this.loaded = attributes;
      try {
        const view = isSame && !reload && this.view ? this.view : await this.load(attributes);
        this.display = parseDisplay(attributes, view.players);
        this.problem = '';
        if (view !== this.view) this.show(view);
      } catch (error) {
        this.view = null;
        this.clearSelection();
        this.problem = await this.translate(error);
        this.hooks.failed(error);
      }
    });
  }

  private async load({ game, rules, position, moves }: Attributes): Promise<View> {
    if (this.kinds.length === 0) this.kinds = (await this.request('kinds', {})) as Kind[];
    if (game === null) {
      const known = new Intl.ListFormat('en-GB', { type: 'disjunction' });
      const expected = known.format(this.kinds.map(({ name }) => name));
      throw new AttributeError('game', `missing attribute \`game\`: expected ${expected}`);
    }
    return this.fetchView({
      kind: game,
      ...(rules === null ? {} : { rules }),
      ...(position === null ? {} : { position }),
      moves: parseMoves(moves),
    });
  }

  /** Plays a move in any notation and returns the position after it. Rejects if the move is illegal. */
  extend(text: string): Promise<View> {
    return this.enqueue(async () => {
      const view = await this.fetchView(this.requestAfter(text));
      this.show(view);
      this.announceLastMove(view);
      return view;
    });
  }

  /** Takes back the last move, if there is one, and returns the position before it. */
  undo(): Promise<View> {
    return this.enqueue(async () => {
      const { moves = [], ...start } = this.currentRequest();
      if (this.view && moves.length === 0) return this.view;
      const view = await this.fetchView({ ...start, moves: moves.slice(0, -1) });
      this.show(view);
      this.announce(this.texts.t('game.takenBack'));
      return view;
    });
  }

  protected override selectableMoves(): LegalMove[] {
    return this.view && this.display.movers.includes(this.view.turn) ? this.view.legal_moves : [];
  }

  override completeMoves(): Promise<void> | null {
    return this.view && !isComplete(this.view) ? this.complete(this.view) : null;
  }

  private async complete(view: View): Promise<void> {
    const request = this.currentRequest();
    try {
      const complete = await withAllMoves(view, (legal_offset) =>
        this.fetchView({ ...request, legal_offset }),
      );
      if (this.view === view) this.view = complete;
    } catch (error) {
      this.showError(error);
    }
  }

  protected override playMove(text: string): Promise<void> {
    const before = this.view;
    return this.enqueue(async () => {
      // The position may have changed since the move was selected.
      if (this.view !== before) return;
      const view = await this.fetchView(this.requestAfter(text));
      const move = view.moves_played.at(-1);
      if (!move || !this.hooks.allowMove(move, view)) return;
      this.show(view);
      this.announceLastMove(view);
    });
  }

  protected override async previewMove(text: string): Promise<Board> {
    return (await this.fetchView({ ...this.requestAfter(text), legal_moves: false })).board;
  }

  override async promotedFigure(kind: string): Promise<Figure | null> {
    if (!this.view) return null;
    const { kind: game, rules, turn } = this.view;
    return findFigure((await this.request('palette', { kind: game, rules })) as Palette, kind, turn);
  }

  protected override async requestRefusal(
    from: string,
    to: string | null,
    group: string[],
  ): Promise<string | null> {
    const body = { position: this.currentRequest(), from, ...(to === null ? {} : { to }), group };
    const { refusal } = (await this.request('refusal', body)) as RefusalResponse;
    return refusal && this.translateText(refusal.detail, refusal.text);
  }

  override showError(error: unknown): void {
    const english = errorMessage(error);
    this.error = english;
    this.hooks.failed(error);
    void this.translate(error).then((text) => {
      // The user may have gone on meanwhile.
      if (this.error === english) this.error = text;
    });
  }

  /** The message of an error in the language of the element. Its sentences are loaded for the first error of the core. */
  private async translate(error: unknown): Promise<string> {
    return this.translateText(errorDetail(error), errorMessage(error));
  }

  private async translateText(detail: ErrorBody['detail'] | undefined, english: string): Promise<string> {
    if (this.language === 'en' || !detail) return english;
    const catalog = await import('../i18n/server-text.vi').catch(() => null);
    return (catalog && translator('vi', catalog.messages, this.texts.term)(detail)) ?? english;
  }

  private show(view: View): void {
    this.clearSelection();
    this.view = view;
    this.hooks.updated(view);
  }

  private announceLastMove(view: View): void {
    const { t, term } = this.texts;
    const move = view.moves_played.at(-1);
    if (!move) return;
    this.announce(
      t('move.played', { player: term(view.players[move.player]), move: move.san }),
      view.in_check && !view.outcome.over ? t('game.check') : '',
      describer(this.texts).describeOutcome(view.outcome, view.players),
    );
  }

  private announce(...sentences: string[]): void {
    const text = sentences.filter((sentence) => sentence !== '').join('. ');
    this.announcement = { text, count: this.announcement.count + 1 };
  }

  /** The request for the position that is shown. */
  private currentRequest(): PositionRequest {
    if (!this.view) throw new Error(this.problem || 'the board has no position: it is not in a document');
    const { kind, rules, first_position, moves_played } = this.view;
    return { kind, rules, position: first_position, moves: moves_played.map(({ text }) => text) };
  }

  private requestAfter(text: string): PositionRequest {
    const request = this.currentRequest();
    return { ...request, moves: [...(request.moves ?? []), text] };
  }

  private async fetchView(request: PositionRequest): Promise<View> {
    return (await this.request('position', request)) as View;
  }

  private enqueue<T>(change: () => Promise<T>): Promise<T> {
    const result = this.queue.then(change);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

/** What the translation of an error of the core needs; undefined for another error. */
function errorDetail(error: unknown): ErrorBody['detail'] | undefined {
  return (Object(error) as { body?: Partial<ErrorBody> }).body?.detail;
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
