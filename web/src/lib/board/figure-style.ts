// The colours of a piece, by its owner's ink and the piece theme.

import type { PieceTheme } from './board-themes';
import type { ByPlayer, Figure, Piece } from '../types';

export interface FigureStyle {
  body: string;
  /** Lines and symbols on the body. */
  line: string;
  /** The edge of the body. */
  edge: string;
  edgeWidth: number;
}

const DARK_LINE = '#1f1c18';
const LIGHT_LINE = '#f4efe6';
const PAPER = '#fffdf6';
const GOLD = '#f2c230';

/** Returns whether a colour needs dark lines on it. */
function isLight(ink: string): boolean {
  const value = parseInt(ink.slice(1), 16);
  const [r, g, b] = [value >> 16, (value >> 8) & 255, value & 255];
  return r * 299 + g * 587 + b * 114 > 140_000;
}

export function figureStyle(
  piece: Pick<Piece, 'owner' | 'height' | 'symbol'>,
  inks: ByPlayer<string>,
  theme: PieceTheme,
): FigureStyle {
  const ink = inks[piece.owner];
  // The edges of discs are close to each other.
  const edgeWidth = piece.height !== null ? 2 : theme === 'contrast' ? 5 : 3.5;
  const bothDark = !isLight(inks.first) && !isLight(inks.second);
  if (theme === 'contrast' && bothDark && piece.owner === 'second')
    return { body: PAPER, line: ink, edge: ink, edgeWidth };
  const line = isLight(ink) ? DARK_LINE : LIGHT_LINE;
  // A silhouette without a symbol has no edge of its own on a dark body.
  return { body: ink, line, edge: isLight(ink) || piece.symbol ? line : ink, edgeWidth };
}

/** The size of the text on a counter in a box of 100 × 100, by the number of its letters. */
const TEXT_SIZES = [46, 46, 36, 27, 22, 18];
const LEAST_TEXT_SIZE = 15;

/** The colours and the text size of a figure that is a counter with letters, because its game has no drawings. */
export function counterStyle(
  { owner, starred, token }: Pick<Figure, 'owner' | 'starred' | 'token'>,
  inks: ByPlayer<string>,
  theme: PieceTheme,
): FigureStyle & { textSize: number } {
  const style = figureStyle({ owner, height: null, symbol: token }, inks, theme);
  const textSize = TEXT_SIZES[Array.from(token).length] ?? LEAST_TEXT_SIZE;
  return { ...style, textSize, ...(starred ? { edge: GOLD, edgeWidth: 6 } : {}) };
}
