// What the inspector shows: the planes of a position, the indices of its moves, and their marks on the board.

import { term } from '../../i18n';
import { api, errorMessage } from '../api';
import type { BoardController } from '../board/board-controller.svelte';
import { noLayers, type Layers } from '../board/layers';
import { moveArrow } from '../moves/selection';
import { previousTurn, type Node } from '../moves/tree';
import type { Inspection, LegalMove, Plane, View } from '../types';

/** What is written on the cells. */
export type CellLabels = 'none' | 'index' | 'names' | 'terrain' | 'zones';

export type PlaneFilter = 'all' | 'nonzero' | 'changed';

export class Inspector {
  open = $state(false);
  labels: CellLabels = $state('none');
  filter: PlaneFilter = $state('nonzero');
  inspection: Inspection | null = $state.raw(null);
  /** The inspection at the mover's previous turn, to find the planes that changed. */
  previous: Inspection | null = $state.raw(null);
  error = $state('');
  /** The names of planes; empty if there is none. */
  pinnedPlane = $state('');
  hoveredPlane = $state('');
  searchText = $state('');
  hoveredMove: LegalMove | null = $state.raw(null);
  /** Cached requests; they are dropped with the tree. */
  private readonly requests = new WeakMap<Node, Promise<Inspection>>();

  readonly planes: Plane[] = $derived(
    (this.inspection?.planes ?? []).filter(
      (plane) =>
        this.filter === 'all' || (this.filter === 'nonzero' ? isNonzero(plane) : this.isChanged(plane)),
    ),
  );
  /** The plane that is shown on the board. */
  readonly shownPlane: Plane | null = $derived(
    this.inspection?.planes.find(({ name }) => name === (this.hoveredPlane || this.pinnedPlane)) ?? null,
  );
  /** The legal moves, or those of the selection, that match the search. */
  readonly moves: LegalMove[] = $derived.by(() => {
    const { selection, candidates } = this.controller;
    const searched = this.searchText.trim().toLowerCase();
    return (selection.cells.length > 0 ? candidates : this.view().legal_moves).filter((move) =>
      `${move.san} ${move.text} ${move.index}`.toLowerCase().includes(searched),
    );
  });
  /** The hovered move, if it is still listed. */
  readonly shownMove: LegalMove | null = $derived(
    this.hoveredMove && this.moves.includes(this.hoveredMove) ? this.hoveredMove : null,
  );
  /** The marks on the board. */
  readonly layers: Layers = $derived.by(() => (this.open ? this.drawLayers() : noLayers));

  constructor(
    private readonly controller: BoardController,
    private readonly view: () => View,
  ) {}

  /** Inspects the current position while the inspector is open. Called once, when the component is created. */
  follow(): void {
    $effect(() => {
      if (this.open && this.controller.settled) return this.load();
    });
  }

  isChanged(plane: Plane): boolean {
    const old = this.previous?.planes.find(({ name }) => name === plane.name);
    return old !== undefined && plane.values.some((value, i) => value !== old.values[i]);
  }

  /** Requests what is shown of the current position. Returns a function that cancels it. */
  load(): () => void {
    const { controller } = this;
    void controller.completeMoves();
    const previousNode = previousTurn(controller.node, this.view().turn);
    let cancelled = false;
    Promise.all([this.inspect(controller.node), previousNode && this.inspect(previousNode)])
      .then(([now, before]) => {
        if (cancelled) return;
        this.inspection = now;
        this.previous = before;
        this.error = '';
      })
      .catch((cause: unknown) => {
        if (!cancelled) this.error = errorMessage(cause);
      });
    return () => (cancelled = true);
  }

  private inspect(node: Node): Promise<Inspection> {
    const cached = this.requests.get(node);
    if (cached) return cached;
    const request = api.inspect(this.controller.request(node));
    this.requests.set(node, request);
    request.catch(() => this.requests.delete(node));
    return request;
  }

  private drawLayers(): Layers {
    const { overlays, board } = this.view();
    const { labels, inspection, shownPlane, shownMove } = this;
    const arrow = shownMove && moveArrow(shownMove);
    const frame = shownPlane ? (inspection?.frame ?? []) : [];
    return {
      texts: labels === 'zones' ? zoneTexts(overlays) : cellTexts(board, labels),
      zones:
        labels === 'zones'
          ? overlays.flatMap(({ owner, cells }) => cells.map(({ cell }) => ({ cell, owner })))
          : [],
      heat: new Map(frame.flatMap((name, i) => (name === null ? [] : [[name, shownPlane?.values[i] ?? 0]]))),
      shapes: arrow ? [{ ...arrow, tone: 'inspector' }] : [],
    };
  }
}

function isNonzero(plane: Plane): boolean {
  return plane.values.some((value) => value !== 0);
}

function cellTexts({ cells }: View['board'], labels: Exclude<CellLabels, 'zones'>): Layers['texts'] {
  if (labels === 'none') return new Map();
  return new Map(
    cells.map(({ name, index, terrain }) => [
      name,
      { index: [index], names: [name], terrain: terrain.map(term) }[labels],
    ]),
  );
}

/** What affects each cell, of both players. */
function zoneTexts(overlays: View['overlays']): Layers['texts'] {
  const cells = overlays.flatMap((overlay) => overlay.cells);
  const sources = (name: string) => cells.filter(({ cell }) => cell === name).flatMap((cell) => cell.sources);
  return new Map(cells.map(({ cell }) => [cell, [sources(cell).join(' ')]]));
}
