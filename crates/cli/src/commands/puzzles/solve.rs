//! `puzzles solve`: puzzles in the terminal.

use std::time::{SystemTime, UNIX_EPOCH};

use sandtable::core::rules::Rng;
use sandtable::engine::{Puzzle, all_themes};
use sandtable::render::{TerminalOptions, terminal};
use sandtable::{BoxedGame, GAMES, GameKind, find};
use serde_json::json;

use super::file::{Header, read, shipped};
use crate::args::PuzzlesSolve;
use crate::commands::{status, summary};
use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;

const HELP: &str = "\
Type the winning turn in any notation of the game; the steps of a deployment may be typed one by one. Or
  hint         show a hint: the themes, then where the turn begins, then its first move
  solution     show the solution and go on to the next puzzle
  next         go on to the next puzzle
  board        show the board
  moves        list the legal moves
  undo         take back the steps of the turn
  fen          show the position as text
  quit         quit
";

pub(crate) fn run(args: &PuzzlesSolve, out: &mut Output) -> Result<(), Failure> {
    let mut tasks = tasks(args)?;
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let mut rng = Rng::new(args.seed.unwrap_or_else(clock));
    tasks.sort_by_cached_key(|_| rng.next_u64());
    let mut input = Input::open(out.json)?;
    let mut tally = Tally::default();
    for task in &tasks {
        let mut session = Session::start(task)?;
        session.introduce(out)?;
        loop {
            let prompt = format!("{}> ", task.kind.name);
            let Some(line) = input.line(&prompt)? else { return tally.report(out) };
            match session.execute(line.trim(), out)? {
                Next::Continue => {}
                Next::Done { solved } => {
                    tally.add(solved);
                    break;
                }
                Next::Quit => return tally.report(out),
            }
        }
    }
    tally.report(out)
}

/// A puzzle to solve.
struct Task {
    kind: &'static GameKind,
    rules: String,
    puzzle: Puzzle,
}

/// The puzzles that the arguments choose.
fn tasks(args: &PuzzlesSolve) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    let mut add = |source: &str, text: &str| {
        let (header, puzzles) = read(text).map_err(|e| Failure::Usage(format!("{source}: {e}")))?;
        let Header { game, rules, .. } = header;
        let kind = find(&game).map_err(|e| Failure::Usage(format!("{source}: {e}")))?;
        let is_chosen = |puzzle: &Puzzle| {
            args.game.is_none_or(|game| game.name == kind.name)
                && args.theme.as_ref().is_none_or(|theme| puzzle.themes.contains(theme))
                && args.difficulty.is_none_or(|difficulty| puzzle.difficulty() == difficulty)
                && args.id.as_ref().is_none_or(|id| puzzle.id == *id)
        };
        let chosen = puzzles.into_iter().filter(is_chosen);
        tasks.extend(chosen.map(|puzzle| Task { kind, rules: rules.clone(), puzzle }));
        Ok::<(), Failure>(())
    };
    if let Some(path) = &args.file {
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, &e))?;
        add(&path.display().to_string(), &text)?;
    } else {
        for (game, text) in GAMES.iter().filter_map(|kind| Some((kind.name, shipped(kind.name)?))) {
            add(game, &text)?;
        }
    }
    if tasks.is_empty() {
        return Err(Failure::Usage("no puzzle matches: choose another game, theme or difficulty".to_owned()));
    }
    Ok(tasks)
}

/// The puzzles tried so far.
#[derive(Default)]
struct Tally {
    tried: u32,
    solved: u32,
    streak: u32,
    best_streak: u32,
}

impl Tally {
    fn add(&mut self, solved: bool) {
        self.tried += 1;
        self.solved += u32::from(solved);
        self.streak = if solved { self.streak + 1 } else { 0 };
        self.best_streak = self.best_streak.max(self.streak);
    }

    fn report(&self, out: &mut Output) -> Result<(), Failure> {
        let Self { tried, solved, best_streak, .. } = self;
        if out.json {
            return out.object(&json!({ "tried": tried, "solved": solved, "best_streak": best_streak }));
        }
        out.text(format_args!(
            "Solved {solved} of {tried} without a mistake or a hint; best streak {best_streak}.\n"
        ))
    }
}

/// What to do after a line of input.
enum Next {
    Continue,
    /// The puzzle is over: whether it was solved without a mistake or a hint.
    Done {
        solved: bool,
    },
    Quit,
}

/// A puzzle in progress.
struct Session<'a> {
    task: &'a Task,
    game: BoxedGame,
    /// The game before the current turn of the solver.
    before: BoxedGame,
    /// The index of the current turn in the solution.
    turn: usize,
    /// The number of hints for the current turn.
    hints: u32,
    /// Whether there was no mistake and no hint so far.
    unaided: bool,
}

impl<'a> Session<'a> {
    fn start(task: &'a Task) -> Result<Self, Failure> {
        let game = task.kind.parse(&task.puzzle.position, &task.rules).map_err(|e| Failure::position(&e))?;
        Ok(Self { task, before: game.clone_box(), game, turn: 0, hints: 0, unaided: true })
    }

