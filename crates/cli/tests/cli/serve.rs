//! `serve`: a real process, stopped politely and killed.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::common::run;

/// A server in a process of its own.
pub(crate) struct Served {
    pub(crate) process: Child,
    pub(crate) url: String,
}

impl Served {
    pub(crate) fn start(data: &Path) -> Self {
        let mut process = Command::new(cargo_bin("sandtable"))
            .args(["--json", "serve", "--port", "0", "--log", "warn", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sandtable starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let told: Value = serde_json::from_str(&line).expect("the address is told as JSON");
        Self { process, url: told["url"].as_str().expect("an address").to_owned() }
    }

    /// As `kill -9`: the process does nothing more.
    pub(crate) fn kill(mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it is gone");
    }

    /// As Ctrl-C or a shutting down system would; gives what it logged.
    #[cfg(unix)]
    fn terminate(mut self) -> String {
        let done = Command::new("kill").arg(self.process.id().to_string()).status().expect("kill runs");
        assert!(done.success());
        let deadline = Instant::now() + Duration::from_secs(20);
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(Instant::now() < deadline, "it does not stop");
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(status.success(), "{status}");
        let mut log = String::new();
        self.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("text");
        log
    }
}

pub(crate) async fn post(http: &reqwest::Client, url: &str, body: Value) -> Option<Value> {
    http.post(url).json(&body).send().await.ok()?.error_for_status().ok()?.json().await.ok()
}

pub(crate) async fn get(http: &reqwest::Client, url: &str) -> Value {
    let answer = http.get(url).send().await.expect("an answer").error_for_status().expect("a good one");
    answer.json().await.expect("JSON")
}

/// The moves of a game that were answered, and one that may have been played without an answer.
type Asked = (Vec<String>, Option<String>);

/// Plays many games at once, kills the server in the middle, and looks for every move that was answered.
fn kill_in_the_middle_of(games: usize, before: Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Runtime::new().expect("a runtime");
    let server = Served::start(folder.path());
    let http = reqwest::Client::new();
    let answered: Arc<Mutex<HashMap<String, Asked>>> = Arc::default();
    let begun: Vec<Value> = runtime.block_on(async {
        let mut begun = Vec::new();
        for number in 0..games {
            let kind = ["chess", "cotulenh", "tribun"][number % 3];
            let game = post(&http, &format!("{}api/games", server.url), json!({ "kind": kind })).await;
            begun.push(game.expect("a game begins"));
        }
        begun
    });
    for (number, game) in begun.into_iter().enumerate() {
        let (http, url, answered) = (http.clone(), server.url.clone(), Arc::clone(&answered));
        runtime.spawn(async move {
            let id = game["id"].as_str().expect("an id").to_owned();
            answered.lock().unwrap().insert(id.clone(), (Vec::new(), None));
            let mut game = game;
            loop {
                let actions = game["view"]["actions"].as_array().expect("actions");
                let Some(action) = actions.get(number % actions.len().max(1)) else { return };
                let text = action["text"].as_str().expect("a text").to_owned();
                answered.lock().unwrap().get_mut(&id).unwrap().1 = Some(text.clone());
                let Some(after) =
                    post(&http, &format!("{url}api/games/{id}/moves"), json!({ "text": text })).await
                else {
                    return;
                };
                answered.lock().unwrap().get_mut(&id).unwrap().0.push(text);
                game = after;
            }
        });
    }
    std::thread::sleep(before);
    server.kill();
    runtime.shutdown_timeout(Duration::from_secs(10));

    let runtime = Runtime::new().expect("a runtime");
    let server = Served::start(folder.path());
    let http = reqwest::Client::new();
    let answered = answered.lock().unwrap();
    assert_eq!(answered.len(), games);
    let mut moves = 0;
    runtime.block_on(async {
        for (id, (played, unanswered)) in answered.iter() {
            let game = get(&http, &format!("{}api/games/{id}", server.url)).await;
            let history = game["view"]["history"].as_array().expect("a history");
            let kept: Vec<_> =
                history.iter().map(|played| played["text"].as_str().expect("a text")).collect();
            let with_last: Vec<_> = played.iter().chain(unanswered).map(String::as_str).collect();
            assert!(kept == *played || kept == with_last, "{id}: {kept:?} instead of {played:?}");
            moves += played.len();
        }
    });
    println!("{games} games: all of {moves} answered moves are there");
    assert!(moves > games, "the games had hardly begun: {moves} moves");
    server.kill();
}

#[test]
fn no_answered_move_is_lost_when_the_server_is_killed() {
    kill_in_the_middle_of(30, Duration::from_millis(700));
}

#[test]
#[ignore = "it plays a thousand games at once"]
fn no_answered_move_of_a_thousand_games_is_lost_when_the_server_is_killed() {
    kill_in_the_middle_of(1_000, Duration::from_secs(15));
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_stop_stops_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Runtime::new().expect("a runtime");
    let server = Served::start(folder.path());
    let http = reqwest::Client::new();
    let engine = json!({ "who": "engine", "level": 9 });
    let body = json!({ "kind": "chess", "players": { "first": engine, "second": engine } });
    let game = runtime.block_on(post(&http, &format!("{}api/games", server.url), body));
    assert!(game.is_some_and(|game| game["thinking"] == true));
    assert_eq!(server.terminate(), "", "nothing to warn of");
}

#[test]
fn a_folder_has_one_server_until_that_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Served::start(folder.path());
    let data = folder.path().to_str().expect("a name");
    let said = run(&["serve", "--port", "0", "--data", data]);
    assert!(said.code == 2 && said.err.contains("another server") && said.err.contains(data), "{said:?}");
    server.kill();
    Served::start(folder.path()).kill();
}

#[test]
fn what_cannot_be_served_says_why() {
    let said = run(&["serve", "--port", "99999"]);
    assert_eq!(said.code, 2);
    let said = run(&["serve", "--listen", "nowhere"]);
    assert_eq!(said.code, 2);
    let said = run(&["serve", "--log", "a=b=c"]);
    assert!(said.code == 2 && said.err.contains("a=b=c"), "{said:?}");
    let said = run(&["serve", "--listen", "203.0.113.1", "--port", "0"]);
    assert!(said.code == 2 && said.err.contains("cannot listen on 203.0.113.1"), "{said:?}");
    let file = tempfile::NamedTempFile::new().expect("a file");
    let said = run(&["serve", "--data", file.path().to_str().expect("a name")]);
    assert!(said.code == 2 && said.err.contains("cannot make the folder"), "{said:?}");
}
