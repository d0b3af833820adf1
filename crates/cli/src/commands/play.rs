//! `play`: a game in the terminal, between two people or against the engine.

mod autosave;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sandtable::BoxedGame;
use sandtable::core::Player;
use sandtable::core::record::{Annotations, Tags};
use sandtable::engine::{Evaluation, engine_for};
use sandtable::games::{LoadedRecord, describe_outcome};
use sandtable::render::{TerminalOptions, terminal};
use sandtable::search::{AlphaBetaSettings, Report};
use serde_json::Value;

use self::autosave::Autosave;
use super::analyze::{lines, to_san};
use super::{status, summary, write_file};
use crate::args::Play;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::input::Input;
use crate::opponent::{Opponent, Spec};
use crate::output::Output;
use crate::positions::Kind;

const HELP: &str = "\
Type a move or a complete turn in any notation of the game, or
  moves        list the legal moves
  board        show the board
  undo         take back your last move and the engine's reply, a resignation or a draw
  hint         suggest a move
  analyze      analyze the position
  fen          show the position as text
  record       show the record of the game
  save FILE    save the record to a file
  load FILE    load a game from a file
  draw         agree to a draw
  resign       resign as the side to move
  new          start a new game
  quit         quit; --resume continues the game
";

pub(crate) fn run(args: &Play, out: &mut Output) -> Result<(), Failure> {
    if args.positions.are_streamed() {
        return Err(Failure::Usage(
            "play reads moves from standard input: the position cannot be `-`".to_owned(),
        ));
    }
    let mut session = Session::start(args, out)?;
    let mut input = Input::open(out.json)?;
    if let Some(file) = &args.net
        && !out.json
    {
        out.text(format_args!("You play against the network {}.\n", file.display()))?;
    }
    if let Some(level) = args.level
        && !out.json
    {
        let elo = level.elo(args.kind.game.name).map_or_else(String::new, |elo| format!(", about {elo} Elo"));
        out.text(format_args!("You play against level {}{elo}.\n", level.number()))?;
    }
    session.show(out)?;
    session.play_engine(out)?;
    loop {
        let prompt = format!("{}> ", session.game.players()[session.game.turn()]);
        let Some(line) = input.line(&prompt)? else { break };
        if let Next::Quit = session.execute(line.trim(), out)? {
            break;
        }
    }
    session.quit(out)
}

/// A game in progress.
struct Session<'a> {
    kind: &'a Kind,
    game: BoxedGame,
    tags: Tags,
    /// Comments, glyphs and variations of the record that was loaded.
    annotations: Annotations<String>,
    autosave: Autosave,
    /// The engine and its side.
    opponent: Option<(Player, Opponent)>,
    /// The evaluation of hints and analyses.
    evaluation: Evaluation,
}

/// The time of a hint or an analysis.
const HINT_TIME: Duration = Duration::from_secs(2);
/// The transposition table of a hint or an analysis, in MiB.
const HINT_HASH: usize = 32;

/// What to do after a line of input.
enum Next {
    Continue,
    Quit,
}

impl<'a> Session<'a> {
    fn start(args: &'a Play, out: &mut Output) -> Result<Self, Failure> {
        let kind = &args.kind;
        let evaluation = args.eval.resolve(kind.game).map_err(Failure::Usage)?;
        let spec = match (args.level, &args.net) {
            (Some(level), _) => Some(Spec::Level(level, args.time, args.eval.clone())),
            (None, Some(file)) => {
                let budget = args.visits.map_or(Budget::time(args.time), Budget::nodes);
                Some(Spec::Network(file.clone(), budget))
            }
            (None, None) => None,
        };
        let opponent = match spec {
            None => None,
            Some(spec) => {
                let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
                Some((
                    !Player::from(args.side),
                    Opponent::new(args.kind.game, &spec, seed).map_err(Failure::Usage)?,
                ))
            }
        };
        if args.resume {
            let rules = kind.rules()?;
            let resumed = autosave::latest_unfinished(kind.game, rules).ok_or_else(|| {
                Failure::Invalid(format!("no unfinished game of {} to resume", kind.game.name))
            })?;
            let LoadedRecord { game, tags, annotations, .. } = resumed.loaded;
            let autosave = Autosave::at(resumed.path);
            return Self { kind, game, tags, annotations, autosave, opponent, evaluation }.checked();
        }
        let mut chosen = None;
        args.positions.for_each(kind, out, |game, _| {
            chosen = Some(game);
            Ok(())
        })?;
        let game = chosen.expect("one position, since it is not read from standard input");
        let autosave = Autosave::new(kind.game);
        let (tags, annotations) = (Tags::new(), Annotations::default());
        Self { kind, game, tags, annotations, autosave, opponent, evaluation }.checked()
    }

    /// The session, if the opponent can play the game.
    fn checked(mut self) -> Result<Self, Failure> {
        if let Some((_, opponent)) = &mut self.opponent {
            opponent.new_game(&*self.game).map_err(Failure::Usage)?;
        }
        Ok(self)
    }

