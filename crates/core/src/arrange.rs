//! A position as an editor arranges it: figures on cells, and the rest in fields.

use std::collections::BTreeMap;

use crate::{Draw, Figure, FromSetup, Player};

/// A position as plain text, cell by cell. Nothing about it is guaranteed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// By the name of a cell, the letters of the figure on it.
    pub cells: BTreeMap<String, String>,
    /// Who is to move.
    pub turn: Player,
    /// By the name of a field, what it says. A field that is missing has its default.
    pub fields: BTreeMap<String, String>,
}

impl Arrangement {
    /// Hands every cell and the letters of its figure to `put`, which says why they cannot be.
    pub fn read_cells(&self, faults: &mut Vec<Fault>, mut put: impl FnMut(&str, &str) -> Result<(), String>) {
        for (cell, letters) in &self.cells {
            if let Err(text) = put(cell, letters) {
                faults.push(Fault { place: Some(cell.clone()), text });
            }
        }
    }

    /// What a field says, or its default, as `read` understands it.
    pub fn read_field<T>(
        &self,
        field: &Field,
        faults: &mut Vec<Fault>,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let said = self.fields.get(field.name).map_or(field.default, String::as_str);
        let value = read(said);
        if value.is_none() {
            let text = format!("`{said}` cannot be the {}: {}", field.name, field.means);
            faults.push(Fault { place: Some(field.name.to_owned()), text });
        }
        value
    }
}

/// A number below 2¹⁶ in digits alone: Rust's own parser would also take a sign.
#[must_use]
pub fn read_counter(text: &str) -> Option<u16> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Something that a position has beside its figures and the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it says if nothing is said.
    pub default: &'static str,
    /// What it means, and what can be written in it.
    pub means: &'static str,
}

/// Something that is wrong with an arrangement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the cell or the field that it is about, if it is about one.
    pub place: Option<String>,
    /// What is wrong.
    pub text: String,
}

/// Everything that can be put on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Sets of cells, by their names.
    pub regions: Vec<Vec<String>>,
    /// Each figure, with the number of the region that it may stand in.
    pub figures: Vec<(Figure, usize)>,
}

/// A position that can be put together figure by figure.
pub trait Arrange: FromSetup + Draw {
    /// What there is beside figures and the turn.
    const FIELDS: &'static [Field];

    /// Every figure that these rules allow on a board, and where.
    #[must_use]
    fn palette(rules: Self::Rules) -> Palette;

    /// The position, arranged. A turn that is not over is left out: what is arranged is the position before it.
    #[must_use]
    fn arrangement(&self) -> Arrangement;

    /// Reads an arrangement whose fields are all known ones. What cannot be read is left out of the setup and noted as
    /// a fault.
    fn read_arrangement(arrangement: &Arrangement, faults: &mut Vec<Fault>) -> Self::Setup;

    /// The name of the cell or the field that a reason is about, if it is about one.
    #[must_use]
    fn place_of(reason: &Self::Invalid) -> Option<String>;
}

/// The position that is arranged, or *everything* that is wrong with it: what cannot be read, and why what can be read is no
/// position.
pub fn compose<P: Arrange>(arrangement: &Arrangement, rules: P::Rules) -> Result<P, Vec<Fault>> {
    let mut faults = Vec::new();
    for name in arrangement.fields.keys() {
        if !P::FIELDS.iter().any(|field| field.name == name) {
            let known: Vec<_> = P::FIELDS.iter().map(|field| field.name).collect();
            let text = format!("there is no field `{name}`; there is {}", known.join(", "));
            faults.push(Fault { place: Some(name.clone()), text });
        }
    }
    let setup = P::read_arrangement(arrangement, &mut faults);
    match P::from_setup(&setup, rules) {
        Ok(position) if faults.is_empty() => Ok(position),
        Ok(_) => Err(faults),
        Err(error) => {
            let invalid = |reason| Fault { place: P::place_of(reason), text: reason.to_string() };
            faults.extend(error.reasons().iter().map(invalid));
            Err(faults)
        }
    }
}
