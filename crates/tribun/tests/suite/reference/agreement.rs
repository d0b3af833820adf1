//! The generator agrees with the slow reference on random games and random boards, under both rule sets.

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Game, Player, Position};
use sandtable_tribun::{Board, Height, Rules, Tile, Tribun, Unit};

use super::slow::Slow;

fn assert_agreement(position: &Tribun) {
    let board = position.board().to_base64();
    let slow = Slow::new(position).successors();
    let actions = position.legal_moves();
    let words: Vec<_> = actions.iter().map(|action| action.word()).collect();
    let expected: Vec<_> = slow.keys().copied().collect();
    assert_eq!(words, expected, "{board} {:?}", position.turn());
    assert_eq!(position.count_legal(), expected.len() as u64, "{board}");
    for action in actions {
        let after = position.after(action);
        let expected = slow[&action.word()];
        assert_eq!(after.is_tribun_attacked(), expected.is_none(), "{board} {action:?}");
        let unchanged = position.board().to_bytes();
        assert_eq!(after.board().to_bytes(), expected.unwrap_or(unchanged), "{board} {action:?}");
    }
}

/// A board with up to `count` random units.
fn random_board(count: usize, rng: &mut Rng) -> Board {
    let tiles: Vec<_> = Tile::all().collect();
    loop {
        let mut bytes = [0; Tile::CIDS];
        for i in 0..count {
            let owner = Player::ALL[rng.below(2)];
            let height = Height::ALL[rng.below(6)];
            let slave = (rng.below(3) == 0).then(|| Height::ALL[rng.below(6)]);
            let unit = match i {
                0 | 1 => Unit::tribun(Player::ALL[i], height),
                _ => Unit::with_slave(owner, height, slave).unwrap_or(Unit::new(owner, height)),
            };
            bytes[tiles[rng.below(tiles.len())].index()] = unit.byte();
        }
        // Fails if a later unit replaced a tribun.
        if let Ok(board) = Board::from_bytes(&bytes) {
            return board;
        }
    }
}

#[test]
fn fast_equals_slow_in_random_games() {
    for rules in [Rules::STANDARD, Rules::NINETY] {
        for seed in 0..8 {
            let mut game = Game::<Tribun>::new(rules);
            let mut rng = Rng::new(seed);
            assert_agreement(game.position());
            while play_random_moves(&mut game, &mut rng, 1) == 1 && game.ply() < 120 {
                if !game.position().is_tribun_attacked() {
                    assert_agreement(game.position());
                }
            }
        }
    }
}

#[test]
fn fast_equals_slow_on_random_boards() {
    let mut rng = Rng::new(4);
    for rules in [Rules::STANDARD, Rules::NINETY] {
        for count in 4..30 {
            for _ in 0..6 {
                let board = random_board(count, &mut rng);
                for turn in Player::ALL {
                    assert_agreement(&Tribun::new(board, turn, rules));
                }
            }
        }
    }
}

/// Boards with many units of one side, which have combinations, symmetric ones too, and splits of every kind.
#[test]
fn fast_equals_slow_with_many_units_of_one_side() {
    let mut rng = Rng::new(5);
    for rules in [Rules::STANDARD, Rules::NINETY] {
        for round in 0..60 {
            let mut bytes = [0; Tile::CIDS];
            let heights =
                [&Height::ALL[..], &Height::ALL[..1], &Height::ALL[1..3], &Height::ALL[3..]][round % 4];
            for tile in Tile::all().filter(|tile| tile.color() != sandtable_tribun::TileColor::Gray) {
                let height = heights[rng.below(heights.len())];
                let slave = (rng.below(8) == 0).then(|| Height::ALL[rng.below(6)]);
                let owner = Player::ALL[usize::from(rng.below(12) == 0)];
                let unit = Unit::with_slave(owner, height, slave).unwrap_or(Unit::new(owner, height));
                bytes[tile.index()] = unit.byte();
            }
            bytes[0] = Unit::tribun(Player::First, Height::ALL[rng.below(6)]).byte();
            bytes[120] = Unit::tribun(Player::Second, Height::ALL[rng.below(6)]).byte();
            assert_agreement(&Tribun::new(Board::from_bytes(&bytes).unwrap(), Player::First, rules));
        }
    }
}