    /// Executes a line of input: a command, a move or a turn.
    fn execute(&mut self, line: &str, out: &mut Output) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", "") => return Ok(Next::Quit),
            ("help" | "?", "") => out.message(HELP)?,
            ("board", "") => self.show(out)?,
            ("moves", "") if self.game.outcome().is_over() => out.error("the game is over")?,
            ("moves", "") => {
                let moves: Vec<_> = self.game.legal_moves().into_iter().map(|m| m.san).collect();
                out.message(&format!("{}\n", moves.join(" ")))?;
            }
            ("fen", "") => out.message(&format!("{}\n", self.game.position_text()))?,
            ("record", "") => out.message(&self.record())?,
            ("undo", "") if self.game.undo_declared_end() || self.take_back() => self.changed(out)?,
            ("undo", "") => out.error("no move to take back")?,
            ("hint", "") => self.hint(out)?,
            ("analyze", "") => self.analyze(out)?,
            ("resign", "") => self.end(out, |game| game.resign(game.turn()))?,
            ("draw", "") => self.end(out, |game| game.agree_draw())?,
            ("new", "") => {
                let rules = self.kind.rules()?;
                self.game = self.kind.game.start(rules).map_err(|e| Failure::Invalid(e.to_string()))?;
                self.tags.clear();
                self.annotations = Annotations::default();
                self.autosave = Autosave::new(self.kind.game);
                self.show(out)?;
                self.play_engine(out)?;
            }
            ("save" | "load", "") => out.error(&format!("missing file name: expected `{word} FILE`"))?,
            ("save", file) => match write_file(Path::new(file), self.record().as_bytes()) {
                Ok(()) => out.message(&format!("saved to {file}\n"))?,
                Err(Failure::Usage(message)) => out.error(&message)?,
                Err(other) => return Err(other),
            },
            ("load", file) => match self.load(Path::new(file)) {
                Ok(()) => {
                    self.changed(out)?;
                    self.play_engine(out)?;
                }
                Err(message) => out.error(&message)?,
            },
            _ => match self.game.play(line) {
                Ok(_) => {
                    self.changed(out)?;
                    self.play_engine(out)?;
                }
                Err(e) => out.error(&format!("{e} (type `help` for the commands)"))?,
            },
        }
        Ok(Next::Continue)
    }

    /// Plays the engine's moves while it is to move.
    fn play_engine(&mut self, out: &mut Output) -> Result<(), Failure> {
        while let Some((side, opponent)) = &mut self.opponent
            && self.game.turn() == *side
            && !self.game.outcome().is_over()
        {
            let text = opponent.choose(&*self.game, &AtomicBool::new(false)).map_err(Failure::Invalid)?;
            self.game.play(&text).map_err(|e| Failure::Invalid(e.to_string()))?;
            self.changed(out)?;
        }
        Ok(())
    }

    /// Takes back the last move of a person and the engine's reply. Returns whether there was one.
    fn take_back(&mut self) -> bool {
        let engine = self.opponent.as_ref().map(|(side, _)| *side);
        let mut game = self.game.clone_box();
        while game.undo().is_some() {
            if Some(game.turn()) != engine {
                self.game = game;
                self.annotations.truncate(self.game.ply());
                return true;
            }
        }
        false
    }

    /// The record of the game, with the annotations of the record that it was loaded from.
    fn record(&self) -> String {
        let record = self.game.annotated_record(&self.tags, &self.annotations);
        record.expect("the annotations come from a record of these moves")
    }

    fn hint(&self, out: &mut Output) -> Result<(), Failure> {
        let found = self.search(&mut |_| ());
        match found.lines.first() {
            Some(line) => {
                out.message(&format!("{} ({})\n", to_san(&*self.game, &line.moves[..1]).concat(), line.score))
            }
            None => out.error("the game is over"),
        }
    }

    fn analyze(&self, out: &mut Output) -> Result<(), Failure> {
        let start = Instant::now();
        let mut written = Ok(());
        self.search(&mut |found| {
            if written.is_ok() {
                written = out.message(&lines(&*self.game, found, start));
            }
        });
        written
    }

    fn search(&self, report: &mut dyn FnMut(&Report<String>)) -> Report<String> {
        let settings = AlphaBetaSettings::default();
        let mut engine = engine_for(self.game.name(), HINT_HASH, settings, &self.evaluation)
            .expect("there is memory for a small table");
        Budget::time(HINT_TIME).search(&*self.game, &mut engine, &AtomicBool::new(false), report)
    }

    fn load(&mut self, file: &Path) -> Result<(), String> {
        let text =
            std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let rules = self.kind.rules().map_err(|e| e.to_string())?;
        let loaded = self.kind.game.load_record(&text, rules);
        let loaded = loaded.map_err(|e| format!("{}: {e}", file.display()))?;
        (self.game, self.tags, self.annotations) = (loaded.game, loaded.tags, loaded.annotations);
        self.autosave = Autosave::new(self.kind.game);
        Ok(())
    }

    fn end(&mut self, out: &mut Output, end: impl FnOnce(&mut BoxedGame)) -> Result<(), Failure> {
        let outcome = self.game.outcome();
        if outcome.is_over() {
            let message = format!("the game is over: {}", describe_outcome(&outcome, self.game.players()));
            return out.error(&message);
        }
        end(&mut self.game);
        self.changed(out)
    }

    /// Saves and shows the game after a change.
    fn changed(&mut self, out: &mut Output) -> Result<(), Failure> {
        let record = self.record();
        self.autosave.write(&record);
        self.show(out)
    }

    fn show(&self, out: &mut Output) -> Result<(), Failure> {
        if out.json {
            let mut answer = summary(&*self.game);
            answer["history"] = self.game.sans_played().into_iter().collect::<Value>();
            return out.object(&answer);
        }
        let options = TerminalOptions::default().with_color(out.color());
        let last = self.game.sans_played().pop().map_or_else(String::new, |san| format!("last move {san}, "));
        let board = terminal(&self.game.diagram(), options);
        out.text(format_args!("\n{board}\n{last}{}\n", status(&*self.game)))
    }

    fn quit(self, out: &mut Output) -> Result<(), Failure> {
        match self.autosave.path() {
            Some(path) if !self.game.outcome().is_over() => {
                let name = self.kind.game.name;
                out.message(&format!(
                    "The game is saved in {}.\nTo continue: sandtable play {name} --resume\n",
                    path.display()
                ))
            }
            _ => Ok(()),
        }
    }
}
