//! Positions from observations.

use sandtable_core::learn::Layout;
use sandtable_core::{FromSetup, Game, Observe, Player};

use crate::Error;
use crate::any_game::{BoxedGame, Playable};
use crate::registry::named_rules;

/// A decoded observation.
#[derive(Debug)]
pub struct Decoded {
    /// A game that starts from the position.
    pub game: BoxedGame,
    /// How often the position had occurred.
    pub occurrences: u32,
}

/// Decodes an observation of the player `turn`.
pub(crate) fn decode<P: Playable>(
    observation: &[f32],
    layout: Layout,
    turn: Player,
    rules: &str,
) -> Result<Decoded, Error> {
    let (setup, context) = <P as Observe>::decode_observation(observation, layout, turn)?;
    let position = <P as FromSetup>::from_setup(&setup, named_rules::<P>(rules)?)?;
    let game = Game::from_position(position).with_draw_offer(context.draw_offer);
    Ok(Decoded { game: Box::new(game), occurrences: context.occurrences })
}
