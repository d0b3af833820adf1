//! The list of games, and how generic code reaches a game by its name.

use std::any::Any;

use sandtable_core::record::RecordErrorOf;
use sandtable_core::rules::{DrawError, PlayTextError, Reason, ReasonError, SetupError};
use sandtable_core::view::{ArrangeError, Codes, Refusal};
use sandtable_core::{Describe as _, Game, Position, Rules};

use crate::any_game::{AnyGame, GameOver, IllegalAction, Playable, VariationError};
use crate::kind::{GameKind, preset_names};
use crate::unknown_name::{Named, UnknownName};

/// Defines the list of games and the functions that go through the list.
macro_rules! games {
    (
        complete { $($(#[$complete_feature:meta])* $complete:ty,)* }
        others { $($(#[$other_feature:meta])* $other:ty,)* }
    ) => {
        games!(@all $($(#[$complete_feature])* $complete: true,)* $($(#[$other_feature])* $other: false,)*);

        /// Adds the codes of every error that reading and playing the complete games can return, which interfaces translate;
        /// decoding an observation is left out.
        pub fn collect_codes(codes: &mut Codes) {
            $(
                $(#[$complete_feature])*
                collect_codes_of::<$complete>(codes);
            )*
            collect_common_codes(codes);
        }
    };
    (@all $($(#[$feature:meta])* $position:ty: $complete:literal,)*) => {
        /// The games of Sandtable whose features are enabled.
        pub static GAMES: &[GameKind] = &[$(
            $(#[$feature])*
            GameKind::of::<$position>($complete, const {
                const PRESETS: &[(&str, <$position as Position>::Rules)] = Rules::PRESETS;
                &preset_names::<_, { PRESETS.len() }>(PRESETS)
            }),
        )*];

        /// Calls `visitor` with the position type of the game called `name`.
        ///
        /// ```
        /// use sandtable_games::{GameVisitor, Playable, with_game};
        ///
        /// /// The number of legal moves at the start of a game.
        /// struct Mobility;
        ///
        /// impl GameVisitor for Mobility {
        ///     type Out = u64;
        ///
        ///     fn visit<P: Playable>(self) -> u64 {
        ///         P::start(P::Rules::default()).count_legal()
        ///     }
        /// }
        ///
        /// assert_eq!(with_game("chess", Mobility)?, 20);
        /// # Ok::<(), sandtable_games::UnknownName>(())
        /// ```
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Out, UnknownName> {
            $(
                $(#[$feature])*
                if name == <$position as Position>::NAME {
                    return Ok(visitor.visit::<$position>());
                }
            )*
            let _ = visitor;
            Err(unknown_game(name))
        }
    };
}

// A new game is one line here.
games! {
    complete {
        #[cfg(feature = "chess")]
        sandtable_chess::Chess,
        #[cfg(feature = "cotulenh")]
        sandtable_cotulenh::CoTuLenh,
        #[cfg(feature = "tribun")]
        sandtable_tribun::Tribun,
    }
    others {
        #[cfg(feature = "nim")]
        sandtable_nim::Nim,
    }
}

/// The games with everything that a player may expect.
pub fn complete_games() -> impl Iterator<Item = &'static GameKind> {
    GAMES.iter().filter(|kind| kind.complete)
}

/// A function that is generic over the games: see [`with_game`].
pub trait GameVisitor {
    /// The return type of the function.
    type Out;

    /// Calls the function for one game.
    fn visit<P: Playable>(self) -> Self::Out;
}

/// A function of a game of any kind: see [`with_typed_game`].
pub trait TypedGameVisitor {
    /// The return type of the function.
    type Out;

    /// Calls the function with the game.
    fn visit<P: Playable>(self, game: &Game<P>) -> Self::Out;
}

/// Calls `visitor` with the [`Game`] behind an [`AnyGame`]. An error if it is not one of [`GAMES`].
pub fn with_typed_game<V: TypedGameVisitor>(game: &dyn AnyGame, visitor: V) -> Result<V::Out, UnknownName> {
    struct Downcast<'a, V>(&'a dyn Any, V);
    impl<V: TypedGameVisitor> GameVisitor for Downcast<'_, V> {
        type Out = Option<V::Out>;

        fn visit<P: Playable>(self) -> Self::Out {
            self.0.downcast_ref::<Game<P>>().map(|game| self.1.visit(game))
        }
    }
    with_game(game.name(), Downcast(game, visitor))?.ok_or_else(|| unknown_game(game.name()))
}

/// Returns the game called `name`.
pub fn find(name: &str) -> Result<&'static GameKind, UnknownName> {
    GAMES.iter().find(|kind| kind.name == name).ok_or_else(|| unknown_game(name))
}

/// Returns the rules called `name`.
pub fn named_rules<P: Position>(name: &str) -> Result<P::Rules, UnknownName> {
    P::Rules::named(name).ok_or_else(|| UnknownName {
        what: Named::Rules,
        name: name.to_owned(),
        known: P::Rules::PRESETS.iter().map(|(name, _)| *name).collect(),
    })
}

fn unknown_game(name: &str) -> UnknownName {
    let known = GAMES.iter().map(|kind| kind.name).collect();
    UnknownName { what: Named::Game, name: name.to_owned(), known }
}

fn collect_codes_of<P: Playable>(codes: &mut Codes) {
    P::PositionError::collect_codes(codes);
    P::MoveError::collect_codes(codes);
    RecordErrorOf::<P>::collect_codes(codes);
    SetupError::<P::Invalid>::collect_codes(codes);
    P::CellError::collect_codes(codes);
    Refusal::<P::Obstacle>::collect_codes(codes);
    for field in P::FIELDS {
        codes.add::<P>(field.code(P::NAME), &[]);
    }
    PlayTextError::<P::MoveError, Reason<P::Ending>>::collect_codes(codes);
}

fn collect_common_codes(codes: &mut Codes) {
    DrawError::collect_codes(codes);
    ReasonError::collect_codes(codes);
    UnknownName::collect_codes(codes);
    GameOver::collect_codes(codes);
    IllegalAction::collect_codes(codes);
    VariationError::collect_codes(codes);
    ArrangeError::collect_codes(codes);
}
