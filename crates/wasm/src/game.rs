//! `RawGame`: a game of any kind.

use std::any::Any;
use std::cell::RefCell;

use js_sys::{Float32Array, Uint8Array};
use sandtable::core::Player;
use sandtable::core::learn::{Layout, PolicyIndex};
use sandtable::core::record::{Annotations, Tags};
use sandtable::core::rules::DrawAction;
use sandtable::games::Playable;
use sandtable::render::{SvgOptions, TerminalOptions, svg, terminal};
use sandtable::{AnyGame, BoxedGame, GameKind, find};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Code, Result};
use crate::json;

thread_local! {
    /// Memory for observations and masks, reused from call to call: WebAssembly cannot write into a JavaScript array.
    static OBSERVATION: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
    static MASK: RefCell<(Vec<bool>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// A game in progress: a position with its history, and the tags and annotations of its record.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawGame {
    pub(crate) game: BoxedGame,
    tags: Tags,
    /// Comments, glyphs and variations of the record that the game was read from.
    annotations: Annotations<String>,
}

/// The kind with this name and its rules; the default rules if none are given.
fn kind_and_rules(kind: &str, rules: Option<String>) -> Result<(&'static GameKind, String)> {
    let kind = find(kind).map_err(|e| Code::Argument.error(e))?;
    let known = kind.rules;
    let rules = rules.unwrap_or_else(|| known[0].to_owned());
    if known.contains(&&*rules) {
        return Ok((kind, rules));
    }
    // An unknown name of rules has its own message, whatever else is wrong.
    let error = kind.palette(&rules).expect_err("these rules are unknown");
    Err(Code::Argument.error(error))
}

/// Converts a player number.
pub(crate) fn player(number: u32) -> Result<Player> {
    let found = Player::ALL.get(number as usize).copied();
    found.ok_or_else(|| Code::Argument.error(format!("unknown player {number}: expected 0 or 1")))
}

/// Joins texts that contain no line breaks: a single string crosses the boundary much faster than many.
pub(crate) fn lines(texts: impl IntoIterator<Item = String>) -> String {
    let mut joined = String::new();
    for text in texts {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(&text);
    }
    joined
}

fn parse_tags(tags: &str) -> Result<Tags> {
    serde_json::from_str(tags).map_err(|e| Code::Argument.error(format!("tags: {e}")))
}

const fn layout(channels_first: bool) -> Layout {
    if channels_first { Layout::Chw } else { Layout::Hwc }
}

impl RawGame {
    /// The game of one kind.
    pub(crate) fn as_kind<P: Playable>(&self) -> Result<&sandtable::core::Game<P>> {
        let game: &dyn Any = &*self.game;
        game.downcast_ref()
            .ok_or_else(|| Code::Argument.error(format!("not possible in a game of {}", self.game.name())))
    }

    /// The mutable version of [`as_kind`](Self::as_kind).
    #[cfg(any(feature = "chess", feature = "tribun"))]
    pub(crate) fn as_kind_mut<P: Playable>(&mut self) -> Result<&mut sandtable::core::Game<P>> {
        let name = self.game.name();
        let game: &mut dyn Any = &mut *self.game;
        game.downcast_mut().ok_or_else(|| Code::Argument.error(format!("not possible in a game of {name}")))
    }

    pub(crate) fn as_dyn(&self) -> &dyn AnyGame {
        &*self.game
    }
}

#[wasm_bindgen]
impl RawGame {
    /// A game from the start position, or from the text of a position.
    pub fn create(kind: &str, rules: Option<String>, position: Option<String>) -> Result<Self> {
        let (kind, rules) = kind_and_rules(kind, rules)?;
        let game = match position {
            None => kind.start(&rules),
            Some(text) => kind.parse(&text, &rules),
        };
        Ok(Self {
            game: game.map_err(|e| Code::Position.error(e))?,
            tags: Tags::new(),
            annotations: Annotations::default(),
        })
    }

    /// The first game of a record.
    #[wasm_bindgen(js_name = fromRecord)]
    pub fn from_record(kind: &str, rules: Option<String>, record: &str) -> Result<Self> {
        let (kind, rules) = kind_and_rules(kind, rules)?;
        let loaded = kind.load_record(record, &rules).map_err(|e| Code::Record.error(e))?;
        Ok(Self { game: loaded.game, tags: loaded.tags, annotations: loaded.annotations })
    }

    /// A game from its first position and its moves, one a line. Accepts moves after a draw by rule, as records do.
    pub fn restore(kind: &str, rules: Option<String>, first: String, moves: &str) -> Result<Self> {
        let mut restored = Self::create(kind, rules, Some(first))?;
        for text in moves.lines() {
            restored.game.replay(text).map_err(|e| Code::Move.error(e))?;
        }
        Ok(restored)
    }

    /// A copy with the same history, tags and annotations.
    #[must_use]
    #[wasm_bindgen(js_name = clone)]
    pub fn copy(&self) -> Self {
        Self { game: self.game.clone_box(), tags: self.tags.clone(), annotations: self.annotations.clone() }
    }

    /// Whether both games went through the same positions by the same moves to the same end.
    #[must_use]
    pub fn equals(&self, other: &Self) -> bool {
        self.game.is_same_game(other.as_dyn())
    }

    /// The name of the rules, if they are a preset.
    #[must_use]
    pub fn rules(&self) -> Option<String> {
        self.game.rules().map(ToOwned::to_owned)
    }

    /// The text of the current position.
    #[must_use]
    pub fn position(&self) -> String {
        self.game.position_text()
    }

    /// The text of the position that the game started from.
    #[must_use]
    #[wasm_bindgen(js_name = firstPosition)]
    pub fn first_position(&self) -> String {
        self.game.first_position_text()
    }

    /// The side to move: 0 or 1.
    #[must_use]
    pub fn player(&self) -> u32 {
        self.game.turn().index() as u32
    }

    /// Whether the side to move is in check; `None` in games without check.
    #[must_use]
    #[wasm_bindgen(js_name = inCheck)]
    pub fn in_check(&self) -> Option<bool> {
        self.game.in_check()
    }

    /// Whether the game is over.
    #[must_use]
    #[wasm_bindgen(js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// The outcome as JSON: `null` while the game is in progress.
    #[must_use]
    pub fn outcome(&self) -> String {
        json::text(&json::Outcome::of(self.as_dyn()))
    }

    /// The hash of the position.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.game.hash64()
    }

    /// The number of moves played.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.game.ply() as u32
    }

    /// How often the current position has occurred.
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        self.game.occurrences()
    }

    /// The legal moves in the long form, one a line.
    #[must_use]
    #[wasm_bindgen(js_name = legalTexts)]
    pub fn legal_texts(&self) -> String {
        lines(self.game.legal_moves().into_iter().map(|m| m.text))
    }

    /// The legal moves as people write them, one a line.
    #[must_use]
    #[wasm_bindgen(js_name = legalSans)]
    pub fn legal_sans(&self) -> String {
        lines(self.game.legal_moves().into_iter().map(|m| m.san))
    }

    /// The legal moves with all details, as JSON; with `from`, those of the figure on that cell.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen passes strings by value")]
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self, from: Option<String>) -> String {
        json::text(&json::legal_moves(self.as_dyn(), from.as_deref()))
    }

    /// The names of all cells, one a line.
    #[must_use]
    pub fn cells(&self) -> String {
        lines(self.game.diagram().cells.into_iter().map(|cell| cell.name))
    }

    /// The legal policy indices in ascending order.
    #[must_use]
    #[wasm_bindgen(js_name = legalActions)]
    pub fn legal_actions(&self) -> Vec<u32> {
        self.game.legal_indices().into_iter().map(|index| index.0).collect()
    }

    /// One complete turn for each position that a turn can reach, as JSON.
    #[must_use]
    pub fn turns(&self) -> String {
        json::text(&self.game.turns().into_iter().map(json::Turn::from).collect::<Vec<_>>())
    }

    /// The turn in progress as JSON; `null` if there is none.
    #[must_use]
    #[wasm_bindgen(js_name = turnInProgress)]
    pub fn turn_in_progress(&self) -> String {
        json::text(&self.game.turn_in_progress().map(json::TurnInProgress::from))
    }

    /// Plays a move or a complete turn. Returns the moves played, as JSON.
    pub fn play(&mut self, text: &str) -> Result<String> {
        let ply = self.game.ply();
        self.game.play(text).map_err(|e| Code::Move.error(e))?;
        Ok(self.played_since(ply as u32))
    }

    /// Plays the legal move with this policy index. Returns the moves played, as JSON.
    #[wasm_bindgen(js_name = playAction)]
    pub fn play_action(&mut self, action: u32) -> Result<String> {
        let ply = self.game.ply();
        self.game.play_index(PolicyIndex(action)).map_err(|e| Code::Move.error(e))?;
        Ok(self.played_since(ply as u32))
    }

    /// Takes back the last move. Returns it as JSON; `[]` if there is none.
    pub fn undo(&mut self) -> String {
        let ply = self.game.ply() as u32;
        let last = self.played_since(ply.saturating_sub(1));
        self.game.undo();
        self.annotations.truncate(self.game.ply());
        last
    }

    /// The moves played from `ply` on, as JSON.
    #[must_use]
    #[wasm_bindgen(js_name = playedSince)]
    pub fn played_since(&self, ply: u32) -> String {
        let played = self.game.played_since(ply as usize);
        json::text(&played.into_iter().map(json::PlayedMove::from).collect::<Vec<_>>())
    }

    /// The moves played in the long form, one a line.
    #[must_use]
    #[wasm_bindgen(js_name = textsPlayed)]
    pub fn texts_played(&self) -> String {
        lines(self.game.moves_played())
    }

    /// The moves played as people write them, one a line.
    #[must_use]
    #[wasm_bindgen(js_name = sansPlayed)]
    pub fn sans_played(&self) -> String {
        lines(self.game.sans_played())
    }

    /// The policy index of a legal move.
    #[wasm_bindgen(js_name = actionOf)]
    pub fn action_of(&self, text: &str) -> Result<u32> {
        self.game.index_of(text).map(|index| index.0).map_err(|e| Code::Move.error(e))
    }

    /// The legal move with this policy index.
    #[wasm_bindgen(js_name = moveAt)]
    pub fn move_at(&self, action: u32) -> Result<String> {
        self.game.move_text_at(PolicyIndex(action)).map_err(|e| Code::Move.error(e))
    }

    /// `number` resigns.
    pub fn resign(&mut self, number: u32) -> Result<()> {
        self.game.resign(player(number)?);
        Ok(())
    }

    /// Both players agree to a draw.
    #[wasm_bindgen(js_name = agreeDraw)]
    pub fn agree_draw(&mut self) {
        self.game.agree_draw();
    }

    /// `number` loses on time.
    #[wasm_bindgen(js_name = flagFall)]
    pub fn flag_fall(&mut self, number: u32) -> Result<()> {
        self.game.flag_fall(player(number)?);
        Ok(())
    }

    /// The state of the draw offer as JSON: `null` if both players may offer.
    #[must_use]
    #[wasm_bindgen(js_name = drawOffer)]
    pub fn draw_offer(&self) -> String {
        json::text(&json::DrawOffer::of(self.game.draw_offer()))
    }

    /// Offers, retracts, accepts or declines a draw for a player.
    #[wasm_bindgen(js_name = drawAction)]
    pub fn draw_action(&mut self, number: u32, action: &str) -> Result<()> {
        let action = match action {
            "offer" => DrawAction::Offer,
            "retract" => DrawAction::Retract,
            "accept" => DrawAction::Accept,
            "decline" => DrawAction::Decline,
            _ => {
                let message =
                    format!("unknown draw action `{action}`: expected offer, retract, accept or decline");
                return Err(Code::Argument.error(message));
            }
        };
        self.game.draw_action(player(number)?, action).map_err(|e| Code::Draw.error(e))
    }

    /// The tags of the record that the game was read from: a JSON array of pairs.
    #[must_use]
    pub fn tags(&self) -> String {
        json::text(&self.tags)
    }

    /// Sets the tags: a JSON array of pairs.
    #[wasm_bindgen(js_name = setTags)]
    pub fn set_tags(&mut self, tags: &str) -> Result<()> {
        self.tags = parse_tags(tags)?;
        Ok(())
    }

    /// The record of the game with its tags and annotations.
    #[must_use]
    pub fn record(&self) -> String {
        let record = self.game.annotated_record(&self.tags, &self.annotations);
        record.expect("the annotations come from a record of these moves")
    }

    /// The hand-made static evaluation for the side to move: the networks are in the workers that search.
    #[must_use]
    #[wasm_bindgen(js_name = staticEval)]
    pub fn static_eval(&self) -> i32 {
        self.game.static_eval(None)
    }

    /// The number of legal move sequences of length `depth`.
    #[expect(clippy::cast_precision_loss, reason = "counting to 2^53 takes months")]
    pub fn perft(&self, depth: u32) -> Result<f64> {
        self.game.perft(depth, 1).map(|nodes| nodes as f64).map_err(|e| Code::Argument.error(e))
    }

    /// Perft split by root move, as JSON.
    pub fn divide(&self, depth: u32) -> Result<String> {
        let divided = self.game.divide(depth, 1, &|| ()).map_err(|e| Code::Argument.error(e))?;
        let divided = divided.into_iter().map(|d| json::Divided { root: d.root, nodes: d.nodes });
        Ok(json::text(&divided.collect::<Vec<_>>()))
    }

    /// Writes the observation of the current position into `out`.
    pub fn observe(&self, out: &Float32Array, channels_first: bool) -> Result<()> {
        OBSERVATION.with_borrow_mut(|values| {
            values.resize(out.length() as usize, 0.0);
            self.game
                .write_observation(layout(channels_first), values)
                .map_err(|e| Code::Argument.error(e))?;
            out.copy_from(values);
            Ok(())
        })
    }

    /// Writes the mask of legal policy indices into `out`: 1 for legal, 0 for illegal.
    pub fn mask(&self, out: &Uint8Array) -> Result<()> {
        MASK.with_borrow_mut(|(mask, bytes)| {
            mask.resize(out.length() as usize, false);
            self.game.write_mask(mask).map_err(|e| Code::Argument.error(e))?;
            bytes.clear();
            bytes.extend(mask.iter().map(|&legal| u8::from(legal)));
            out.copy_from(bytes);
            Ok(())
        })
    }

    /// The board as text.
    #[must_use]
    pub fn ascii(&self, flip: bool) -> String {
        let diagram = self.game.diagram();
        let diagram = if flip { diagram.flipped() } else { diagram };
        terminal(&diagram, TerminalOptions::default())
    }

    /// The board as an SVG document. `arrows` are pairs of cell names.
    #[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen passes arrays by value")]
    pub fn svg(
        &self,
        width: u32,
        flip: bool,
        last_move: bool,
        indices: bool,
        arrows: Vec<String>,
    ) -> Result<String> {
        let mut diagram = self.game.diagram();
        if !last_move {
            diagram.cells.iter_mut().for_each(|cell| cell.marked = false);
        }
        let cell = |name: &String| {
            diagram
                .cell_named(name)
                .ok_or_else(|| Code::Argument.error(format!("arrows: `{name}` is not on the board")))
        };
        let (pairs, _) = arrows.as_chunks();
        let arrows: Result<_> = pairs.iter().map(|[from, to]| Ok((cell(from)?, cell(to)?))).collect();
        let options = SvgOptions::default().with_width(width).with_indices(indices).with_arrows(arrows?);
        let diagram = if flip { diagram.flipped() } else { diagram };
        Ok(svg(&diagram, &options))
    }
}
