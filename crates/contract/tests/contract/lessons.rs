//! The lessons of the page (`web/src/lessons`, described by `docs/lessons.md`), tried by the rules: every position is
//! valid, every solution meets its goal, every hint is true, every mistake is legal and has an answer, and both languages
//! are complete. Conditions are evaluated on the JSON that the page evaluates, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{fs, iter};

use sandtable::games::complete_games;
use sandtable_contract::{Route, respond};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: String,
    lessons: Vec<Lesson>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    id: String,
    rules: Option<String>,
    title: Words,
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    position: Option<String>,
    text: Words,
    goal: Goal,
    solution: String,
    hints: Vec<Hint>,
    mistakes: Vec<Mistake>,
    done: Words,
    reply: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Goal {
    text: Words,
    turns: Option<Vec<String>>,
    cells: Option<BTreeMap<String, String>>,
    #[serde(default)]
    check: bool,
    #[serde(default)]
    won: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hint {
    text: Words,
    #[serde(default)]
    cells: Vec<String>,
    #[serde(default)]
    impossible: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    turn: String,
    answer: Words,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    en: String,
    vi: String,
}

/// A position request: the start of a step.
#[derive(Clone, Debug)]
struct Start<'a> {
    kind: &'a str,
    rules: Option<&'a str>,
    position: &'a str,
    moves: Vec<String>,
}

/// A turn, as a lesson writes it: its moves, separated by spaces.
fn moves(turn: &str) -> Vec<String> {
    turn.split(' ').map(str::to_owned).collect()
}

impl Start<'_> {
    /// The view after more moves, or the reason why they are not legal.
    fn request(&self, more: &[String], legal_moves: bool) -> Result<Value, String> {
        let moves = [&self.moves[..], more].concat();
        let mut request = json!({ "kind": self.kind, "position": self.position, "moves": moves });
        request["legal_moves"] = legal_moves.into();
        if let Some(rules) = self.rules {
            request["rules"] = rules.into();
        }
        let view = respond(Route::Position, &request.to_string()).map_err(|e| e.message().to_owned())?;
        Ok(serde_json::from_str(&view).unwrap())
    }

    fn view(&self) -> Result<Value, String> {
        self.request(&[], false)
    }

    fn after(&self, turn: &str) -> Result<Value, String> {
        self.request(&moves(turn), false)
    }

    /// The view after a turn that is legal, complete and written as the page sees it.
    fn after_turn(&self, turn: &str) -> Result<Value, String> {
        let (before, after) = (self.view()?, self.after(turn)?);
        let played = after["moves_played"].as_array().unwrap().iter().skip(self.moves.len());
        let played: Vec<_> = played.map(|played| played["text"].as_str().unwrap()).collect();
        if played.join(" ") != turn {
            return Err(format!("`{turn}` is written `{}`", played.join(" ")));
        }
        if after["turn"] == before["turn"] && after["outcome"]["over"] == false {
            return Err(format!("`{turn}` is not a complete turn"));
        }
        Ok(after)
    }

    /// The cells that take part in a turn.
    fn cells_of(&self, turn: &str) -> Result<BTreeSet<String>, String> {
        let mut cells = BTreeSet::new();
        let mut start = self.clone();
        for text in moves(turn) {
            let view = start.request(&[], true)?;
            let legal = view["legal_moves"].as_array().unwrap();
            let found = legal.iter().find(|legal| legal["text"] == *text).ok_or("an illegal move")?;
            let shares = found["shares"].as_array().unwrap().iter().map(|share| &share["cell"]);
            let named = ["from", "to", "takes"].map(|field| &found[field]);
            cells.extend(named.into_iter().chain(shares).filter_map(Value::as_str).map(str::to_owned));
            start.moves.push(text);
        }
        Ok(cells)
    }
}

impl Goal {
    /// Whether a view meets the goal after a turn of `learner`. `web/src/lib/learn/lessons.ts` decides the same way.
    fn is_met(&self, view: &Value, turn: &str, learner: &Value) -> bool {
        let cell = |name: &str| view["arrangement"]["cells"][name].as_str().unwrap_or_default().to_owned();
        self.turns.as_ref().is_none_or(|turns| turns.iter().any(|accepted| accepted == turn))
            && self.cells.iter().flatten().all(|(name, figure)| cell(name) == *figure)
            && (!self.check || view["in_check"] == true)
            && (!self.won || view["outcome"]["winner"] == *learner)
    }
}

fn cell_names(view: &Value) -> BTreeSet<&str> {
    view["board"]["cells"].as_array().unwrap().iter().map(|cell| cell["name"].as_str().unwrap()).collect()
}

/// The words of a text that look like the name of a cell.
fn mentioned(text: &str) -> BTreeSet<&str> {
    let is_cell = |word: &&str| {
        let mut chars = word.chars();
        chars.next().is_some_and(|letter| matches!(letter, 'a'..='k'))
            && (2..=3).contains(&word.len())
            && chars.all(|digit| digit.is_ascii_digit())
    };
    text.split(|c: char| !c.is_alphanumeric()).filter(is_cell).collect()
}

