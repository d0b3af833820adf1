// A figure in words, for its card on the board and its entry in the rules.

import { t, term } from '../../i18n';
import { describeFigure } from './descriptions';
import { pieceFacts, pieceKeys } from './piece-facts';
import type { RangeDiagram } from '../learn/rules-page';
import type { Board, Figure, Palette, View } from '../types';

const listed = (words: string[]) => words.map(term).join(', ');

/** Where a kind of piece stands, what it carries and what carries it, as sentences. */
export function factLines(kind: string, palette: Palette, board: Board): string[] {
  const { terrain, carries, carriedBy } = pieceFacts(kind, palette, board);
  return [
    ...(terrain.length > 0 ? [t('facts.terrain', { terrain: listed(terrain) })] : []),
    ...(carries.length > 0 ? [t('facts.carries', { pieces: listed(carries) })] : []),
    ...(carriedBy.length > 0 ? [t('facts.carriedBy', { pieces: listed(carriedBy) })] : []),
  ];
}

/** A figure with only the piece that a range diagram is about, as the first player has it. */
export function rangeFigure({ explains }: RangeDiagram, { figures }: Palette): Figure | undefined {
  return figures
    .map(({ figure }) => figure)
    .find(
      (figure) =>
        figure.owner === 'first' &&
        figure.pieces.length === 1 &&
        pieceKeys(figure)[0] === explains &&
        // Heroes are drawn in the diagrams.
        figure.starred === (explains === 'tribun'),
    );
}

/** The name of the only piece of a figure. */
export function pieceName({ pieces: [piece] }: Figure): string {
  if (!piece) return '';
  if (piece.height === null) return term(piece.kind);
  return piece.starred ? t('board.tribun') : t('rules.height', { height: piece.height });
}

/** Everything about a figure on the board: its name, then sentences. */
export function figureLines(
  figure: Figure,
  view: Pick<View, 'board' | 'players'>,
  palette: Palette,
  ranges: RangeDiagram[],
): { title: string; lines: string[] } {
  const title = describeFigure(figure, view.players);
  const [leader] = figure.pieces;
  if (!leader) return { title, lines: [] };
  const lines: string[] = [];
  const isUnit = leader.height !== null;
  // A unit acts by its own height; the tribun of height 1 has a range of its own.
  const key = pieceKeys({ ...figure, pieces: [leader] }).at(-1);
  const range = ranges.find(({ explains }) => explains === key);
  if (range) lines.push(range.text);
  if (leader.starred && isUnit) lines.push(t('facts.tribun'));
  if (leader.starred && !isUnit) lines.push(t('facts.heroic'), t('facts.heroic.range'));
  const slave = figure.pieces.find(({ role }) => role === 'slave');
  if (slave?.height != null) lines.push(t('facts.slave', { height: slave.height }));
  return { title, lines: [...lines, ...factLines(leader.kind, palette, view.board)] };
}
