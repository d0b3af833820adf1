//! `net scale`: the curve from scores to expected scores.

use std::collections::BTreeMap;

use sandtable::GameKind;
use sandtable::core::search::WinCurve;
use sandtable::search::self_play::PlayedGame;
use sandtable::training::for_each_quiet;
use serde_json::json;

use super::train::read_folders;
use crate::args::NetScale;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &NetScale, out: &mut Output) -> Result<(), Failure> {
    let (games, rules) = read_folders(args.kind.game.name, &args.folders).map_err(Failure::Usage)?;
    let scale = best_scale(args.kind.game, &games, &rules)?;
    let decisive = games.iter().filter(|game| game.winner.is_some()).count();
    if out.json {
        return out.object(&json!({ "scale": scale, "games": games.len(), "decisive": decisive }));
    }
    out.text(format_args!("scale {scale} ({} games, {decisive} of them decisive)\n", games.len()))
}

/// The scale at which the scores of the searches predict the results of games best. A game that was cut off has no result.
pub(super) fn best_scale<'a>(
    kind: &GameKind,
    games: impl IntoIterator<Item = &'a PlayedGame>,
    rules: &str,
) -> Result<f32, Failure> {
    // By score, in steps of 10 centipawns: the number of positions and the sum of their results.
    const STEP: i16 = 10;
    let mut counts = BTreeMap::<i16, (f64, f64)>::new();
    for game in games {
        for_each_quiet(kind, game, rules, |score, result| {
            if let Some(result) = result {
                let entry = counts.entry(score / STEP * STEP).or_default();
                entry.0 += 1.0;
                entry.1 += f64::from(result);
            }
        })
        .map_err(|e| Failure::Usage(e.to_string()))?;
    }
    let error = |scale: f64| -> f64 {
        let curve = WinCurve::new(scale);
        counts
            .iter()
            .map(|(score, (count, sum))| {
                let expected = curve.expected((*score).into());
                count * expected * expected - 2.0 * sum * expected
            })
            .sum()
    };
    let scales = (4..=200).map(|tens| f64::from(tens) * 10.0);
    let best = scales.min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(400.0);
    #[expect(clippy::cast_possible_truncation, reason = "a multiple of 10 is exact")]
    Ok(best as f32)
}
