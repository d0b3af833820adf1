//! What Cờ Tư Lệnh adds to a game.

use sandtable::cotulenh::{CoTuLenh, Square, SquareSet, Terrain};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Code, Result};
use crate::game::{RawGame, player};
use crate::json;

/// A piece, by the letters of the projects that use this game: colour `r` or `b`, type in lower case.
#[derive(Serialize)]
struct Piece {
    color: char,
    #[serde(rename = "type")]
    kind: char,
    heroic: bool,
}

#[derive(Serialize)]
struct Stack {
    square: String,
    text: String,
    pieces: Vec<Piece>,
}

impl Stack {
    fn of((square, stack): (Square, sandtable::cotulenh::Stack)) -> Self {
        let pieces = stack.flatten().map(|piece| Piece {
            color: ['r', 'b'][piece.owner.index()],
            kind: piece.kind.letter().to_ascii_lowercase(),
            heroic: piece.heroic,
        });
        Self { square: square.to_string(), text: stack.to_string(), pieces: pieces.collect() }
    }
}

fn square(name: &str) -> Result<Square> {
    name.parse().map_err(|e| Code::Argument.error(format!("invalid square `{name}`: {e}")))
}

fn indices(squares: SquareSet) -> Vec<u8> {
    squares.iter().map(|square| square.index() as u8).collect()
}

#[wasm_bindgen]
impl RawGame {
    /// All stacks by mailbox index, as JSON; with `name`, the stack on that square, if there is one.
    pub fn stacks(&self, name: Option<String>) -> Result<String> {
        let board = self.as_kind::<CoTuLenh>()?.position().board();
        let stacks: Vec<_> = match name {
            None => board.all_pieces().map(Stack::of).collect(),
            Some(name) => {
                let square = square(&name)?;
                board.get(square).map(|stack| Stack::of((square, stack))).into_iter().collect()
            }
        };
        Ok(json::text(&stacks))
    }

    /// The mailbox index of a player's commander; `None` once it is captured.
    pub fn commander(&self, number: u32) -> Result<Option<u8>> {
        let owner = player(number)?;
        let position = self.as_kind::<CoTuLenh>()?.position();
        Ok(position.board().commander(owner).map(|square| square.index() as u8))
    }

    /// The mailbox indices of the squares within range of a player's air defence.
    #[wasm_bindgen(js_name = fireZones)]
    pub fn fire_zones(&self, number: u32) -> Result<Vec<u8>> {
        Ok(indices(self.as_kind::<CoTuLenh>()?.position().fire_zones(player(number)?)))
    }

    /// The mailbox indices of the squares from which a piece of either side attacks a square.
    #[wasm_bindgen(js_name = squareAttackers)]
    pub fn square_attackers(&self, name: &str) -> Result<Vec<u8>> {
        Ok(indices(self.as_kind::<CoTuLenh>()?.position().attackers(square(name)?)))
    }
}

/// The 132 squares by mailbox index, one a line: name, index and terrain.
#[must_use]
#[wasm_bindgen]
pub fn squares() -> String {
    crate::game::lines(Square::all().map(|square| {
        let terrain = match square.terrain() {
            Terrain::Water => "water",
            Terrain::Mixed => "mixed",
            Terrain::Land => "land",
        };
        format!("{square} {} {terrain}", square.index())
    }))
}
