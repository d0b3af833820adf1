//! Text forms: positions ([`fen`]), steps ([`lan`], [`step_text`]), deployments ([`deployment`]), turns ([`turn`]) and
//! games ([`record`]).

mod deployment;
mod fen;
mod lan;
mod record;
mod step_text;
mod turn;

pub(crate) use deployment::step_texts as deploy_step_texts;
pub use fen::{FenField, FenReason, FigureError, PositionError};
pub(crate) use fen::{parse_figure, write_placement};
pub(crate) use lan::Pieces;
pub use lan::{IllegalReason, MoveError};
pub use record::{RecordError, RecordFault};

use sandtable_core::Notation;

use crate::{CoTuLenh, Rules, Step};

impl Notation for CoTuLenh {
    type PositionError = PositionError;
    type MoveError = MoveError;
    type Records = record::Records;
    const RECORD_EXTENSION: &'static str = "ctl";
    const SAN_IS_TEXT: bool = false;

    fn to_text(&self) -> String {
        fen::write(self)
    }

    fn from_text(text: &str, rules: Rules) -> Result<Self, PositionError> {
        fen::parse(text, rules)
    }

    fn move_text(&self, step: Step) -> String {
        lan::write(self, step)
    }

    fn move_san(&self, step: Step) -> String {
        lan::write_san(self, step)
    }

    fn move_sans(&self, legal: &[Step]) -> Vec<String> {
        lan::write_sans(self, legal)
    }

    fn parse_move(&self, text: &str) -> Result<Step, MoveError> {
        lan::parse(self, text)
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Step>, MoveError> {
        turn::parse(self, text)
    }

    fn turn_text(&self, steps: &[Step]) -> String {
        turn::write(self, steps)
    }

    fn move_number(&self) -> usize {
        self.fullmoves() as usize
    }
}
