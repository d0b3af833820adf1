//! `moves`: legal moves and complete turns.

use sandtable::AnyGame;
use sandtable::games::MoveInfo;
use serde_json::json;

use super::summary;
use crate::args::Moves;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Moves, out: &mut Output) -> Result<(), Failure> {
    args.positions.for_each(&args.kind, out, |game, out| {
        if out.json { out.object(&answer(&*game, args.turns)) } else { out.text(list(&*game, args.turns)) }
    })
}

/// The JSON answer. Moves are sorted by action word, or else by text; turns by the position they lead to.
fn answer(game: &dyn AnyGame, turns: bool) -> serde_json::Value {
    let mut moves = game.legal_moves();
    moves.sort_by(|a, b| (a.word, &a.text).cmp(&(b.word, &b.text)));
    let mut answer = summary(game);
    let words: Option<Vec<_>> = moves.iter().map(|m| m.word).collect();
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        answer["actions"] = json!(words);
    }
    answer["steps"] = moves.iter().map(|m| m.text.as_str()).collect();
    answer["san"] = moves.iter().map(|m| m.san.as_str()).collect();
    answer["indices"] = moves.iter().map(|m| m.index.0).collect();
    if turns {
        let mut fens: Vec<_> = game.turns().into_iter().map(|turn| turn.position).collect();
        fens.sort_unstable();
        answer["turns"] = json!(fens.len());
        answer["turn_fens"] = json!(fens);
    }
    answer
}

fn list(game: &dyn AnyGame, turns: bool) -> String {
    let lines: Vec<String> = if turns {
        game.turns().iter().map(|turn| format!("{}\t{}\n", turn.moves.join(" "), turn.position)).collect()
    } else {
        let moves = game.legal_moves();
        let width = |column: fn(&MoveInfo) -> &str| moves.iter().map(|m| column(m).chars().count()).max();
        let (texts, sans) = (width(|m| &m.text).unwrap_or(0), width(|m| &m.san).unwrap_or(0));
        moves.iter().map(|m| format!("{:texts$}  {:sans$}  {}\n", m.text, m.san, m.index.0)).collect()
    };
    lines.concat()
}
