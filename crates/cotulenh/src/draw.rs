//! The board as a picture would show it.

use sandtable_core::{ByPlayer, Cell, Diagram, Draw, Figure, Ground, Label, Outline};

use crate::notation::kinds_text;
use crate::{Position, Square, Stack, Step, Terrain};

impl From<Terrain> for Ground {
    fn from(terrain: Terrain) -> Self {
        match terrain {
            Terrain::Water => Self::Water,
            Terrain::Mixed => Self::Mixed,
            Terrain::Land => Self::Land,
        }
    }
}

/// A token needs neither parentheses nor the carrier's `+`, which is drawn as a star, and is uppercase for both.
fn figure(stack: Stack) -> Figure {
    let kinds = kinds_text(stack.kinds(), stack.heroes());
    Figure {
        owner: stack.owner(),
        letters: stack.to_string(),
        token: kinds.trim_matches(['(', ')']).trim_start_matches('+').to_owned(),
        outlines: &[],
        starred: stack.is_carrier_heroic(),
    }
}

impl Draw for Position {
    fn diagram(&self, last: Option<Step>) -> Diagram {
        let marked = [last.map(Step::origin), last.and_then(Step::target)];
        let cells = Square::all().map(|square| Cell {
            name: square.to_string(),
            index: square.index().to_string(),
            x: square.file().into(),
            y: square.rank_index().into(),
            ground: square.terrain().into(),
            figure: self.board().get(square).map(figure),
            marked: marked.contains(&Some(square)),
        });
        let files = (0..Square::FILES).map(|file| Label {
            text: char::from(b'a' + file).into(),
            x: file.into(),
            y: Square::RANKS.into(),
        });
        let ranks = (0..Square::RANKS).map(|rank_index| Label {
            text: (Square::RANKS - rank_index).to_string(),
            x: -1.0,
            y: rank_index.into(),
        });
        Diagram {
            outline: Outline::Point,
            width: Square::FILES.into(),
            height: Square::RANKS.into(),
            inks: ByPlayer::new([0xB7, 0x1C, 0x1C], [0x15, 0x4C, 0x9E]),
            cells: cells.collect(),
            labels: files.chain(ranks).collect(),
        }
    }
}
