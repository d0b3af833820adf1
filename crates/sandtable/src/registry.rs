//! The registry of games. A new game is one line in [`GAMES`]; a complete one, whose messages are translated, is one in
//! [`collect_codes`] too.

use std::fmt;

#[cfg(feature = "training")]
use sandtable_core::Player;
#[cfg(feature = "training")]
use sandtable_core::learn::Layout;
use sandtable_core::learn::{Plane, Shape};
use sandtable_core::record::{Annotations, Record, Tags};
use sandtable_core::rules::{DrawError, PlayTextError, Reason, ReasonError, SetupError};
use sandtable_core::search::Levels;
use sandtable_core::view::{
    ArrangeError, Arrangement, ArrangementField, Codes, Fault, Palette, Refusal, compose,
};
use sandtable_core::{ByPlayer, Describe, Game, Position, Rules};
use sandtable_nnue::{Network, NetworkError};
use sandtable_search::{AlphaBeta, AlphaBetaSettings};

use crate::Error;
use crate::any_game::{BoxedGame, GameOver, IllegalAction, Playable, VariationError, annotations_text};
#[cfg(feature = "training")]
use crate::batch::{Batch, random_positions};
#[cfg(feature = "training")]
use crate::decode::{Decoded, decode};
use crate::evaluation::{DefaultNetwork, Evaluation, engine_for};
#[cfg(feature = "training")]
use crate::net::NetTools;
#[cfg(feature = "training")]
use crate::policy_head::PolicyHead;
#[cfg(feature = "training")]
use crate::puzzle::PuzzleTools;
#[cfg(feature = "training")]
use crate::tree_batch::{BoxedTreeBatch, TreeBatchSettings, Trees};
#[cfg(feature = "training")]
use crate::vector_env::{BoxedEnv, Envs, VectorSettings};

/// The place of a game's default network, with the embedded file if there is one.
macro_rules! default_network {
    ($game:literal) => {{
        #[cfg(feature = "nets")]
        const EMBEDDED: Option<&[u8]> = Some(include_bytes!(concat!("../nets/", $game, ".net")));
        #[cfg(not(feature = "nets"))]
        const EMBEDDED: Option<&[u8]> = None;
        static NETWORK: DefaultNetwork = DefaultNetwork::new(EMBEDDED);
        &NETWORK
    }};
}

/// The games of Sandtable whose features are enabled.
pub static GAMES: &[GameKind] = &[
    #[cfg(feature = "chess")]
    GameKind::of::<sandtable_chess::Chess>()
        .complete(default_network!("chess"))
        .measured_against(Baseline { name: "cozy-chess", perft: sandtable_chess::generator_perft }),
    #[cfg(feature = "cotulenh")]
    GameKind::of::<sandtable_cotulenh::CoTuLenh>().complete(default_network!("cotulenh")),
    #[cfg(feature = "tribun")]
    GameKind::of::<sandtable_tribun::Tribun>().complete(default_network!("tribun")),
    #[cfg(feature = "nim")]
    GameKind::of::<sandtable_nim::Nim>(),
];

/// Adds the codes of every error that reading and playing the complete games can return, which interfaces translate; decoding
/// an observation is left out.
///
/// Not a field of [`GameKind`], so that a program that does not list codes does not contain the list.
pub fn collect_codes(codes: &mut Codes) {
    #[cfg(feature = "chess")]
    collect_codes_of::<sandtable_chess::Chess>(codes);
    #[cfg(feature = "cotulenh")]
    collect_codes_of::<sandtable_cotulenh::CoTuLenh>(codes);
    #[cfg(feature = "tribun")]
    collect_codes_of::<sandtable_tribun::Tribun>(codes);
    DrawError::collect_codes(codes);
    ReasonError::collect_codes(codes);
    UnknownName::collect_codes(codes);
    GameOver::collect_codes(codes);
    IllegalAction::collect_codes(codes);
    VariationError::collect_codes(codes);
    ArrangeError::collect_codes(codes);
}

/// The games with everything that a player may expect.
pub fn complete_games() -> impl Iterator<Item = &'static GameKind> {
    GAMES.iter().filter(|kind| kind.complete)
}

/// Returns the game called `name`.
pub fn find(name: &str) -> Result<&'static GameKind, UnknownName> {
    GAMES.iter().find(|kind| kind.name == name).ok_or_else(|| UnknownName {
        what: Named::Game,
        name: name.to_owned(),
        known: GAMES.iter().map(|kind| kind.name).collect(),
    })
}

/// The error for an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("unknown_name")]
#[error("unknown {what} `{name}`: expected {}", any_of(known))]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of thing: a game, a rule set.
    #[param(message)]
    pub what: Named,
    /// The unknown name.
    pub name: String,
    /// The known names.
    #[param(list)]
    pub known: Vec<&'static str>,
}

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Describe)]
#[code("named")]
#[non_exhaustive]
pub enum Named {
    /// A game.
    Game,
    /// A rule set.
    Rules,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "game",
            Self::Rules => "rules",
        })
    }
}

