//! What chess adds to a game.

use sandtable::chess::{Chess, Piece, Square};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Code, Result};
use crate::game::RawGame;

#[wasm_bindgen]
impl RawGame {
    /// The 64 squares from a8 to h1: the letter of the piece as in FEN, or a dot.
    #[wasm_bindgen(js_name = chessBoard)]
    pub fn chess_board(&self) -> Result<String> {
        let position = self.as_kind::<Chess>()?.position();
        let rows = (1..=8).rev();
        let squares = rows.flat_map(|rank| (0..8).filter_map(move |file| Square::from_coords(file, rank)));
        Ok(squares.map(|square| position.piece_on(square).map_or('.', Piece::letter)).collect())
    }

    /// The reason why the side to move may claim a draw, if it may.
    #[wasm_bindgen(js_name = claimableDraw)]
    pub fn claimable_draw(&self) -> Result<Option<String>> {
        Ok(self.as_kind::<Chess>()?.claimable_draw().map(|reason| reason.to_string()))
    }

    /// Claims a draw. Returns the reason.
    #[wasm_bindgen(js_name = claimDraw)]
    pub fn claim_draw(&mut self) -> Result<String> {
        let reason = self.as_kind_mut::<Chess>()?.claim_draw();
        reason.map(|reason| reason.to_string()).ok_or_else(|| Code::Draw.error("no draw to claim"))
    }
}
