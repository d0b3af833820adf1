//! The board editor: positions as cells and fields.

use sandtable_core::rules::DrawOffer;
use sandtable_core::view::{Arrange, Arrangement, ArrangementField, Fault, Palette};
use sandtable_core::{Describe, Player, Position};

use crate::notation::{parse_offer, write_offer};
use crate::position::Tribun;
use crate::render::figure;
use crate::rules::Rules;
use crate::setup::{Invalid, Setup};
use crate::tile::{Tile, TileTextError};
use crate::unit::{Height, Unit, UnitTextError};

const DRAW: ArrangementField = ArrangementField {
    name: "draw",
    default: "-",
    expected: "-, offer:b, offer:w, declined:b or declined:w",
};
const ATTACKED: ArrangementField = ArrangementField {
    name: "attacked",
    default: "no",
    expected: "yes or no: whether the tribun of the side to move has been attacked",
};

/// An error in a cell of an arrangement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_cell")]
#[non_exhaustive]
pub enum CellError {
    /// The cell is not a tile.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// The text does not begin with the owner.
    #[error("invalid unit `{0}`: expected b or w first, such as b3/2")]
    Owner(#[param(name = "text")] String),
    /// The text is not a unit.
    #[error(transparent)]
    Unit(#[from] UnitTextError),
}

impl Arrange for Tribun {
    type CellError = CellError;

    const FIELDS: &'static [ArrangementField] = &[DRAW, ATTACKED];

    fn palette(_: Rules) -> Palette {
        let units = Player::ALL.into_iter().flat_map(|owner| {
            let tribuns = Height::ALL.map(|height| Unit::tribun(owner, height));
            let slaves = || std::iter::once(None).chain(Height::ALL.map(Some));
            let others = Height::ALL.into_iter().flat_map(move |height| {
                slaves().filter_map(move |slave| Unit::with_slave(owner, height, slave))
            });
            tribuns.into_iter().chain(others)
        });
        Palette {
            regions: vec![Tile::all().map(|tile| tile.to_string()).collect()],
            figures: units.map(|unit| (figure(unit), 0)).collect(),
        }
    }

    fn arrangement(&self, offer: DrawOffer) -> Arrangement {
        let letters = |tile| self.board().unit(tile).map(|unit| figure(unit).letters);
        let fields = [
            (DRAW, write_offer(offer)),
            (ATTACKED, if self.is_tribun_attacked() { "yes" } else { "no" }.to_owned()),
        ];
        Arrangement {
            cells: Tile::all().filter_map(|tile| Some((tile.to_string(), letters(tile)?))).collect(),
            turn: self.turn(),
            fields: fields.into_iter().map(|(field, text)| (field.name.to_owned(), text)).collect(),
        }
    }

    fn read_arrangement(arrangement: &Arrangement, _: Rules, faults: &mut Vec<Fault>) -> (Setup, DrawOffer) {
        let mut board = [0; Tile::CIDS];
        arrangement.read_cells(faults, |cell, letters| {
            let tile: Tile = cell.parse()?;
            let (owner, unit) = match letters.split_at_checked(1) {
                Some(("b", unit)) => (Player::First, unit),
                Some(("w", unit)) => (Player::Second, unit),
                _ => return Err(CellError::Owner(letters.to_owned())),
            };
            board[usize::from(tile.cid())] = Unit::from_text(owner, unit)?.byte();
            Ok(())
        });
        let yes_or_no = |text: &str| match text {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let offer = arrangement.read_field::<Self, _>(&DRAW, faults, parse_offer).unwrap_or_default();
        let attacked = arrangement.read_field::<Self, _>(&ATTACKED, faults, yes_or_no).unwrap_or(false);
        (Setup { board, turn: arrangement.turn, attacked }, offer)
    }

    fn place_of(reason: &Invalid) -> Option<String> {
        match reason {
            Invalid::Unit { cid, .. } => Tile::from_cid(*cid).ok().as_ref().map(Tile::to_string),
            Invalid::NotAttacked { .. } => Some(ATTACKED.name.to_owned()),
            Invalid::OffBoard { .. } | Invalid::Tribuns { .. } => None,
        }
    }
}