    fn introduce(&self, out: &mut Output) -> Result<(), Failure> {
        let puzzle = &self.task.puzzle;
        if out.json {
            let mut object = summary(&*self.game);
            object["puzzle"] = json!(puzzle.id);
            object["difficulty"] = json!(puzzle.difficulty());
            return out.object(&object);
        }
        self.show(out)?;
        let goal = puzzle.mate.map_or_else(
            || "Find the only turn that gains a decisive advantage".to_owned(),
            |turns| format!("Find the only turn that wins by force, in {turns}"),
        );
        out.text(format_args!(
            "{goal}. (puzzle {}, difficulty {} of {}; type `help` for the commands)\n",
            puzzle.id,
            puzzle.difficulty(),
            Puzzle::HARDEST
        ))
    }

    /// Executes a line of input: a command, a move or a turn.
    fn execute(&mut self, line: &str, out: &mut Output) -> Result<Next, Failure> {
        match line {
            "" => {}
            "quit" | "exit" => return Ok(Next::Quit),
            "help" | "?" => out.message(HELP)?,
            "board" => self.show(out)?,
            "moves" => {
                let moves: Vec<_> = self.game.legal_moves().into_iter().map(|m| m.san).collect();
                out.message(&format!("{}\n", moves.join(" ")))?;
            }
            "fen" => out.message(&format!("{}\n", self.game.position_text()))?,
            "undo" => {
                self.game = self.before.clone_box();
                self.show(out)?;
            }
            "hint" => {
                self.hints += 1;
                self.unaided = false;
                out.message(&self.hint()?)?;
            }
            "next" => return Ok(Next::Done { solved: false }),
            "solution" => {
                out.message(&self.solution()?)?;
                return Ok(Next::Done { solved: false });
            }
            _ => match self.game.play(line) {
                Ok(_) => return self.played(out),
                Err(e) => out.error(&format!("{e} (type `help` for the commands)"))?,
            },
        }
        Ok(Next::Continue)
    }

    /// Judges a turn once it is complete.
    fn played(&mut self, out: &mut Output) -> Result<Next, Failure> {
        if self.game.turn() == self.before.turn() && !self.game.is_over() {
            self.show(out)?;
            return Ok(Next::Continue);
        }
        let (expected, _) = self.after(&self.before, self.turn)?;
        if self.game.position_text() != expected.position_text() {
            self.unaided = false;
            self.game = self.before.clone_box();
            if out.json {
                out.object(&json!({ "correct": false }))?;
            } else {
                out.text("Not the winning turn: try again, or type `hint`.\n")?;
            }
            return Ok(Next::Continue);
        }
        if self.turn + 1 >= self.task.puzzle.turns.len() {
            let solved = self.unaided;
            if out.json {
                out.object(&json!({ "correct": true, "solved": solved }))?;
            } else {
                out.text("Solved.\n")?;
            }
            return Ok(Next::Done { solved });
        }
        let (game, reply) = self.after(&self.game, self.turn + 1)?;
        self.game = game;
        self.before = self.game.clone_box();
        self.turn += 2;
        self.hints = 0;
        if out.json {
            let mut object = summary(&*self.game);
            object["correct"] = json!(true);
            object["reply"] = json!(reply);
            out.object(&object)?;
        } else {
            self.show(out)?;
            out.text(format_args!("Correct. The reply is {reply}: go on.\n"))?;
        }
        Ok(Next::Continue)
    }

    /// The game after a turn of the solution, and the turn as people write it.
    fn after(&self, game: &BoxedGame, turn: usize) -> Result<(BoxedGame, String), Failure> {
        let mut game = game.clone_box();
        let play = |text: &str| {
            game.play(text).map_err(|e| {
                Failure::Invalid(format!("puzzle {}: invalid turn `{text}`: {e}", self.task.puzzle.id))
            })
        };
        let played = self.task.puzzle.turns[turn].split(' ').map(play).collect::<Result<Vec<_>, _>>()?;
        Ok((game, played.join(" ")))
    }

    fn hint(&self) -> Result<String, Failure> {
        let turn = &self.task.puzzle.turns[self.turn];
        let first = turn.split(' ').next().unwrap_or_default();
        let arrow = self.before.arrows(first).into_iter().next();
        Ok(match (self.hints, arrow) {
            (1, _) => format!("Themes: {}.\n", self.task.puzzle.themes.join(", ")),
            (2, Some(arrow)) => format!("The turn begins at {}.\n", arrow.from),
            _ => {
                let mut game = self.before.clone_box();
                let played = game.play(first).map_err(|e| Failure::Invalid(e.to_string()))?;
                format!("The first move is {played}.\n")
            }
        })
    }

    /// The rest of the solution.
    fn solution(&self) -> Result<String, Failure> {
        let mut game = self.before.clone_box();
        let mut turns = Vec::new();
        for turn in self.turn..self.task.puzzle.turns.len() {
            let played;
            (game, played) = self.after(&game, turn)?;
            turns.push(played);
        }
        Ok(format!("Solution: {}\n", turns.join("; ")))
    }

    fn show(&self, out: &mut Output) -> Result<(), Failure> {
        if out.json {
            return out.object(&summary(&*self.game));
        }
        let board = terminal(&self.game.diagram(), TerminalOptions::default().with_color(out.color()));
        out.text(format_args!("\n{board}\n{}\n", status(&*self.game)))
    }
}

/// Reads the name of a theme.
pub(crate) fn parse_theme(text: &str) -> Result<String, String> {
    let known = all_themes();
    let found = known.contains(&text).then(|| text.to_owned());
    found.ok_or_else(|| format!("expected one of {}", known.join(", ")))
}