impl Words {
    /// What is wrong with them.
    fn faults(&self, cells: &BTreeSet<&str>) -> Vec<String> {
        let mut faults = Vec::new();
        for text in [&self.en, &self.vi] {
            if text.is_empty() || text.trim() != text || text.contains("  ") {
                faults.push(format!("empty text or superfluous spaces: `{text}`"));
            }
            let unknown = mentioned(text).into_iter().filter(|name| !cells.contains(name));
            faults.extend(unknown.map(|name| format!("no cell `{name}`: {text}")));
        }
        if self.en == self.vi {
            faults.push(format!("not translated: {}", self.en));
        }
        if mentioned(&self.en) != mentioned(&self.vi) {
            faults.push(format!("the languages name different cells: {} / {}", self.en, self.vi));
        }
        faults
    }
}

impl Step {
    fn words(&self) -> impl Iterator<Item = &Words> {
        let hints = self.hints.iter().map(|hint| &hint.text);
        let answers = self.mistakes.iter().map(|mistake| &mistake.answer);
        [&self.text, &self.goal.text, &self.done].into_iter().chain(hints).chain(answers)
    }

    /// The turns that are known to meet the goal.
    fn accepted(&self) -> BTreeSet<&str> {
        let turns = self.goal.turns.iter().flatten().map(String::as_str);
        turns.chain(iter::once(self.solution.as_str())).collect()
    }

    /// What is wrong with the step.
    fn faults(&self, start: &Start) -> Result<Vec<String>, String> {
        let mut faults = Vec::new();
        let before = start.view()?;
        let learner = &before["turn"];
        let cells = cell_names(&before);
        if before["outcome"]["over"] == true {
            faults.push("the game is over at the start".to_owned());
        }
        let Goal { turns, cells: figures, check, won, .. } = &self.goal;
        if turns.is_none() && figures.is_none() && !check && !won {
            faults.push("the goal has no condition".to_owned());
        }
        if self.goal.is_met(&before, "", learner) {
            faults.push("the goal is met at the start".to_owned());
        }
        let unknown = figures.iter().flatten().map(|(name, _)| name).filter(|name| !cells.contains(&***name));
        faults.extend(unknown.map(|name| format!("the goal names no cell `{name}`")));

        let mut part = BTreeSet::new();
        for turn in self.accepted() {
            match start.after_turn(turn) {
                Err(error) => faults.push(format!("`{turn}` is accepted: {error}")),
                Ok(after) if !self.goal.is_met(&after, turn, learner) => {
                    faults.push(format!("`{turn}` does not meet the goal"));
                }
                Ok(_) => part.extend(start.cells_of(turn)?),
            }
        }
        if self.hints.is_empty() || self.mistakes.is_empty() {
            faults.push("a step has at least one hint and one mistake".to_owned());
        }
        for hint in &self.hints {
            let others = hint.cells.iter().filter(|name| !part.contains(*name));
            faults.extend(others.map(|name| format!("a hint shows {name}, where the solution does nothing")));
            let possible = hint.impossible.iter().filter(|turn| start.after(turn).is_ok());
            faults.extend(possible.map(|turn| format!("a hint says that `{turn}` is impossible")));
        }
        let mut named = BTreeSet::new();
        for Mistake { turn, .. } in &self.mistakes {
            match start.after_turn(turn) {
                Err(error) => faults.push(format!("`{turn}` is a mistake: {error}")),
                Ok(after) if self.goal.is_met(&after, turn, learner) => {
                    faults.push(format!("the mistake `{turn}` meets the goal"));
                }
                Ok(_) => {}
            }
            if !named.insert(turn) {
                faults.push(format!("two answers to `{turn}`"));
            }
        }
        faults.extend(self.words().flat_map(|words| words.faults(&cells)));
        Ok(faults)
    }

    /// The moves until the next step, which continues this one.
    fn continuation(&self, start: &Start) -> Result<Vec<String>, String> {
        let reply =
            self.reply.as_deref().ok_or("the next step has no position, so this one needs a reply")?;
        if self.goal.turns.as_ref().is_none_or(|turns| turns.len() != 1) {
            return Err("the next step continues this one, so exactly one turn can be accepted".to_owned());
        }
        let mut next = start.clone();
        next.moves.extend(moves(&self.solution));
        next.after_turn(reply)?;
        next.moves.extend(moves(reply));
        Ok(next.moves)
    }
}

