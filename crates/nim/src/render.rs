//! The pile as a diagram: one row of cells, with a counter on each of the first.

use sandtable_core::view::{
    Cell, Diagram, Figure, FigurePiece, Ground, MoveDetails, Outline, PieceRole, Render,
};
use sandtable_core::{ByPlayer, Player};

use crate::position::{Nim, PILE, Take};

impl Render for Nim {
    fn diagram(&self, last: Option<Take>) -> Diagram {
        // The taken counters stood behind those that are left. A pass marks the last counter.
        let marked =
            last.map(|take| if take == 0 { self.left - 1..self.left } else { self.left..self.left + take });
        let cells = (0..PILE).map(|i| Cell {
            name: i.to_string(),
            index: i.to_string(),
            x: i.into(),
            y: 0.0,
            ground: Ground::Light,
            terrain: vec!["light"],
            place: i.into(),
            figure: (i < self.left).then(|| counter(self.turn)),
            marked: marked.as_ref().is_some_and(|marked| marked.contains(&i)),
        });
        Diagram {
            outline: Outline::Square,
            width: PILE.into(),
            height: 1.0,
            inks: ByPlayer::default(),
            cells: cells.collect(),
            labels: Vec::new(),
            scenery: Vec::new(),
            flipped: false,
        }
    }

    fn move_details(&self, take: Take) -> MoveDetails {
        let last = (self.left - 1).to_string().into();
        MoveDetails { kind: "take", from: Some(last), amount: Some(take), ..MoveDetails::default() }
    }
}

/// A counter. A figure has an owner: the side to move, which may take it.
fn counter(owner: Player) -> Figure {
    let piece = FigurePiece {
        kind: "counter",
        owner,
        role: PieceRole::Alone,
        place: None,
        height: None,
        starred: false,
        outlines: &[],
        symbol: "",
        badge: "",
    };
    Figure { owner, letters: "o".into(), token: "o".into(), starred: false, pieces: vec![piece] }
}
