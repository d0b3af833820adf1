//! `play`: people at one terminal, or one of them against the engine.

mod autosave;

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use sandtable::core::{Player, Tags};
use sandtable::render::{TerminalOptions, terminal};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Report};
use sandtable::{BoxedGame, in_words};
use serde_json::Value;

use self::autosave::Autosave;
use super::analyse::{in_san, lines};
use super::{standing, summary, write_file};
use crate::args::Play;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::opponent::{Opponent, Spec};
use crate::output::Output;
use crate::positions::Kind;

const HELP: &str = "\
Type a move in any notation of the game, or
  moves        list the legal moves
  board        draw the board again
  undo         take back the last move with the engine's answer, or a resignation or a draw
  hint         ask the engine for a move
  analyse      ask the engine what it thinks
  fen          show the position as text
  record       show the game's record
  save FILE    write the record to a file
  load FILE    go on with the game of a file
  draw         agree to a draw
  resign       give up, as the player to move
  new          begin again
  quit         leave; the game is kept for --resume
";

pub(crate) fn run(args: &Play, out: &mut Output) -> Result<(), Failure> {
    if args.positions.are_streamed() {
        return Err(Failure::Usage(
            "play takes its moves from standard input, so the position cannot be `-`".to_owned(),
        ));
    }
    let mut session = Session::begin(args, out)?;
    let mut input = Input::open(out.json)?;
    session.show(out)?;
    session.answer(out)?;
    loop {
        let prompt = format!("{}> ", session.game.players()[session.game.turn()]);
        let Some(line) = input.line(&prompt)? else { break };
        if let Answer::Quit = session.obey(line.trim(), out)? {
            break;
        }
    }
    session.leave(out)
}

/// A game being played, with where it is kept.
struct Session<'a> {
    kind: &'a Kind,
    game: BoxedGame,
    tags: Tags,
    autosave: Autosave,
    /// The engine, and which side it plays.
    opponent: Option<(Player, Opponent)>,
}

/// How long a hint or an analysis takes.
const HINT_TIME: Duration = Duration::from_secs(2);
/// The table for that, in MiB.
const HINT_TABLE: usize = 32;

/// What to do after a line.
enum Answer {
    Continue,
    Quit,
}

impl<'a> Session<'a> {
    fn begin(args: &'a Play, out: &mut Output) -> Result<Self, Failure> {
        let kind = &args.kind;
        let opponent = match args.level {
            None => None,
            Some(level) => {
                let spec = Spec::of_level(level, args.time);
                let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
                Some((!Player::from(args.side), Opponent::new(&spec, seed).map_err(Failure::Usage)?))
            }
        };
        if args.resume {
            let rules = kind.rules()?;
            let resumed = autosave::latest_unfinished(kind.game, rules).ok_or_else(|| {
                Failure::No(format!("there is no unfinished game of {} to resume", kind.game.name))
            })?;
            let (game, tags) = resumed.loaded;
            return Ok(Self { kind, game, tags, autosave: Autosave::at(resumed.path), opponent });
        }
        let mut chosen = None;
        args.positions.for_each(kind, out, |game, _| {
            chosen = Some(game);
            Ok(())
        })?;
        let game = chosen.expect("there is one position unless it comes from standard input");
        Ok(Self { kind, game, tags: Tags::new(), autosave: Autosave::new(kind.game), opponent })
    }

