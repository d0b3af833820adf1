//! Encodings for neural networks: observations, policy indices, factored policies and symmetries.

mod factors;
mod planes;
mod policy;
mod symmetry;

pub use factors::{Factor, FactoredPolicy, FactorsError, PlaneGroup};
pub use planes::{
    Canvas, DecodeError, Layout, Marker, Observe, ObservedSlice, Plane, PlaneCursor, PlaneReader, Shape,
    SliceCanvas, WrongLength,
};
pub use policy::{PolicyIndex, PolicyIndexed, legal_move_at};
pub use symmetry::Symmetric;
