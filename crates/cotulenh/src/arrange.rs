//! The board editor: positions as cells and fields.

use std::collections::BTreeMap;

use sandtable_core::rules::DrawOffer;
use sandtable_core::view::{Arrange, Arrangement, ArrangementField, Fault, Palette, parse_counter};
use sandtable_core::{Describe, FromSetup as _, Player, Position};

use crate::notation::{FigureError, parse_figure};
use crate::render::figure;
use crate::{CoTuLenh, Invalid, Kind, KindSet, Rules, Setup, Square, SquareError, Stack};

const HALFMOVES: ArrangementField = ArrangementField {
    name: "halfmoves",
    default: "0",
    expected: "the number of turns since the last capture, 0 to 65535",
};
const FULLMOVES: ArrangementField =
    ArrangementField { name: "fullmoves", default: "1", expected: "the full-move number, 1 to 65535" };

/// An error in a cell of an arrangement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_cell")]
#[non_exhaustive]
pub enum CellError {
    /// The cell is not a square.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// The text is not a piece or stack.
    #[error("`{text}`: {error}")]
    Figure {
        /// The text.
        text: String,
        /// The error in it.
        #[param(message)]
        error: FigureError,
    },
}

impl Arrange for CoTuLenh {
    type CellError = CellError;

    const FIELDS: &'static [ArrangementField] = &[HALFMOVES, FULLMOVES];

    fn palette(rules: Rules) -> Palette {
        let ground = |carrier: Kind| {
            Square::all().filter(|&square| carrier.may_stand(square)).map(|s| s.to_string()).collect()
        };
        let stacks = Player::ALL.into_iter().flat_map(|owner| {
            let allowed = sets().filter(move |&kinds| rules.allow_stack(kinds));
            allowed.flat_map(move |kinds| {
                let eligible = rules.heroism.eligible(kinds);
                let heroes = std::iter::once(KindSet::EMPTY).chain(eligible.subsets());
                heroes.filter_map(move |heroes| Stack::new(owner, kinds, heroes).ok())
            })
        });
        let region = |stack: Stack| usize::from(stack.carrier() == Kind::Navy);
        Palette {
            regions: vec![ground(Kind::Tank), ground(Kind::Navy)],
            figures: stacks.map(|stack| (figure(stack), region(stack))).collect(),
        }
    }

    fn arrangement(&self, _offer: DrawOffer) -> Arrangement {
        let setup = self.to_setup();
        let cells = setup.placement.iter().map(|(square, stack)| (square.to_string(), stack.to_string()));
        let fields = [(HALFMOVES, setup.halfmoves), (FULLMOVES, setup.fullmoves)];
        Arrangement {
            cells: cells.collect(),
            turn: self.turn(),
            fields: fields.into_iter().map(|(field, n)| (field.name.to_owned(), n.to_string())).collect(),
        }
    }

    fn read_arrangement(arrangement: &Arrangement, _: Rules, faults: &mut Vec<Fault>) -> (Setup, DrawOffer) {
        let mut placement = BTreeMap::new();
        arrangement.read_cells(faults, |cell, letters| {
            let square: Square = cell.parse()?;
            let invalid = |error| CellError::Figure { text: letters.to_owned(), error };
            placement.insert(square, parse_figure(letters).map_err(invalid)?);
            Ok::<_, CellError>(())
        });
        let setup = Setup {
            placement,
            turn: arrangement.turn,
            halfmoves: arrangement.read_field::<Self, _>(&HALFMOVES, faults, parse_counter).unwrap_or(0),
            fullmoves: arrangement.read_field::<Self, _>(&FULLMOVES, faults, parse_counter).unwrap_or(1),
            deployment: None,
        };
        (setup, DrawOffer::None)
    }

    fn place_of(reason: &Invalid) -> Option<String> {
        match reason {
            Invalid::Terrain { square, .. }
            | Invalid::StackNotAllowed { square, .. }
            | Invalid::HeroicPassenger { square, .. } => Some(square.to_string()),
            Invalid::TwoCommanders { squares, .. } => Some(squares[1].to_string()),
            Invalid::FullMoves => Some(FULLMOVES.name.to_owned()),
            Invalid::NoStackToDeploy { origin }
            | Invalid::NoStep { origin }
            | Invalid::InvalidPending { origin, .. }
            | Invalid::IllegalStep { origin, .. }
            | Invalid::DeploymentOver { origin, .. }
            | Invalid::DeploymentStuck { origin } => Some(origin.to_string()),
        }
    }
}

/// All sets of up to three kinds, smaller sets first.
fn sets() -> impl Iterator<Item = KindSet> {
    (1..=3).flat_map(|size| (0..1 << Kind::NUM).map(KindSet::from_bits).filter(move |set| set.len() == size))
}