impl Lesson {
    /// What is wrong with the lesson.
    fn faults(&self, kind: &str) -> Vec<String> {
        let mut faults = self.title.faults(&BTreeSet::new());
        if self.steps.is_empty() {
            faults.push("no step".to_owned());
        }
        let mut start = Start { kind, rules: self.rules.as_deref(), position: "", moves: Vec::new() };
        let mut previous: Option<&Step> = None;
        for (number, step) in (1..).zip(&self.steps) {
            let at = |fault: String| format!("step {number}: {fault}");
            match (&step.position, previous) {
                (Some(position), _) => {
                    start = Start { position, moves: Vec::new(), ..start };
                    if previous.is_some_and(|previous| previous.reply.is_some()) {
                        faults.push(at("the reply before it is not shown".to_owned()));
                    }
                }
                (None, None) => faults.push(at("the first step needs a position".to_owned())),
                (None, Some(previous)) => match previous.continuation(&start) {
                    Ok(moves) => start.moves = moves,
                    Err(error) => faults.push(at(error)),
                },
            }
            faults.extend(step.faults(&start).unwrap_or_else(|error| vec![error]).into_iter().map(at));
            previous = Some(step);
        }
        if previous.is_some_and(|last| last.reply.is_some()) {
            faults.push("the last step needs no reply".to_owned());
        }
        faults
    }
}

fn lessons(kind: &str) -> File {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/lessons"));
    let path = folder.join(format!("{kind}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_lesson_works() {
    let mut faults = Vec::new();
    for kind in complete_games() {
        let file = lessons(kind.name);
        assert_eq!(file.kind, kind.name);
        let mut ids = BTreeSet::new();
        for lesson in &file.lessons {
            let Lesson { id, .. } = lesson;
            assert!(ids.insert(id), "{}: two lessons `{id}`", kind.name);
            assert!(id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}: `{id}`", kind.name);
            let found = lesson.faults(kind.name);
            faults.extend(found.into_iter().map(|fault| format!("{} {id}: {fault}", kind.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_game_has_enough_lessons() {
    for (kind, least) in [("chess", 4), ("cotulenh", 12), ("tribun", 10)] {
        assert!(lessons(kind).lessons.len() >= least, "{kind}");
    }
}

/// A lesson with one step, changed.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let words = |text: &str| json!({ "en": text, "vi": format!("{text} (vi)") });
    let mut lesson = json!({
        "id": "check",
        "title": words("Check"),
        "steps": [{
            "position": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "text": words("A rook."),
            "goal": { "text": words("Check."), "check": true },
            "solution": "a1a8",
            "hints": [{ "text": words("To a8."), "cells": ["a8"], "impossible": ["a1b2"] }],
            "mistakes": [{ "turn": "a1a7", "answer": words("No check.") }],
            "done": words("Good."),
        }],
    });
    change(&mut lesson);
    serde_json::from_value::<Lesson>(lesson).unwrap().faults("chess")
}

#[test]
fn broken_lessons_are_found() {
    assert_eq!(changed(|_| {}), [""; 0]);
    let found = |path: &str, value: Value| {
        changed(|lesson| *lesson.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value).join("; ")
    };
    for (path, value, fault) in [
        ("/steps/0/position", json!("4k3/8/8/8/8/8/8/R3K3"), "FEN"),
        ("/steps/0/solution", json!("a1a9"), "is accepted"),
        ("/steps/0/solution", json!("a1a7"), "does not meet the goal"),
        ("/steps/0/solution", json!("Ra8"), "is written `a1a8`"),
        ("/steps/0/goal/check", json!(false), "the goal has no condition"),
        ("/steps/0/hints/0/cells/0", json!("a7"), "where the solution does nothing"),
        ("/steps/0/hints/0/impossible/0", json!("a1b1"), "says that `a1b1` is impossible"),
        ("/steps/0/hints/0/text/vi", json!("Đến a7."), "different cells"),
        ("/steps/0/hints/0/text/en", json!("To i9."), "no cell `i9`"),
        ("/steps/0/hints", json!([]), "at least one hint"),
        ("/steps/0/mistakes/0/turn", json!("a1a8"), "meets the goal"),
        ("/steps/0/mistakes/0/turn", json!("a1b2"), "is a mistake"),
        ("/steps/0/mistakes/0/answer/vi", json!(""), "empty text"),
        ("/steps/0/done/vi", json!("Good."), "not translated"),
    ] {
        let text = found(path, value.clone());
        assert!(text.contains(fault), "{path} = {value}: {text}");
    }
    let continued = |reply: Option<&str>, turns: &[&str]| {
        changed(|lesson| {
            let mut first = lesson["steps"][0].clone();
            lesson["steps"][0].as_object_mut().unwrap().remove("position");
            first["goal"]["turns"] = json!(turns);
            first["reply"] = json!(reply);
            lesson["steps"].as_array_mut().unwrap().insert(0, first);
        })
        .join("; ")
    };
    assert!(continued(None, &["a1a8"]).contains("needs a reply"));
    assert!(continued(Some("e8e6"), &["a1a8"]).contains("illegal"));
    assert!(continued(Some("e8e7"), &["a1a8", "a1a7"]).contains("exactly one turn"));
    // The same check is not possible a second time.
    assert!(continued(Some("e8e7"), &["a1a8"]).contains("step 2: `a1a8` is accepted"));
}
