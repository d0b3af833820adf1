//! The hidden layer of a position, kept up to date move by move.

use sandtable_core::search::Features;
use sandtable_core::{ByPlayer, Player};

use crate::Network;
use crate::network::{BLOCK, Block};

/// The hidden layer before its activation, as each player sees the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator(ByPlayer<Vec<Block>>);

/// The index of a feature as each player sees it, in 16 bits: an array of features is cleared for every move.
type Feature = ByPlayer<u16>;

fn short(feature: ByPlayer<usize>) -> Feature {
    ByPlayer::from_fn(|viewer| feature[viewer] as u16)
}

impl Accumulator {
    /// An accumulator with room for the hidden layer of a network, which belongs to no position yet.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self(ByPlayer::from_fn(|_| vec![[0; BLOCK]; network.hidden() / BLOCK]))
    }

    /// Computes the hidden layer of a position from its features.
    pub fn refresh<P: Features>(&mut self, network: &Network, position: &P) {
        for viewer in Player::ALL {
            self.0[viewer].copy_from_slice(network.bias());
        }
        position.for_each_feature(|feature| self.add(network, short(feature)));
    }

    /// Computes the hidden layer of a position from the hidden layer of `before`, whose accumulator is `parent`.
    pub fn update<P: Features>(&mut self, network: &Network, parent: &Self, before: &P, position: &P) {
        let mut changes = Changes::default();
        position.for_each_change(before, |feature, is_new| {
            (if is_new { &mut changes.added } else { &mut changes.removed }).push(short(feature));
        });
        match (changes.added.get(), changes.removed.get()) {
            // The compiler unrolls the sums of the most frequent numbers of changes.
            (Some(&[a]), Some(&[b])) => self.combine(network, parent, [a], [b]),
            (Some(&[a]), Some(&[b, c])) => self.combine(network, parent, [a], [b, c]),
            (Some(&[a, b]), Some(&[c])) => self.combine(network, parent, [a, b], [c]),
            (Some(&[a, b]), Some(&[c, d])) => self.combine(network, parent, [a, b], [c, d]),
            (Some(added), Some(removed)) => self.add_and_subtract(network, parent, added, removed),
            _ => self.refresh(network, position),
        }
    }

    /// The score of the position for the player to move, in centipawns.
    #[must_use]
    pub fn score<P: Features>(&self, network: &Network, position: &P) -> i32 {
        let mover = position.turn();
        network.score(&self.0[mover], &self.0[!mover], position.stage())
    }

    // The weights of a network are checked not to overflow for every position that a game can reach. A position that
    // was set up may have more pieces; then the sums wrap, in the same way on every machine.

    /// Computes the hidden layer of `parent` with `added` features added and `removed` features removed, in one pass.
    fn combine<const ADDED: usize, const REMOVED: usize>(
        &mut self,
        network: &Network,
        parent: &Self,
        added: [Feature; ADDED],
        removed: [Feature; REMOVED],
    ) {
        for viewer in Player::ALL {
            let (sums, from) = (&mut self.0[viewer], &parent.0[viewer]);
            let row = |feature: Feature| network.row(feature[viewer].into());
            let (added, removed) = (added.map(row), removed.map(row));
            for (i, (sum, from)) in sums.iter_mut().zip(from).enumerate() {
                let mut block = *from;
                for row in &added {
                    add(&mut block, &row[i]);
                }
                for row in &removed {
                    subtract(&mut block, &row[i]);
                }
                *sum = block;
            }
        }
    }

    /// The same for any number of features.
    fn add_and_subtract(&mut self, network: &Network, parent: &Self, added: &[Feature], removed: &[Feature]) {
        for viewer in Player::ALL {
            let sums = &mut self.0[viewer];
            sums.copy_from_slice(&parent.0[viewer]);
            let row = |feature: &Feature| network.row(feature[viewer].into());
            for row in added.iter().map(row) {
                add_row(sums, row);
            }
            for row in removed.iter().map(row) {
                sums.iter_mut().zip(row).for_each(|(sum, row)| subtract(sum, row));
            }
        }
    }

    fn add(&mut self, network: &Network, feature: Feature) {
        for viewer in Player::ALL {
            add_row(&mut self.0[viewer], network.row(feature[viewer].into()));
        }
    }
}

