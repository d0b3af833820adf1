//! `bench`: encoding, perft and search, each compared with a baseline in the same run.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Board;
use sandtable::core::learn::Layout;
use sandtable::core::rules::{Context, MAX_PERFT_DEPTH, Rng, play_random_moves};
use sandtable::core::{Game, Observe};
use sandtable::engine::{Evaluation, engine_for};
use sandtable::games::{GameVisitor, Playable};
use sandtable::search::AlphaBetaSettings;
use sandtable::{GAMES, GameKind, find};
use serde_json::{Value, json};

use crate::args::Bench;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::output::{Output, progress};

const BATCH: u32 = 4096;
const ROUNDS: u64 = 15;

pub(crate) fn run(args: &Bench, out: &mut Output) -> Result<(), Failure> {
    let games = match &args.game {
        None => GAMES.iter().collect(),
        Some(name) => vec![find(name).map_err(|e| Failure::Usage(e.to_string()))?],
    };
    let mut figures = Vec::new();
    for kind in games {
        figures.push(batch(kind));
        figures.push(single(kind));
        figures.push(perft(kind));
        figures.push(search(kind));
    }
    if out.json {
        return out.object(&json!({ "figures": figures.iter().map(Figure::to_json).collect::<Value>() }));
    }
    figures.iter().try_for_each(|figure| out.text(figure.to_line()))
}

/// A measurement: the median time per unit of work, with a baseline.
struct Figure {
    game: &'static str,
    what: String,
    /// The unit of work.
    unit: &'static str,
    nanoseconds: f64,
    baseline: Option<Comparison>,
}

struct Comparison {
    with: String,
    nanoseconds: f64,
    /// The median over the rounds of our time divided by the baseline's.
    ratio: f64,
}

impl Figure {
    fn to_json(&self) -> Value {
        json!({
            "game": self.game,
            "what": self.what,
            "unit": self.unit,
            "nanoseconds": self.nanoseconds,
            "per_second": (1e9 / self.nanoseconds).round(),
            "baseline": self.baseline.as_ref().map(|compared| json!({
                "name": compared.with,
                "nanoseconds": compared.nanoseconds,
                "ratio": compared.ratio,
            })),
        })
    }

    fn to_line(&self) -> String {
        let Self { game, what, unit, nanoseconds, .. } = self;
        let rate = 1e3 / nanoseconds;
        let compared = self
            .baseline
            .as_ref()
            .map_or_else(String::new, |b| format!("; {:.2} × {} ({:.1} ns)", b.ratio, b.with, b.nanoseconds));
        format!("{game}: {what}: {nanoseconds:.1} ns per {unit}, {rate:.1} million per second{compared}\n")
    }
}

/// Positions of one game, each with its context.
trait Positions {
    /// Writes the observation of one position.
    fn encode_one(&self, index: usize, out: &mut [f32]);

    /// Writes all observations, one after the other.
    fn encode(&self, out: &mut [f32]);
}

impl<P: Observe> Positions for Vec<(P, Context)> {
    fn encode_one(&self, index: usize, out: &mut [f32]) {
        let (position, context) = &self[index];
        position.write_observation(*context, Layout::Hwc, out).expect("the buffer fits one position");
    }

    fn encode(&self, out: &mut [f32]) {
        for (index, row) in out.chunks_exact_mut(P::SHAPE.len()).enumerate() {
            self.encode_one(index, row);
        }
    }
}

/// Returns `count` positions of random games.
fn random_positions(kind: &GameKind, count: usize, seed: u64) -> Box<dyn Positions> {
    struct RandomGames(usize, u64);
    impl GameVisitor for RandomGames {
        type Out = Box<dyn Positions>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(count, seed) = self;
            let mut rng = Rng::new(seed);
            let mut game = Game::<P>::default();
            let mut positions = Vec::with_capacity(count);
            while positions.len() < count {
                positions.push((game.position().clone(), game.context()));
                if play_random_moves(&mut game, &mut rng, 1) == 0 || game.ply() >= P::PLY_LIMIT {
                    game = Game::default();
                }
            }
            Box::new(positions)
        }
    }
    kind.visit(RandomGames(count, seed))
}

/// Encodes many positions into one buffer; the baseline copies as many bytes.
fn batch(kind: &'static GameKind) -> Figure {
    let positions = random_positions(kind, BATCH as usize, 1);
    let mut buffer = vec![0.0_f32; BATCH as usize * kind.shape.len()];
    let source = vec![1.0_f32; buffer.len()];
    let mut copy = vec![0.0_f32; buffer.len()];
    let timed = alternate(
        kind.name,
        || positions.encode(black_box(&mut buffer)),
        || black_box(&mut copy).copy_from_slice(black_box(&source)),
    );
    let per = f64::from(BATCH);
    Figure {
        game: kind.name,
        what: format!("encode {BATCH} positions into one buffer"),
        unit: "position",
        nanoseconds: timed.ours / per,
        baseline: Some(Comparison {
            with: "memcpy".into(),
            nanoseconds: timed.theirs / per,
            ratio: timed.ratio,
        }),
    }
}

