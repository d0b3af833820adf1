// How boards and figures can look.

export const COORDINATES = ['inside', 'outside', 'off'] as const;
export const BOARD_THEMES = ['classic', 'slate', 'meadow'] as const;
export const PIECE_THEMES = ['flat', 'relief', 'contrast'] as const;

/** Where the coordinates are: on the cells at the edge, beside the board, or nowhere. */
export type Coordinates = (typeof COORDINATES)[number];
/** The colours of the ground (theme/boards.css). */
export type BoardTheme = (typeof BOARD_THEMES)[number];
/** How figures are drawn. In `contrast`, the two sides differ in brightness. */
export type PieceTheme = (typeof PIECE_THEMES)[number];
