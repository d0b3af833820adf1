//! What a neural network sees: named planes over the cells of a board.

use std::marker::PhantomData;

use crate::{FromSetup, Player, Position};

/// One plane of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// A short name, unique within the game.
    pub name: &'static str,
    /// Which values the plane holds, and where.
    pub values: &'static str,
}

impl Plane {
    /// A plane with its name and the description of its values.
    #[must_use]
    pub const fn new(name: &'static str, values: &'static str) -> Self {
        Self { name, values }
    }
}

/// The shape of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// Planes over each cell.
    pub planes: usize,
}

impl Shape {
    /// Cells of the board.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows * self.cols
    }

    /// Values in one observation.
    #[must_use]
    pub const fn len(self) -> usize {
        self.cells() * self.planes
    }

    /// Is there no value at all?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The extents in the order of a layout.
    #[must_use]
    pub const fn extents(self, layout: Layout) -> [usize; 3] {
        match layout {
            Layout::Hwc => [self.rows, self.cols, self.planes],
            Layout::Chw => [self.planes, self.rows, self.cols],
        }
    }

    /// Where the value of a plane at a cell stands in a slice.
    #[must_use]
    pub const fn offset(self, layout: Layout, plane: usize, cell: usize) -> usize {
        match layout {
            Layout::Hwc => cell * self.planes + plane,
            Layout::Chw => plane * self.cells() + cell,
        }
    }
}

/// The order of the values in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// `[row][column][plane]`: the default everywhere.
    #[default]
    Hwc,
    /// `[plane][row][column]`, for frameworks that want channels first.
    Chw,
}

/// A slice that does not have the length its use demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the slice has {found} values where {expected} are needed")]
pub struct WrongLength {
    /// The length needed.
    pub expected: usize,
    /// The length given.
    pub found: usize,
}

impl WrongLength {
    /// `Ok` if a slice of length `found` is what is needed.
    pub const fn check(expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self { expected, found }) }
    }
}

/// Writes an observation plane by plane, and cannot leave one out.
///
/// First the *background* paints every cell of every plane with that plane's constant (zero where single cells are
/// marked later): one pass over memory, in order. Then the planes follow one by one: [`marks`](Self::marks) sets
/// single cells of the next plane to one, [`constant`](Self::constant) steps over a plane that the background has
/// painted. [`finish`](Self::finish) panics unless all planes were visited.
#[derive(Debug)]
pub struct PlaneCursor<'a, const PLANES: usize> {
    out: &'a mut [f32],
    shape: Shape,
    layout: Layout,
    next: usize,
}

impl<'a, const PLANES: usize> PlaneCursor<'a, PLANES> {
    /// Paints the background.
    #[inline]
    pub fn new(
        out: &'a mut [f32],
        shape: Shape,
        layout: Layout,
        background: &[f32; PLANES],
    ) -> Result<Self, WrongLength> {
        assert_eq!(shape.planes, PLANES, "the background has a value for each plane");
        WrongLength::check(shape.len(), out.len())?;
        match layout {
            Layout::Hwc => out.chunks_exact_mut(PLANES).for_each(|cell| cell.copy_from_slice(background)),
            Layout::Chw => {
                out.chunks_exact_mut(shape.cells()).zip(background).for_each(|(plane, v)| plane.fill(*v));
            }
        }
        Ok(Self { out, shape, layout, next: 0 })
    }

    /// The next plane: ones at these cells.
    #[inline]
    pub fn marks(&mut self, cells: impl IntoIterator<Item = usize>) {
        let plane = self.step();
        // Not a `for` loop: an iterator that knows a faster way through itself shall take it.
        cells.into_iter().for_each(|cell| self.out[self.shape.offset(self.layout, plane, cell)] = 1.0);
    }

    /// The next `count` planes at once: ones at these cells, each with its plane counted from the next one on.
    ///
    /// For what is found cell by cell and not plane by plane: pieces, say, each of which has its own plane.
    #[inline]
    pub fn marks_among(&mut self, count: usize, marks: impl IntoIterator<Item = (usize, usize)>) {
        let first = self.next;
        self.next += count;
        marks.into_iter().for_each(|(plane, cell)| {
            assert!(plane < count, "a mark lies on one of the planes announced");
            self.out[self.shape.offset(self.layout, first + plane, cell)] = 1.0;
        });
    }

    /// The next plane is the background's constant everywhere.
    #[inline]
    pub const fn constant(&mut self) {
        self.step();
    }

