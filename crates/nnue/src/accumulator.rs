//! The hidden layer of a position, kept up to date move by move.

use sandtable_core::{ByPlayer, Features, Player};

use crate::Network;

/// The hidden layer before its activation, as each player sees the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator(ByPlayer<Vec<i16>>);

impl Accumulator {
    /// An accumulator with room for the hidden layer of a network, which belongs to no position yet.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self(ByPlayer::from_fn(|_| vec![0; network.hidden()]))
    }

    /// Computes the hidden layer of a position from its features.
    pub fn refresh<P: Features>(&mut self, network: &Network, position: &P) {
        for viewer in Player::ALL {
            self.0[viewer].copy_from_slice(network.bias());
        }
        position.for_each_feature(|feature| {
            for viewer in Player::ALL {
                add(&mut self.0[viewer], network.row(feature[viewer]));
            }
        });
    }

    /// Computes the hidden layer of a position from that of `before`, whose accumulator is `parent`.
    pub fn update<P: Features>(&mut self, network: &Network, parent: &Self, before: &P, position: &P) {
        for viewer in Player::ALL {
            self.0[viewer].copy_from_slice(&parent.0[viewer]);
        }
        position.for_each_change(before, |feature, is_new| {
            for viewer in Player::ALL {
                let row = network.row(feature[viewer]);
                if is_new {
                    add(&mut self.0[viewer], row);
                } else {
                    subtract(&mut self.0[viewer], row);
                }
            }
        });
    }

    /// The score of the position for the player to move, in centipawns.
    #[must_use]
    pub fn score<P: Features>(&self, network: &Network, position: &P) -> i32 {
        let mover = position.turn();
        network.score(&self.0[mover], &self.0[!mover], position.stage())
    }
}

// The weights of a network are checked not to overflow for every position that a game can reach. A position that was set up
// may have more pieces than that; then the sums wrap, on every machine alike.

#[inline]
fn add(sums: &mut [i16], row: &[i16]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline]
fn subtract(sums: &mut [i16], row: &[i16]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}
