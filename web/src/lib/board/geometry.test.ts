import { describe, expect, test } from 'vitest';
import {
  arrowPath,
  cellAt,
  cellCenter,
  labelPosition,
  movedFigures,
  neighbor,
  viewBox,
  type Direction,
} from './geometry';
import type { Board, Cell, Figure } from '../types';

const cell = (name: string, x: number, y: number): Cell => ({
  name,
  index: '',
  x,
  y,
  ground: 'land',
  terrain: [],
  figure: null,
  marked: false,
});

function board(outline: Board['outline'], width: number, height: number, cells: Cell[]): Board {
  return { outline, width, height, inks: { first: '#000', second: '#fff' }, cells, labels: [], scenery: [] };
}

function squares(): Board {
  const cells = Array.from('abcdefgh').flatMap((file, x) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((rank) => cell(`${file}${rank}`, x, 8 - rank)),
  );
  return board('square', 8, 8, cells);
}

/** A hexagonal board of flat-topped hexagons, two rings around the centre. */
function hexagons(): Board {
  const cells: Cell[] = [];
  for (let x = -2; x <= 2; x++) {
    for (let y = -2; y <= 2; y++) {
      if (Math.abs(x - y) > 2) continue;
      cells.push(cell(`${x},${y}`, 0.75 * (y - x + 2), (Math.sqrt(3) / 4) * (4 - x - y)));
    }
  }
  return board('hexagon', 4, 4.5, cells);
}

describe.each([
  ['squares', squares()],
  ['hexagons', hexagons()],
])('%s', (_, board) => {
  test('arrow keys reach every cell from every cell, flipped or not', () => {
    const directions: Direction[] = ['up', 'down', 'left', 'right'];
    for (const flipped of [false, true]) {
      for (const start of board.cells) {
        const reached = new Set([start.name]);
        for (const name of reached) {
          for (const direction of directions) reached.add(neighbor(board, name, direction, flipped));
        }
        expect(reached.size).toBe(board.cells.length);
      }
    }
  });

  test('finds every cell at its centre, flipped or not', () => {
    for (const flipped of [false, true]) {
      for (const at of board.cells) {
        expect(cellAt(board, cellCenter(board, at, flipped), flipped)?.name).toBe(at.name);
      }
    }
  });

  test('the view box contains every cell', () => {
    const { left, top, width, height } = viewBox(board, false);
    for (const at of board.cells) {
      const { x, y } = cellCenter(board, at, false);
      expect(x - 0.5).toBeGreaterThanOrEqual(left);
      expect(y - Math.sqrt(3) / 4).toBeGreaterThanOrEqual(top);
      expect(x + 0.5).toBeLessThanOrEqual(left + width);
      expect(y + Math.sqrt(3) / 4).toBeLessThanOrEqual(top + height);
    }
  });
});

test('arrow keys lead to the neighbour in their direction', () => {
  expect(neighbor(squares(), 'e4', 'up', false)).toBe('e5');
  expect(neighbor(squares(), 'e4', 'up', true)).toBe('e3');
  expect(neighbor(squares(), 'e4', 'left', false)).toBe('d4');
  expect(neighbor(squares(), 'h8', 'right', false)).toBe('h8');
  expect(neighbor(hexagons(), '0,0', 'up', false)).toBe('1,1');
  expect(neighbor(hexagons(), '0,0', 'down', false)).toBe('-1,-1');
});

test('labels stay beside a flipped board with straight edges, each at its own file', () => {
  expect(labelPosition(squares(), { x: 0, y: 8 }, false)).toEqual({ x: 0.5, y: 8.3 });
  expect(labelPosition(squares(), { x: 0, y: 8 }, true)).toEqual({ x: 7.5, y: 8.3 });
});

test('finds no cell outside the board', () => {
  expect(cellAt(squares(), { x: -1, y: 3 }, false)).toBeNull();
});

test('an arrow ends near its target', () => {
  expect(arrowPath({ x: 0.5, y: 0.5 }, { x: 2.5, y: 0.5 }).head).toMatch(/^M2\.4 0\.5L/);
});

describe('moved figures', () => {
  const figure = (letters: string, owner: 'first' | 'second' = 'first'): Figure => ({
    owner,
    letters,
    token: letters,
    starred: false,
    pieces: [],
  });
  const place = (figures: Record<string, Figure>): Board => {
    const empty = squares();
    return { ...empty, cells: empty.cells.map((at) => ({ ...at, figure: figures[at.name] ?? null })) };
  };

  test('finds the origin of a figure that captures', () => {
    const before = place({ e2: figure('P'), d5: figure('p', 'second'), a1: figure('R') });
    expect([...movedFigures(before, place({ d5: figure('P'), a1: figure('R') }))]).toEqual([['d5', 'e2']]);
  });

  test('finds the origin of a promoted pawn', () => {
    expect([...movedFigures(place({ e7: figure('P') }), place({ e8: figure('Q') }))]).toEqual([['e8', 'e7']]);
  });

  test('finds both figures that castle', () => {
    const moved = movedFigures(
      place({ e1: figure('K'), h1: figure('R') }),
      place({ g1: figure('K'), f1: figure('R') }),
    );
    expect(Object.fromEntries(moved)).toEqual({ g1: 'e1', f1: 'h1' });
  });
});
