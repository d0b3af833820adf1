// A position in which the side to move has passed or ended its turn: what the opponent threatens is their best move in it.

import { api } from '../api';
import { loaded } from '../platform/kinds.svelte';
import { opponent, type PositionRequest, type View } from '../types';

/** The position once the turn has ended; null if it cannot end now. */
export async function afterTurn(view: View, request: PositionRequest): Promise<PositionRequest | null> {
  if (!view.turn_in_progress) return passTurn(view);
  const end = view.legal_moves.find(({ kind }) => kind === 'end');
  return end ? { ...request, moves: [...(request.moves ?? []), end.text] } : null;
}

/** The same figures with the other player to move; null if that is not a position, for example in check. */
export async function passTurn(view: View): Promise<PositionRequest | null> {
  const { kind, rules, arrangement } = view;
  if (view.turn_in_progress) return null;
  const defaults = loaded.kinds.find(({ name }) => name === kind)?.fields ?? [];
  const setup = { kind, rules, cells: arrangement.cells, turn: opponent(view.turn) };
  const fields = { ...arrangement.fields };
  let { position, faults } = await api.setup({ ...setup, fields });
  const invalid = defaults.filter(({ name }) => faults.some(({ place }) => place === name));
  if (position === null && invalid.length > 0) {
    // A field that belongs to the last move, such as the en passant square, is not valid any more.
    for (const field of invalid) fields[field.name] = field.default;
    ({ position } = await api.setup({ ...setup, fields }));
  }
  return position === null ? null : { kind, rules, position };
}
