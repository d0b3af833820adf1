//! The rules of the games in `docs/rules`: every diagram agrees with the move generator, every picture is what the renderer
//! makes of it, both languages show the same pictures, and all presets are explained.
//!
//! A diagram is a comment of the English page, followed by its picture:
//!
//! ```text
//! <!-- diagram tank
//! position: 6c4/11/11/11/11/11/11/11/5T5/11/11/4C6 r - - 0 1
//! piece: f4
//! move: d4 e4 g4 h4 f2 f3 f5 f6
//! -->
//! ![A Tank moves up to two squares.](pictures/cotulenh-tank.svg)
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `explains` | the kind of piece whose range it shows: `tank`, `unit 3`, `tribun` |
//! | `position` | the position as text; the start position if absent |
//! | `rules` | the preset; the default if absent |
//! | `play` | moves to play first |
//! | `zones` | the player whose zones are shown |
//! | `outcome` | how the game ends here: `checkmate`; without this line it is in progress |
//! | `piece` | the cell of the figure whose legal moves are listed by the lines below |
//! | `group` | the pieces of the figure that act; the whole figure if absent |
//! | `hidden` | kinds of legal moves that the picture does not show |
//! | any other | a kind of move and all its targets |

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{env, fs};

use sandtable::core::Outcome;
use sandtable::core::view::MoveDetails;
use sandtable::games::complete_games;
use sandtable::render::{Mark, SvgOptions, svg};
use sandtable::{AnyGame, BoxedGame, GameKind};

const UPDATE: &str = "UPDATE_GENERATED=1 cargo test -p sandtable --test suite rules_pages";

/// The width of the pictures in pixels: a phone shows them without scrolling.
const WIDTH: u32 = 360;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules"))
}

