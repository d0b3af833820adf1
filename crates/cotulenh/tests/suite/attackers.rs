//! Attackers, fire zones and the legal moves of a square, each against a slow definition.

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Game, Notation, Player, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Kind, KindSet, Rules, Square, SquareSet, Stack};

use crate::agreement::scattered;
use crate::reference::Reference;

/// Calls `f` with positions of random games and random boards under both presets.
fn for_each_position(mut f: impl FnMut(&CoTuLenh)) {
    for (_, rules) in Rules::PRESETS {
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut game = if seed < 2 {
                Game::<CoTuLenh>::new(*rules)
            } else {
                Game::from_position(scattered(*rules, 20, &mut rng))
            };
            f(game.position());
            while game.ply() < 40 && play_random_moves(&mut game, &mut rng, 4) == 4 {
                f(game.position());
            }
        }
    }
}

/// The stacks of `by` with a piece that could capture on `square`: the enemy stack there, or else an enemy Infantry put
/// there. `None` if a Navy of `by` is on the square, because a Navy is captured from further away.
fn slow_attackers(position: &CoTuLenh, square: Square, by: Player) -> Option<SquareSet> {
    let mut reference = Reference::new(position);
    match position.board().get(square) {
        Some(stack) if stack.owner() != by => {}
        Some(stack) if stack.carrier() == Kind::Navy => return None,
        _ => {
            let infantry = Stack::new(!by, Kind::Infantry.only(), KindSet::EMPTY).unwrap();
            reference.board.set(square, Some(infantry));
        }
    }
    let attacks = |&(from, stack): &(Square, Stack)| {
        stack.kinds().iter().any(|kind| reference.attacks(from, kind, square))
    };
    let stacks = position.board().pieces(by).filter(|&(from, _)| from != square);
    Some(stacks.filter(attacks).map(|(from, _)| from).collect())
}

#[test]
fn attackers_are_the_pieces_that_could_capture() {
    let mut compared = 0;
    for_each_position(|position| {
        for square in Square::all() {
            let attackers = position.attackers(square);
            for by in Player::ALL {
                if let Some(expected) = slow_attackers(position, square, by) {
                    let found = attackers & position.board().occupied(by);
                    assert_eq!(found, expected, "{by:?} on {square} in {}", position.to_text());
                    compared += usize::from(!expected.is_empty());
                }
            }
        }
    });
    assert!(compared > 5_000, "{compared} attacked squares");
}

#[test]
fn a_commander_does_not_attack_squares_that_the_enemy_commander_sees() {
    let read = |text| CoTuLenh::from_text(text, Rules::STANDARD).unwrap();
    let open = read("6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1");
    assert!(open.attackers(Square::G1).is_empty());
    let blocked = read("6c4/11/11/11/11/6h4/11/11/11/11/11/5C5 r - - 0 1");
    assert_eq!(blocked.attackers(Square::G1), SquareSet::of(&[Square::F1]));
}

#[test]
fn fire_zones_are_discs_around_the_defenders() {
    for_each_position(|position| {
        for player in Player::ALL {
            let covers = |(place, stack): (Square, Stack), square: Square| {
                let level = match stack.carrier() {
                    Kind::Missile => 2,
                    Kind::Navy | Kind::AntiAir => 1,
                    _ => return false,
                } + i32::from(stack.is_carrier_heroic());
                let files = i32::from(place.file()) - i32::from(square.file());
                let ranks = i32::from(place.rank()) - i32::from(square.rank());
                files * files + ranks * ranks <= level * level
            };
            let expected: SquareSet = Square::all()
                .filter(|&square| position.board().pieces(player).any(|placed| covers(placed, square)))
                .collect();
            assert_eq!(position.fire_zones(player), expected, "{}", position.to_text());
        }
    });
}

#[test]
fn legal_moves_from_a_square_are_the_legal_moves_with_that_origin() {
    let mut deployments = 0;
    for_each_position(|position| {
        let legal = position.legal_moves();
        for square in Square::all() {
            let expected: Vec<_> = legal.iter().copied().filter(|step| step.origin() == square).collect();
            assert_eq!(position.legal_moves_from(square), expected, "{square} in {}", position.to_text());
        }
        deployments += usize::from(position.deployment().is_some());
    });
    assert!(deployments > 20, "{deployments} deployments");
}