#[inline]
fn add_row(sums: &mut [Block], row: &[Block]) {
    sums.iter_mut().zip(row).for_each(|(sum, row)| add(sum, row));
}

#[inline]
fn add(sums: &mut Block, row: &Block) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline]
fn subtract(sums: &mut Block, row: &Block) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// The features in which two positions differ.
#[derive(Default)]
struct Changes {
    added: Few,
    removed: Few,
}

/// Up to 16 features, more than a move usually changes. If two positions differ in more features, computing the second
/// hidden layer from scratch costs no more.
#[derive(Default)]
struct Few {
    features: [Feature; 16],
    length: usize,
}

impl Few {
    #[inline]
    fn push(&mut self, feature: Feature) {
        if let Some(place) = self.features.get_mut(self.length) {
            *place = feature;
        }
        self.length += 1;
    }

    /// The features; `None` if there are too many.
    #[inline]
    fn get(&self) -> Option<&[Feature]> {
        self.features.get(..self.length)
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::rules::{Rng, random_move};

    use super::*;
    use crate::network::{MAX_OUTPUT, ONE, OUTPUT_ONE};

    /// A network with random weights up to the largest that are allowed.
    fn random_network<P: Features>(hidden: usize, rng: &mut Rng) -> Network {
        let mut network = Network::zero::<P>(hidden, 417);
        let mut random = |limit: i16| (rng.next_u64() as i16) % (limit + 1);
        let limit = i16::MAX / i16::try_from(P::MAX_FEATURES + 1).expect("few features");
        network.rows.as_flattened_mut().fill_with(|| random(limit.min(511)));
        network.output.as_flattened_mut().fill_with(|| random(MAX_OUTPUT));
        network.output_bias.fill_with(|| random(5000).into());
        network
    }

    /// The score of a position by its definition, one neuron after another.
    fn reference<P: Features>(network: &Network, position: &P) -> i32 {
        let (rows, hidden) = (network.rows.as_flattened(), network.hidden());
        let weights = &network.output.as_flattened()[position.stage() * 2 * hidden..];
        let mut sum = 0_i64;
        for (half, viewer) in [position.turn(), !position.turn()].into_iter().enumerate() {
            for neuron in 0..hidden {
                let mut value = i64::from(rows[P::FEATURES * hidden + neuron]);
                position
                    .for_each_feature(|feature| value += i64::from(rows[feature[viewer] * hidden + neuron]));
                sum += value.clamp(0, ONE.into()).pow(2) * i64::from(weights[half * hidden + neuron]);
            }
        }
        let output = sum / i64::from(ONE) + i64::from(network.output_bias[position.stage()]);
        (output * i64::from(network.scale) / (i64::from(ONE) * i64::from(OUTPUT_ONE))) as i32
    }

    /// Follows random games of a network of each size.
    fn scores_equal_the_reference<P: Features>() {
        let mut rng = Rng::new(3);
        for hidden in (16..=128).step_by(16) {
            let network = random_network::<P>(hidden, &mut rng);
            let mut position = P::start(P::Rules::default());
            let mut accumulator = Accumulator::new(&network);
            accumulator.refresh(&network, &position);
            for _ in 0..120 {
                assert_eq!(accumulator.score(&network, &position), reference(&network, &position));
                let Some(m) = random_move(&position, &mut rng) else { break };
                let next = position.after(m);
                let mut updated = Accumulator::new(&network);
                updated.update(&network, &accumulator, &position, &next);
                (position, accumulator) = (next, updated);
            }
            // Positions that differ in almost everything.
            let start = P::start(P::Rules::default());
            let mut updated = Accumulator::new(&network);
            updated.update(&network, &accumulator, &position, &start);
            assert_eq!(updated.score(&network, &start), reference(&network, &start));
        }
    }

    #[test]
    fn scores_of_chess_equal_the_reference() {
        scores_equal_the_reference::<sandtable_chess::Chess>();
    }

    #[test]
    fn scores_of_cotulenh_equal_the_reference() {
        scores_equal_the_reference::<sandtable_cotulenh::CoTuLenh>();
    }

    #[test]
    fn scores_of_tribun_equal_the_reference() {
        scores_equal_the_reference::<sandtable_tribun::Tribun>();
    }
}
