// The focus on the board.

import { tick } from 'svelte';

/** Moves the focus to the board, so that a keyboard needs no way back from the buttons. */
export async function focusBoard(): Promise<void> {
  await tick();
  document.querySelector<SVGElement>('[data-cell][tabindex="0"]')?.focus();
}
