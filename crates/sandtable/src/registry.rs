//! The games there are. A new game is one line in [`GAMES`].

use sandtable_core::{
    Arrangement, ByPlayer, Fault, Field, FromSetup, Game, Layout, Observe, Palette, Plane, Player, Position,
    Rules, Shape, Tags, compose,
};

use crate::Error;
use crate::any_game::{AnyGame, BoxedGame, Playable};
use crate::batch::{Batch, random_positions};
use crate::vector_env::{BoxedEnv, Envs, VectorSettings};

/// Every game that Sandtable knows.
pub static GAMES: &[GameKind] = &[
    GameKind::of::<sandtable_chess::Position>()
        .measured_against(Baseline { name: "cozy-chess", perft: sandtable_chess::generator_perft }),
    GameKind::of::<sandtable_cotulenh::Position>(),
    GameKind::of::<sandtable_tribun::Position>(),
];

/// The game of that name.
pub fn find(name: &str) -> Result<&'static GameKind, Unknown> {
    GAMES.iter().find(|kind| kind.name == name).ok_or_else(|| Unknown {
        what: "game",
        name: name.to_owned(),
        known: GAMES.iter().map(|kind| kind.name).collect(),
    })
}

/// A name that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; there is {}", known.join(", "))]
pub struct Unknown {
    /// What was looked for.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// The names there are.
    pub known: Vec<&'static str>,
}

/// Somebody else's way to count the same tree, to measure ours against.
#[derive(Clone, Copy, Debug)]
pub struct Baseline {
    /// Whose it is.
    pub name: &'static str,
    /// Perft from the start position.
    pub perft: fn(depth: u32) -> u64,
}

/// A game from a record, with the record's tags.
pub type Loaded = (BoxedGame, Tags);

/// A game from an arrangement, or everything that is wrong with it.
pub type Composed = Result<BoxedGame, Vec<Fault>>;

/// An observation that was read back: the position, or why what it shows is none.
#[derive(Debug)]
pub struct Decoded {
    /// The position with the given player to move.
    pub game: BoxedGame,
    /// How often it had occurred.
    pub occurrences: u32,
}

impl std::fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name(), self.position())
    }
}

/// A kind of game: how to begin, read and measure it.
#[derive(Clone, Copy, Debug)]
pub struct GameKind {
    /// Its name.
    pub name: &'static str,
    /// What its players are called.
    pub players: ByPlayer<&'static str>,
    /// The shape of its observations.
    pub shape: Shape,
    /// The planes of its observations.
    pub planes: &'static [Plane],
    /// The id of its observations' encoding.
    pub encoding: &'static str,
    /// How many indices its policy has.
    pub policy_size: usize,
    /// The id of its policy.
    pub policy: &'static str,
    /// A game of random moves is cut after this many.
    pub ply_limit: usize,
    /// What an arrangement has beside figures and the turn.
    pub fields: &'static [Field],
    /// Can figures act together, or fall into parts?
    pub shares: bool,
    /// The ending of its records' files.
    pub record_extension: &'static str,
    /// The names of its rules, the default first.
    pub rules: fn() -> Vec<&'static str>,
    /// What its perft is measured against.
    pub baseline: Option<Baseline>,
    begin: fn(rules: &str) -> Result<BoxedGame, Error>,
    read: fn(text: &str, rules: &str) -> Result<BoxedGame, Error>,
    compose: fn(&Arrangement, rules: &str) -> Result<Composed, Unknown>,
    palette: fn(rules: &str) -> Result<Palette, Unknown>,
    load: fn(record: &str, rules: &str) -> Result<Loaded, Error>,
    decode: fn(&[f32], Layout, Player, rules: &str) -> Result<Decoded, Error>,
    random: fn(count: usize, seed: u64) -> Box<dyn Batch>,
    vector: fn(rules: &str, &VectorSettings) -> Result<BoxedEnv, Unknown>,
}

