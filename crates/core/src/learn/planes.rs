//! Observations for neural networks: named planes over the cells of a board.

use std::marker::PhantomData;

use crate::rules::Context;
use crate::{Describe, FromSetup, Player, Position};

/// One plane of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// A short name, unique within the game.
    pub name: &'static str,
    /// The values of the plane and the cells that hold them.
    pub values: &'static str,
}

impl Plane {
    /// A plane with this name and this description of its values.
    #[must_use]
    pub const fn new(name: &'static str, values: &'static str) -> Self {
        Self { name, values }
    }
}

/// The shape of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The rows of the board.
    pub rows: usize,
    /// The columns of the board.
    pub cols: usize,
    /// The planes over each cell.
    pub planes: usize,
}

impl Shape {
    /// The number of cells of the board.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows * self.cols
    }

    /// The number of values in one observation.
    #[must_use]
    pub const fn len(self) -> usize {
        self.cells() * self.planes
    }

    /// Whether an observation has no values.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The three dimensions in the order of a layout.
    #[must_use]
    pub const fn extents(self, layout: Layout) -> [usize; 3] {
        match layout {
            Layout::Hwc => [self.rows, self.cols, self.planes],
            Layout::Chw => [self.planes, self.rows, self.cols],
        }
    }

    /// The index in a slice of the value of a plane at a cell.
    #[must_use]
    pub const fn offset(self, layout: Layout, plane: usize, cell: usize) -> usize {
        match layout {
            Layout::Hwc => cell * self.planes + plane,
            Layout::Chw => plane * self.cells() + cell,
        }
    }
}

/// The memory order of an observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// `[row][column][plane]`: the default everywhere.
    #[default]
    Hwc,
    /// `[plane][row][column]`, for frameworks with channels first.
    Chw,
}

/// The error for a slice of the wrong length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("wrong_length")]
#[error("expected a slice of {expected} values, found {found}")]
pub struct WrongLength {
    /// The required length.
    pub expected: usize,
    /// The actual length.
    pub found: usize,
}

impl WrongLength {
    /// Returns `Ok` if both lengths are equal.
    pub const fn check(expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self { expected, found }) }
    }
}

/// A surface for an observation: a background value for each plane, then ones at single cells of planes with background 0.
pub trait Canvas {
    /// Sets every cell of each plane to the background value of the plane.
    fn fill<const PLANES: usize>(&mut self, background: &[f32; PLANES]);

    /// Sets the value of a plane at a cell to one.
    fn mark(&mut self, plane: usize, cell: usize);

    /// Marks a plane that is the same in every observation.
    #[inline]
    fn mark_fixed(&mut self, plane: usize, cells: impl Iterator<Item = usize>) {
        cells.for_each(|cell| self.mark(plane, cell));
    }
}

/// A canvas that writes all values of an observation into a slice.
#[derive(Debug)]
pub struct SliceCanvas<'a> {
    out: &'a mut [f32],
    shape: Shape,
    layout: Layout,
}

impl<'a> SliceCanvas<'a> {
    /// A canvas of this shape over `out`.
    #[inline]
    pub fn new(out: &'a mut [f32], shape: Shape, layout: Layout) -> Result<Self, WrongLength> {
        WrongLength::check(shape.len(), out.len())?;
        Ok(Self { out, shape, layout })
    }
}

impl Canvas for SliceCanvas<'_> {
    #[inline]
    fn fill<const PLANES: usize>(&mut self, background: &[f32; PLANES]) {
        match self.layout {
            Layout::Hwc => {
                self.out.chunks_exact_mut(PLANES).for_each(|cell| cell.copy_from_slice(background));
            }
            Layout::Chw => {
                let planes = self.out.chunks_exact_mut(self.shape.cells());
                planes.zip(background).for_each(|(plane, value)| plane.fill(*value));
            }
        }
    }

    #[inline]
    fn mark(&mut self, plane: usize, cell: usize) {
        self.out[self.shape.offset(self.layout, plane, cell)] = 1.0;
    }
}

/// The contents of a slice whose observation is updated in place: an update writes only the values that change.
///
/// An observation has tens of kilobytes, of which a move changes a few cells. The caller passes the same slice to every
/// update and leaves it unchanged in between.
#[derive(Clone, Debug)]
pub struct ObservedSlice<P> {
    layout: Layout,
    /// Whether the contents are known; otherwise the next update writes everything.
    is_known: bool,
    /// The background of each plane.
    background: Vec<f32>,
    /// A bit for each value, at its offset: whether it is marked. Fixed planes have no bits.
    marks: Vec<u64>,
    /// Memory for the marks of the next observation.
    next: Vec<u64>,
    game: PhantomData<P>,
}

