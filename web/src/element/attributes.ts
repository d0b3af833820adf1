// The attributes of the custom element, parsed.

import {
  BOARD_THEMES,
  PIECE_THEMES,
  type BoardTheme,
  type Coordinates,
  type PieceTheme,
} from '../lib/board/board-themes';
import type { ByPlayer, Player } from '../lib/types';

/** The attributes that describe the position. A change of one of them loads the board anew. */
export const POSITION_ATTRIBUTES = ['game', 'rules', 'position', 'moves'] as const;
/** The attributes that describe how the board looks and who may use it. */
export const DISPLAY_ATTRIBUTES = [
  'orientation',
  'interactive',
  'coordinates',
  'animation',
  'theme',
  'board',
  'pieces',
] as const;

export type AttributeName = (typeof POSITION_ATTRIBUTES)[number] | (typeof DISPLAY_ATTRIBUTES)[number];
/** The values of all attributes; null if an attribute is absent. */
export type Attributes = Record<AttributeName, string | null>;

/** An attribute has a value that the element does not understand. */
export class AttributeError extends Error {
  override readonly name = 'AttributeError';

  constructor(
    readonly attribute: AttributeName,
    message: string,
  ) {
    super(message);
  }
}

export type Theme = 'auto' | 'light' | 'dark';

export interface Display {
  /** The player at the bottom of the board. */
  orientation: Player;
  /** The players whose moves the user may play. */
  movers: Player[];
  coordinates: Coordinates;
  animation: boolean;
  theme: Theme;
  board: BoardTheme;
  pieces: PieceTheme;
}

const PLAYERS: Player[] = ['first', 'second'];

export function parseDisplay(attributes: Attributes, players: ByPlayer<string>): Display {
  const { orientation, interactive } = attributes;
  return {
    orientation: orientation === null ? 'first' : parsePlayer('orientation', orientation, players),
    movers: interactive === null ? [] : parseMovers(interactive, players),
    coordinates: parseCoordinates(attributes),
    animation: parseOption(attributes, 'animation', ['on', 'off']) === 'on',
    theme: parseOption(attributes, 'theme', ['auto', 'light', 'dark']),
    board: parseOption(attributes, 'board', BOARD_THEMES),
    pieces: parseOption(attributes, 'pieces', PIECE_THEMES),
  };
}

/** `on` is another name for `outside`. */
function parseCoordinates(attributes: Attributes): Coordinates {
  const value = parseOption(attributes, 'coordinates', ['on', 'outside', 'inside', 'off']);
  return value === 'on' ? 'outside' : value;
}

/** The texts of the moves in the attribute `moves`: no move text contains white space. */
export function parseMoves(value: string | null): string[] {
  return value?.split(/\s+/).filter((text) => text !== '') ?? [];
}

function parseMovers(value: string, players: ByPlayer<string>): Player[] {
  if (['', 'both', 'true'].includes(normalize(value))) return PLAYERS;
  return [parsePlayer('interactive', value, players, ['both'])];
}

/** A player by number or by colour: `first`, `second`, `red`, `blue`. */
function parsePlayer(
  attribute: AttributeName,
  value: string,
  players: ByPlayer<string>,
  others: string[] = [],
): Player {
  const names = (player: Player) => [player, normalize(players[player])];
  const found = PLAYERS.find((player) => names(player).includes(normalize(value)));
  if (found) return found;
  throw unexpected(attribute, value, [...others, ...PLAYERS.flatMap(names)]);
}

/** One of several words, of which the first is the default. */
function parseOption<T extends string>(
  attributes: Attributes,
  attribute: AttributeName,
  options: readonly [T, ...T[]],
): T {
  const value = attributes[attribute];
  if (value === null) return options[0];
  const found = options.find((option) => option === normalize(value));
  if (found !== undefined) return found;
  throw unexpected(attribute, value, options);
}

function normalize(value: string): string {
  return value.trim().toLowerCase();
}

function unexpected(attribute: AttributeName, value: string, expected: readonly string[]): AttributeError {
  const list = `${expected.slice(0, -1).join(', ')} or ${expected.at(-1)}`;
  return new AttributeError(attribute, `unknown ${attribute} \`${value}\`: expected ${list}`);
}
