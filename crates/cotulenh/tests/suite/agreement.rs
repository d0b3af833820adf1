//! The move generator agrees with the reference implementation, in play and on random boards.

use std::collections::HashSet;

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{FromSetup, Game, Notation, Player, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Heroism, Kind, KindSet, Rules, Setup, Square, Stack};

use crate::reference::Reference;

/// Compares the legal steps, and the position after a random one.
fn compare(position: &CoTuLenh, rng: &mut Rng) {
    let reference = Reference::new(position);
    let fast = position.legal_moves();
    let slow = reference.legal_steps();
    let sets: [HashSet<_>; 2] = [&fast, &slow].map(|steps| steps.iter().copied().collect());
    let text = position.to_text();
    let name = |step: &_| position.move_text(*step);
    let only = |i: usize| sets[i].difference(&sets[1 - i]).map(name).collect::<Vec<_>>();
    assert!(sets[0] == sets[1], "{text}: only fast {:?}, only slow {:?}", only(0), only(1));
    assert_eq!(position.count_legal(), slow.len() as u64, "{text}");
    assert_eq!(position.in_check(), Some(reference.is_attacked(reference.turn)), "{text}");
    if !slow.is_empty() {
        let step = slow[rng.below(slow.len())];
        assert_eq!(
            Reference::new(&position.after(step)),
            reference.after(step),
            "{text}: {}",
            position.move_text(step)
        );
    }
}

fn compare_on_play(games: u64) {
    for (_, rules) in Rules::PRESETS {
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut game = Game::<CoTuLenh>::new(*rules);
            while play_random_moves(&mut game, &mut rng, 1) == 1 && game.ply() < CoTuLenh::PLY_LIMIT {
                compare(game.position(), &mut rng);
            }
        }
    }
}

/// A random position with both commanders and up to `most` other stacks, some of them heroic.
pub(crate) fn scattered(rules: Rules, most: usize, rng: &mut Rng) -> CoTuLenh {
    let stacks: Vec<KindSet> = (1..1 << Kind::NUM)
        .map(|bits| Kind::ALL.into_iter().filter(|kind| bits >> kind.index() & 1 != 0).collect())
        .filter(|&kinds| rules.allow_stack(kinds))
        .collect();
    let with_commander: Vec<KindSet> =
        stacks.iter().copied().filter(|kinds| kinds.contains(Kind::Commander)).collect();
    let without: Vec<KindSet> =
        stacks.iter().copied().filter(|kinds| !kinds.contains(Kind::Commander)).collect();
    let mut setup = Setup::default();
    let mut place = |kinds: KindSet, owner: Player, rng: &mut Rng| {
        let carrier = kinds.first().unwrap();
        let heroes: KindSet = kinds
            .iter()
            .filter(|&kind| rules.heroism == Heroism::Everyone || kind == carrier)
            .filter(|_| rng.below(4) == 0)
            .collect();
        let free: Vec<_> = Square::all()
            .filter(|square| !setup.placement.contains_key(square) && carrier.may_stand(*square))
            .collect();
        setup.placement.insert(free[rng.below(free.len())], Stack::new(owner, kinds, heroes).unwrap());
    };
    for owner in Player::ALL {
        place(with_commander[rng.below(with_commander.len())], owner, rng);
    }
    for _ in 0..rng.below(most + 1) {
        place(without[rng.below(without.len())], Player::ALL[rng.below(2)], rng);
    }
    setup.turn = Player::ALL[rng.below(2)];
    CoTuLenh::from_setup(&setup, rules).unwrap()
}

/// A random position with a commander and one or two pieces against six or more, Air Forces among them: here last guards
/// are promoted and fire zones widen.
fn besieged(rules: Rules, rng: &mut Rng) -> CoTuLenh {
    const DEFENDERS: [Kind; 3] = [Kind::AntiAir, Kind::Missile, Kind::Navy];
    let mut few = vec![Kind::Commander, DEFENDERS[rng.below(3)], Kind::AirForce];
    few.truncate(2 + rng.below(2));
    let mut many = vec![Kind::Commander, Kind::AirForce, Kind::AirForce, DEFENDERS[rng.below(3)]];
    many.extend((0..2 + rng.below(3)).map(|_| [Kind::Infantry, Kind::Tank, Kind::AntiAir][rng.below(3)]));
    let mut setup = Setup::default();
    let side = rng.below(2);
    for (owner, kinds) in [(Player::ALL[side], few), (Player::ALL[1 - side], many)] {
        for kind in kinds {
            let heroes = if rng.below(4) == 0 { kind.only() } else { KindSet::EMPTY };
            // Close together, so that paths cross zones.
            let free: Vec<_> = Square::all()
                .filter(|square| !setup.placement.contains_key(square) && kind.may_stand(*square))
                .filter(|square| (1..=9).contains(&square.file()) && (2..=9).contains(&square.rank_index()))
                .collect();
            let stack = Stack::new(owner, kind.only(), heroes).unwrap();
            setup.placement.insert(free[rng.below(free.len())], stack);
        }
    }
    setup.turn = Player::ALL[if rng.below(4) == 0 { 1 - side } else { side }];
    CoTuLenh::from_setup(&setup, rules).unwrap()
}

fn compare_on_besieged(boards: u64) {
    for (_, rules) in Rules::PRESETS {
        for seed in 0..boards {
            let mut rng = Rng::new(seed);
            compare(&besieged(*rules, &mut rng), &mut rng);
        }
    }
}

/// Compares on random boards, and after a few random steps from each.
fn compare_on_scattered(boards: u64) {
    for (_, rules) in Rules::PRESETS {
        for seed in 0..boards {
            let mut rng = Rng::new(seed);
            let mut game = Game::from_position(scattered(*rules, 6 + seed as usize % 16, &mut rng));
            compare(game.position(), &mut rng);
            while game.ply() < 3 && play_random_moves(&mut game, &mut rng, 1) == 1 {
                compare(game.position(), &mut rng);
            }
        }
    }
}

#[test]
fn on_random_play() {
    compare_on_play(1);
}

#[test]
fn on_scattered_boards() {
    compare_on_scattered(12);
}

#[test]
fn on_besieged_commanders() {
    compare_on_besieged(60);
}

#[test]
#[ignore = "takes minutes: part of the deep run"]
fn on_many_besieged_commanders() {
    compare_on_besieged(20_000);
}

#[test]
#[ignore = "takes minutes: part of the deep run"]
fn on_much_random_play() {
    compare_on_play(20);
}

#[test]
#[ignore = "takes minutes: part of the deep run"]
fn on_many_scattered_boards() {
    compare_on_scattered(1000);
}