impl<P: Observe> ObservedSlice<P> {
    /// A slice with unknown contents.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        let marks = vec![0; P::SHAPE.len().div_ceil(64)];
        let background = vec![0.0; P::SHAPE.planes];
        Self { layout, is_known: false, background, next: marks.clone(), marks, game: PhantomData }
    }

    /// Forgets the contents of the slice: the next update writes all of it.
    pub fn forget(&mut self) {
        self.is_known = false;
        self.marks.fill(0);
    }

    /// Makes `out` the observation of `position`, without allocating.
    pub fn update(&mut self, position: &P, context: Context, out: &mut [f32]) -> Result<(), WrongLength> {
        WrongLength::check(P::SHAPE.len(), out.len())?;
        let Self { layout, is_known, ref mut background, ref mut marks, ref mut next, .. } = *self;
        next.fill(0);
        let canvas = UpdateCanvas { out, shape: P::SHAPE, layout, is_known, background, marks: next };
        position.draw_observation(context, canvas);
        for (word, (old, new)) in marks.iter().zip(&*next).enumerate() {
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                out[64 * word + bit as usize] = if new >> bit & 1 == 0 { 0.0 } else { 1.0 };
            }
        }
        std::mem::swap(marks, next);
        self.is_known = true;
        Ok(())
    }
}

/// A canvas that writes changed backgrounds and collects marks.
struct UpdateCanvas<'a> {
    out: &'a mut [f32],
    shape: Shape,
    layout: Layout,
    is_known: bool,
    background: &'a mut [f32],
    marks: &'a mut [u64],
}

impl Canvas for UpdateCanvas<'_> {
    #[inline]
    fn fill<const PLANES: usize>(&mut self, background: &[f32; PLANES]) {
        for (plane, (old, &new)) in self.background.iter_mut().zip(background).enumerate() {
            if !self.is_known || old.to_bits() != new.to_bits() {
                *old = new;
                match self.layout {
                    Layout::Hwc => self.out.chunks_exact_mut(PLANES).for_each(|cell| cell[plane] = new),
                    Layout::Chw => self.out[plane * self.shape.cells()..][..self.shape.cells()].fill(new),
                }
            }
        }
    }

    #[inline]
    fn mark(&mut self, plane: usize, cell: usize) {
        let offset = self.shape.offset(self.layout, plane, cell);
        self.marks[offset / 64] |= 1 << (offset % 64);
    }

    #[inline]
    fn mark_fixed(&mut self, plane: usize, cells: impl Iterator<Item = usize>) {
        if !self.is_known {
            cells.for_each(|cell| self.out[self.shape.offset(self.layout, plane, cell)] = 1.0);
        }
    }
}

/// A cursor that writes an observation plane by plane and panics if a plane is left out.
///
/// [`new`](Self::new) fills every plane with its background value. Then the planes follow in order:
/// [`marks`](Self::marks) and [`fixed`](Self::fixed) set single cells of the next plane, whose background is 0, to one;
/// [`constant`](Self::constant) keeps the background of the next plane. [`finish`](Self::finish) panics unless all planes
/// were visited.
#[derive(Debug)]
pub struct PlaneCursor<C, const PLANES: usize> {
    canvas: C,
    next: usize,
}

impl<C: Canvas, const PLANES: usize> PlaneCursor<C, PLANES> {
    /// Fills the canvas with the background value of each plane.
    #[inline]
    pub fn new(mut canvas: C, background: &[f32; PLANES]) -> Self {
        canvas.fill(background);
        Self { canvas, next: 0 }
    }

    /// Writes the next plane: ones at these cells.
    #[inline]
    pub fn marks(&mut self, cells: impl IntoIterator<Item = usize>) {
        let plane = self.step();
        // `for_each` instead of a `for` loop: some iterators override it with a faster loop.
        cells.into_iter().for_each(|cell| self.canvas.mark(plane, cell));
    }

    /// Writes the next plane, which is the same in every observation: ones at these cells.
    #[inline]
    pub fn fixed(&mut self, cells: impl Iterator<Item = usize>) {
        let plane = self.step();
        self.canvas.mark_fixed(plane, cells);
    }

    /// Writes the next `count` planes at once: `draw` marks cells of these planes, which are numbered from 0.
    ///
    /// For data that is visited cell by cell, such as pieces that each have their own plane.
    #[inline]
    pub fn marks_among(&mut self, count: usize, draw: impl FnOnce(&mut Marker<'_, C>)) {
        let first = self.next;
        self.next += count;
        draw(&mut Marker { canvas: &mut self.canvas, first, count });
    }

    /// Keeps the background of the next plane.
    #[inline]
    pub const fn constant(&mut self) {
        self.step();
    }

    /// Ends the observation.
    ///
    /// # Panics
    ///
    /// If a plane was left out.
    #[inline]
    pub fn finish(self) {
        assert_eq!(self.next, PLANES, "every plane must be visited exactly once");
    }

    const fn step(&mut self) -> usize {
        let plane = self.next;
        self.next += 1;
        plane
    }
}

/// Marks cells of a run of planes; see [`PlaneCursor::marks_among`].
#[derive(Debug)]
pub struct Marker<'a, C> {
    canvas: &'a mut C,
    first: usize,
    count: usize,
}

