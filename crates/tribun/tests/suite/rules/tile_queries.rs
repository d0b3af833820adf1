//! `attackers` and `legal_moves_from` against slow definitions, on random boards.

use sandtable_core::rules::Rng;
use sandtable_core::view::Render as _;
use sandtable_core::{Player, Position};
use sandtable_tribun::{Action, Board, Height, Rules, Tile, TileSet, Tribun, Unit};

fn random_unit(owner: Player, rng: &mut Rng) -> Unit {
    let height = Height::ALL[rng.below(6)];
    let slave = (rng.below(2) == 0).then(|| Height::ALL[rng.below(6)]);
    Unit::with_slave(owner, height, slave).unwrap_or(Unit::new(owner, height))
}

fn random_position(rng: &mut Rng) -> Tribun {
    let mut bytes = [0; Tile::CIDS];
    for tile in Tile::all().filter(|_| rng.below(5) == 0).collect::<Vec<_>>() {
        bytes[tile.index()] = random_unit(Player::ALL[rng.below(2)], rng).byte();
    }
    bytes[0] = Unit::tribun(Player::First, Height::ALL[rng.below(6)]).byte();
    bytes[120] = Unit::tribun(Player::Second, Height::ALL[rng.below(6)]).byte();
    Tribun::new(Board::from_bytes(&bytes).unwrap(), Player::ALL[rng.below(2)], Rules::STANDARD)
}

/// The units of `player` that could attack the enemy tribun if it stood on `tile`.
///
/// Removing the tribun from its corner opens no lines, because lines end in corners.
fn attackers_by_moves(position: &Tribun, tile: Tile, player: Player) -> TileSet {
    let mut bytes = position.board().to_bytes();
    bytes[position.board().tribun(!player).index()] = 0;
    bytes[tile.index()] = Unit::tribun(!player, Height::One).byte();
    let board = Board::from_bytes(&bytes).unwrap();
    let attacks = Tribun::new(board, player, Rules::STANDARD).legal_moves().into_iter();
    let attacks = attacks.filter(|action| matches!(action, Action::AttackTribun { .. }));
    attacks.filter_map(Action::actor).collect()
}

#[test]
fn attackers_are_the_units_that_could_attack_a_tribun_on_the_tile() {
    let mut rng = Rng::new(11);
    let mut found = 0;
    for _ in 0..30 {
        let position = random_position(&mut rng);
        for player in Player::ALL {
            for tile in Tile::all().filter(|&tile| tile != position.board().tribun(player)) {
                let expected = attackers_by_moves(&position, tile, player);
                let attackers = position.attackers(tile) & position.board().occupied(player);
                assert_eq!(attackers, expected, "{tile}");
                found += attackers.len();
            }
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn legal_moves_from_a_tile_are_those_whose_details_start_there() {
    let mut rng = Rng::new(12);
    for _ in 0..10 {
        let position = random_position(&mut rng);
        let legal = position.legal_moves();
        let mut total = 0;
        for tile in Tile::all() {
            let starts_here =
                |action: &Action| position.move_details(*action).from.as_deref() == Some(tile.name());
            let expected: Vec<_> = legal.iter().copied().filter(starts_here).collect();
            assert_eq!(position.legal_moves_from(tile), expected, "{tile}");
            total += expected.len();
        }
        assert!(total > 0);
    }
}
