//! Diagrams: a board with its figures, independent of how a renderer draws it.

use std::borrow::Cow;

use crate::view::Theme;
use crate::{ByPlayer, Player, Position};

/// The shape of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outline {
    /// Squares side by side.
    Square,
    /// Intersections of lines; each cell is the square around its point.
    Point,
    /// Hexagons with a flat top and bottom, as wide as their cell and √3/2 as high, centred in the cell.
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
    /// The boundary of water and land: a coast or a river.
    Mixed,
    /// Land.
    Land,
}

/// The role of a piece within its figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceRole {
    /// The only piece of the figure.
    Alone,
    /// The piece that carries or holds the others.
    Carrier,
    /// A carried piece.
    Passenger,
    /// A piece held as a slave, which belongs to the opponent.
    Slave,
}

/// A piece of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FigurePiece {
    /// The kind of piece, in English.
    pub kind: &'static str,
    /// The owner.
    pub owner: Player,
    /// The role within the figure.
    pub role: PieceRole,
    /// The place in the box of the figure; `None` if the piece fills it.
    pub place: Option<Place>,
    /// The height, in games that have heights.
    pub height: Option<u8>,
    /// Whether it has a special rank: a hero, a tribun.
    pub starred: bool,
    /// Closed outlines in a box of 100 × 100, as SVG path data: the body first, then the lines drawn over it.
    /// If empty, the figure is drawn as a disc with its token.
    pub outlines: &'static [&'static str],
    /// The symbol on the body, drawn in a contrasting colour, as SVG path data filled by the even-odd rule; empty if the
    /// outlines suffice.
    pub symbol: &'static str,
    /// The mark of a special rank, such as the chevrons of a hero, as SVG path data; empty if there is none.
    pub badge: &'static str,
}

/// Where a piece stands in the box of its figure, which is 100 × 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The left edge of the box of the piece.
    pub x: i8,
    /// The upper edge of the box of the piece.
    pub y: i8,
    /// The size of the box of the piece, in percent.
    pub scale: u8,
}

/// The piece, stack or unit on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The owner.
    pub owner: Player,
    /// The letters of the figure in the text of a position, which also identify the owner.
    pub letters: String,
    /// Label for renderers that show the owner by colour.
    pub token: String,
    /// Whether it has a special rank: a hero, a tribun.
    pub starred: bool,
    /// The pieces of the figure, the leading one first; at least one. Passengers are drawn on top of the first piece. A
    /// slave is drawn beneath it, with the symbol in front.
    pub pieces: Vec<FigurePiece>,
}

/// One cell of the board: a box of width 1 and height 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The name of the cell in the notation of the game.
    pub name: String,
    /// The number of the cell in the board model of the game.
    pub index: String,
    /// The left edge, in cells from the left of the board.
    pub x: f32,
    /// The upper edge, in cells from the top of the board.
    pub y: f32,
    /// The ground of the cell.
    pub ground: Ground,
    /// Words for the terrain, the most specific first.
    pub terrain: Vec<&'static str>,
    /// The index of the cell in the planes of an observation, from the mover's perspective.
    pub place: usize,
    /// The figure on the cell.
    pub figure: Option<Figure>,
    /// Whether the cell is part of the last move.
    pub marked: bool,
}

/// A kind of landscape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneryKind {
    /// Hills, as contour lines.
    Relief,
    /// The surface of sea and rivers, filled, with a bank around it.
    Water,
    /// Lines on the water along the shore.
    Swell,
    /// Waves on open water.
    Wave,
    /// Bridges across water.
    Bridge,
}

/// A part of the landscape, drawn under the lines of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scenery {
    /// The kind of landscape.
    pub kind: SceneryKind,
    /// SVG path data in hundredths of a cell, with the first player at the bottom.
    pub path: &'static str,
}

/// A coordinate label at the edge of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// The left edge of the cell-sized box that the label is centred in.
    pub x: f32,
    /// The upper edge of that box.
    pub y: f32,
}

/// A board with everything on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// The shape of the cells.
    pub outline: Outline,
    /// The width of the board in cells.
    pub width: f32,
    /// The height of the board in cells.
    pub height: f32,
    /// The RGB colours of the players' figures.
    pub inks: ByPlayer<[u8; 3]>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The coordinates around them.
    pub labels: Vec<Label>,
    /// The landscape, from bottom to top. If there is any, it replaces the grounds of the cells.
    pub scenery: Vec<Scenery>,
    /// Whether the second player is at the bottom. Cells and labels are in their places; the scenery must be rotated by
    /// 180°.
    pub flipped: bool,
}

impl Diagram {
    /// The index of the cell with this name.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// The board with the second player at the bottom. Labels stay on their side of a rectangular board and rotate with a
    /// hexagon.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        let (right, bottom) = (self.width - 1.0, self.height - 1.0);
        for cell in &mut self.cells {
            (cell.x, cell.y) = (right - cell.x, bottom - cell.y);
        }
        self.flipped = !self.flipped;
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

/// The height that a cell gives or receives in a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// The cell.
    pub cell: Cow<'static, str>,
    /// The height.
    pub amount: u8,
}

/// The details of a move, for interfaces where a user chooses a move step by step. Cells are named as in the diagram.
///
/// No two legal moves of a position have the same details.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveDetails {
    /// The kind of move, as one word.
    pub kind: &'static str,
    /// The cell of the moving figure, if there is exactly one.
    pub from: Option<Cow<'static, str>>,
    /// The destination or target cell.
    pub to: Option<Cow<'static, str>>,
    /// The pieces of the figure that move, where there is a choice.
    pub group: Vec<&'static str>,
    /// Whether the move is a deployment step: the group leaves its stack, and the turn may continue.
    pub deploys: bool,
    /// The cell of the enemy figure that is captured or damaged.
    pub takes: Option<Cow<'static, str>>,
    /// The kind of piece that the figure promotes to, where there is a choice.
    pub becomes: Option<&'static str>,
    /// The amount of damage or height, where there is a choice.
    pub amount: Option<u8>,
    /// The height that each cell gives or receives, if several cells take part.
    pub shares: Vec<Share>,
}

