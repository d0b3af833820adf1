//! The features of an evaluation network: each unit on its tile, and its slave.

use sandtable_core::search::{Feature, Features};
use sandtable_core::{ByPlayer, Player};

use crate::Tribun;
use crate::frame::Frame;
use crate::tile::Tile;
use crate::unit::{Height, Unit};

/// Each unit on its tile: by owner, whether it is the tribun, and height.
const UNITS: usize = 2 * 2 * Height::NUM * Tile::NUM;
/// Each slave on its tile: by the owner of the unit that holds it, and height.
const SLAVES: usize = 2 * Height::NUM * Tile::NUM;

impl Features for Tribun {
    const FEATURES: usize = UNITS + SLAVES;
    const FEATURE_SET: &'static str = "tribun-units-1";
    const PLACES: usize = Tile::NUM;
    // The sum of all heights, which never grows. Reached if all units and slaves have height 1.
    const MAX_FEATURES: usize = 72;
    const STAGES: usize = 8;

    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        for player in Player::ALL {
            for (tile, unit) in self.board().units(player) {
                for_each_of_unit(tile, unit, &mut f);
            }
        }
    }

    fn for_each_change(&self, before: &Self, mut f: impl FnMut(Feature, bool)) {
        for tile in self.board().differences(before.board()) {
            for (board, is_new) in [(before.board(), false), (self.board(), true)] {
                if let Some(unit) = board.unit(tile) {
                    for_each_of_unit(tile, unit, &mut |feature| f(feature, is_new));
                }
            }
        }
    }

    /// With the coordinates exchanged, which leaves the start position and all patterns as they are.
    fn reflected(feature: usize) -> usize {
        feature / Tile::NUM * Tile::NUM + usize::from(REFLECTED[feature % Tile::NUM])
    }

    /// By the number of units; stage 0 has the fewest.
    fn stage(&self) -> usize {
        let units: usize = Player::ALL.map(|player| self.board().occupied(player).len()).iter().sum();
        (units * Self::STAGES / (START_UNITS + 1)).min(Self::STAGES - 1)
    }
}

/// The number of units in the start position.
const START_UNITS: usize = 42;

fn for_each_of_unit(tile: Tile, unit: Unit, f: &mut impl FnMut(Feature)) {
    let owner = unit.owner();
    let height = unit.primary().index() - 1;
    f(ByPlayer::from_fn(|viewer| {
        let row = (enemy(viewer, owner) * 2 + usize::from(unit.is_tribun())) * Height::NUM + height;
        row * Tile::NUM + PLACES[Frame::of(viewer).cell(tile)] as usize
    }));
    if let Some(slave) = unit.slave() {
        f(ByPlayer::from_fn(|viewer| {
            let row = enemy(viewer, owner) * Height::NUM + slave.index() - 1;
            UNITS + row * Tile::NUM + PLACES[Frame::of(viewer).cell(tile)] as usize
        }));
    }
}

/// 0 for the viewer's own units, 1 for the opponent's.
fn enemy(viewer: Player, owner: Player) -> usize {
    usize::from(viewer != owner)
}

/// By cid: the number of tiles with a lower cid.
const PLACES: [u8; Tile::CIDS] = {
    let mut places = [0; Tile::CIDS];
    let (mut cid, mut tiles) = (0, 0);
    while cid < Tile::CIDS {
        places[cid] = tiles;
        if Tile::from_cid(cid as u8).is_ok() {
            tiles += 1;
        }
        cid += 1;
    }
    places
};

/// By place: the place of the reflected tile.
const REFLECTED: [u8; Tile::NUM] = {
    let mut places = [0; Tile::NUM];
    let mut cid = 0;
    while cid < Tile::CIDS {
        if let Ok(tile) = Tile::from_cid(cid as u8) {
            places[PLACES[cid] as usize] = PLACES[tile.reflected().index()];
        }
        cid += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use sandtable_core::Game;
    use sandtable_core::learn::Symmetric as _;
    use sandtable_core::rules::{Rng, play_random_moves};

    use super::*;
    use crate::rules::Rules;

    fn features(position: &Tribun, viewer: Player) -> Vec<usize> {
        let mut features = Vec::new();
        position.for_each_feature(|feature| features.push(feature[viewer]));
        features.sort_unstable();
        features
    }

    #[test]
    fn reflected_features_are_those_of_the_reflected_board() {
        for seed in 0..30 {
            let mut game = Game::<Tribun>::new(Rules::STANDARD);
            play_random_moves(&mut game, &mut Rng::new(seed), 40);
            let position = game.position();
            let reflected = position.reflection().expect("every position has one");
            for viewer in Player::ALL {
                let mut expected: Vec<_> =
                    features(position, viewer).into_iter().map(Tribun::reflected).collect();
                expected.sort_unstable();
                assert_eq!(features(&reflected, viewer), expected);
            }
        }
    }
}
