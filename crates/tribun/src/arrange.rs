//! The board editor: positions as cells and fields.

use sandtable_core::{
    Arrange, Arrangement, ArrangementField, DrawOffer, Fault, Palette, Player, Position as _,
};

use crate::notation::{offer_text, parse_offer};
use crate::position::Position;
use crate::render::figure;
use crate::rules::Rules;
use crate::setup::{Invalid, Setup};
use crate::tile::{Tile, TileTextError};
use crate::unit::{Height, Unit};

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

impl Arrange for Position {
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
            (DRAW, offer_text(offer)),
            (ATTACKED, if self.is_tribun_attacked() { "yes" } else { "no" }.to_owned()),
        ];
        Arrangement {
            cells: Tile::all().filter_map(|tile| Some((tile.to_string(), letters(tile)?))).collect(),
            turn: self.turn(),
            fields: fields.into_iter().map(|(field, text)| (field.name.to_owned(), text)).collect(),
        }
    }

    fn read_arrangement(arrangement: &Arrangement, faults: &mut Vec<Fault>) -> (Setup, DrawOffer) {
        let mut board = [0; Tile::CIDS];
        arrangement.read_cells(faults, |cell, letters| {
            let tile: Tile = cell.parse().map_err(|e: TileTextError| e.to_string())?;
            let (owner, unit) = match letters.split_at_checked(1) {
                Some(("b", unit)) => (Player::First, unit),
                Some(("w", unit)) => (Player::Second, unit),
                _ => return Err(format!("invalid unit `{letters}`: expected b or w first, such as b3/2")),
            };
            board[usize::from(tile.cid())] = Unit::from_text(owner, unit).map_err(|e| e.to_string())?.byte();
            Ok(())
        });
        let yes_or_no = |text: &str| match text {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let offer = arrangement.read_field(&DRAW, faults, parse_offer).unwrap_or_default();
        let attacked = arrangement.read_field(&ATTACKED, faults, yes_or_no).unwrap_or(false);
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