impl<C: Canvas> Marker<'_, C> {
    /// Sets the value at a cell to one. `plane` is numbered from 0 within the run.
    ///
    /// # Panics
    ///
    /// If the plane is beyond the run.
    #[inline]
    pub fn mark(&mut self, plane: usize, cell: usize) {
        assert!(plane < self.count, "a mark must lie on one of the next `count` planes");
        self.canvas.mark(self.first + plane, cell);
    }
}

/// A position that a neural network can observe, from the mover's perspective.
pub trait Observe: Position {
    /// The planes, in order.
    const PLANES: &'static [Plane];
    /// Rows and columns of the board, and the number of planes.
    const SHAPE: Shape;
    /// The id and version of this encoding; any change of a value changes it.
    const ENCODING: &'static str;

    /// Draws the observation on a canvas with a [`PlaneCursor`], without allocating.
    fn draw_observation(&self, context: Context, canvas: impl Canvas);

    /// Writes the observation into the caller's slice, without allocating.
    ///
    /// [`Game::write_observation`](crate::Game::write_observation) supplies the context.
    #[inline]
    fn write_observation(
        &self,
        context: Context,
        layout: Layout,
        out: &mut [f32],
    ) -> Result<(), WrongLength> {
        self.draw_observation(context, SliceCanvas::new(out, Self::SHAPE, layout)?);
        Ok(())
    }

    /// Decodes an observation made by the mover `turn`, to inspect training data. Returns the setup and the context.
    /// Data that an observation does not hold (counters) has its default value.
    fn decode_observation(
        observation: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Self::Setup, Context), DecodeError>
    where
        Self: FromSetup;
}

/// A reader for observations whose errors name the plane and the cell.
#[derive(Debug)]
pub struct PlaneReader<'a, P> {
    values: &'a [f32],
    layout: Layout,
    game: PhantomData<P>,
}

impl<'a, P: Observe> PlaneReader<'a, P> {
    /// A reader of `values`.
    pub fn new(values: &'a [f32], layout: Layout) -> Result<Self, WrongLength> {
        WrongLength::check(P::SHAPE.len(), values.len())?;
        Ok(Self { values, layout, game: PhantomData })
    }

    /// The value of a plane at a cell.
    #[must_use]
    pub fn value(&self, plane: usize, cell: usize) -> f32 {
        self.values[P::SHAPE.offset(self.layout, plane, cell)]
    }

    /// The error for an unexpected value.
    #[must_use]
    pub fn error(&self, plane: usize, cell: usize, expected: &'static str) -> DecodeError {
        let (row, col) = (cell / P::SHAPE.cols, cell % P::SHAPE.cols);
        DecodeError::Value {
            plane,
            name: P::PLANES[plane].name,
            row,
            col,
            value: self.value(plane, cell),
            expected,
        }
    }

    /// Whether a mark is set. A mark is 0 or 1.
    pub fn flag(&self, plane: usize, cell: usize) -> Result<bool, DecodeError> {
        match self.value(plane, cell) {
            0.0 => Ok(false),
            1.0 => Ok(true),
            _ => Err(self.error(plane, cell, "0 or 1")),
        }
    }

    /// The value of a constant plane.
    pub fn constant(&self, plane: usize) -> Result<f32, DecodeError> {
        let first = self.value(plane, 0);
        match (0..P::SHAPE.cells()).find(|&cell| self.value(plane, cell).to_bits() != first.to_bits()) {
            Some(cell) => Err(self.error(plane, cell, "the same value in the whole plane")),
            None => Ok(first),
        }
    }
}

/// The reason why an array is not an observation of the game.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Describe)]
#[code("observation")]
#[non_exhaustive]
pub enum DecodeError {
    /// The array has the wrong number of values.
    #[error(transparent)]
    WrongLength(#[from] WrongLength),
    /// A value that the plane cannot hold at this cell.
    #[error("plane {plane} ({name}) holds {value} at row {row}, column {col}: expected {expected}")]
    Value {
        /// The number of the plane.
        plane: usize,
        /// The name of the plane.
        name: &'static str,
        /// The row of the cell.
        row: usize,
        /// The column of the cell.
        col: usize,
        /// The value.
        value: f32,
        /// The values that the plane can hold there.
        expected: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { rows: 1, cols: 2, planes: 3 };

    #[test]
    fn extents_follow_the_layout() {
        assert_eq!((SHAPE.extents(Layout::Hwc), SHAPE.extents(Layout::Chw)), ([1, 2, 3], [3, 1, 2]));
        assert!(!SHAPE.is_empty() && Shape { cols: 0, ..SHAPE }.is_empty());
    }

    #[test]
    fn marks_among_several_planes_start_at_the_next_one() {
        let mut out = [9.0_f32; 6];
        let canvas = SliceCanvas::new(&mut out, SHAPE, Layout::Chw).unwrap();
        let mut planes = PlaneCursor::new(canvas, &[0.5, 0.0, 0.0]);
        planes.constant();
        planes.marks_among(2, |marker| {
            marker.mark(0, 1);
            marker.mark(1, 0);
        });
        planes.finish();
        assert_eq!(out.map(f32::to_bits), [0.5_f32, 0.5, 0.0, 1.0, 1.0, 0.0].map(f32::to_bits));
    }
}