/// Encodes positions one by one into a buffer that stays in the cache; the baseline copies as many bytes.
fn single(kind: &'static GameKind) -> Figure {
    const COUNT: u16 = 256;
    const REPEATS: u16 = 20;
    let positions = random_positions(kind, COUNT.into(), 2);
    let mut buffer = vec![0.0_f32; kind.shape.len()];
    let source = buffer.clone();
    let mut copy = buffer.clone();
    let timed = alternate(
        kind.name,
        || {
            for number in (0..REPEATS).flat_map(|_| 0..COUNT) {
                positions.encode_one(number.into(), black_box(&mut buffer));
            }
        },
        || {
            for _ in 0..REPEATS * COUNT {
                black_box(&mut copy).copy_from_slice(black_box(&source));
            }
        },
    );
    let per = f64::from(REPEATS * COUNT);
    Figure {
        game: kind.name,
        what: "encode one position".to_owned(),
        unit: "position",
        nanoseconds: timed.ours / per,
        baseline: Some(Comparison {
            with: "memcpy".into(),
            nanoseconds: timed.theirs / per,
            ratio: timed.ratio,
        }),
    }
}

/// Runs perft at the first depth that takes long enough to measure.
fn perft(kind: &'static GameKind) -> Figure {
    let game = kind.start(kind.rules[0]).expect("the default rules are known");
    let perft = |depth| game.perft(depth, 1).expect("the depth is in range");
    let long_enough = |&depth: &u32| {
        let start = Instant::now();
        black_box(perft(depth));
        start.elapsed() > Duration::from_millis(20)
    };
    let depth = (1..=MAX_PERFT_DEPTH).find(long_enough).expect("perft grows with its depth");
    let nodes = perft(depth);
    let is_compared = kind.name == "chess";
    let theirs = || {
        if is_compared {
            assert_eq!(cozy_chess_perft(&Board::default(), depth), nodes, "cozy-chess counts differently");
        }
    };
    let timed = alternate(kind.name, || assert_eq!(perft(depth), nodes), theirs);
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    let per = nodes as f64;
    Figure {
        game: kind.name,
        what: format!("perft of the start position to depth {depth}"),
        unit: "node",
        nanoseconds: timed.ours / per,
        baseline: is_compared.then(|| Comparison {
            with: "cozy-chess".to_owned(),
            nanoseconds: timed.theirs / per,
            ratio: timed.ratio,
        }),
    }
}

/// The perft of cozy-chess, which counts the moves of the last ply without playing them, as ours does.
fn cozy_chess_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    // The depth is tested once per node rather than once per group of moves.
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_chess_perft(&next, depth - 1);
            }
            false
        });
    }
    nodes
}

/// Searches the start position for a second: the depth reached and the time per node.
fn search(kind: &'static GameKind) -> Figure {
    const TIME: Duration = Duration::from_secs(1);
    let game = kind.start(kind.rules[0]).expect("the default rules are known");
    let mut engine = engine_for(kind.name, 64, AlphaBetaSettings::default(), &Evaluation::Default)
        .expect("there is memory for the table");
    let start = Instant::now();
    let found = Budget::time(TIME).search(&*game, &mut engine, &AtomicBool::new(false), &mut |_| ());
    let elapsed = start.elapsed().as_secs_f64() * 1e9;
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    let nanoseconds = elapsed / found.nodes as f64;
    Figure {
        game: kind.name,
        what: format!("search of the start position for a second, to depth {}", found.depth),
        unit: "node",
        nanoseconds,
        baseline: None,
    }
}

struct Timed {
    /// Our median time per call, in nanoseconds.
    ours: f64,
    /// The baseline's median time per call.
    theirs: f64,
    /// The median ratio of a round.
    ratio: f64,
}

/// Times both alternately, so that noise affects both alike.
fn alternate(game: &'static str, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> Timed {
    let bar = progress(ROUNDS, game);
    let mut rounds = Vec::new();
    for round in 0..=ROUNDS {
        let (a, b) = (nanoseconds(&mut ours), nanoseconds(&mut theirs));
        // The first round is a warm-up.
        if round > 0 {
            rounds.push((a, b, a / b.max(1.0)));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Timed {
        ours: median(rounds.iter().map(|round| round.0)),
        theirs: median(rounds.iter().map(|round| round.1)),
        ratio: median(rounds.iter().map(|round| round.2)),
    }
}

fn nanoseconds(f: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64() * 1e9
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
