//! PGN: game records with tags, comments, annotations and variations.
//!
//! ```
//! use sandtable_chess::DrawRules;
//! use sandtable_chess::notation::pgn::{Pgn, PgnResult};
//!
//! let pgn = Pgn::read("[White \"Anna\"]\n\n1. f3 e5 2. g4?? {oops} (2. Nc3) Qh4# 0-1", DrawRules::default())?;
//! assert_eq!((pgn.tag("White"), pgn.result), (Some("Anna"), PgnResult::BlackWins));
//! assert_eq!(pgn.annotations().note(3).unwrap().comment, "oops");
//! assert_eq!(pgn.annotations().variations(2).len(), 1);
//! # Ok::<(), sandtable_chess::notation::pgn::PgnError>(())
//! ```
//!
//! The writer is strict: the seven standard tags first, moves in SAN, lines shorter than 80 characters. The parser also
//! accepts:
//!
//! - tags in any order;
//! - moves in UCI;
//! - a missing result at the end of a game;
//! - lines that begin with `%`, which it skips;
//! - `!`, `?`, `!!`, `??`, `!?` and `?!` as the numeric annotations 1 to 6;
//! - missing or wrong move numbers.

use std::fmt;

use sandtable_core::record::{
    Annotations, Movetext, MovetextWriter, Record, RecordError, RecordFault, RecordScanner, RecordSyntax,
    Tags, without_places, write_tag,
};
use sandtable_core::{Describe, Game, Notation as _, Outcome, Position, Rules as _};

use super::MoveError;
use super::fen::{FenError, START};
use super::san::San;
use crate::{BLACK, Chess, DrawRules, Ending, Move, Reason, WHITE};

/// A game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgn {
    /// The tag pairs, in order.
    pub tags: Tags,
    start: Chess,
    /// Private, because each move must be legal after the moves before it.
    moves: Vec<Move>,
    /// Private, because the moves of variations must be legal.
    annotations: Annotations<Move>,
    /// The result.
    pub result: PgnResult,
}

/// The result of a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is in progress, or its result is unknown.
    Unknown,
}

impl PgnResult {
    const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The text of the result.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.text() == text)
    }

    const fn of(outcome: Outcome<Reason>) -> Self {
        match outcome {
            Outcome::Ongoing => Self::Unknown,
            Outcome::Draw { .. } => Self::Draw,
            Outcome::Win { winner: WHITE, .. } => Self::WhiteWins,
            Outcome::Win { winner: BLACK, .. } => Self::BlackWins,
        }
    }

    const fn with(self, reason: Reason) -> Outcome<Reason> {
        match self {
            Self::Unknown => Outcome::Ongoing,
            Self::Draw => Outcome::Draw { reason },
            Self::WhiteWins => Outcome::Win { winner: WHITE, reason },
            Self::BlackWins => Outcome::Win { winner: BLACK, reason },
        }
    }
}

/// An error in a PGN and its place.
pub type PgnError = RecordError<PgnFault>;

/// The kinds of errors in a PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_pgn")]
#[non_exhaustive]
pub enum PgnFault {
    /// The text contains no game.
    #[error("no game found")]
    NoGame,
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] RecordFault),
    /// A move that is malformed or not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The FEN tag does not hold a valid position.
    #[error("invalid FEN tag: {0}")]
    Fen(
        #[from]
        #[param(message)]
        FenError,
    ),
}

/// The turns of a PGN: moves in SAN or UCI.
struct Syntax;

impl RecordSyntax<Chess> for Syntax {
    type Fault = PgnFault;

    const RESULTS: &'static [&'static str] = &["1-0", "0-1", "1/2-1/2", "*"];

    fn parse_turn(&self, position: &Chess, _: usize, text: &str) -> Result<Vec<Move>, PgnFault> {
        // A move number may lack its dots or be separated from them: `7 e5`, `1 . e4`.
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Vec::new());
        }
        Ok(vec![position.parse_move(text)?])
    }

    fn turn_text(&self, position: &Chess, line: &[Move]) -> (String, usize) {
        (San::with_check(position, line[0]), 1)
    }
}

impl Pgn {
    /// Reads the first game of a text.
    pub fn read(text: &str, rules: DrawRules) -> Result<Self, PgnError> {
        let no_game = PgnError { line: 1, column: 1, fault: PgnFault::NoGame };
        Self::read_all(text, rules).next().unwrap_or(Err(no_game))
    }

    /// Reads all games of a text. After an error, it continues with the next set of tags.
    pub fn read_all(text: &str, rules: DrawRules) -> impl Iterator<Item = Result<Self, PgnError>> {
        let mut scanner = RecordScanner::new(text);
        std::iter::from_fn(move || {
            loop {
                scanner.skip_space();
                if scanner.rest().is_empty() {
                    return None;
                }
                match read_game(&mut scanner, rules) {
                    Ok(None) => {}
                    Ok(Some(game)) => return Some(Ok(game)),
                    Err(error) => {
                        scanner.skip_to_next_game();
                        return Some(Err(error));
                    }
                }
            }
        })
    }

    /// The first position of the game.
    #[must_use]
    pub const fn start(&self) -> &Chess {
        &self.start
    }

    /// The moves of the main line.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The comments, glyphs and variations.
    #[must_use]
    pub const fn annotations(&self) -> &Annotations<Move> {
        &self.annotations
    }