impl MoveDetails {
    /// The arrows from the moving figure to its destination or target, from each cell that gives height, or to each cell
    /// that receives it.
    #[must_use]
    pub fn arrows(&self) -> Vec<Arrow> {
        let arrow =
            |from: &Cow<'static, str>, to: &Cow<'static, str>| Arrow { from: from.clone(), to: to.clone() };
        let shares = self.shares.iter().map(|share| &share.cell);
        match (&self.from, self.to.as_ref().or(self.takes.as_ref())) {
            (Some(from), Some(to)) => vec![arrow(from, to)],
            (Some(from), None) if self.shares.is_empty() => vec![arrow(from, from)],
            (Some(from), None) => shares.map(|to| arrow(from, to)).collect(),
            (None, Some(to)) if self.shares.is_empty() => vec![arrow(to, to)],
            (None, Some(to)) => shares.map(|from| arrow(from, to)).collect(),
            (None, None) => Vec::new(),
        }
    }
}

/// An arrow on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The cell where it starts.
    pub from: Cow<'static, str>,
    /// The cell that it points at.
    pub to: Cow<'static, str>,
}

/// A turn in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnInProgress {
    /// The cell of the stack that is being deployed.
    pub from: String,
    /// The kinds of its pieces that have not acted yet.
    pub pieces: Vec<&'static str>,
    /// The steps of the turn so far, as the text of the position writes them.
    pub steps: Vec<String>,
}

/// An effect of a player's figures on cells, such as a fire zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The name of the effect, in English.
    pub name: &'static str,
    /// The owner of the figures.
    pub owner: Player,
    /// The kinds of enemy pieces that the effect concerns.
    pub concerns: &'static [&'static str],
    /// Each affected cell, with the cells of the figures that cause the effect.
    pub cells: Vec<(String, Vec<String>)>,
}

/// A position that can be rendered.
pub trait Render: Position {
    /// Whether some moves have [shares](MoveDetails::shares), so that an interface should preview a move before it is played.
    const HAS_SHARES: bool = false;

    /// The puzzle themes that only this game has, in the order in which puzzles list them.
    const THEMES: &'static [Theme<Self>] = &[];

    /// The diagram of the board, with the cells of the move `last` marked.
    fn diagram(&self, last: Option<Self::Move>) -> Diagram;

    /// The details of a legal move.
    fn move_details(&self, m: Self::Move) -> MoveDetails;

    /// The arrows that show a legal move, from each cell that takes part to the cell it acts on. Both are the same cell if
    /// only one is known.
    fn arrows(&self, m: Self::Move) -> Vec<Arrow> {
        self.move_details(m).arrows()
    }

    /// The turn in progress, in games where a turn may take several moves.
    fn turn_in_progress(&self) -> Option<TurnInProgress> {
        None
    }

    /// The cell of the mover's king or commander, if it is [in check](Position::in_check).
    fn cell_in_check(&self) -> Option<String> {
        None
    }

    /// Effects that a renderer may show on top of the board.
    fn overlays(&self) -> Vec<Overlay> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str, x: f32, y: f32) -> Cell {
        Cell {
            name: name.to_owned(),
            index: String::new(),
            x,
            y,
            ground: Ground::Land,
            terrain: Vec::new(),
            place: 0,
            figure: None,
            marked: false,
        }
    }

    /// A board of two rows and three columns with a label below a column and one to the left of a row.
    fn diagram(outline: Outline) -> Diagram {
        let label = |text: &str, x, y| Label { text: text.to_owned(), x, y };
        Diagram {
            outline,
            width: 3.0,
            height: 2.0,
            inks: ByPlayer::default(),
            cells: vec![cell("a2", 0.0, 0.0), cell("b1", 1.0, 1.0)],
            labels: vec![label("a", 0.0, 2.0), label("1", -1.0, 1.0)],
            scenery: Vec::new(),
            flipped: false,
        }
    }

    type Places = Vec<(f32, f32)>;

    /// The places of the cells and of the labels.
    fn places(diagram: &Diagram) -> (Places, Places) {
        let cells = diagram.cells.iter().map(|cell| (cell.x, cell.y)).collect();
        (cells, diagram.labels.iter().map(|label| (label.x, label.y)).collect())
    }

    #[test]
    fn cells_are_found_by_name() {
        let diagram = diagram(Outline::Square);
        assert_eq!(["a2", "b1", "c1"].map(|name| diagram.cell_named(name)), [Some(0), Some(1), None]);
    }

    #[test]
    fn labels_of_a_flipped_rectangle_stay_on_their_side() {
        for outline in [Outline::Square, Outline::Point] {
            let (cells, labels) = places(&diagram(outline).flipped());
            assert_eq!(cells, [(2.0, 1.0), (1.0, 0.0)]);
            assert_eq!(labels, [(2.0, 2.0), (-1.0, 0.0)]);
        }
    }

    #[test]
    fn labels_of_a_flipped_hexagon_rotate_with_it() {
        let (cells, labels) = places(&diagram(Outline::Hexagon).flipped());
        assert_eq!(cells, [(2.0, 1.0), (1.0, 0.0)]);
        assert_eq!(labels, [(2.0, -1.0), (3.0, 0.0)]);
    }
}