/// Lists alternatives: "chess, cotulenh or tribun".
fn any_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// Another perft implementation to benchmark against.
#[derive(Clone, Copy, Debug)]
pub struct Baseline {
    /// The name of the implementation.
    pub name: &'static str,
    /// Perft from the start position.
    pub perft: fn(depth: u32) -> u64,
}

/// A game loaded from a record.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadedRecord {
    /// The game.
    pub game: BoxedGame,
    /// The tags of the record.
    pub tags: Tags,
    /// The annotations of the record; the moves of variations are in the form that programs exchange.
    pub annotations: Annotations<String>,
}

/// A game from an arrangement, or all its faults.
pub type Composed = Result<BoxedGame, Vec<Fault>>;

/// A kind of game: its constants and constructors.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GameKind {
    /// The name of the game.
    pub name: &'static str,
    /// Whether the game has everything that a player may expect: a default network, the Elo of its levels, rules pages, lessons
    /// and translations. Tests demand these of [complete games](complete_games) alone.
    pub complete: bool,
    /// The names of the players.
    pub players: ByPlayer<&'static str>,
    /// The shape of an observation.
    pub shape: Shape,
    /// The planes of an observation.
    pub planes: &'static [Plane],
    /// The id of the observation encoding.
    pub encoding: &'static str,
    /// The number of policy indices.
    pub policy_size: usize,
    /// The id of the policy encoding.
    pub policy: &'static str,
    /// The number of moves after which a game of random moves is cut off.
    pub ply_limit: usize,
    /// The fields of an arrangement.
    pub fields: &'static [ArrangementField],
    /// Whether moves have shares, so that an interface should preview a move before it is played.
    pub has_shares: bool,
    /// The file extension of records.
    pub record_extension: &'static str,
    /// The engine levels.
    pub levels: Levels,
    /// The names of the puzzle themes that only this game has.
    pub themes: fn() -> Vec<&'static str>,
    /// The names of the rule presets, the default first.
    pub rules: fn() -> Vec<&'static str>,
    /// The perft implementation to benchmark against; `None` without the feature `training`.
    pub baseline: Option<Baseline>,
    start: fn(rules: &str) -> Result<BoxedGame, Error>,
    parse: fn(text: &str, rules: &str) -> Result<BoxedGame, Error>,
    compose: fn(&Arrangement, rules: &str) -> Result<Composed, UnknownName>,
    palette: fn(rules: &str) -> Result<Palette, UnknownName>,
    load: fn(record: &str, rules: &str) -> Result<LoadedRecord, Error>,
    #[cfg(feature = "training")]
    decode: fn(&[f32], Layout, Player, rules: &str) -> Result<Decoded, Error>,
    #[cfg(feature = "training")]
    random: fn(count: usize, seed: u64) -> Box<dyn Batch>,
    #[cfg(feature = "training")]
    vector: fn(rules: &str, &VectorSettings) -> Result<BoxedEnv, UnknownName>,
    #[cfg(feature = "training")]
    trees: fn(rules: &str, &TreeBatchSettings) -> Result<BoxedTreeBatch, UnknownName>,
    /// The factored policy and the symmetries.
    #[cfg(feature = "training")]
    pub head: PolicyHead,
    /// How evaluation networks are made.
    #[cfg(feature = "training")]
    pub net: NetTools,
    /// How puzzles are mined and checked.
    #[cfg(feature = "training")]
    pub puzzles: PuzzleTools,
    pub(crate) network: Option<&'static DefaultNetwork>,
    read_network: fn(&[u8]) -> Result<Network, NetworkError>,
}

impl GameKind {
    /// The kind of a position type.
    #[must_use]
    pub const fn of<P: Playable>() -> Self {
        Self {
            name: P::NAME,
            complete: false,
            players: P::PLAYERS,
            shape: P::SHAPE,
            planes: P::PLANES,
            encoding: P::ENCODING,
            policy_size: P::POLICY_SIZE,
            policy: P::POLICY,
            ply_limit: P::PLY_LIMIT,
            fields: P::FIELDS,
            has_shares: P::HAS_SHARES,
            record_extension: P::RECORD_EXTENSION,
            levels: P::LEVELS,
            themes: || P::THEMES.iter().map(|theme| theme.name).collect(),
            rules: || P::Rules::PRESETS.iter().map(|(name, _)| *name).collect(),
            baseline: None,
            start: |rules| Ok(Box::new(Game::<P>::new(named_rules::<P>(rules)?))),
            parse: |text, rules| Ok(Box::new(Game::<P>::from_text(text, named_rules::<P>(rules)?)?)),
            compose: |arrangement, rules| {
                let composed = compose::<P>(arrangement, named_rules::<P>(rules)?);
                let game = |(position, offer)| Game::from_position(position).with_draw_offer(offer);
                Ok(composed.map(|composed| Box::new(game(composed)) as BoxedGame))
            },
            palette: |rules| Ok(P::palette(named_rules::<P>(rules)?)),
            load: |record, rules| {
                let Record { game, tags, annotations } = P::read_record(record, named_rules::<P>(rules)?)?;
                let moves: Vec<_> = game.moves_played().collect();
                let annotations = annotations_text(game.first_position(), &moves, &annotations);
                Ok(LoadedRecord { game: Box::new(game), tags, annotations })
            },
            #[cfg(feature = "training")]
            decode: decode::<P>,
            #[cfg(feature = "training")]
            random: random_positions::<P>,
            #[cfg(feature = "training")]
            vector: |rules, settings| Ok(Box::new(Envs::<P>::new(named_rules::<P>(rules)?, settings))),
            #[cfg(feature = "training")]
            trees: |rules, settings| Ok(Box::new(Trees::<P>::new(named_rules::<P>(rules)?, settings))),
            #[cfg(feature = "training")]
            head: PolicyHead::of::<P>(),
            #[cfg(feature = "training")]
            net: NetTools::of::<P>(),
            #[cfg(feature = "training")]
            puzzles: PuzzleTools::of::<P>(),
            network: None,
            read_network: Network::from_bytes::<P>,
        }
    }

