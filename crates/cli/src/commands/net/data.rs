//! `net data`: self-play games in files.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sandtable::engine::{Evaluation, engine_for};
use sandtable::search::AlphaBetaSettings;
use sandtable::search::self_play::SelfPlay;
use sandtable::training::self_play;
use serde_json::json;

use super::shard::Shard;
use crate::args::NetData;
use crate::failure::Failure;
use crate::output::{Output, progress};

/// The number of files. Game number *n* is in file *n* mod 8, so the numbers of the games in a file follow from their
/// order.
const SHARDS: u64 = 8;
/// The transposition table, in MiB: small, because it is cleared for each game.
const HASH_MIB: usize = 4;

pub(crate) fn run(args: &NetData, out: &mut Output) -> Result<(), Failure> {
    let rules = args.kind.rules()?;
    let settings = SelfPlay {
        opening_plies: args.plies.into(),
        opening_spread: args.spread.into(),
        random_moves: args.random_moves,
        balance: args.balance.into(),
        nodes: args.nodes,
        max_plies: args.max_plies.into(),
        seed: args.seed,
    };
    let evaluation = args.eval.resolve(args.kind.game).map_err(Failure::Usage)?;
    std::fs::create_dir_all(&args.folder).map_err(|e| Failure::file("create", &args.folder, &e))?;
    let open = |number| {
        let path = args.folder.join(format!("{number}.games"));
        Shard::open(&path, &header(args, rules, &settings, &evaluation, number)).map(|shard| (number, shard))
    };
    let shards: Vec<_> = (0..SHARDS).map(open).collect::<Result<_, _>>().map_err(Failure::Usage)?;
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Usage(format!("cannot handle Ctrl-C: {e}")))?;

    let before: u64 = shards.iter().map(|(_, shard)| shard.games).sum();
    let bar = progress(args.games, "games");
    bar.set_position(before);
    let shards = Mutex::new(shards);
    let production = Production { args, rules, settings, evaluation, shards, stop: &stop, bar: &bar };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads).map(|_| scope.spawn(|| production.work())).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panicked")).collect()
    });
    bar.finish_and_clear();
    let moves = results.into_iter().sum::<Result<u64, String>>().map_err(Failure::Usage)?;
    let games: u64 = production
        .shards
        .into_inner()
        .expect("no worker panicked")
        .iter()
        .map(|(_, shard)| shard.games)
        .sum();
    if out.json {
        out.object(&json!({ "games": games, "new_games": games - before, "new_moves": moves }))?;
    } else {
        let new = games - before;
        out.text(format_args!(
            "{games} games in {}, {new} of them new, with {moves} moves\n",
            args.folder.display()
        ))?;
    }
    if stop.load(Ordering::Relaxed) && games < args.games {
        return Err(Failure::Interrupted);
    }
    Ok(())
}

/// The first line of a file: everything that its games depend on, so that games of different engines or evaluations never
/// mix in a file.
fn header(args: &NetData, rules: &str, settings: &SelfPlay, evaluation: &Evaluation, shard: u64) -> String {
    let SelfPlay { opening_plies, opening_spread, random_moves, balance, nodes, max_plies, seed } = settings;
    let game = args.kind.game.name;
    let evaluation = evaluation
        .network(game)
        .map_or_else(|| "hand".to_owned(), |network| format!("{:016x}", network.id()));
    format!(
        "sandtable-games 1 game={game} rules={rules} engine={} eval={evaluation} nodes={nodes} plies={opening_plies} \
         spread={opening_spread} random-moves={random_moves} balance={balance} max-plies={max_plies} seed={seed} shard={shard}/{SHARDS}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// State shared by the threads.
struct Production<'a> {
    args: &'a NetData,
    rules: &'a str,
    settings: SelfPlay,
    evaluation: Evaluation,
    /// The files that no thread is playing for, with their numbers.
    shards: Mutex<Vec<(u64, Shard)>>,
    stop: &'a AtomicBool,
    bar: &'a indicatif::ProgressBar,
}

impl Production<'_> {
    /// Plays games until none are left. Returns the number of moves.
    fn work(&self) -> Result<u64, String> {
        let kind = self.args.kind.game;
        let mut engine = engine_for(kind.name, HASH_MIB, AlphaBetaSettings::default(), &self.evaluation)
            .map_err(|e| e.to_string())?;
        let mut moves = 0;
        while let Some((number, mut shard)) = self.next() {
            let number_of_game = shard.games * SHARDS + number;
            let game = self_play(kind, self.rules, &self.settings, &mut engine, number_of_game)
                .map_err(|e| e.to_string())?;
            let written = shard.append(&game.encode());
            self.shards.lock().expect("no worker panicked").push((number, shard));
            written.inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?;
            moves += game.moves.len() as u64;
            self.bar.inc(1);
        }
        Ok(moves)
    }

    /// Takes the file whose next game has the lowest number; `None` if there are enough games.
    fn next(&self) -> Option<(u64, Shard)> {
        let mut shards = self.shards.lock().expect("no worker panicked");
        let next_game = |(number, shard): &(u64, Shard)| shard.games * SHARDS + number;
        let index = (0..shards.len()).min_by_key(|&i| next_game(&shards[i]))?;
        let wanted = next_game(&shards[index]) < self.args.games && !self.stop.load(Ordering::Relaxed);
        wanted.then(|| shards.swap_remove(index))
    }
}
