//! Positions from observations.

use sandtable_core::learn::Layout;
use sandtable_core::{Game, Player};
use sandtable_games::{BoxedGame, Error, GameKind, GameVisitor, Playable, named_rules};

/// A decoded observation.
#[derive(Debug)]
pub struct Decoded {
    /// A game that starts from the position.
    pub game: BoxedGame,
    /// How often the position had occurred.
    pub occurrences: u32,
}

/// Decodes an observation of the player `turn`.
pub fn decode(
    kind: &GameKind,
    observation: &[f32],
    layout: Layout,
    turn: Player,
    rules: &str,
) -> Result<Decoded, Error> {
    struct Decode<'a>(&'a [f32], Layout, Player, &'a str);
    impl GameVisitor for Decode<'_> {
        type Out = Result<Decoded, Error>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(observation, layout, turn, rules) = self;
            let (setup, context) = P::decode_observation(observation, layout, turn)?;
            let position = P::from_setup(&setup, named_rules::<P>(rules)?)?;
            let game = Game::from_position(position).with_draw_offer(context.draw_offer);
            Ok(Decoded { game: Box::new(game), occurrences: context.occurrences })
        }
    }
    kind.visit(Decode(observation, layout, turn, rules))
}
