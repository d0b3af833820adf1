//! The eight lines through a square: fixed ranges (`star`), and ranges cut off by blockers (`slide`).

use crate::reach::Reach;
use crate::{Direction, Square, SquareSet};

/// The number of ranges with a table: 0 to the longest of any piece, except commander moves.
const RANGES: usize = Reach::LONGEST_CAPTURE as usize + 1;

type Stars = [[SquareSet; Square::TABLE]; RANGES];

/// For each range and square: the squares within that range along rank and file.
static STRAIGHT: Stars = stars(0, 4);
/// For each range and square: the squares within that range along the diagonals.
static DIAGONAL: Stars = stars(4, 8);

#[expect(clippy::large_stack_arrays, reason = "runs at compile time only")]
const fn stars(first: usize, end: usize) -> Stars {
    let mut stars = [[SquareSet::EMPTY; Square::TABLE]; RANGES];
    let mut range = 1;
    while range < RANGES {
        let mut i = 0;
        while i < Square::TABLE {
            let mut d = first;
            while let (Some(center), true) = (Square::new(i as u8), d < end) {
                let mut square = center.step(Direction::ALL[d]);
                let mut distance = 1;
                while let (Some(reached), true) = (square, distance <= range) {
                    stars[range][i].insert(reached);
                    square = reached.step(Direction::ALL[d]);
                    distance += 1;
                }
                d += 1;
            }
            i += 1;
        }
        range += 1;
    }
    stars
}

/// The squares within reach, blockers ignored.
#[inline]
pub(crate) fn star(from: Square, reach: Reach) -> SquareSet {
    STRAIGHT[usize::from(reach.straight)][from.index()] | DIAGONAL[usize::from(reach.diagonal)][from.index()]
}

/// The squares within reach up to and including the first of `stop` in each direction.
#[inline]
pub(crate) fn slide(from: Square, reach: Reach, stop: SquareSet) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    for direction in Direction::ALL {
        let range = reach.along(direction.is_diagonal());
        if range == 0 {
            continue;
        }
        for square in ray(from, direction).take(range.into()) {
            reached.insert(square);
            if stop.contains(square) {
                break;
            }
        }
    }
    reached
}

/// The squares in a direction up to the edge of the board, without `from`.
#[inline]
pub(crate) fn ray(from: Square, direction: Direction) -> impl Iterator<Item = Square> {
    let mut square = from;
    std::iter::from_fn(move || {
        square = square.step(direction)?;
        Some(square)
    })
}

/// The squares strictly between two squares of a line; empty if they share no line.
pub(crate) fn between(one: Square, other: Square) -> SquareSet {
    if one.rank_index() == other.rank_index() {
        return SquareSet::indices_between(one, other);
    }
    if one.file() == other.file() {
        return SquareSet::indices_between(one, other) & FILES[usize::from(one.file())];
    }
    match one.line_to(other) {
        Some((direction, steps)) => ray(one, direction).take(usize::from(steps) - 1).collect(),
        None => SquareSet::EMPTY,
    }
}

/// The squares of each file.
static FILES: [SquareSet; Square::FILES as usize] = {
    let mut files = [SquareSet::EMPTY; Square::FILES as usize];
    let mut i = 0;
    while i < Square::NUM {
        let square = Square::from_dense(i);
        files[square.file() as usize].insert(square);
        i += 1;
    }
    files
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares in a direction, one step at a time.
    fn walk(from: Square, direction: Direction) -> Vec<Square> {
        std::iter::successors(from.step(direction), |square| square.step(direction)).collect()
    }

    #[test]
    fn between_equals_the_squares_of_a_walk() {
        for one in Square::all() {
            for other in Square::all() {
                let passed = Direction::ALL.into_iter().find_map(|direction| {
                    let squares = walk(one, direction);
                    let end = squares.iter().position(|&square| square == other)?;
                    Some(squares[..end].iter().copied().collect())
                });
                assert_eq!(between(one, other), passed.unwrap_or_default(), "{one} {other}");
            }
        }
    }

    #[test]
    fn stars_equal_unblocked_slides() {
        for from in Square::all() {
            for straight in 0..=5 {
                for diagonal in 0..=5 {
                    let reach = Reach { straight, diagonal };
                    let walked = Direction::ALL.into_iter().flat_map(|direction| {
                        walk(from, direction).into_iter().take(reach.along(direction.is_diagonal()).into())
                    });
                    assert_eq!(star(from, reach), walked.collect());
                    assert_eq!(star(from, reach), slide(from, reach, SquareSet::EMPTY));
                }
            }
        }
    }

    #[test]
    fn slides_end_on_the_first_stop() {
        let stop = [Square::E8, Square::E9, Square::H5].into_iter().collect();
        let reached: Vec<_> = slide(Square::E5, Reach { straight: 4, diagonal: 0 }, stop).iter().collect();
        let expected = "e8 e7 e6 a5 b5 c5 d5 f5 g5 h5 e4 e3 e2 e1";
        assert_eq!(reached, expected.split(' ').map(|name| name.parse().unwrap()).collect::<Vec<_>>());
    }
}
