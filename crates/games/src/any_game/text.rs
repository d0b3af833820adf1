//! Texts of a game of any kind.

use sandtable_core::learn::PolicyIndex;
use sandtable_core::record::{Annotations, Tags};
use sandtable_core::rules::{ends_turn, for_each_turn};
use sandtable_core::view::MoveDetails;
use sandtable_core::{Game, Notation, Player, PolicyIndexed};

use super::Playable;
use super::annotations::annotated_record;
use crate::Error;

/// A move in all its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveInfo {
    /// The long form that programs exchange.
    pub text: String,
    /// The short form that people write.
    pub san: String,
    /// The number on the wire, in games that have one.
    pub word: Option<u32>,
    /// The policy index.
    pub index: PolicyIndex,
}

impl MoveInfo {
    /// `san` may be left out if it is the [text](Notation::SAN_IS_TEXT).
    fn new<P: Notation + PolicyIndexed>(position: &P, m: P::Move, san: Option<String>) -> Self {
        let text = position.move_text(m);
        let san = san.unwrap_or_else(|| text.clone());
        Self { text, san, word: position.move_word(m), index: position.policy_index(m) }
    }

    /// Legal moves from index `offset` on, in all their forms.
    fn of_legal<P: Notation + PolicyIndexed>(
        position: &P,
        legal: &[P::Move],
        offset: usize,
    ) -> impl Iterator<Item = (P::Move, Self)> {
        // The SAN of a move may depend on all legal moves.
        let mut sans = (!P::SAN_IS_TEXT).then(|| position.move_sans(legal).into_iter().skip(offset));
        let page = legal.iter().skip(offset);
        page.map(move |&m| (m, Self::new(position, m, sans.as_mut().and_then(Iterator::next))))
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The player.
    pub player: Player,
    /// The move.
    pub info: MoveInfo,
}

/// A part of the legal moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalPage {
    /// The moves of this part, with their details.
    pub moves: Vec<(MoveInfo, MoveDetails)>,
    /// The number of all legal moves.
    pub count: usize,
}

/// A complete turn and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnInfo {
    /// The turn as records write it.
    pub text: String,
    /// The moves of the turn, in the form that programs exchange.
    pub moves: Vec<String>,
    /// The text of the position after the turn.
    pub position: String,
}

impl TurnInfo {
    /// A complete turn between two positions.
    fn new<P: Notation>(before: &P, moves: &[P::Move], after: &P) -> Self {
        Self { text: before.turn_text(moves), moves: line_text(before, moves), position: after.to_text() }
    }
}

/// Texts: positions, moves, turns and records.
pub trait AnyText {
    /// The text of the current position.
    fn position_text(&self) -> String;
    /// The text of the position that the game started from.
    fn first_position_text(&self) -> String;
    /// The legal moves in all their forms; none once the game is over.
    fn legal_moves(&self) -> Vec<MoveInfo>;
    /// A part of the legal moves, in the same order as [`legal_moves`](Self::legal_moves), with their details.
    fn legal_page(&self, offset: usize, limit: usize) -> LegalPage;
    /// One complete turn for each different position that a turn can reach; none once the game is over.
    fn turns(&self) -> Vec<TurnInfo>;
    /// The complete turns of a line from the current position, given as moves in any notation of the game. A last turn that is
    /// not complete is left out.
    fn line_turns(&self, line: &[String]) -> Result<Vec<TurnInfo>, Error>;
    /// The number of the turn that begins in the current position, as records count.
    fn move_number(&self) -> usize;
    /// The moves played so far, in the form that programs exchange.
    fn moves_played(&self) -> Vec<String>;
    /// The moves played so far, as people write them.
    fn sans_played(&self) -> Vec<String>;
    /// The moves played from `ply` on, in all their forms.
    fn played_since(&self, ply: usize) -> Vec<PlayedMove>;
    /// The number of a legal move on the wire, in games that have one.
    fn action_word(&self, text: &str) -> Option<u32>;
    /// The record of the game, without annotations.
    fn record(&self, tags: &Tags) -> String;
    /// The record of the game with annotations. The moves of variations may be in any notation of the game; an illegal one is an
    /// error.
    fn annotated_record(&self, tags: &Tags, annotations: &Annotations<String>) -> Result<String, Error>;
    /// The board as bytes, in games whose wire form is bytes.
    fn board_bytes(&self) -> Option<Vec<u8>>;
}

impl<P: Playable> AnyText for Game<P> {
    fn position_text(&self) -> String {
        Self::position_text(self)
    }

    fn first_position_text(&self) -> String {
        Self::first_position_text(self)
    }

    fn legal_moves(&self) -> Vec<MoveInfo> {
        let position = self.position();
        let legal = Self::legal_moves(self);
        MoveInfo::of_legal(position, &legal, 0).map(|(_, info)| info).collect()
    }

    fn legal_page(&self, offset: usize, limit: usize) -> LegalPage {
        let position = self.position();
        let legal = Self::legal_moves(self);
        let page = MoveInfo::of_legal(position, &legal, offset).take(limit);
        let moves = page.map(|(m, info)| (info, position.move_details(m))).collect();
        LegalPage { moves, count: legal.len() }
    }

    fn turns(&self) -> Vec<TurnInfo> {
        let mut turns = Vec::new();
        if Self::is_over(self) {
            return turns;
        }
        for_each_turn(self.position(), &mut |turn| {
            turns.push(TurnInfo::new(self.position(), &turn.moves, &turn.position));
        });
        turns
    }

    fn line_turns(&self, line: &[String]) -> Result<Vec<TurnInfo>, Error> {
        let mut turns = Vec::new();
        let mut start = self.position().clone();
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for text in line {
            let m = position.parse_move(text)?;
            position.play_unchecked(m);
            moves.push(m);
            if ends_turn(start.turn(), &position) {
                turns.push(TurnInfo::new(&start, &moves, &position));
                moves.clear();
                start = position.clone();
            }
        }
        Ok(turns)
    }

    fn move_number(&self) -> usize {
        self.position().move_number()
    }

    fn moves_played(&self) -> Vec<String> {
        self.history().map(|(position, m)| position.move_text(m)).collect()
    }

    fn sans_played(&self) -> Vec<String> {
        self.history().map(|(position, m)| position.move_san(m)).collect()
    }

    fn played_since(&self, ply: usize) -> Vec<PlayedMove> {
        let played = |(position, m): (&P, P::Move)| PlayedMove {
            player: position.turn(),
            info: MoveInfo::new(position, m, (!P::SAN_IS_TEXT).then(|| position.move_san(m))),
        };
        self.history().skip(ply).map(played).collect()
    }

    fn action_word(&self, text: &str) -> Option<u32> {
        let position = self.position();
        position.move_word(position.parse_move(text).ok()?)
    }

    fn record(&self, tags: &Tags) -> String {
        Self::record(self, tags)
    }

    fn annotated_record(&self, tags: &Tags, annotations: &Annotations<String>) -> Result<String, Error> {
        annotated_record(self, tags, annotations)
    }

    fn board_bytes(&self) -> Option<Vec<u8>> {
        self.position().to_bytes()
    }
}

/// A sequence of legal moves from `position`, in the form that programs exchange.
#[must_use]
pub fn line_text<P: Notation>(position: &P, moves: &[P::Move]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&m: &P::Move| {
        let text = position.move_text(m);
        position.play_unchecked(m);
        text
    };
    moves.iter().map(text).collect()
}