impl GameKind {
    /// The kind of a position type.
    #[must_use]
    pub const fn of<P: Playable>() -> Self {
        Self {
            name: P::NAME,
            players: P::PLAYERS,
            shape: P::SHAPE,
            planes: P::PLANES,
            encoding: P::ENCODING,
            policy_size: P::POLICY_SIZE,
            policy: P::POLICY,
            ply_limit: P::PLY_LIMIT,
            fields: P::FIELDS,
            shares: P::SHARES,
            record_extension: P::RECORD_EXTENSION,
            rules: || P::Rules::PRESETS.iter().map(|(name, _)| *name).collect(),
            baseline: None,
            begin: |rules| Ok(Box::new(Game::<P>::new(named_rules::<P>(rules)?))),
            read: |text, rules| {
                Ok(Box::new(Game::from_position(P::from_text(text, named_rules::<P>(rules)?)?)))
            },
            compose: |arrangement, rules| {
                let composed = compose::<P>(arrangement, named_rules::<P>(rules)?);
                Ok(composed.map(|position| Box::new(Game::from_position(position)) as BoxedGame))
            },
            palette: |rules| Ok(P::palette(named_rules::<P>(rules)?)),
            load: |record, rules| {
                let (game, tags) = P::read_record(record, named_rules::<P>(rules)?)?;
                Ok((Box::new(game), tags))
            },
            decode: decode::<P>,
            random: random_positions::<P>,
            vector: |rules, settings| Ok(Box::new(Envs::<P>::new(named_rules::<P>(rules)?, settings))),
        }
    }

    /// The same kind with something to measure its perft against.
    #[must_use]
    pub const fn measured_against(self, baseline: Baseline) -> Self {
        Self { baseline: Some(baseline), ..self }
    }

    /// A game from the start position.
    pub fn start(&self, rules: &str) -> Result<BoxedGame, Error> {
        (self.begin)(rules)
    }

    /// A game from a position's text.
    pub fn parse(&self, text: &str, rules: &str) -> Result<BoxedGame, Error> {
        (self.read)(text, rules)
    }

    /// A game from an arrangement, or everything that is wrong with it.
    pub fn compose(&self, arrangement: &Arrangement, rules: &str) -> Result<Composed, Unknown> {
        (self.compose)(arrangement, rules)
    }

    /// Every figure that these rules allow on a board, and where.
    pub fn palette(&self, rules: &str) -> Result<Palette, Unknown> {
        (self.palette)(rules)
    }

    /// A game from its record, with the record's tags.
    pub fn load_record(&self, record: &str, rules: &str) -> Result<Loaded, Error> {
        (self.load)(record, rules)
    }

    /// The position that an observation shows, if `turn` is to move in it.
    pub fn decode(
        &self,
        observation: &[f32],
        layout: Layout,
        turn: Player,
        rules: &str,
    ) -> Result<Decoded, Error> {
        (self.decode)(observation, layout, turn, rules)
    }

    /// Many games that are stepped together, each at its beginning.
    pub fn vector_env(&self, rules: &str, settings: &VectorSettings) -> Result<BoxedEnv, Unknown> {
        (self.vector)(rules, settings)
    }

    /// Positions of random games, to measure with.
    #[must_use]
    pub fn random_positions(&self, count: usize, seed: u64) -> Box<dyn Batch> {
        (self.random)(count, seed)
    }
}

fn named_rules<P: Position>(name: &str) -> Result<P::Rules, Unknown> {
    P::Rules::named(name).ok_or_else(|| Unknown {
        what: "set of rules",
        name: name.to_owned(),
        known: P::Rules::PRESETS.iter().map(|(name, _)| *name).collect(),
    })
}

fn decode<P: Playable>(
    observation: &[f32],
    layout: Layout,
    turn: Player,
    rules: &str,
) -> Result<Decoded, Error> {
    let (setup, occurrences) = <P as Observe>::decode_observation(observation, layout, turn)?;
    let position = <P as FromSetup>::from_setup(&setup, named_rules::<P>(rules)?)?;
    Ok(Decoded { game: Box::new(Game::from_position(position)), occurrences })
}
