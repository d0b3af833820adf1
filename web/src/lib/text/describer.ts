// Descriptions of cells, figures and outcomes, for screen readers and headings.

import type { Texts } from '../../i18n/texts';
import type { TargetMark } from '../moves/selection';
import type { ByPlayer, Cell, Figure, Outcome, Piece } from '../types';

/** What the player should know about a cell beside its contents. */
export interface CellState {
  mark?: TargetMark | undefined;
  selected?: boolean;
  inCheck?: boolean;
}

export interface Describer {
  /** A figure with everything it carries: "red Navy carrying Air Force, heroic". */
  describeFigure: (figure: Figure, players: ByPlayer<string>) => string;
  /** A cell with its terrain, figure and state: "e6, river, red Navy carrying Air Force, heroic". */
  describeCell: (cell: Cell, players: ByPlayer<string>, state: CellState) => string;
  /** The result of a game as a sentence; empty while the game is in progress. */
  describeOutcome: (outcome: Outcome, players: ByPlayer<string>) => string;
}

/** Returns functions that describe things in the language of the texts. */
export function describer({ t, term }: Texts): Describer {
  function describePiece(piece: Piece): string {
    return piece.height === null ? term(piece.kind) : String(piece.height);
  }

  function joinNames(names: string[]): string {
    return names.reduce((first, second) => t('board.and', { first, second }));
  }

  function describeFigure(figure: Figure, players: ByPlayer<string>): string {
    const [leader, ...others] = figure.pieces;
    if (!leader) return figure.letters;
    const owner = term(players[figure.owner]).toLowerCase();
    const parts = [
      leader.height === null
        ? t('board.figure', { owner, piece: describePiece(leader) })
        : t('board.unit', { owner, height: leader.height }),
    ];
    const passengers = others.filter((piece) => piece.role === 'passenger').map(describePiece);
    const slaves = others.filter((piece) => piece.role === 'slave').map(describePiece);
    if (passengers.length > 0) parts.push(t('board.carrying', { pieces: joinNames(passengers) }));
    if (slaves.length > 0) parts.push(t('board.withSlave', { pieces: joinNames(slaves) }));
    const name = parts.join(' ');
    return leader.starred ? `${name}, ${t(leader.height === null ? 'board.heroic' : 'board.tribun')}` : name;
  }

  function describeCell(cell: Cell, players: ByPlayer<string>, state: CellState): string {
    const terrain = cell.terrain[0];
    const parts = [cell.name];
    if (terrain) parts.push(term(terrain));
    parts.push(cell.figure ? describeFigure(cell.figure, players) : t('board.empty'));
    if (state.inCheck) parts.push(t('board.check'));
    if (state.selected) parts.push(t('board.selected'));
    if (state.mark) parts.push(t(`board.target.${state.mark}`));
    return parts.join(', ');
  }

  function describeOutcome(outcome: Outcome, players: ByPlayer<string>): string {
    if (!outcome.over) return '';
    const reason = term(outcome.reason ?? '');
    return outcome.winner
      ? t('game.won', { player: term(players[outcome.winner]), reason })
      : t('game.drawn', { reason });
  }

  return { describeFigure, describeCell, describeOutcome };
}
