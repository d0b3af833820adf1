//! Every figure that cannot act says why, and one that can act is not refused.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sandtable::core::rules::Rng;
use sandtable::core::view::Attempt;
use sandtable::{AnyGame, find};

use crate::messages::{check, listed};

/// The refusal of an attempt as text.
fn refusal(game: &dyn AnyGame, from: &str, to: Option<&str>) -> Option<String> {
    game.refusal(Attempt { from, to, group: &[] }).map(|refusal| refusal.text)
}

/// Compares the refusals of all pairs of cells with the legal moves, and returns the codes of the refusals.
fn compare(game: &dyn AnyGame) -> BTreeSet<String> {
    let (details, listed) = (game.move_details(), listed());
    let mut seen = BTreeSet::new();
    let cells = game.diagram().cells;
    let mover = game.turn();
    let mine = |cell: &&sandtable::core::view::Cell| cell.figure.as_ref().is_some_and(|f| f.owner == mover);
    for from in cells.iter().filter(mine) {
        let targets = cells.iter().map(|cell| Some(cell.name.as_str())).chain([None]);
        for to in targets.filter(|&to| to != Some(&from.name)) {
            // The attackers of a damaged or liberated unit are not part of the move.
            let mut attackers_unknown = false;
            let legal = details.iter().any(|m| {
                let shares = |cell: &str| m.shares.iter().any(|share| share.cell == cell);
                let is = |cell: &Option<Cow<'static, str>>, name: &str| cell.as_deref() == Some(name);
                let is_target = |to: &str| is(&m.to, to) || is(&m.takes, to) || shares(to);
                let acts = if m.from.is_none() { shares(&from.name) } else { is(&m.from, &from.name) };
                let reaches = to.map_or(m.kind != "end", is_target);
                attackers_unknown |= m.from.is_none() && m.shares.is_empty() && reaches;
                acts && reaches
            });
            let refusal = game.refusal(Attempt { from: &from.name, to, group: &[] });
            let place = format!("{} {} {to:?}", game.position_text(), from.name);
            match &refusal {
                Some(refusal) => {
                    assert!(!legal, "{place}: {}", refusal.text);
                    check(&refusal.message, &refusal.text, &listed, &mut seen);
                }
                None => assert!(legal || attackers_unknown, "{place}: not refused"),
            }
        }
    }
    seen
}

/// Plays random games from the start and from `positions`, and returns the codes of all refusals.
fn codes_of(name: &str, positions: &[&str]) -> BTreeSet<String> {
    let kind = find(name).unwrap();
    let mut seen = BTreeSet::new();
    for rules in kind.rules {
        let starts = positions.iter().map(|text| kind.parse(text, rules).unwrap());
        for (seed, mut game) in (0..).zip(starts.chain([kind.start(rules).unwrap()])) {
            let mut rng = Rng::new(seed);
            for ply in 0..40 {
                if ply % 3 == 0 && !game.is_over() {
                    seen.extend(compare(&*game));
                }
                let Some(text) = game.random_move(&mut rng) else { break };
                game.play(&text).unwrap();
            }
        }
    }
    seen
}