    /// The same kind as a complete game, with its default network.
    const fn complete(self, network: &'static DefaultNetwork) -> Self {
        Self { complete: true, network: Some(network), ..self }
    }

    /// The same kind with a perft implementation to benchmark against.
    #[must_use]
    pub const fn measured_against(self, baseline: Baseline) -> Self {
        // Without the feature, the other implementation is not linked.
        let baseline = if cfg!(feature = "training") { Some(baseline) } else { None };
        Self { baseline, ..self }
    }

    /// An engine for this game with its default evaluation and a transposition table of about `mebibytes` MiB.
    ///
    /// # Panics
    ///
    /// If there is not enough memory.
    #[must_use]
    pub fn engine(&self, mebibytes: usize) -> AlphaBeta {
        engine_for(self.name, mebibytes, AlphaBetaSettings::default(), &Evaluation::Default)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// A game from the start position.
    pub fn start(&self, rules: &str) -> Result<BoxedGame, Error> {
        (self.start)(rules)
    }

    /// A game from the text of a position.
    pub fn parse(&self, text: &str, rules: &str) -> Result<BoxedGame, Error> {
        (self.parse)(text, rules)
    }

    /// A game from an arrangement, or all its faults.
    pub fn compose(&self, arrangement: &Arrangement, rules: &str) -> Result<Composed, UnknownName> {
        (self.compose)(arrangement, rules)
    }

    /// Every figure that these rules allow, and where it may stand.
    pub fn palette(&self, rules: &str) -> Result<Palette, UnknownName> {
        (self.palette)(rules)
    }

    /// The first game of a record, with its tags and annotations.
    pub fn load_record(&self, record: &str, rules: &str) -> Result<LoadedRecord, Error> {
        (self.load)(record, rules)
    }

    /// Reads the file of an evaluation network for this game.
    pub fn read_network(&self, bytes: &[u8]) -> Result<Network, NetworkError> {
        (self.read_network)(bytes)
    }

    /// Decodes an observation of the player `turn`.
    #[cfg(feature = "training")]
    pub fn decode(
        &self,
        observation: &[f32],
        layout: Layout,
        turn: Player,
        rules: &str,
    ) -> Result<Decoded, Error> {
        (self.decode)(observation, layout, turn, rules)
    }

    /// A vector environment of new games.
    #[cfg(feature = "training")]
    pub fn vector_env(&self, rules: &str, settings: &VectorSettings) -> Result<BoxedEnv, UnknownName> {
        (self.vector)(rules, settings)
    }

    /// Search trees of new games.
    #[cfg(feature = "training")]
    pub fn tree_batch(
        &self,
        rules: &str,
        settings: &TreeBatchSettings,
    ) -> Result<BoxedTreeBatch, UnknownName> {
        (self.trees)(rules, settings)
    }

    /// Positions of random games, for benchmarks.
    #[must_use]
    #[cfg(feature = "training")]
    pub fn random_positions(&self, count: usize, seed: u64) -> Box<dyn Batch> {
        (self.random)(count, seed)
    }
}

fn collect_codes_of<P: Playable>(codes: &mut Codes) {
    P::PositionError::collect_codes(codes);
    P::MoveError::collect_codes(codes);
    P::RecordError::collect_codes(codes);
    SetupError::<P::Invalid>::collect_codes(codes);
    P::CellError::collect_codes(codes);
    Refusal::<P::Obstacle>::collect_codes(codes);
    for field in P::FIELDS {
        codes.add::<P>(field.code, &[]);
    }
    PlayTextError::<P::MoveError, Reason<P::Ending>>::collect_codes(codes);
}

pub(crate) fn named_rules<P: Position>(name: &str) -> Result<P::Rules, UnknownName> {
    P::Rules::named(name).ok_or_else(|| UnknownName {
        what: Named::Rules,
        name: name.to_owned(),
        known: P::Rules::PRESETS.iter().map(|(name, _)| *name).collect(),
    })
}