    /// Does what a line says: a command, or else a move.
    fn obey(&mut self, line: &str, out: &mut Output) -> Result<Answer, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", "") => return Ok(Answer::Quit),
            ("help" | "?", "") => out.say(HELP)?,
            ("board", "") => self.show(out)?,
            ("moves", "") if self.game.outcome().is_over() => out.deny("the game is over")?,
            ("moves", "") => {
                let moves: Vec<_> = self.game.moves().into_iter().map(|m| m.san).collect();
                out.say(&format!("{}\n", moves.join(" ")))?;
            }
            ("fen", "") => out.say(&format!("{}\n", self.game.position()))?,
            ("record", "") => out.say(&self.game.record(&self.tags))?,
            ("undo", "") if self.game.retract() || self.take_back() => self.changed(out)?,
            ("undo", "") => out.deny("there is no move to take back")?,
            ("hint", "") => self.hint(out)?,
            ("analyse", "") => self.analyse(out)?,
            ("resign", "") => self.end(out, |game| game.resign(game.turn()))?,
            ("draw", "") => self.end(out, |game| game.agree_draw())?,
            ("new", "") => {
                let rules = self.kind.rules()?;
                self.game = self.kind.game.start(rules).map_err(|e| Failure::No(e.to_string()))?;
                self.tags.clear();
                self.autosave = Autosave::new(self.kind.game);
                self.show(out)?;
                self.answer(out)?;
            }
            ("save" | "load", "") => out.deny(&format!("{word} needs the name of a file"))?,
            ("save", file) => match write_file(Path::new(file), self.game.record(&self.tags).as_bytes()) {
                Ok(()) => out.say(&format!("saved in {file}\n"))?,
                Err(Failure::Usage(why)) => out.deny(&why)?,
                Err(other) => return Err(other),
            },
            ("load", file) => match self.load(Path::new(file)) {
                Ok(()) => {
                    self.changed(out)?;
                    self.answer(out)?;
                }
                Err(why) => out.deny(&why)?,
            },
            _ => match self.game.play(line) {
                Ok(_) => {
                    self.changed(out)?;
                    self.answer(out)?;
                }
                Err(e) => out.deny(&format!("{e} (type help for what else can be typed)"))?,
            },
        }
        Ok(Answer::Continue)
    }

    /// Lets the engine move while it is its turn.
    fn answer(&mut self, out: &mut Output) -> Result<(), Failure> {
        while let Some((side, opponent)) = &mut self.opponent
            && self.game.turn() == *side
            && !self.game.outcome().is_over()
        {
            let text = opponent.choose(&*self.game, &AtomicBool::new(false)).map_err(Failure::No)?;
            self.game.play(&text).map_err(|e| Failure::No(e.to_string()))?;
            self.changed(out)?;
        }
        Ok(())
    }

    /// Takes back the last move of a person, with what the engine answered. Says whether there was one.
    fn take_back(&mut self) -> bool {
        let engine = self.opponent.as_ref().map(|(side, _)| *side);
        let mut game = self.game.clone_box();
        while game.undo().is_some() {
            if Some(game.turn()) != engine {
                self.game = game;
                return true;
            }
        }
        false
    }

    fn hint(&self, out: &mut Output) -> Result<(), Failure> {
        let found = self.think(&mut |_| ());
        match found.lines.first() {
            Some(line) => {
                out.say(&format!("{} ({})\n", in_san(&*self.game, &line.moves[..1]).concat(), line.score))
            }
            None => out.deny("the game is over"),
        }
    }

    fn analyse(&self, out: &mut Output) -> Result<(), Failure> {
        let start = Instant::now();
        let mut said = Ok(());
        self.think(&mut |found| {
            if said.is_ok() {
                said = out.say(&lines(&*self.game, found, start));
            }
        });
        said
    }

    fn think(&self, report: &mut dyn FnMut(&Report<String>)) -> Report<String> {
        let mut engine = AlphaBeta::new(HINT_TABLE, AlphaBetaSettings::default());
        Budget::Time(HINT_TIME).search(&*self.game, &mut engine, &AtomicBool::new(false), report)
    }

    fn load(&mut self, file: &Path) -> Result<(), String> {
        let text =
            std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let rules = self.kind.rules().map_err(|_| "these rules are not known".to_owned())?;
        let loaded = self.kind.game.load_record(&text, rules);
        (self.game, self.tags) = loaded.map_err(|e| format!("{}: {e}", file.display()))?;
        self.autosave = Autosave::new(self.kind.game);
        Ok(())
    }

    fn end(&mut self, out: &mut Output, end: impl FnOnce(&mut BoxedGame)) -> Result<(), Failure> {
        let outcome = self.game.outcome();
        if outcome.is_over() {
            let why = format!("the game is over: {}", in_words(&outcome, self.game.players()));
            return out.deny(&why);
        }
        end(&mut self.game);
        self.changed(out)
    }

    /// Keeps the game as it now is, and shows it.
    fn changed(&mut self, out: &mut Output) -> Result<(), Failure> {
        self.autosave.write(&self.game.record(&self.tags));
        self.show(out)
    }

    fn show(&self, out: &mut Output) -> Result<(), Failure> {
        if out.json {
            let mut answer = summary(&*self.game);
            answer["history"] = self.game.history().into_iter().collect::<Value>();
            return out.object(&answer);
        }
        let options = TerminalOptions { indices: false, colour: out.colour() };
        let last = self.game.history().pop().map_or_else(String::new, |san| format!("last move {san}, "));
        let board = terminal(&self.game.diagram(), options);
        out.text(format_args!("\n{board}\n{last}{}\n", standing(&*self.game)))
    }

    fn leave(self, out: &mut Output) -> Result<(), Failure> {
        match self.autosave.path() {
            Some(path) if !self.game.outcome().is_over() => {
                let name = self.kind.game.name;
                let kept = format!(
                    "The game is kept in {}.\nGo on with: sandtable play {name} --resume\n",
                    path.display()
                );
                out.say(&kept)
            }
            _ => Ok(()),
        }
    }
}

/// Lines typed by a person, with editing and history, or read from a pipe.
enum Input {
    Typed(DefaultEditor),
    Piped(io::StdinLock<'static>),
}

impl Input {
    fn open(json: bool) -> Result<Self, Failure> {
        if json || !io::stdin().is_terminal() {
            return Ok(Self::Piped(io::stdin().lock()));
        }
        let editor =
            DefaultEditor::new().map_err(|e| Failure::Usage(format!("cannot use this terminal: {e}")))?;
        Ok(Self::Typed(editor))
    }

    /// The next line; none at the end of the input or at Ctrl-C.
    fn line(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        let unreadable =
            |e: &dyn std::fmt::Display| Failure::Usage(format!("cannot read standard input: {e}"));
        match self {
            Self::Typed(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // A line that the history does not take can still be obeyed.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(e) => Err(unreadable(&e)),
            },
            Self::Piped(stdin) => {
                let mut bytes = Vec::new();
                let read = stdin.read_until(b'\n', &mut bytes).map_err(|e| unreadable(&e))?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }
}