    /// Replaces the glyphs and the comment after `ply` moves; 0 is before the first move. Returns whether there are that many
    /// moves.
    pub fn annotate(&mut self, ply: usize, glyphs: &[u8], comment: &str) -> bool {
        if ply > self.moves.len() {
            return false;
        }
        self.annotations.remove_note(ply);
        for &glyph in glyphs {
            self.annotations.add_glyph(ply, glyph);
        }
        self.annotations.add_comment(ply, comment);
        true
    }

    /// Returns the record of a game. `Result`, `SetUp`, `FEN`, `Termination` and `Rules` come from the game; these
    /// names are ignored in `tags`. The moves of variations must be legal.
    #[must_use]
    pub fn from_game(game: &Game<Chess>, tags: &Tags, annotations: Annotations<Move>) -> Self {
        let outcome = game.outcome();
        let result = PgnResult::of(outcome);
        let mut derived = vec![("Result", result.text().to_owned())];
        let start = game.first_position();
        if start.to_fen() != START {
            derived.extend([("SetUp", "1".to_owned()), ("FEN", start.to_fen())]);
        }
        derived.extend(outcome.reason().map(|reason| ("Termination", reason.to_string())));
        // Every reader assumes the default rules, so they need no tag.
        let rules = Some(start.rules()).filter(|rules| *rules != DrawRules::default());
        derived.extend(rules.and_then(|rules| rules.name()).map(|name| ("Rules", name.to_owned())));
        let given = tags.iter().filter(|(name, _)| {
            let name = name.as_str();
            !["Termination", "Rules"].contains(&name) && !FROM_GAME.contains(&name)
        });
        let given = given.cloned();
        let tags = given.chain(derived.into_iter().map(|(name, value)| (name.to_owned(), value))).collect();
        Self { tags, start: start.clone(), moves: game.moves_played().collect(), annotations, result }
    }

    /// Returns the game. The recorded result ends the game, unless the game is already over in the last position.
    #[must_use]
    pub fn to_game(&self) -> Game<Chess> {
        let mut game = Game::from_position(self.start.clone());
        for &m in &self.moves {
            game.replay(m).expect("each move was legal when it was parsed");
        }
        if self.result != PgnResult::Unknown {
            game.declare(self.result.with(self.declared_reason().unwrap_or(Reason::Rule(Ending::Recorded))));
        }
        game
    }

    /// The reason in the `Termination` tag, if players can end a game for that reason with the recorded result. Other
    /// reasons, such as checkmate and stalemate, follow from the position and are ignored in the tag.
    fn declared_reason(&self) -> Option<Reason> {
        let reason: Reason = self.tag("Termination")?.to_ascii_lowercase().parse().ok()?;
        let possible = match self.result {
            PgnResult::WhiteWins | PgnResult::BlackWins => {
                matches!(reason, Reason::Resignation | Reason::Time | Reason::Abandonment)
            }
            PgnResult::Draw => matches!(
                reason,
                Reason::Agreement
                    | Reason::Rule(Ending::ThreefoldRepetition | Ending::FiftyMoves)
                    | Reason::Time
                    | Reason::GameTime
            ),
            PgnResult::Unknown => false,
        };
        possible.then_some(reason)
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

impl From<Pgn> for Record<Chess> {
    fn from(pgn: Pgn) -> Self {
        Self { game: pgn.to_game(), tags: pgn.tags, annotations: pgn.annotations }
    }
}

/// The tags that every PGN has before `Result`, with their values for "unknown".
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// The tags that the writer derives from the game. Their values in [`Pgn::tags`] are ignored.
const FROM_GAME: [&str; 3] = ["Result", "SetUp", "FEN"];

impl fmt::Display for Pgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let roster = ROSTER.iter().map(|(name, unknown)| (*name, self.tag(name).unwrap_or(unknown)));
        let mut tags: Vec<(&str, &str)> = roster.chain([("Result", self.result.text())]).collect();
        let fen = self.start.to_fen();
        if fen != START {
            tags.extend([("SetUp", "1"), ("FEN", &fen)]);
        }
        let others = self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        tags.extend(
            others.filter(|(name, _)| ROSTER.iter().all(|(tag, _)| tag != name) && !FROM_GAME.contains(name)),
        );
        for (name, value) in tags {
            write_tag(f, name, value)?;
        }
        writeln!(f)?;
        let writer = MovetextWriter {
            syntax: &Syntax,
            start: &self.start,
            moves: &self.moves,
            annotations: &self.annotations,
            states: &[],
            result: Some(self.result.text()),
        };
        writer.write(f)
    }
}

/// Parses one game. `None` if only comments precede the end of the text.
fn read_game(scanner: &mut RecordScanner<'_>, rules: DrawRules) -> Result<Option<Pgn>, PgnError> {
    let tags = scanner.tags()?;
    let find = |wanted| tags.iter().find(|(_, name, _)| name == wanted);
    let rules = find("Rules").and_then(|(_, _, name)| DrawRules::named(name)).unwrap_or(rules);
    let start = match find("FEN") {
        Some((place, _, fen)) => Chess::from_fen(fen, rules).map_err(|error| scanner.error(*place, error))?,
        None => Chess::start(rules),
    };
    let Movetext { moves, annotations, result, .. } = scanner.movetext(start.clone(), &Syntax)?;
    let is_game = !tags.is_empty() || !moves.is_empty() || result.is_some();
    // Movetext without a result: the tag has it.
    let result = result.map(|(text, _)| text).or(find("Result").map(|(_, _, text)| text.as_str()));
    let result = result.and_then(PgnResult::from_text).unwrap_or(PgnResult::Unknown);
    Ok(is_game.then(|| Pgn { tags: without_places(tags), start, moves, annotations, result }))
}
