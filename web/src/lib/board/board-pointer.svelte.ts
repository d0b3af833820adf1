// What a mouse or a finger does on a board: it selects cells, drags figures, draws arrows and rings, and rests on a figure to have
// it described.

import type { Point } from './geometry';
import type { Shape } from './layers';
import type { Board, Figure } from '../types';
import { DESCRIBE_DELAY } from '../platform/time-limits';

type Cell = Board['cells'][number];

/** A press becomes a drag after moving this many pixels. */
const DRAG_THRESHOLD = 6;

/** The board under the pointer. */
interface PointedBoard {
  /** The point of the board at a point of the window. */
  toBoard(clientX: number, clientY: number): Point;
  cellAt(at: Point): Cell | null;
  isSelected(cell: string): boolean;
  isTarget(cell: string): boolean;
  /** Whether the figure on a cell can be dragged. */
  canDrag(cell: string): boolean;
  /** Receives all further events of a pointer. */
  capture(pointerId: number): void;
  /** Makes a cell the one that has the focus. */
  focus(cell: string): void;
  select(cell: string): void;
  /** Called at the end of a drag, also off the board (null). */
  drop(from: string, to: string | null): void;
  /** Returns whether a figure under the mouse is described. */
  cardsEnabled(): boolean;
  /** Describes the figure on a cell, or no longer (null). */
  describe(cell: string | null): void;
}

/** The primary button or a finger that is down. */
interface Press {
  cell: string;
  /** The figure to drag. */
  figure: Figure | null;
  /** Where the press started, in client coordinates because the board may scroll. */
  x: number;
  y: number;
  moved: boolean;
  /** Whether the cell is selected on release instead of on press. */
  selectOnRelease: boolean;
  /** Whether the press was so long that the figure is described. */
  described: boolean;
}

type Ends = Pick<Shape, 'from' | 'to'>;

const isSame = (a: Ends, b: Ends) => a.from === b.from && a.to === b.to;

export class BoardPointer {
  /** The figure that follows the pointer. */
  drag: { from: string; figure: Figure; at: Point } | null = $state.raw(null);
  private press: Press | null = null;
  /** The cell under a mouse without a pressed button. */
  private hovered: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawing: Ends | null = $state.raw(null);
  private drawn: Shape[] = $state.raw([]);
  /** Arrows and rings drawn by the user. */
  readonly shapes: Shape[] = $derived.by(() => {
    const { drawing } = this;
    if (!drawing) return this.drawn;
    return [...this.drawn.filter((shape) => !isSame(shape, drawing)), { ...drawing, tone: 'user' }];
  });

  constructor(private readonly board: PointedBoard) {}

  get isPressed(): boolean {
    return this.press !== null;
  }

  /** Whether the pointer is on a figure that it may drag. */
  get isDragging(): boolean {
    return this.press?.figure != null;
  }

  private cellAt(event: PointerEvent): Cell | null {
    return this.board.cellAt(this.board.toBoard(event.clientX, event.clientY));
  }

  /** Describes the figure on a cell after a while. */
  private describeLater({ name, figure }: Cell): void {
    clearTimeout(this.timer);
    if (!figure) return;
    this.timer = setTimeout(() => {
      if (this.press) this.press.described = true;
      this.board.describe(name);
    }, DESCRIBE_DELAY);
  }

  private endDescription(): void {
    clearTimeout(this.timer);
    this.board.describe(null);
  }

  private hover(cell: Cell | null): void {
    const name = cell?.name ?? null;
    if (name === this.hovered) return;
    this.hovered = name;
    this.endDescription();
    if (cell && this.board.cardsEnabled()) this.describeLater(cell);
  }

  /** The pointer has left the board. */
  handleLeave(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && !this.press && !this.drawing) this.hover(null);
  }

  handlePress(event: PointerEvent): void {
    this.endDescription();
    const cell = this.cellAt(event);
    if (!cell || !event.isPrimary) return;
    this.board.capture(event.pointerId);
    if (event.button === 2) {
      this.drawing = { from: cell.name, to: cell.name };
      return;
    }
    if (event.button !== 0) return;
    this.drawn = [];
    this.board.focus(cell.name);
    const figure = this.board.canDrag(cell.name) && !this.board.isTarget(cell.name) ? cell.figure : null;
    // Pressing a selected cell may start a drag, and a touch without a figure may scroll the page.
    const selectOnRelease = this.board.isSelected(cell.name) || (event.pointerType === 'touch' && !figure);
    const { clientX: x, clientY: y } = event;
    this.press = { cell: cell.name, figure, x, y, moved: false, selectOnRelease, described: false };
    if (event.pointerType !== 'mouse') this.describeLater(cell);
    if (!selectOnRelease) this.board.select(cell.name);
  }

  handleMove(event: PointerEvent): void {
    const { press, drawing } = this;
    if (!event.isPrimary) return;
    if (drawing) {
      this.drawing = { from: drawing.from, to: this.cellAt(event)?.name ?? drawing.from };
    } else if (press) {
      if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_THRESHOLD) {
        press.moved = true;
        this.endDescription();
      }
      if (press.moved && press.figure) {
        const at = this.board.toBoard(event.clientX, event.clientY);
        this.drag = { from: press.cell, figure: press.figure, at };
      }
    } else if (event.pointerType === 'mouse') {
      this.hover(this.cellAt(event));
    }
  }

  handleRelease(event: PointerEvent): void {
    const { press, drawing } = this;
    if (!event.isPrimary) return;
    if (drawing) {
      const others = this.drawn.filter((shape) => !isSame(shape, drawing));
      // Drawing a shape again removes it.
      this.drawn = others.length < this.drawn.length ? others : [...this.drawn, { ...drawing, tone: 'user' }];
    } else if (press && !press.moved) {
      if (press.selectOnRelease && !press.described) this.board.select(press.cell);
    } else if (press?.figure) {
      this.board.drop(press.cell, this.cellAt(event)?.name ?? null);
    }
    this.cancel();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.press = null;
    this.drag = null;
    this.drawing = null;
  }
}