    /// All planes are written.
    #[inline]
    pub fn finish(self) {
        assert_eq!(self.next, PLANES, "every plane is visited once");
    }

    const fn step(&mut self) -> usize {
        let plane = self.next;
        self.next += 1;
        plane
    }
}

/// A position that can be shown to a neural network, from the view of the player to move.
pub trait Observe: Position {
    /// The planes, in order.
    const PLANES: &'static [Plane];
    /// Rows and columns of the board, and as many planes as have names.
    const SHAPE: Shape;
    /// The id and version of this encoding; it changes when any value of any observation would.
    const ENCODING: &'static str;

    /// Writes the observation into the caller's slice, without allocating.
    ///
    /// `occurrences` is how often the position has occurred in its game, itself included.
    fn write_observation(&self, occurrences: u32, layout: Layout, out: &mut [f32])
    -> Result<(), WrongLength>;

    /// Reads an observation back, to look at training data: the setup that `turn` would see this way, and the
    /// number of occurrences it tells of. What an observation does not hold (counters) has its default.
    fn decode_observation(
        observation: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Self::Setup, u32), DecodeError>
    where
        Self: FromSetup;
}

/// Writes the observations of many positions, each with its number of occurrences, one after the other into one slice.
///
/// ```text
/// out: [position 0][position 1]…   each Shape::len() values
/// ```
pub fn encode_batch<'a, P: Observe>(
    positions: impl ExactSizeIterator<Item = (&'a P, u32)>,
    layout: Layout,
    out: &mut [f32],
) -> Result<(), WrongLength> {
    WrongLength::check(positions.len() * P::SHAPE.len(), out.len())?;
    for ((position, occurrences), slice) in positions.zip(out.chunks_exact_mut(P::SHAPE.len())) {
        position.write_observation(occurrences, layout, slice)?;
    }
    Ok(())
}

/// An observation being read back: an array of the right length, with errors that say where it is wrong.
#[derive(Debug)]
pub struct PlaneReader<'a, P> {
    values: &'a [f32],
    layout: Layout,
    game: PhantomData<P>,
}

impl<'a, P: Observe> PlaneReader<'a, P> {
    /// Reads an array.
    pub fn new(values: &'a [f32], layout: Layout) -> Result<Self, WrongLength> {
        WrongLength::check(P::SHAPE.len(), values.len())?;
        Ok(Self { values, layout, game: PhantomData })
    }

    /// The value of a plane at a cell.
    #[must_use]
    pub fn value(&self, plane: usize, cell: usize) -> f32 {
        self.values[P::SHAPE.offset(self.layout, plane, cell)]
    }

    /// The error that says what is wrong with that value.
    #[must_use]
    pub fn fault(&self, plane: usize, cell: usize, why: &'static str) -> DecodeError {
        let (row, col) = (cell / P::SHAPE.cols, cell % P::SHAPE.cols);
        DecodeError::Value {
            plane,
            name: P::PLANES[plane].name,
            row,
            col,
            value: self.value(plane, cell),
            why,
        }
    }

    /// Is a mark set? A mark is 0 or 1.
    pub fn flag(&self, plane: usize, cell: usize) -> Result<bool, DecodeError> {
        match self.value(plane, cell) {
            0.0 => Ok(false),
            1.0 => Ok(true),
            _ => Err(self.fault(plane, cell, "it is 0 or 1")),
        }
    }

    /// The value that a plane has everywhere.
    pub fn constant(&self, plane: usize) -> Result<f32, DecodeError> {
        let first = self.value(plane, 0);
        match (0..P::SHAPE.cells()).find(|&cell| self.value(plane, cell).to_bits() != first.to_bits()) {
            Some(cell) => Err(self.fault(plane, cell, "the whole plane has one value")),
            None => Ok(first),
        }
    }
}

/// Why an array is not an observation of the game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecodeError {
    /// It has the wrong number of values.
    #[error(transparent)]
    WrongLength(#[from] WrongLength),
    /// One value is none that the plane can hold there.
    #[error("plane {plane} ({name}) cannot be {value} at row {row}, column {col}: {why}")]
    Value {
        /// The plane's number.
        plane: usize,
        /// The plane's name.
        name: &'static str,
        /// Row of the cell.
        row: usize,
        /// Column of the cell.
        col: usize,
        /// The value found.
        value: f32,
        /// What would be allowed.
        why: &'static str,
    },
}
