//! Text: positions ([`fen`]), steps and turns ([`lan`]), whole games ([`record`]).

mod fen;
mod lan;
mod record;

pub use fen::{FenError, FenReason};
pub(crate) use fen::{read_figure, write_placement};
pub use lan::{LanError, TurnError};
pub(crate) use lan::{deployment_steps_text, kinds_text};
pub use record::{RecordError, RecordReason};

use sandtable_core::{Game, Notation, Tags};

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

    fn write_record(game: &Game<Self>, tags: &Tags) -> String {
        record::write(game, tags)
    }

    fn read_record(text: &str, rules: Rules) -> Result<(Game<Self>, Tags), RecordError> {
        record::read(text, rules)
    }
}

impl Position {
    /// The text of a complete turn that begins here: the LAN of a whole move, or `c3:T:N>c5,F>xe5` for a deployment.
    ///
    /// The steps are legal one after the other, and the last of them ends the turn.
    #[must_use]
    pub fn turn_text(&self, steps: &[Step]) -> String {
        lan::turn_text(self, steps)
    }

    /// Reads a complete turn that begins here; the inverse of [`turn_text`](Self::turn_text).
    pub fn parse_turn(&self, text: &str) -> Result<Vec<Step>, TurnError> {
        lan::parse_turn(self, text)
    }
}
