//! A position as an editor arranges it.

use sandtable_core::{
    Arrange, Arrangement, Fault, Field, FromSetup as _, Palette, Player, Position as _, read_counter,
};

use crate::draw::figure;
use crate::notation::read_figure;
use crate::{Board, Heroism, Invalid, Kind, KindSet, Position, Rules, Setup, Square, SquareError, Stack};

const HALFMOVES: Field =
    Field { name: "halfmoves", default: "0", means: "turns since the last capture, a number" };
const FULLMOVES: Field =
    Field { name: "fullmoves", default: "1", means: "the number of the move, counted from 1" };

impl Arrange for Position {
    const FIELDS: &'static [Field] = &[HALFMOVES, FULLMOVES];

    fn palette(rules: Rules) -> Palette {
        let ground = |carrier: Kind| {
            Square::all().filter(|&square| carrier.may_stand(square)).map(|s| s.to_string()).collect()
        };
        let stacks = Player::ALL.into_iter().flat_map(|owner| {
            let allowed = sets().filter(move |&kinds| rules.allow_stack(kinds));
            allowed.flat_map(move |kinds| {
                heroes(kinds, rules).filter_map(move |heroes| Stack::new(owner, kinds, heroes).ok())
            })
        });
        let region = |stack: Stack| usize::from(stack.carrier() == Kind::Navy);
        Palette {
            regions: vec![ground(Kind::Tank), ground(Kind::Navy)],
            figures: stacks.map(|stack| (figure(stack), region(stack))).collect(),
        }
    }

    fn arrangement(&self) -> Arrangement {
        let setup = self.to_setup();
        let cells = setup.board.all_pieces().map(|(square, stack)| (square.to_string(), stack.to_string()));
        let fields = [(HALFMOVES, setup.halfmoves), (FULLMOVES, setup.fullmoves)];
        Arrangement {
            cells: cells.collect(),
            turn: self.turn(),
            fields: fields.into_iter().map(|(field, n)| (field.name.to_owned(), n.to_string())).collect(),
        }
    }

    fn read_arrangement(arrangement: &Arrangement, faults: &mut Vec<Fault>) -> Setup {
        let mut board = Board::EMPTY;
        arrangement.read_cells(faults, |cell, letters| {
            let square: Square = cell.parse().map_err(|e: SquareError| e.to_string())?;
            let stack = read_figure(letters).map_err(|reason| format!("`{letters}`: {reason}"))?;
            board.set(square, Some(stack));
            Ok(())
        });
        Setup {
            board,
            turn: arrangement.turn,
            halfmoves: arrangement.read_field(&HALFMOVES, faults, read_counter).unwrap_or(0),
            fullmoves: arrangement.read_field(&FULLMOVES, faults, read_counter).unwrap_or(1),
            deployment: None,
        }
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
            | Invalid::NothingPending { origin, .. }
            | Invalid::IllegalStep { origin, .. }
            | Invalid::DeploymentOver { origin, .. }
            | Invalid::DeploymentStuck { origin } => Some(origin.to_string()),
        }
    }
}

/// All sets of up to three kinds, single kinds first.
fn sets() -> impl Iterator<Item = KindSet> {
    (1..=3).flat_map(|size| (0..1 << Kind::NUM).map(KindSet::from_bits).filter(move |set| set.len() == size))
}

/// Who can be heroic in a stack of these kinds, nobody first.
fn heroes(kinds: KindSet, rules: Rules) -> impl Iterator<Item = KindSet> {
    let able = match rules.heroism {
        Heroism::Everyone => kinds,
        Heroism::CarrierOnly => kinds.first().map_or(KindSet::EMPTY, Kind::only),
    };
    std::iter::once(KindSet::EMPTY).chain(able.subsets().filter(|heroes| !heroes.is_empty()))
}
