//! A board as a picture would show it, before anybody decides on ink or characters.

use crate::{ByPlayer, Player, Position};

/// The shape of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outline {
    /// Squares side by side.
    Square,
    /// Points where lines cross; each cell is the square around its point.
    Point,
    /// Hexagons with a flat top and bottom, as wide as their cell and √3/2 as high, in the middle of it.
    Hexagon,
}

/// The ground of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A light square or tile.
    Light,
    /// A dark square or tile.
    Dark,
    /// A tile between light and dark.
    Gray,
    /// Water.
    Water,
    /// Where water and land meet: a coast, a river.
    Mixed,
    /// Land.
    Land,
}

/// What a piece is to the others of its figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// There are no others.
    Alone,
    /// It carries or holds them.
    Carrier,
    /// It is carried.
    Passenger,
    /// It is held, and belongs to the enemy.
    Slave,
}

/// One of the pieces that a figure consists of, for whoever speaks of it or draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FigurePiece {
    /// What it is, in English.
    pub kind: &'static str,
    /// Whose it is.
    pub owner: Player,
    /// What it is to the others.
    pub role: Role,
    /// Its height, in games that have heights.
    pub height: Option<u8>,
    /// Does it have a rank that the others lack (a hero, a tribun)?
    pub starred: bool,
    /// Closed outlines in a box of 100 × 100, as SVG path data: the body first, then the lines drawn over it.
    /// Without any, the figure is drawn as a disc with its token.
    pub outlines: &'static [&'static str],
    /// What is painted on the body in a colour that stands out from it, as path data filled by the even-odd rule;
    /// empty where the outlines alone say what it is.
    pub symbol: &'static str,
}

/// What stands on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Whose it is.
    pub owner: Player,
    /// Its letters, as the position's text writes them: they alone say what it is and whose.
    pub letters: String,
    /// What to write where colour says whose it is.
    pub token: String,
    /// Does it have a rank that the others lack (a hero, a tribun)?
    pub starred: bool,
    /// What it consists of, the piece that leads first; at least one. The others – passengers, a slave – are drawn
    /// smaller, on the first.
    pub pieces: Vec<FigurePiece>,
}

/// One cell of the board, a unit wide and high.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The cell's name in the game's notation.
    pub name: String,
    /// The cell's number or numbers in the game's board model.
    pub index: String,
    /// The left edge, in cells from the left of the board.
    pub x: f32,
    /// The upper edge, in cells from the top of the board.
    pub y: f32,
    /// What the cell looks like.
    pub ground: Ground,
    /// Words for what is there, the most telling first.
    pub terrain: Vec<&'static str>,
    /// Which place of an observation's planes it is, seen by the player to move.
    pub place: usize,
    /// What stands on it.
    pub figure: Option<Figure>,
    /// Is it part of the last move?
    pub marked: bool,
}

/// A letter or number at the edge of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// The left edge of the cell-sized box it is centred in.
    pub x: f32,
    /// The upper edge of that box.
    pub y: f32,
}

/// A board with all that is on it, seen with the first player at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// The shape of the cells.
    pub outline: Outline,
    /// Width of the board in cells.
    pub width: f32,
    /// Height of the board in cells.
    pub height: f32,
    /// The colours of the players' figures: red, green, blue.
    pub inks: ByPlayer<[u8; 3]>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The coordinates around them.
    pub labels: Vec<Label>,
}

impl Diagram {
    /// The number of the cell of that name.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// The board seen with the second player at the bottom. Labels stay on their side of a board with straight edges,
    /// and turn with a hexagon.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        let (right, bottom) = (self.width - 1.0, self.height - 1.0);
        for cell in &mut self.cells {
            (cell.x, cell.y) = (right - cell.x, bottom - cell.y);
        }
        let turns = self.outline == Outline::Hexagon;
        for label in &mut self.labels {
            if turns || (0.0..=right).contains(&label.x) {
                label.x = right - label.x;
            }
            if turns || (0.0..=bottom).contains(&label.y) {
                label.y = bottom - label.y;
            }
        }
        self
    }
}

/// How much goes to a cell or comes from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// The cell.
    pub cell: String,
    /// How much.
    pub amount: u8,
}

/// A move taken apart, for whoever lets a person choose it part by part. Cells are named as in the diagram.
///
/// No two legal moves of a position have the same parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveParts {
    /// What it does, in a word.
    pub kind: &'static str,
    /// The cell of the figure that acts, if it is one.
    pub from: Option<String>,
    /// The cell that it goes to or acts on.
    pub to: Option<String>,
    /// Which pieces of the figure act, where that is a choice.
    pub group: Vec<&'static str>,
    /// Does the group leave its stack in a turn that may go on?
    pub deploys: bool,
    /// The cell of the enemy figure that is taken or harmed.
    pub takes: Option<String>,
    /// What the figure turns into, where that is a choice.
    pub becomes: Option<&'static str>,
    /// How much is done, where that is a choice.
    pub amount: Option<u8>,
    /// What goes where or comes from where, if several cells take part.
    pub shares: Vec<Share>,
}

/// A turn that is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The cell of the figure that acts.
    pub from: String,
    /// The kinds of its pieces that have not acted yet.
    pub pieces: Vec<&'static str>,
    /// The moves of the turn so far, as the position's text writes them.
    pub steps: Vec<String>,
}

/// Something invisible that one player's figures do to cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// What it is, in English.
    pub name: &'static str,
    /// Whose figures do it.
    pub owner: Player,
    /// Each cell, with the cells of the figures that do it there.
    pub cells: Vec<(String, Vec<String>)>,
}

/// A position that can be drawn.
pub trait Draw: Position {
    /// Do some moves have [shares](MoveParts::shares)? Where figures act together or fall into parts, people want to see
    /// what comes of a move before they play it.
    const SHARES: bool = false;

    /// The board; the cells that `last` touched are marked.
    fn diagram(&self, last: Option<Self::Move>) -> Diagram;

    /// The parts of a legal move.
    fn parts(&self, m: Self::Move) -> MoveParts;

    /// The turn in progress, in games where a turn may take several moves.
    fn pending(&self) -> Option<Pending> {
        None
    }

    /// The cell of the figure of the player to move that is in [check](Position::check).
    fn checked(&self) -> Option<String> {
        None
    }

    /// What else a board could show.
    fn overlays(&self) -> Vec<Overlay> {
        Vec::new()
    }
}
