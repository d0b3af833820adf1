//! The kinds of games: constants, and constructors of games whose kind is known only at run time.

use sandtable_core::learn::{Plane, PlaneGroup, Shape};
use sandtable_core::record::{Annotations, Record, Tags};
use sandtable_core::view::{Arrangement, ArrangementField, Fault, Palette, compose};
use sandtable_core::{ByPlayer, Game};

use crate::Error;
use crate::any_game::{BoxedGame, Playable, annotations_text};
use crate::registry::{GameVisitor, named_rules, with_game};
use crate::unknown_name::UnknownName;

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

/// A kind of game: its constants and constructors. Every kind is one of [`GAMES`](crate::GAMES).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GameKind {
    /// The name of the game.
    pub name: &'static str,
    /// Whether the game has everything that a player may expect: an evaluation network, the Elo of its levels, rules pages,
    /// lessons and translations. Tests demand these of [complete games](crate::complete_games) alone.
    pub complete: bool,
    /// The names of the players.
    pub players: ByPlayer<&'static str>,
    /// The names of the rule presets, the default first.
    pub rules: &'static [&'static str],
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
    /// The factored policy and the symmetries.
    pub head: PolicyHead,
    /// The number of moves after which a game of random moves is cut off.
    pub ply_limit: usize,
    /// The fields of an arrangement.
    pub fields: &'static [ArrangementField],
    /// Whether moves have shares, so that an interface should preview a move before it is played.
    pub has_shares: bool,
    /// The file extension of records.
    pub record_extension: &'static str,
}

/// The factored policy of a game, and its symmetries.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PolicyHead {
    /// The shape of the head.
    pub shape: Shape,
    /// The groups of the planes of the head, in order.
    pub planes: &'static [PlaneGroup],
    /// The id of the encoding.
    pub id: &'static str,
    /// The largest number of factors of a move.
    pub max_factors: usize,
    /// The number of symmetries, the identity included: see [`Symmetric`](sandtable_core::learn::Symmetric).
    pub symmetries: usize,
    /// The planes of the observation that are not symmetric: a position in which one of them is not 0 everywhere has only
    /// the identity.
    pub asymmetric_planes: &'static [usize],
}

/// The names of rule presets.
pub(crate) const fn preset_names<R, const N: usize>(presets: &[(&'static str, R)]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = presets[index].0;
        index += 1;
    }
    names
}

impl GameKind {
    /// The kind of a position type whose rule presets have these names.
    pub(crate) const fn of<P: Playable>(complete: bool, rules: &'static [&'static str]) -> Self {
        Self {
            name: P::NAME,
            complete,
            players: P::PLAYERS,
            rules,
            shape: P::SHAPE,
            planes: P::PLANES,
            encoding: P::ENCODING,
            policy_size: P::POLICY_SIZE,
            policy: P::POLICY,
            head: PolicyHead {
                shape: P::HEAD,
                planes: P::HEAD_PLANES,
                id: P::HEAD_ID,
                max_factors: P::MAX_FACTORS,
                symmetries: P::SYMMETRIES,
                asymmetric_planes: P::ASYMMETRIC_PLANES,
            },
            ply_limit: P::PLY_LIMIT,
            fields: P::FIELDS,
            has_shares: P::HAS_SHARES,
            record_extension: P::RECORD_EXTENSION,
        }
    }

    /// Calls `visitor` with the position type of this game.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Out {
        with_game(self.name, visitor).expect("every kind is in the list of games")
    }

    /// A game from the start position.
    pub fn start(&self, rules: &str) -> Result<BoxedGame, Error> {
        struct Start<'a>(&'a str);
        impl GameVisitor for Start<'_> {
            type Out = Result<BoxedGame, Error>;

            fn visit<P: Playable>(self) -> Self::Out {
                Ok(Box::new(Game::<P>::new(named_rules::<P>(self.0)?)))
            }
        }
        self.visit(Start(rules))
    }

    /// A game from the text of a position.
    pub fn parse(&self, text: &str, rules: &str) -> Result<BoxedGame, Error> {
        struct Parse<'a>(&'a str, &'a str);
        impl GameVisitor for Parse<'_> {
            type Out = Result<BoxedGame, Error>;

            fn visit<P: Playable>(self) -> Self::Out {
                let Self(text, rules) = self;
                Ok(Box::new(Game::<P>::from_text(text, named_rules::<P>(rules)?)?))
            }
        }
        self.visit(Parse(text, rules))
    }

    /// A game from an arrangement, or all its faults.
    pub fn compose(&self, arrangement: &Arrangement, rules: &str) -> Result<Composed, UnknownName> {
        struct Compose<'a>(&'a Arrangement, &'a str);
        impl GameVisitor for Compose<'_> {
            type Out = Result<Composed, UnknownName>;

            fn visit<P: Playable>(self) -> Self::Out {
                let Self(arrangement, rules) = self;
                let composed = compose::<P>(arrangement, named_rules::<P>(rules)?);
                let game = |(position, offer)| Game::from_position(position).with_draw_offer(offer);
                Ok(composed.map(|composed| Box::new(game(composed)) as BoxedGame))
            }
        }
        self.visit(Compose(arrangement, rules))
    }

    /// Every figure that these rules allow, and where it may stand.
    pub fn palette(&self, rules: &str) -> Result<Palette, UnknownName> {
        struct AllFigures<'a>(&'a str);
        impl GameVisitor for AllFigures<'_> {
            type Out = Result<Palette, UnknownName>;

            fn visit<P: Playable>(self) -> Self::Out {
                Ok(P::palette(named_rules::<P>(self.0)?))
            }
        }
        self.visit(AllFigures(rules))
    }

    /// The first game of a record, with its tags and annotations.
    pub fn load_record(&self, record: &str, rules: &str) -> Result<LoadedRecord, Error> {
        struct Load<'a>(&'a str, &'a str);
        impl GameVisitor for Load<'_> {
            type Out = Result<LoadedRecord, Error>;

            fn visit<P: Playable>(self) -> Self::Out {
                let Self(record, rules) = self;
                let Record { game, tags, annotations } = P::read_record(record, named_rules::<P>(rules)?)?;
                let moves: Vec<_> = game.moves_played().collect();
                let annotations = annotations_text(game.first_position(), &moves, &annotations);
                Ok(LoadedRecord { game: Box::new(game), tags, annotations })
            }
        }
        self.visit(Load(record, rules))
    }
}
