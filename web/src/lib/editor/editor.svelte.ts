// The state of the board editor: an arrangement of figures, and what the backend says about it.

import { announce } from '../platform/announce.svelte';
import { api, ApiError, errorMessage } from '../api';
import { describeFigure } from '../text/descriptions';
import { t } from '../../i18n';
import { whenReachable } from '../platform/reachable';
import { retry } from '../platform/retry';
import type {
  Arrangement,
  Board,
  Figure,
  Kind,
  Palette,
  Player,
  PositionRequest,
  SetupResponse,
  View,
} from '../types';

/** What selecting a cell does: places a figure, clears the cell, or nothing (figures are only dragged). */
export type Tool = { type: 'figure'; letters: string } | { type: 'eraser' } | { type: 'hand' };

interface Loaded {
  view: View;
  palette: Palette;
  /** Every figure of the palette, and those on the board that the rules do not allow, by its letters. */
  figures: Map<string, Figure>;
}

export class Editor {
  cells: Record<string, string> = $state({});
  turn: Player = $state('first');
  fields: Record<string, string> = $state({});
  tool: Tool = $state.raw({ type: 'hand' });
  /** The validity of the arrangement; null until the backend has answered. */
  result: SetupResponse | null = $state.raw(null);
  error = $state('');
  /** Why the last figure was not placed. */
  placementError = $state('');
  /** Whether the backend rejected the position of the request. */
  isRejected = $state(false);
  loaded: Loaded | null = $state.raw(null);
  private cancelProbe = () => {};
  private isDestroyed = false;

  readonly rules: string;
  /** The arrangement as plain values. */
  readonly arrangement: Arrangement = $derived({
    cells: { ...this.cells },
    turn: this.turn,
    fields: { ...this.fields },
  });
  /** The edited position, if it is valid. */
  readonly position: PositionRequest | null = $derived.by(() =>
    this.result?.position == null
      ? null
      : { kind: this.request.kind, rules: this.rules, position: this.result.position },
  );
  readonly board: Board | null = $derived.by(() => {
    if (!this.loaded) return null;
    const { view, figures } = this.loaded;
    const faulty = new Set(this.result?.faults.map(({ place }) => place));
    const cells = view.board.cells.map((cell) => ({
      ...cell,
      marked: faulty.has(cell.name),
      figure: figures.get(this.cells[cell.name] ?? '') ?? null,
    }));
    return { ...view.board, cells };
  });

  /** The figure that the tool places. */
  readonly toolFigure: Figure | null = $derived.by(
    () => (this.tool.type === 'figure' ? this.loaded?.figures.get(this.tool.letters) : null) ?? null,
  );

  constructor(
    readonly request: PositionRequest,
    readonly kind: Kind | undefined,
    /** The arrangement to start with instead of the position of the request. */
    private readonly initial: Arrangement | undefined,
  ) {
    this.rules = request.rules ?? kind?.rules[0] ?? '';
  }

  /** Loads the board and the palette. Returns a function that cancels it. */
  load(): () => void {
    return retry(() => this.fetch(), {
      success: (loaded) => {
        this.error = '';
        this.loaded = loaded;
        this.set(this.initial ?? loaded.view.arrangement);
      },
      failure: (cause) => {
        this.error = errorMessage(cause);
        this.isRejected = cause instanceof ApiError;
      },
    });
  }

  /** Cancels the probe for the backend when the page is left. */
  destroy(): void {
    this.isDestroyed = true;
    this.cancelProbe();
  }

  private async fetch(): Promise<Loaded> {
    const { kind } = this.request;
    const [view, palette] = await Promise.all([
      api.position({ ...this.request, legal_moves: false }),
      api.palette(kind, this.rules),
    ]);
    const figures = new Map(palette.figures.map(({ figure }) => [figure.letters, figure]));
    const letters = Object.values(this.initial?.cells ?? {});
    // Other rules may have had figures that these rules lack. The editor shows them, and the backend rejects them.
    for (const rules of letters.every((text) => figures.has(text)) ? [] : (this.kind?.rules ?? [])) {
      for (const { figure } of (await api.palette(kind, rules)).figures) {
        if (!figures.has(figure.letters)) figures.set(figure.letters, figure);
      }
    }
    return { view, palette, figures };
  }

  /** Asks the backend whether the arrangement is valid. Returns a function that cancels it. */
  validate(): () => void {
    if (!this.loaded) return () => undefined;
    const { kind } = this.request;
    const setup = { kind, rules: this.rules, ...this.arrangement };
    return retry(() => api.setup(setup), {
      success: (result) => {
        this.result = result;
        this.error = '';
      },
      failure: (cause) => {
        this.result = null;
        this.error = errorMessage(cause);
      },
    });
  }

  private set({ cells, turn, fields }: Arrangement): void {
    this.cells = { ...cells };
    this.turn = turn;
    this.fields = { ...fields };
    this.placementError = '';
  }

  /** Removes all figures, and resets what depends on them, such as castling rights. */
  clear(): void {
    const fields = (this.kind?.fields ?? []).map((field) => [field.name, field.default]);
    this.set({ cells: {}, turn: this.turn, fields: Object.fromEntries(fields) as Arrangement['fields'] });
  }

  async setStartPosition(): Promise<void> {
    const { kind } = this.request;
    try {
      this.set((await api.position({ kind, rules: this.rules, legal_moves: false })).arrangement);
    } catch (cause) {
      if (this.isDestroyed) return;
      const message = errorMessage(cause);
      this.error = message;
      this.cancelProbe();
      this.cancelProbe = whenReachable(cause, () => {
        if (this.error === message) this.error = '';
      });
    }
  }

  resetField(name: string): void {
    const field = this.kind?.fields.find((candidate) => candidate.name === name);
    if (field) this.fields[name] = field.default;
  }

  /** Places a figure on a cell, or reports why that is not possible. */
  place(cell: string, letters: string): boolean {
    const figure = this.loaded?.figures.get(letters);
    if (!figure || !this.loaded) return false;
    const { palette, view } = this.loaded;
    const entry = palette.figures.find((candidate) => candidate.figure.letters === letters);
    this.placementError = '';
    if (entry && !palette.regions[entry.region]?.includes(cell)) {
      this.placementError = t('editor.cannotPlace', { figure: describeFigure(figure, view.players), cell });
      announce(this.placementError);
      return false;
    }
    this.cells[cell] = letters;
    return true;
  }

  /** Uses the tool on a cell. */
  apply(cell: string): void {
    this.placementError = '';
    if (this.tool.type === 'eraser') delete this.cells[cell];
    else if (this.tool.type === 'figure') {
      if (this.cells[cell] === this.tool.letters) delete this.cells[cell];
      else this.place(cell, this.tool.letters);
    }
  }

  /** Moves a figure. One that is dragged off the board is removed. */
  move(from: string, to: string | null): void {
    const letters = this.cells[from];
    if (letters === undefined) return;
    if (to === null || this.place(to, letters)) delete this.cells[from];
  }
}
