// What is drawn over the board: arrows, rings and the overlays of the inspector.

import type { Zone } from './zones';

/** An arrow between two cells, or a ring around one. */
export interface Shape {
  from: string;
  to: string;
  tone: 'user' | 'engine' | 'second' | 'threat' | 'premove' | 'inspector' | 'script';
  /** A CSS colour instead of the colour of the tone. */
  color?: string | undefined;
}

/** A cell whose figure is described on a card. */
export interface Described {
  cell: string;
  /** Whether screen readers read the card aloud. */
  aloud: boolean;
}

/** Overlays of the inspector. */
export interface Layers {
  /** Lines of text by cell. */
  texts: Map<string, string[]>;
  heat: Map<string, number>;
  zones: Zone[];
  shapes: Shape[];
}

export const noLayers: Layers = { texts: new Map(), heat: new Map(), zones: [], shapes: [] };
