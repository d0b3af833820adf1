//! Text forms: positions ([`fen`]), steps ([`lan`], [`step_text`]), turns ([`turn`]) and games ([`record`]).

mod fen;
mod lan;
mod record;
mod step_text;
mod turn;

pub use fen::{FenError, FenField, FenReason, FigureError};
pub(crate) use fen::{read_figure, write_placement};
pub use lan::LanError;
pub(crate) use lan::kinds_text;
pub use record::{RecordError, RecordReason};
pub(crate) use turn::deploy_step_texts;

use sandtable_core::{Annotations, Game, Notation, Record, Tags};

use crate::{Position, Rules, Step};

impl Notation for Position {
    type PositionError = FenError;
    type MoveError = LanError;
    type RecordError = RecordError;
    const RECORD_EXTENSION: &'static str = "ctl";

    fn to_text(&self) -> String {
        fen::write(self)
    }

    fn from_text(text: &str, rules: Rules) -> Result<Self, FenError> {
        fen::read(text, rules)
    }

    fn move_text(&self, step: Step) -> String {
        lan::text(self, step)
    }

    fn move_san(&self, step: Step) -> String {
        lan::san(self, step)
    }

    fn move_sans(&self, legal: &[Step]) -> Vec<String> {
        lan::sans(self, legal)
    }

    fn parse_move(&self, text: &str) -> Result<Step, LanError> {
        lan::parse(self, text)
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Step>, LanError> {
        turn::parse_turn(self, text)
    }

    fn turn_text(&self, steps: &[Step]) -> String {
        turn::turn_text(self, steps)
    }

    fn move_number(&self) -> usize {
        self.fullmoves() as usize
    }

    fn write_record(game: &Game<Self>, tags: &Tags, annotations: &Annotations<Step>) -> String {
        record::write(game, tags, annotations)
    }

    fn read_record(text: &str, rules: Rules) -> Result<Record<Self>, RecordError> {
        record::read(text, rules)
    }
}
