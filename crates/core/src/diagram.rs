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

/// What stands on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Whose it is.
    pub owner: Player,
    /// Its letters, as the position's text writes them: they alone say what it is and whose.
    pub letters: String,
    /// What to write where colour says whose it is.
    pub token: String,
    /// Closed outlines in a box of 100 × 100, as SVG path data: the body first, then the lines drawn over it.
    /// Without any, the figure is drawn as a disc with its token.
    pub outlines: &'static [&'static str],
    /// What is painted on the body in a colour that stands out from it, as path data filled by the even-odd rule;
    /// empty where the outlines alone say what the figure is.
    pub symbol: &'static str,
    /// Smaller figures on this one: the passengers of a stack, a slave.
    pub carried: Vec<Figure>,
    /// Does it have a rank that the others lack (a hero, a tribun)?
    pub starred: bool,
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

/// A position that can be drawn.
pub trait Draw: Position {
    /// The board; the cells that `last` touched are marked.
    fn diagram(&self, last: Option<Self::Move>) -> Diagram;
}