fn page(name: &str) -> String {
    let path = folder().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The targets of each kind of move.
type Targets = BTreeMap<String, BTreeSet<String>>;

/// A diagram as the page describes it.
#[derive(Debug)]
struct Described {
    name: String,
    lines: BTreeMap<String, String>,
    /// The first line after the comment.
    image: String,
}

/// The lines of a diagram that are not kinds of moves.
const SETTINGS: [&str; 9] =
    ["explains", "position", "rules", "play", "zones", "outcome", "piece", "group", "hidden"];

impl Described {
    /// All diagrams of a page, in order.
    fn all(page: &str) -> Vec<Self> {
        let blocks = page.split("<!-- diagram ").skip(1);
        blocks
            .map(|block| {
                let (comment, rest) = block.split_once("\n-->\n").expect("a diagram ends with a line `-->`");
                let mut lines = comment.lines();
                let name = lines.next().unwrap_or_default().to_owned();
                let pair = |line: &str| {
                    let (key, value) =
                        line.split_once(':').unwrap_or_else(|| panic!("{name}: no colon in `{line}`"));
                    (key.to_owned(), value.trim().to_owned())
                };
                let lines = lines.map(pair).collect();
                let image = rest.lines().next().unwrap_or_default().to_owned();
                Self { name, lines, image }
            })
            .collect()
    }

    fn line(&self, key: &str) -> Option<&str> {
        self.lines.get(key).map(String::as_str)
    }

    fn words(&self, key: &str) -> impl Iterator<Item = &str> {
        self.line(key).unwrap_or_default().split_whitespace()
    }

    fn targets(&self) -> Targets {
        let kinds = self.lines.keys().filter(|key| !SETTINGS.contains(&key.as_str()));
        kinds.map(|kind| (kind.clone(), self.words(kind).map(str::to_owned).collect())).collect()
    }

    fn game(&self, kind: &GameKind) -> BoxedGame {
        let rules = self.line("rules").unwrap_or(kind.rules[0]);
        let game = match self.line("position") {
            Some(text) => kind.parse(text, rules),
            None => kind.start(rules),
        };
        let mut game = game.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        for text in self.words("play") {
            game.play(text).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        }
        game
    }

    /// The targets of the piece, by the move generator.
    fn generated(&self, game: &dyn AnyGame) -> Targets {
        let mut targets = Targets::new();
        let Some(piece) = self.line("piece") else { return targets };
        for (info, details) in game.legal_page(0, usize::MAX).moves {
            if self.is_shown(&details) && is_made_by(game, &info.text, &details, piece) {
                let cells = targets.entry(details.kind.to_owned()).or_default();
                match &details.to {
                    Some(to) => {
                        cells.insert(to.to_string());
                    }
                    None => cells.extend(details.shares.iter().map(|share| share.cell.to_string())),
                }
            }
        }
        for hidden in self.words("hidden") {
            assert!(targets.remove(hidden).is_some(), "{}: no legal move is a {hidden}", self.name);
        }
        targets
    }

    /// Whether a move is one of the group that the diagram is about.
    fn is_shown(&self, details: &MoveDetails) -> bool {
        match self.line("group") {
            Some(group) => details.group.is_empty() || details.group.join("+") == group,
            None => !details.deploys,
        }
    }

    fn picture(&self, game: &dyn AnyGame) -> String {
        let diagram = game.diagram();
        let cell = |name: &str| {
            diagram.cell_named(name).unwrap_or_else(|| panic!("{}: no cell `{name}`", self.name))
        };
        let mut marks: Vec<_> =
            self.line("piece").map(|piece| (cell(piece), Mark::Selected)).into_iter().collect();
        if let Some(owner) = self.line("zones") {
            let overlays = game.overlays();
            let of_owner = overlays.iter().filter(|overlay| game.players()[overlay.owner] == owner);
            let cells: Vec<_> = of_owner.flat_map(|overlay| &overlay.cells).collect();
            assert!(!cells.is_empty(), "{}: {owner} has no zones", self.name);
            marks.extend(cells.into_iter().map(|(name, _)| (cell(name), Mark::Zone)));
        }
        // A cell has one mark: that of the first kind in this order.
        let mut targets: Vec<_> =
            self.targets().into_iter().map(|(kind, cells)| (mark(&kind), cells)).collect();
        targets.sort_by_key(|(mark, _)| MARKS.iter().position(|known| known == mark));
        let mut seen = BTreeSet::new();
        for (mark, cells) in targets {
            for cell in cells.iter().filter(|name| seen.insert((*name).clone())).map(|name| cell(name)) {
                // A pawn may promote by a capture.
                let captures = mark == Mark::Move && diagram.cells[cell].figure.is_some();
                marks.push((cell, if captures { Mark::Capture } else { mark }));
            }
        }
        svg(&diagram, &SvgOptions::default().with_width(WIDTH).with_marks(marks))
    }
}

/// Whether a legal move is made by the figure on a cell, alone or together with others.
fn is_made_by(game: &dyn AnyGame, text: &str, details: &MoveDetails, cell: &str) -> bool {
    match &details.from {
        Some(from) => from == cell,
        None => game.arrows(text).iter().any(|arrow| arrow.from == cell),
    }
}

/// The marks of targets, the most important first.
const MARKS: [Mark; 5] = [Mark::Capture, Mark::StayCapture, Mark::Move, Mark::Combine, Mark::Split];

/// The mark of a kind of move.
fn mark(kind: &str) -> Mark {
    match kind {
        // En passant: the target is beside the captured pawn.
        "move" | "castle" | "promote" | "backstab" | "en-passant" => Mark::Move,
        "capture" | "suicide-capture" | "kill" | "enslave" | "attack-tribun" => Mark::Capture,
        "stay-capture" | "damage" | "liberate" => Mark::StayCapture,
        "combine" | "sym-combine" => Mark::Combine,
        "split" => Mark::Split,
        other => panic!("unknown kind of move `{other}`"),
    }
}

/// The name of a kind's English page, and of its Vietnamese one.
fn page_names(kind: &GameKind) -> [String; 2] {
    [format!("{}.md", kind.name), format!("{}.vi.md", kind.name)]
}

#[test]
fn diagrams_agree_with_the_move_generator() {
    let mut faults = Vec::new();
    for kind in complete_games() {
        for described in Described::all(&page(&page_names(kind)[0])) {
            let game = described.game(kind);
            let (expected, found) = (described.generated(&*game), described.targets());
            if expected != found {
                let lines = expected.iter().map(|(kind, cells)| {
                    let cells: Vec<_> = cells.iter().map(String::as_str).collect();
                    format!("{kind}: {}", cells.join(" "))
                });
                let lines: Vec<_> = lines.collect();
                faults.push(format!(
                    "{} {}: the legal moves are\n{}",
                    kind.name,
                    described.name,
                    lines.join("\n")
                ));
            }
            let reason = match game.outcome() {
                Outcome::Ongoing => None,
                Outcome::Win { reason, .. } | Outcome::Draw { reason } => Some(reason),
            };
            if reason.as_deref() != described.line("outcome") {
                faults.push(format!("{} {}: the outcome is {reason:?}", kind.name, described.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn pictures_are_what_the_renderer_makes() {
    let update = env::var_os("UPDATE_GENERATED").is_some();
    let pictures = folder().join("pictures");
    let mut names = BTreeSet::new();
    for kind in complete_games() {
        for described in Described::all(&page(&page_names(kind)[0])) {
            let name = format!("{}-{}.svg", kind.name, described.name);
            let image = format!("](pictures/{name})");
            assert!(
                described.image.starts_with("![") && described.image.ends_with(&image),
                "{}: the line after the diagram is not an image of {name}",
                described.name
            );
            let picture = described.picture(&*described.game(kind));
            let path = pictures.join(&name);
            if update {
                fs::write(&path, &picture).expect("the picture can be written");
            }
            let found = fs::read_to_string(&path).unwrap_or_default();
            assert!(found == picture, "docs/rules/pictures/{name} is stale: run `{UPDATE}`");
            assert!(names.insert(name.clone()), "two diagrams are called {name}");
        }
    }
    for entry in fs::read_dir(&pictures).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !names.contains(name) {
            if update {
                fs::remove_file(&path).expect("the picture can be removed");
            } else {
                panic!("docs/rules/pictures/{name} belongs to no diagram: run `{UPDATE}`");
            }
        }
    }
}

/// The addresses of the images of a page, in order.
fn images(page: &str) -> Vec<&str> {
    let lines = page.lines().filter(|line| line.starts_with("!["));
    lines.filter_map(|line| line.rsplit_once("](")?.1.strip_suffix(')')).collect()
}

#[test]
fn both_languages_show_the_same_pictures() {
    for kind in complete_games() {
        let [english, vietnamese] = page_names(kind).map(|name| page(&name));
        assert_eq!(images(&english), images(&vietnamese), "{}", kind.name);
        assert_eq!(images(&english).len(), Described::all(&english).len(), "{}", kind.name);
        let headings = |page: &str| page.lines().filter(|line| line.starts_with('#')).count();
        assert_eq!(headings(&english), headings(&vietnamese), "{}", kind.name);
    }
}

/// The presets that a page explains: headings such as "### Club (`club`)".
fn presets(page: &str) -> Vec<&str> {
    let headings = page.lines().filter(|line| line.starts_with("### "));
    headings.filter_map(|line| line.rsplit_once("(`")?.1.strip_suffix("`)")).collect()
}

#[test]
fn every_preset_is_explained() {
    for kind in complete_games() {
        for name in page_names(kind) {
            assert_eq!(presets(&page(&name)), kind.rules, "{name}");
        }
    }
}

/// The kinds of pieces of a game, as `explains` names them.
fn piece_kinds(kind: &GameKind) -> BTreeSet<String> {
    let palette = kind.palette(kind.rules[0]).expect("the default rules have a palette");
    let pieces = palette.figures.iter().flat_map(|(figure, _)| &figure.pieces);
    pieces
        .map(|piece| match piece.height {
            None => piece.kind.to_owned(),
            Some(1) if piece.starred => "tribun".to_owned(),
            Some(height) => format!("{} {height}", piece.kind),
        })
        .collect()
}

#[test]
fn every_kind_of_piece_has_one_diagram() {
    for kind in complete_games() {
        let diagrams = Described::all(&page(&page_names(kind)[0]));
        let mut explained: Vec<_> =
            diagrams.iter().filter_map(|described| described.line("explains")).collect();
        explained.sort_unstable();
        assert_eq!(explained, piece_kinds(kind).into_iter().collect::<Vec<_>>(), "{}", kind.name);
    }
}
