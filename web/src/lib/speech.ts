// What a cell, a figure and an end of the game are called when they are spoken.

import { t, term } from '../i18n';
import type { Mark } from './narrow';
import type { ByPlayer, Cell, Figure, Outcome, Piece } from './types';

function pieceName(piece: Piece): string {
  return piece.height === null ? term(piece.kind) : String(piece.height);
}

function list(names: string[]): string {
  return names.reduce((first, second) => t('board.and', { first, second }));
}

/** "red Navy carrying Air Force, heroic" */
export function figureName(figure: Figure, players: ByPlayer<string>): string {
  const [head, ...others] = figure.pieces;
  if (!head) return figure.letters;
  const owner = term(players[figure.owner]).toLowerCase();
  const parts = [
    head.height === null
      ? t('board.figure', { owner, piece: pieceName(head) })
      : t('board.unit', { owner, height: head.height }),
  ];
  const passengers = others.filter((piece) => piece.role === 'passenger').map(pieceName);
  const slaves = others.filter((piece) => piece.role === 'slave').map(pieceName);
  if (passengers.length > 0) parts.push(t('board.carrying', { pieces: list(passengers) }));
  if (slaves.length > 0) parts.push(t('board.enslaving', { pieces: list(slaves) }));
  const name = parts.join(' ');
  return head.starred ? `${name}, ${t(head.height === null ? 'board.heroic' : 'board.tribun')}` : name;
}

/** "e6, river, red Navy carrying Air Force, heroic" */
export function cellName(
  cell: Cell,
  players: ByPlayer<string>,
  more: { mark?: Mark | undefined; selected?: boolean; checked?: boolean } = {},
): string {
  const ground = cell.terrain[0];
  const parts = [cell.name];
  if (ground) parts.push(term(ground));
  parts.push(cell.figure ? figureName(cell.figure, players) : t('board.empty'));
  if (more.checked) parts.push(t('board.check'));
  if (more.selected) parts.push(t('board.selected'));
  if (more.mark) parts.push(t(`board.target.${more.mark}`));
  return parts.join(', ');
}

/** How a game ended, in a sentence; nothing while it goes on. */
export function ending(outcome: Outcome, players: ByPlayer<string>): string {
  if (!outcome.over) return '';
  const reason = term(outcome.reason ?? '');
  return outcome.winner
    ? t('game.won', { player: term(players[outcome.winner]), reason })
    : t('game.drawn', { reason });
}
