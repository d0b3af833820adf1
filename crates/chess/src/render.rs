//! Rendering: the board as a diagram, and the details of moves.

use sandtable_core::view::{
    Cell, Diagram, Figure, FigurePiece, Ground, Label, MoveDetails, Outline, PieceRole, Render,
};
use sandtable_core::{ByPlayer, Position};

use crate::frame::{Frame, row_and_column};
use crate::square::file_letter;
use crate::{Chess, Move, Piece, Role, Square};

impl Render for Chess {
    fn diagram(&self, last: Option<Move>) -> Diagram {
        let cells = Square::all().map(|square| {
            let place = Frame::of(self.turn()).cell(square);
            let (row, column) = row_and_column(place);
            let dark = !(square.file() + square.rank()).is_multiple_of(2);
            Cell {
                name: square.to_string(),
                index: format!("{row},{column}"),
                x: f32::from(square.file() as u8),
                y: f32::from(8 - square.rank() as u8),
                ground: if dark { Ground::Dark } else { Ground::Light },
                terrain: vec![if dark { "dark" } else { "light" }],
                place,
                figure: self.piece_on(square).map(figure),
                marked: last.is_some_and(|m| m.from() == square || m.to() == square),
            }
        });
        let files =
            (0..8_u8).map(|file| Label { text: file_letter(file.into()).into(), x: file.into(), y: 8.0 });
        let ranks = (1..=8_u8).map(|rank| Label { text: rank.to_string(), x: -1.0, y: (8 - rank).into() });
        Diagram {
            outline: Outline::Square,
            width: 8.0,
            height: 8.0,
            inks: ByPlayer::new([0xFF, 0xFC, 0xF5], [0x22, 0x20, 0x1E]),
            cells: cells.collect(),
            labels: ranks.chain(files).collect(),
            scenery: Vec::new(),
            flipped: false,
        }
    }

    fn cell_in_check(&self) -> Option<String> {
        self.is_check().then(|| self.king(self.turn()).to_string())
    }

    fn move_details(&self, m: Move) -> MoveDetails {
        let takes = match m {
            Move::EnPassant { from, to } => Square::from_coords(to.file(), from.rank()),
            _ => Some(m.to()).filter(|&to| self.piece_on(to).is_some()),
        };
        let kind = match m {
            Move::Step { .. } if takes.is_some() => "capture",
            Move::Step { .. } => "move",
            Move::EnPassant { .. } => "en-passant",
            Move::Castle { .. } => "castle",
            Move::Promote { .. } => "promote",
        };
        MoveDetails {
            kind,
            from: Some(m.from().to_string().into()),
            to: Some(m.to().to_string().into()),
            takes: takes.map(|square| square.to_string().into()),
            becomes: m.promotion().map(|promotion| promotion.role().name()),
            ..MoveDetails::default()
        }
    }
}

/// The figure that shows a piece.
pub(crate) fn figure(piece: Piece) -> Figure {
    let Piece { owner, role } = piece;
    let single = FigurePiece {
        kind: role.name(),
        owner,
        role: PieceRole::Alone,
        place: None,
        height: None,
        starred: false,
        outlines: outlines(role),
        symbol: "",
        badge: "",
    };
    Figure {
        owner,
        letters: piece.letter().to_string(),
        token: role.letter().to_string(),
        starred: false,
        pieces: vec![single],
    }
}

/// The outlines of a piece as SVG paths: its silhouette, then the lines on it.
const fn outlines(role: Role) -> &'static [&'static str] {
    const FOOT: &str = "M24 88 L24 82 C24 77 30 75 34 74 L66 74 C70 75 76 77 76 82 L76 88 Z";
    match role {
        Role::Pawn => &[
            "M50 20 C58 20 64 26 64 34 C64 39 61.5 43 58 45.5 L63 51 L57 51 C58 60 62 67 68 74 \
             L32 74 C38 67 42 60 43 51 L37 51 L42 45.5 C38.5 43 36 39 36 34 C36 26 42 20 50 20 Z",
            FOOT,
        ],
        Role::Knight => &[
            "M34 74 C33 60 41 54 47 46 C41 49 36 50 33 55 L27 58 L21 52 C24 43 28 38 31 31 \
             C33 25 37 22 42 20 L42 12 L50 19 C66 20 75 34 75 54 C75 62 73 68 70 74 Z",
            "M38 29 A2.5 2.5 0 1 1 37.9 29 Z",
            FOOT,
        ],
        Role::Bishop => &[
            "M50 21 C60 29 66 37 66 45 C66 51 63 56 59 59 C60 65 62 70 66 74 L34 74 C38 70 40 65 41 59 \
             C37 56 34 51 34 45 C34 37 40 29 50 21 Z",
            "M50 10 A5.5 5.5 0 1 1 49.9 10 Z",
            "M54 32 L47 46 L49 47 L57 34 Z",
            FOOT,
        ],
        Role::Rook => &[
            "M28 16 L38 16 L38 23 L45 23 L45 16 L55 16 L55 23 L62 23 L62 16 L72 16 L72 33 L64 40 \
             L66 74 L34 74 L36 40 L28 33 Z",
            "M36 40 L64 40 L64 42.5 L36 42.5 Z",
            FOOT,
        ],
        Role::Queen => &[
            "M17 30 L31 48 L34 21 L44 46 L50 17 L56 46 L66 21 L69 48 L83 30 L71 66 L68 74 L32 74 L29 66 Z",
            "M13 26 A4.5 4.5 0 1 1 12.9 26.100 Z M34 11 A4.5 4.5 0 1 1 33.9 11 Z \
             M50 7 A4.5 4.5 0 1 1 49.9 7 Z M66 11 A4.5 4.5 0 1 1 65.9 11 Z \
             M87 26 A4.5 4.5 0 1 1 86.9 26.100 Z",
            FOOT,
        ],
        Role::King => &[
            "M50 40 C56 28 84 26 82 46 C81 56 73 62 68 74 L32 74 C27 62 19 56 18 46 C16 26 44 28 50 40 Z",
            "M47 8 L53 8 L53 15 L60 15 L60 21 L53 21 L53 36 L50 40 L47 36 L47 21 L40 21 L40 15 L47 15 Z",
            FOOT,
        ],
    }
}
