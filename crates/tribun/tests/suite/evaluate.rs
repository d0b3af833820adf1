//! Static evaluation: symmetry, and the gains and risks of actions.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _, Tactic, Tunable};
use sandtable_core::{FromSetup, Game, Notation as _, Player, Position};
use sandtable_tribun::{Action, Height, Rules, Setup, Tribun, Unit};

/// Calls `f` with every third position of random games, under all rules, half of them from a position with slaves.
fn visited(mut f: impl FnMut(&Tribun)) {
    let slaves = "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b -";
    for seed in 0..12 {
        let rules = if seed % 3 == 0 { Rules::NINETY } else { Rules::STANDARD };
        let mut game = match seed % 2 {
            0 => Game::new(rules),
            _ => Game::from_position(position(slaves, rules)),
        };
        let mut rng = Rng::new(seed);
        while game.ply() < 150 && play_random_moves(&mut game, &mut rng, 3) == 3 {
            f(game.position());
        }
    }
}

fn position(text: &str, rules: Rules) -> Tribun {
    Tribun::from_text(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn standard(text: &str) -> Tribun {
    position(text, Rules::STANDARD)
}

fn noisy(position: &Tribun) -> HashSet<Action> {
    let mut actions = HashSet::new();
    let _ = position.view().for_each_noisy::<()>(|action| {
        assert!(actions.insert(action), "{action:?} occurs twice in {}", position.to_text());
        ControlFlow::Continue(())
    });
    actions
}

fn worth(height: u8) -> i32 {
    Tribun::WEIGHTS.height[Height::new(height).unwrap().index() - 1]
}

/// The value of enslaving a unit of this height.
fn captured(height: Height) -> i32 {
    worth(height.value()) + Tribun::WEIGHTS.slave[height.index() - 1]
}

/// The material balance of a player: units and slaves, without the tribuns.
fn balance(position: &Tribun, player: Player) -> i32 {
    let side = |player| -> i32 {
        let units = position.board().units(player).filter(|(_, unit)| !unit.is_tribun());
        units
            .map(|(_, unit)| {
                worth(unit.primary().value())
                    + unit.slave().map_or(0, |slave| Tribun::WEIGHTS.slave[slave.index() - 1])
            })
            .sum()
    };
    side(player) - side(!player)
}

#[test]
fn a_position_and_its_mirror_have_the_same_evaluation() {
    visited(|position| {
        assert_eq!(
            position.view().evaluate(),
            position.mirrored().view().evaluate(),
            "{}",
            position.to_text()
        );
        assert!(position.view().evaluate().abs() <= Tribun::EVALUATION_LIMIT);
    });
}

#[test]
fn an_additional_unit_improves_the_evaluation() {
    let even = standard("black:a1=1*,c3=2,d4=3 white:k11=1*,i9=2,h8=3 b -");
    let more = standard("black:a1=1*,c3=2,d4=3,b4=3 white:k11=1*,i9=2,h8=3 b -");
    let less = standard("black:a1=1*,c3=2,d4=3 white:k11=1*,i9=2,h8=3,j8=3 b -");
    assert!(more.view().evaluate() > even.view().evaluate() + 250);
    assert!(less.view().evaluate() < even.view().evaluate() - 250);
    let holding = standard("black:a1=1*,c3=2/2,d4=3 white:k11=1*,i9=2,h8=3 b -");
    assert!(holding.view().evaluate() > even.view().evaluate());
}

#[test]
fn an_attack_on_the_tribun_is_nearly_winning_for_the_mover() {
    // The 2 on i9 attacks the tribun on k10.
    let reached = |turn| standard(&format!("black:a1=1*,i9=2 white:k10=1*,a6=2 {turn} -")).view().evaluate();
    assert!(reached("b") > 1000);
    assert!(reached("w") < 500 && reached("w") > -500);
}

#[test]
fn noisy_actions_are_the_attacks() {
    let is_attack = |action: &Action| {
        matches!(
            action,
            Action::Kill { .. }
                | Action::Enslave { .. }
                | Action::Liberate { .. }
                | Action::Damage { .. }
                | Action::AttackTribun { .. }
        )
    };
    visited(|position| {
        let legal = position.legal_moves();
        let attacks: HashSet<_> = legal.iter().copied().filter(is_attack).collect();
        assert_eq!(noisy(position), attacks, "{}", position.to_text());
        for action in legal {
            assert_eq!(position.view().tactic(action).gain > 0, attacks.contains(&action), "{action:?}");
        }
    });
    let over = standard("black:a1=1*,i9=2 white:k10=1*,a6=2 w - #");
    assert!(noisy(&over).is_empty());
}

#[test]
fn a_gain_is_the_change_of_the_material_balance() {
    let mut holders = 0;
    visited(|position| {
        let mover = position.turn();
        for action in noisy(position) {
            let next = position.after(action);
            let Tactic { gain, .. } = position.view().tactic(action);
            let change = balance(&next, mover) - balance(position, mover);
            // The attacker may lose its own slave, which the gain does not include.
            let lost = match action {
                Action::AttackTribun { .. } => continue,
                Action::Kill { attacker, target, .. } | Action::Enslave { attacker, target } => {
                    let slave = position.board().unit(attacker).and_then(Unit::slave);
                    let kept = next.board().unit(target).and_then(Unit::slave).is_some();
                    let killed = matches!(action, Action::Kill { .. });
                    slave.filter(|_| !(killed && kept)).map_or(0, captured)
                }
                _ => 0,
            };
            holders += u32::from(lost > 0);
            assert_eq!(gain - lost, change, "{action:?} in {}", position.to_text());
        }
    });
    assert!(holders > 10);
}

/// The tactic and the static exchange evaluation of the first matching action.
fn tactic(text: &str, find: impl Fn(&Action) -> bool) -> (Tactic, i32) {
    let position = standard(text);
    let action = position.legal_moves().into_iter().find(find).expect("a matching action is legal");
    (position.view().tactic(action), position.view().static_exchange(action))
}

#[test]
fn the_gain_of_an_attack_is_the_loss_of_its_target() {
    // The 3 on f6 attacks i8.
    let kill = |action: &Action| matches!(action, Action::Kill { .. });
    let (found, exchange) = tactic("black:a1=1*,f6=3 white:k11=1*,i8=2 b -", kill);
    assert_eq!((found, exchange), (Tactic { gain: worth(2), risk: worth(3) }, worth(2)));

    let captured = captured(Height::Two);
    let (found, exchange) =
        tactic("black:a1=1*,f6=3 white:k11=1*,i8=2 b -", |action| matches!(action, Action::Enslave { .. }));
    assert_eq!((found, exchange), (Tactic { gain: captured, risk: worth(3) + captured }, captured));

    let (found, _) =
        tactic("black:a1=1*,f6=3 white:k11=1*,i8=4 b -", |action| matches!(action, Action::Damage { .. }));
    assert_eq!(found, Tactic { gain: worth(4) - worth(1), risk: 0 });

    let (found, _) = tactic("black:a1=1*,f6=3 white:k11=1*,i8=1/2 b -", |action| {
        matches!(action, Action::Liberate { .. })
    });
    assert_eq!(found, Tactic { gain: worth(1) + captured, risk: 0 });

    let (found, _) = tactic("black:a1=1*,f6=3 white:i8=1*,k11=8 b -", |action| {
        matches!(action, Action::AttackTribun { .. })
    });
    assert_eq!(found.gain, Tribun::EVALUATION_LIMIT);

    let quiet = |action: &Action| matches!(action, Action::Move { .. });
    assert_eq!(tactic("black:a1=1*,f6=3 white:k11=1*,i8=2 b -", quiet), (Tactic::QUIET, 0));
}

#[test]
fn defenders_recapture() {
    let kill = |action: &Action| matches!(action, Action::Kill { .. });
    // The 3 on h10 defends i8.
    let (_, alone) = tactic("black:a1=1*,f6=3 white:k11=1*,i8=2,h10=3 b -", kill);
    assert_eq!(alone, worth(2) - worth(3));
    // The 3 on g5 supports the attack: a recapture would cost as much as it gains.
    let (_, helped) = tactic("black:a1=1*,f6=3,g5=3 white:k11=1*,i8=2,h10=3 b -", kill);
    assert_eq!(helped, worth(2));
    // A 1 cannot recapture a 3.
    let (_, weak) = tactic("black:a1=1*,f6=3 white:k11=1*,i8=2,j8=1 b -", kill);
    assert_eq!(weak, worth(2));
    // A liberation recaptures without moving in.
    let (_, freed) = tactic("black:a1=1*,f6=3,g5=3 white:k11=1*,i8=2,h10=3 b -", |action| {
        matches!(action, Action::Enslave { .. })
    });
    assert_eq!(freed, -worth(3));
    let enslave = |action: &Action| matches!(action, Action::Enslave { .. });
    let (_, freed) = tactic("black:a1=1*,f6=3 white:k11=1*,i8=2,h10=3 b -", enslave);
    assert_eq!(freed, -worth(3));
    let (_, kept) = tactic("black:a1=1*,f6=3,g5=3 white:k11=1*,i8=2 b -", enslave);
    assert_eq!(kept, captured(Height::Two));
}

/// The gain of recapturing a unit with the lowest of `own`, if all of them together can kill it. The tribun, marked by
/// `true`, supports the attack and does not move in.
fn recapture(own: &[(u8, bool)], others: &[(u8, bool)], target: u8, value: i32) -> i32 {
    let lowest = own.iter().filter(|(_, tribun)| !tribun).min();
    let Some(&lowest) = lowest.filter(|_| own.iter().map(|(height, _)| height).sum::<u8>() >= target) else {
        return 0;
    };
    let mut rest = own.to_vec();
    rest.remove(own.iter().position(|unit| *unit == lowest).unwrap());
    (value - recapture(others, &rest, lowest.0, worth(lowest.0))).max(0)
}

#[test]
fn an_exchange_lasts_as_long_as_it_gains() {
    let mut long = 0;
    // Without slaves, so that the primaries are all attackers of a tile.
    for seed in 0..20 {
        let (mut game, mut rng) = (Game::new(Rules::NINETY), Rng::new(seed));
        while game.ply() < 150 && play_random_moves(&mut game, &mut rng, 1) == 1 {
            let position = game.position();
            for action in noisy(position) {
                let Action::Kill { attacker, target, .. } = action else { continue };
                let reaching = |player| -> Vec<(u8, bool)> {
                    let units = position.attackers(target) & position.board().occupied(player);
                    let units = units.iter().filter(|&tile| tile != attacker);
                    let units = units.filter_map(|tile| position.board().unit(tile));
                    units.map(|unit| (unit.primary().value(), unit.is_tribun())).collect()
                };
                let (own, others) = (reaching(position.turn()), reaching(!position.turn()));
                let height = position.board().unit(attacker).unwrap().primary().value();
                let Tactic { gain, risk } = position.view().tactic(action);
                let expected = gain - recapture(&others, &own, height, risk);
                assert_eq!(
                    position.view().static_exchange(action),
                    expected,
                    "{action:?} in {}",
                    position.to_text()
                );
                long += u32::from(own.len() > 1 && others.len() > 1);
            }
        }
    }
    assert!(long > 100, "{long}");
}

#[test]
fn a_null_move_changes_only_the_side_to_move() {
    let (mut granted, mut refused) = (0, 0);
    visited(|position| {
        let reached = {
            let setup = position.to_setup();
            let other = Setup { turn: !setup.turn, attacked: false, ..setup };
            Tribun::from_setup(&other, position.rules()).unwrap()
        };
        let lost = reached.legal_moves().iter().any(|action| matches!(action, Action::AttackTribun { .. }));
        match position.view().null_move() {
            None => {
                refused += 1;
                assert!(lost, "{}", position.to_text());
            }
            Some(passed) => {
                granted += 1;
                assert!(!lost, "{}", position.to_text());
                assert_eq!((passed, passed.hash64()), (reached, reached.hash64()));
            }
        }
    });
    assert!(granted > 100 && refused > 5, "{granted} {refused}");
    let over = standard("black:a1=1*,i9=2 white:k10=1*,a6=2 w - #");
    assert_eq!(over.view().null_move(), None);
}

#[test]
fn winning_moves_are_found() {
    let mut wins = [0; 2];
    visited(|position| {
        let winning = |action: &Action| position.after(*action).is_tribun_attacked();
        let found = position.view().winning_move();
        assert_eq!(found, position.legal_moves().into_iter().find(winning), "{}", position.to_text());
        wins[usize::from(found.is_some())] += 1;
        // The mover must respond if the opponent could win now.
        let passed = position.to_setup();
        let passed = Setup { turn: !passed.turn, attacked: false, ..passed };
        let passed = Tribun::from_setup(&passed, position.rules()).unwrap();
        assert_eq!(
            position.view().must_respond(),
            passed.view().winning_move().is_some(),
            "{}",
            position.to_text()
        );
    });
    assert!(wins.iter().all(|&count| count > 5), "{wins:?}");
    let over = standard("black:a1=1*,i9=2 white:k10=1*,a6=2 w - #");
    assert_eq!(over.view().winning_move(), None);
}

#[test]
fn parameters_are_all_weights() {
    let mut weights = Tribun::WEIGHTS;
    let count = Tribun::parameters(&mut weights).len();
    assert_eq!(count * size_of::<i32>(), size_of_val(&weights));
    let start = Tribun::start(Rules::STANDARD);
    assert_eq!(start.evaluate_with(&weights), start.view().evaluate());
    for parameter in Tribun::parameters(&mut weights) {
        *parameter = 0;
    }
    visited(|position| assert_eq!(position.evaluate_with(&weights), 0));
}
