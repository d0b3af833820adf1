// The palettes of the games, requested once for each rule set.

import { api } from '../api';
import type { Palette } from '../types';

const palettes = new Map<string, Promise<Palette>>();

/** The figures that the rules of a game allow. */
export function paletteOf(kind: string, rules: string): Promise<Palette> {
  const key = `${kind} ${rules}`;
  let palette = palettes.get(key);
  if (!palette) {
    palette = api.palette(kind, rules);
    palettes.set(key, palette);
    palette.catch(() => palettes.delete(key));
  }
  return palette;
}
