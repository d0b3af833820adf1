//! What Tribun adds to a game.

use sandtable::core::{Notation as _, Player};
use sandtable::tribun::{Board, Event, Height, Rules, Tile, TileColor, Tribun, TribunExt as _, Unit};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Code, Result};
use crate::game::{RawGame, lines, player};
use crate::json;

/// The parts of a unit byte.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnitParts {
    color: char,
    height: u8,
    slave: Option<u8>,
    is_tribun: bool,
}

fn tile(name: &str) -> Result<Tile> {
    name.parse().map_err(|e| Code::Argument.error(format!("invalid tile `{name}`: {e}")))
}

#[wasm_bindgen]
impl RawGame {
    /// The unit bytes of all 121 cids.
    #[wasm_bindgen(js_name = boardBytes)]
    pub fn board_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.as_kind::<Tribun>()?.position().board().to_bytes().to_vec())
    }

    /// The cid of a player's tribun.
    pub fn tribun(&self, number: u32) -> Result<u8> {
        Ok(self.as_kind::<Tribun>()?.position().board().tribun(player(number)?).cid())
    }

    /// The action words of the legal moves, ascending.
    #[wasm_bindgen(js_name = legalWords)]
    pub fn legal_words(&self) -> Result<Vec<u32>> {
        let game = self.as_kind::<Tribun>()?;
        let position = game.position();
        let mut words: Vec<_> = game.legal_moves().iter().filter_map(|&m| position.move_word(m)).collect();
        words.sort_unstable();
        Ok(words)
    }

    /// The action words of the moves played.
    #[wasm_bindgen(js_name = wordsPlayed)]
    pub fn words_played(&self) -> Result<Vec<u32>> {
        let game = self.as_kind::<Tribun>()?;
        Ok(game.history().filter_map(|(position, m)| position.move_word(m)).collect())
    }

    /// The action word of a legal move.
    #[wasm_bindgen(js_name = wordOf)]
    pub fn word_of(&self, text: &str) -> Result<u32> {
        let position = self.as_kind::<Tribun>()?.position();
        let m = position.parse_move(text).map_err(|e| Code::Move.error(e))?;
        position.move_word(m).ok_or_else(|| Code::Move.error(format!("{text} has no action word")))
    }

    /// Applies an event: a board action, a draw action or an end.
    #[wasm_bindgen(js_name = applyWord)]
    pub fn apply_word(&mut self, word: u32) -> Result<()> {
        let event = Event::from_word(word).map_err(|e| Code::Move.error(e))?;
        self.as_kind_mut::<Tribun>()?.apply(event).map_err(|e| Code::Move.error(e))
    }

    /// The cids of the units of both players that attack a tile.
    #[wasm_bindgen(js_name = tileAttackers)]
    pub fn tile_attackers(&self, name: &str) -> Result<Vec<u8>> {
        let attackers = self.as_kind::<Tribun>()?.position().attackers(tile(name)?);
        Ok(attackers.iter().map(Tile::cid).collect())
    }
}

/// The 91 tiles by cid, one a line: name, cid, x, y and colour.
#[must_use]
#[wasm_bindgen]
pub fn tiles() -> String {
    lines(Tile::all().map(|tile| {
        let color = match tile.color() {
            TileColor::Gray => "gray",
            TileColor::Black => "black",
            TileColor::White => "white",
        };
        format!("{tile} {} {} {} {color}", tile.cid(), tile.x(), tile.y())
    }))
}

/// The parts of a unit byte, as JSON; `null` for the byte of an empty tile.
#[wasm_bindgen(js_name = unitParts)]
pub fn unit_parts(byte: u8) -> Result<String> {
    let unit = Unit::from_byte(byte).map_err(|e| Code::Argument.error(e))?;
    Ok(json::text(&unit.map(|unit| UnitParts {
        color: if unit.owner() == Player::First { 'b' } else { 'w' },
        height: unit.primary().value(),
        slave: unit.slave().map(Height::value),
        is_tribun: unit.is_tribun(),
    })))
}

/// The text of a position given as the unit bytes of all 121 cids.
#[wasm_bindgen(js_name = positionOfBytes)]
pub fn position_of_bytes(bytes: &[u8], turn: u32) -> Result<String> {
    let bytes = bytes.try_into().map_err(|_| {
        Code::Argument.error(format!("a board has {} bytes, not {}", Tile::CIDS, bytes.len()))
    })?;
    let board = Board::from_bytes(bytes).map_err(|e| Code::Position.error(e))?;
    Ok(Tribun::new(board, player(turn)?, Rules::default()).to_text())
}
