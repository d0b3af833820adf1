// The lessons of a game: data in src/lessons, described by docs/lessons.md and tried by a test of crates/contract.

import type { LegalMove, Player, PositionRequest, View } from '../types';

/** A text in every language of the page. */
export interface Words {
  en: string;
  vi: string;
}

export interface Lesson {
  id: string;
  /** The preset; the default of the game if absent. */
  rules?: string;
  title: Words;
  steps: Step[];
}

export interface Step {
  /** The position; if absent, the one after the solution and the reply of the step before. */
  position?: string;
  text: Words;
  goal: Goal;
  /** A turn that meets the goal. */
  solution: string;
  hints: Hint[];
  mistakes: { turn: string; answer: Words }[];
  done: Words;
  /** The turn of the opponent before the next step. */
  reply?: string;
}

/** Conditions for the position after a turn; all of them must hold. */
export interface Goal {
  text: Words;
  /** The turns that are accepted. */
  turns?: string[];
  /** What stands on cells, as the arrangement of a view writes it; empty if nothing does. */
  cells?: Record<string, string>;
  /** Whether the opponent is in check. */
  check?: boolean;
  /** Whether the learner has won. */
  won?: boolean;
}

export interface Hint {
  text: Words;
  /** Cells of the solution, to be marked on the board. */
  cells?: string[];
}

const files = import.meta.glob<{ lessons: Lesson[] }>('../../lessons/*.json', { import: 'default' });
const fileOf = (kind: string) => files[`../../lessons/${kind}.json`];

export const hasLessons = (kind: string): boolean => fileOf(kind) !== undefined;

/** The lessons of a game, in order; none if the game has no lessons. */
export async function loadLessons(kind: string): Promise<Lesson[]> {
  return (await fileOf(kind)?.())?.lessons ?? [];
}

/** The moves of a turn: more than one in a deployment. */
export const turnMoves = (turn: string): string[] => turn.split(' ');

/** The request for the position in which a step starts. */
export function stepRequest(kind: string, { rules, steps }: Lesson, index: number): PositionRequest {
  const first = steps.findLastIndex(({ position }, i) => i <= index && position !== undefined);
  const moves = steps
    .slice(first, index)
    .flatMap(({ solution, reply }) => [solution, reply].filter((turn) => turn !== undefined))
    .flatMap(turnMoves);
  const { position } = steps[first] ?? {};
  return { kind, ...(rules ? { rules } : {}), ...(position ? { position } : {}), moves };
}

export type Verdict =
  /** The learner is to move. */
  | { state: 'open' }
  | { state: 'solved' }
  /** The answer is null if the lesson does not name the mistake. */
  | { state: 'wrong'; answer: Words | null };

/** Judges the position after moves of the learner in a step. Conditions are evaluated at the end of the turn. */
export function judge(
  step: Step,
  moves: { text: string; player: Player | null }[],
  view: Pick<View, 'turn' | 'outcome' | 'in_check' | 'arrangement'>,
): Verdict {
  const learner = moves[0]?.player ?? view.turn;
  if (moves.length === 0 || (view.turn === learner && !view.outcome.over)) return { state: 'open' };
  const turn = moves.map(({ text }) => text).join(' ');
  if (isMet(step.goal, learner, turn, view)) return { state: 'solved' };
  return { state: 'wrong', answer: step.mistakes.find((mistake) => mistake.turn === turn)?.answer ?? null };
}

/** `crates/contract/tests/contract/lessons.rs` decides the same way. */
function isMet(
  { turns, cells = {}, check, won }: Goal,
  learner: Player,
  turn: string,
  { outcome, in_check, arrangement }: Pick<View, 'outcome' | 'in_check' | 'arrangement'>,
): boolean {
  return (
    (!turns || turns.includes(turn)) &&
    Object.entries(cells).every(([cell, figure]) => (arrangement.cells[cell] ?? '') === figure) &&
    (!check || in_check === true) &&
    (!won || outcome.winner === learner)
  );
}

/** The next move of the solution after moves of the learner; null if they are not its beginning. */
export function nextMove(
  { solution }: Step,
  moves: { text: string }[],
  legal: LegalMove[],
): LegalMove | null {
  const planned = turnMoves(solution);
  if (moves.some(({ text }, i) => text !== planned[i])) return null;
  return legal.find(({ text }) => text === planned[moves.length]) ?? null;
}

/** The arrows of a move: from each cell that takes part to its target. */
export function moveArrows(move: LegalMove): { from: string; to: string }[] {
  const { from, to, takes, shares } = move;
  const target = to ?? takes;
  if (from !== null && target !== null) return [{ from, to: target }];
  if (from !== null) return shares.map(({ cell }) => ({ from, to: cell }));
  if (shares.length > 0 && target !== null) return shares.map(({ cell }) => ({ from: cell, to: target }));
  return target === null ? [] : [{ from: target, to: target }];
}
