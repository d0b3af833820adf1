// Advice of the engine during a game: a hint, or what the opponent threatens.

import type { Shape } from '../board/layers';
import { t } from '../../i18n';
import { announce } from '../platform/announce.svelte';
import { SearchConnection } from '../analysis/search-connection';
import { errorMessage } from '../api';
import { afterTurn } from '../moves/passed-turn';
import type { AdviceKind, Line, PositionRequest, View } from '../types';
import { ADVICE_TIME } from '../platform/time-limits';

export class Advice {
  /** What is shown or being searched. */
  kind: AdviceKind | null = $state(null);
  shapes: Shape[] = $state.raw([]);
  text = $state('');
  private cancel = () => {};

  clear(): void {
    this.cancel();
    this.cancel = () => {};
    this.kind = null;
    this.shapes = [];
    this.text = '';
  }

  /** Shows advice on a position once `count` has counted it, or hides it if it is shown. */
  toggle(kind: AdviceKind, view: View, request: PositionRequest, count: () => Promise<void>): void {
    const isShown = this.kind === kind;
    this.clear();
    if (isShown) return;
    this.kind = kind;
    this.text = t('advice.searching');
    let cancelled = false;
    let stop = () => {};
    this.cancel = () => {
      cancelled = true;
      stop();
    };
    const search = async () => {
      await count();
      if (cancelled) return;
      const position = kind === 'hint' ? request : await afterTurn(view, request);
      if (cancelled) return;
      if (!position && view.turn_in_progress) return this.show(t('advice.threats.unfinished'), []);
      // The opponent could not move in this position: the threat is the check.
      if (!position) return this.show(t(view.in_check ? 'game.check' : 'advice.none'), []);
      const line = await new Promise<Line | null>((resolve) => (stop = findBestLine(position, resolve)));
      if (cancelled) return;
      const san = line?.san[0];
      if (!san) return this.show(t('advice.none'), []);
      const tone = kind === 'hint' ? 'engine' : 'threat';
      const shapes = line.arrows.map(({ from, to }): Shape => ({ from, to, tone }));
      this.show(t(`advice.${kind}`, { move: san }), shapes);
    };
    search().catch((error: unknown) => {
      if (!cancelled) this.show(errorMessage(error), []);
    });
  }

  private show(text: string, shapes: Shape[]): void {
    this.text = text;
    this.shapes = shapes;
    announce(text);
  }
}

/** Searches a position and calls `done` with the best line, or null if there is none. Returns a function that cancels it. */
function findBestLine(position: PositionRequest, done: (line: Line | null) => void): () => void {
  let best: Line | null = null;
  const search = new SearchConnection({
    message: (message) => {
      if (message.type === 'report') best = message.lines[0] ?? best;
      if (message.type !== 'done' && message.type !== 'error') return;
      search.close();
      done(best);
    },
  });
  search.send(() => ({ type: 'analyze', id: 1, position, lines: 1, time: ADVICE_TIME }));
  return () => search.close();
}