/// Asserts that `seen` has all codes of a game's obstacles, except those in `without`.
fn assert_complete(name: &str, seen: &BTreeSet<String>, without: &[&str]) {
    let prefix = format!("{name}_obstacle.");
    let all: BTreeSet<_> =
        listed().into_keys().filter_map(|code| Some(code.strip_prefix(&prefix)?.to_owned())).collect();
    let missing: Vec<_> = all
        .iter()
        .filter(|code| !seen.contains(&format!("{prefix}{code}")) && !without.contains(&code.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn refusals_of_chess_equal_the_legal_moves() {
    let positions = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/8/1b6/8/3P4/R3K2R w KQ - 0 1",
        "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "6k1/8/8/8/8/1r6/P7/K7 w - - 0 1",
    ];
    assert_complete("chess", &codes_of("chess", &positions), &[]);
}

#[test]
fn refusals_of_cotulenh_equal_the_legal_moves() {
    let positions = [
        "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1",
        "5c5/11/11/11/11/11/5T5/11/11/11/11/5C5 r - - 0 1",
        "6c4/11/11/11/11/11/11/11/11/5t5/11/5C3T1 r - - 0 1",
        "6c4/11/11/11/11/11/11/11/11/5t5/5I5/5C5 r - - 0 1",
        "6c4/11/11/11/11/11/11/11/11/4+C6/11/11 r - - 0 1",
        "6c4/11/11/11/11/11/4I6/3III5/4I6/11/11/5C5 r - - 0 1",
        "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/4IC5 r - - 0 1 c3:T:N>c5...",
        "6c4/11/11/11/11/11/11/11/11/2(NT)I7/11/5C5 r - - 0 1",
    ];
    // A group is needed for these: see `groups_of_cotulenh`.
    let without = ["commander_captured", "left_behind", "not_pending"];
    assert_complete("cotulenh", &codes_of("cotulenh", &positions), &without);
}

#[test]
fn refusals_of_tribun_equal_the_legal_moves() {
    let slaves = "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b -";
    assert_complete("tribun", &codes_of("tribun", &[slaves]), &[]);
}

#[test]
fn groups_of_cotulenh() {
    let at_sea = "6c4/11/11/11/11/11/11/11/11/(NT)10/11/5C5 r - - 0 1";
    let game = find("cotulenh").unwrap().parse(at_sea, "standard").unwrap();
    let refusal = |to, group: &[&str]| {
        game.refusal(Attempt { from: "a3", to: Some(to), group }).map(|refusal| refusal.text)
    };
    assert_eq!(refusal("a5", &[]), None);
    assert_eq!(refusal("a5", &["navy", "tank"]), None);
    let left = "The pieces left on a3 could not stay there";
    assert_eq!(refusal("a5", &["navy"]).as_deref(), Some(left));
    assert_eq!(refusal("c3", &["tank"]).as_deref(), Some("Only a navy goes to sea"));
    assert_eq!(
        refusal("a7", &["tank"]).as_deref(),
        Some("This tank reaches up to 2 squares along ranks and files")
    );
    let absent = "This piece has already acted or is not on a3";
    assert_eq!(refusal("a5", &["missile"]).as_deref(), Some(absent));
}

#[test]
fn every_game_refuses_unknown_empty_and_foreign_cells() {
    for (name, empty, foreign) in [("chess", "e4", "e7"), ("cotulenh", "e6", "c8"), ("tribun", "f6", "f8")] {
        let mut game = find(name).unwrap().start("standard").unwrap();
        let [first, second] = [game.players().first, game.players().second];
        assert_eq!(refusal(&*game, "z99", None).unwrap(), "There is no cell `z99` on this board");
        assert_eq!(refusal(&*game, empty, None).unwrap(), format!("Nothing stands on {empty}"));
        let expected = format!("This belongs to {second}, and it is {first}'s turn");
        assert_eq!(refusal(&*game, foreign, Some(empty)).unwrap(), expected);
        game.agree_draw();
        assert_eq!(refusal(&*game, empty, None).unwrap(), "the game is over: draw (agreement)");
    }
}

#[test]
fn a_headquarters_moves_only_once_it_is_heroic() {
    let start = find("cotulenh").unwrap().start("standard").unwrap();
    let cells = start.diagram().cells;
    let headquarters =
        cells.iter().find(|cell| cell.figure.as_ref().is_some_and(|figure| figure.letters == "H")).unwrap();
    let expected = "A Headquarters moves only once it is heroic";
    assert_eq!(refusal(&*start, &headquarters.name, None).unwrap(), expected);
    assert_eq!(refusal(&*start, &headquarters.name, Some("e6")).unwrap(), expected);
}
