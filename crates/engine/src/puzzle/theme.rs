//! The themes of a puzzle, computed from its solution.

use sandtable_core::Player;
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::view::{MoveDetails, PlayedTurn, Render};
use sandtable_games::{GAMES, GameVisitor, Playable};

/// The themes of all games, in the order in which puzzles list them.
const SHARED: [&str; 8] = ["mate", "material", "capture", "quiet", "check", "sacrifice", "fork", "promotion"];

/// All themes: those of all games, then those that single games have. [docs/puzzles.md](../../../../docs/puzzles.md) defines
/// them.
#[must_use]
pub fn all_themes() -> Vec<&'static str> {
    struct Names;
    impl GameVisitor for Names {
        type Out = Vec<&'static str>;

        fn visit<P: Playable>(self) -> Self::Out {
            P::THEMES.iter().map(|theme| theme.name).collect()
        }
    }
    let mut all = SHARED.to_vec();
    for theme in GAMES.iter().flat_map(|kind| kind.visit(Names)) {
        if !all.contains(&theme) {
            all.push(theme);
        }
    }
    all
}

/// A move that loses at least this much by exchange is a sacrifice, in centipawns.
const SACRIFICE: i32 = 100;

/// The themes of a solution that wins by force or not. All but `mate` and `material` are about its first turn.
pub(super) fn themes<P: Evaluate + Render>(
    position: &P,
    turn: &[P::Move],
    wins_by_force: bool,
) -> Vec<String> {
    let mut here = position.clone();
    let mut details = Vec::new();
    let mut sacrifices = false;
    for &m in turn {
        details.push(here.move_details(m));
        sacrifices |= here.view().static_exchange(m) <= -SACRIFICE;
        here.play_unchecked(m);
    }
    let is_over = here.outcome(1).is_over();
    let any = |test: fn(&MoveDetails) -> bool| details.iter().any(test);
    let takes = any(|m| m.takes.is_some());
    let promotes = any(|m| m.becomes.is_some());
    let solver = position.turn();
    let has_theme = |theme: &str| match theme {
        "mate" => wins_by_force,
        "material" => !wins_by_force,
        "capture" => takes,
        "quiet" => !takes && !promotes,
        "check" => !is_over && here.in_check() == Some(true),
        "sacrifice" => sacrifices && !is_over,
        "fork" => !is_over && is_fork(&here, &details, solver),
        "promotion" => promotes,
        _ => unreachable!("a theme of all games"),
    };
    let played = PlayedTurn { before: position, moves: &details, after: &here };
    let own = P::THEMES.iter().filter(|theme| (theme.applies)(&played)).map(|theme| theme.name);
    SHARED.into_iter().filter(|theme| has_theme(theme)).chain(own).map(str::to_owned).collect()
}

/// Whether a figure that moved attacks two enemy figures with gain: what it could capture if the opponent passed.
fn is_fork<P: Evaluate + Render>(after: &P, turn: &[MoveDetails], solver: Player) -> bool {
    let passed = after.view().null_move().filter(|passed| passed.turn() == solver);
    let Some(passed) = passed else { return false };
    let view = passed.view();
    let mut targets: Vec<(String, String)> = Vec::new();
    for m in passed.legal_moves() {
        let MoveDetails { from: Some(from), takes: Some(target), .. } = passed.move_details(m) else {
            continue;
        };
        let moved = turn.iter().any(|m| m.to.as_ref() == Some(&from));
        let target = (from.into_owned(), target.into_owned());
        if moved && !targets.contains(&target) && view.static_exchange(m) >= SACRIFICE {
            targets.push(target);
        }
    }
    targets.iter().any(|(from, _)| targets.iter().filter(|(other, _)| other == from).count() > 1)
}
