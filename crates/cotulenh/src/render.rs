//! Diagrams of positions.

use std::collections::BTreeMap;

use sandtable_core::view::{
    Cell, Diagram, Figure, FigurePiece, Ground, Label, MoveDetails, Outline, Overlay, PieceRole, Place,
    Render, Theme, TurnInProgress,
};
use sandtable_core::{ByPlayer, Player, Position};

use crate::air::defenders;
use crate::frame::Frame;
use crate::notation::{Pieces, deploy_step_texts};
use crate::scenery::scenery;
use crate::terrain::BRIDGE_FILES;
use crate::themes::THEMES;
use crate::{CoTuLenh, Kind, KindSet, River, Square, Stack, Step, StepKind, Terrain, Zone};

impl From<Terrain> for Ground {
    fn from(terrain: Terrain) -> Self {
        match terrain {
            Terrain::Water => Self::Water,
            Terrain::Mixed => Self::Mixed,
            Terrain::Land => Self::Land,
        }
    }
}

/// The figure of a stack. Its token omits parentheses and the carrier's `+`, which is drawn as chevrons, and is uppercase for
/// both players.
pub(crate) fn figure(stack: Stack) -> Figure {
    let kinds = Pieces::from(stack).to_string();
    let role = |kind| match (stack.is_stack(), kind == stack.carrier()) {
        (false, _) => PieceRole::Alone,
        (true, true) => PieceRole::Carrier,
        (true, false) => PieceRole::Passenger,
    };
    let count = stack.flatten().count();
    let pieces = stack.flatten().enumerate().map(|(i, piece)| FigurePiece {
        kind: piece.kind.name(),
        owner: piece.owner,
        role: role(piece.kind),
        place: place(i, count),
        height: None,
        starred: piece.heroic,
        outlines: body(piece.owner),
        symbol: symbol(piece.kind),
        badge: if piece.heroic { CHEVRONS } else { "" },
    });
    Figure {
        owner: stack.owner(),
        letters: stack.to_string(),
        token: kinds.trim_matches(['(', ')']).trim_start_matches('+').to_owned(),
        starred: stack.is_carrier_heroic(),
        pieces: pieces.collect(),
    }
}

/// The place of a piece in a stack: the carrier at the top, the passengers below it, at more than half its size.
const fn place(i: usize, count: usize) -> Option<Place> {
    let (x, y, scale) = match (count, i) {
        (2, 0) => (0, -1, 84),
        (2, _) => (48, 48, 52),
        (3, 0) => (9, -3, 82),
        (3, 1) => (-2, 51, 50),
        (3, _) => (52, 51, 50),
        _ => return None,
    };
    Some(Place { x, y, scale })
}

/// The chevrons of a hero.
const CHEVRONS: &str = "M68 6L84 17L100 6V15L84 26L68 15ZM68 20L84 31L100 20V29L84 40L68 29Z";

/// The outline of a counter: round for Red and square for Blue, so that they differ without colours.
const fn body(owner: Player) -> &'static [&'static str] {
    match owner {
        Player::First => &["M50 7 A43 43 0 1 1 49.99 7 Z"],
        Player::Second => &["M26 9 L74 9 C84 9 91 16 91 26 L91 74 C91 84 84 91 74 91 L26 91 \
             C16 91 9 84 9 74 L9 26 C9 16 16 9 26 9 Z"],
    }
}

/// The symbol on a counter: ship, aeroplane, tank, cog, house with a flag, star, helmet, straw hat, cannon, twin guns, rocket.
const fn symbol(kind: Kind) -> &'static str {
    match kind {
        Kind::Navy => {
            "M15 55 L85 55 L75 74 L27 74 Z M30 51 L30 41 L45 41 L45 26 L50.5 26 L50.5 41 L64 41 \
             L64 51 Z M68 51 L68 46 L82 42.5 L82 47 L74 51 Z M20 51 L20 46.5 L27 46.5 L27 51 Z"
        }
        Kind::AirForce => {
            "M50 18 C53.5 18 55 24 55 30 L55 41 L81 55 L81 62 L55 55 L54 70 L63 77 L63 82 L50 \
             78.5 L37 82 L37 77 L46 70 L45 55 L19 62 L19 55 L45 41 L45 30 C45 24 46.5 18 50 18 Z"
        }
        Kind::Tank => {
            "M37 34 L58 34 C61 34 62.5 36 63 38.5 L84 38.5 L84 43.5 L64 43.5 L65 49 L75 49 C81 49 \
             84 54 84 58 C84 65 79 69 73 69 L27 69 C21 69 16 65 16 58 C16 53 19 49 25 49 L32 49 Z \
             M28 55.5 A3.8 3.8 0 1 0 28.01 55.5 Z M42.5 55.5 A3.8 3.8 0 1 0 42.51 55.5 Z M57.5 \
             55.5 A3.8 3.8 0 1 0 57.51 55.5 Z M72 55.5 A3.8 3.8 0 1 0 72.01 55.5 Z"
        }
        Kind::Engineer => {
            "M42.9 27.1 L43.8 17.6 L56.2 17.6 L57.1 27.1 L61.2 28.8 L68.5 22.7 L77.3 31.5 L71.2 \
             38.8 L72.9 42.9 L82.4 43.8 L82.4 56.2 L72.9 57.1 L71.2 61.2 L77.3 68.5 L68.5 77.3 \
             L61.2 71.2 L57.1 72.9 L56.2 82.4 L43.8 82.4 L42.9 72.9 L38.8 71.2 L31.5 77.3 L22.7 \
             68.5 L28.8 61.2 L27.1 57.1 L17.6 56.2 L17.6 43.8 L27.1 42.9 L28.8 38.8 L22.7 31.5 \
             L31.5 22.7 L38.8 28.8 Z M50 40 A10 10 0 1 0 50.01 40 Z"
        }
        Kind::Headquarters => {
            "M47 16 L71 23 L51 31 L51 40 L79 52 L79 58 L73 58 L73 78 L57 78 L57 64 L43 64 L43 78 \
             L27 78 L27 58 L21 58 L21 52 L47 41 Z"
        }
        Kind::Commander => {
            "M50 17 L58.5 41.3 L84.2 41.9 L63.8 57.5 L71.2 82.1 L50 67.5 L28.8 82.1 L36.2 57.5 \
             L15.8 41.9 L41.5 41.3 Z"
        }
        Kind::Infantry => {
            "M50 20 C66 20 74 31 74 42 L82 46 L82 51 L18 51 L18 46 L26 42 C26 31 34 20 50 20 Z \
             M34 55 L66 55 C66 65 60 70.5 50 70.5 C40 70.5 34 65 34 55 Z M24 82 C26 74 32 71.5 39 \
             71.5 C46 76 54 76 61 71.5 C68 71.5 74 74 76 82 Z"
        }
        Kind::Militia => {
            "M50 17 L84 45 C74 52 26 52 16 45 Z M34 53.5 C44 55 56 55 66 53.5 C66 64 60 70.5 50 \
             70.5 C40 70.5 34 64 34 53.5 Z M24 82 C26 74 32 71.5 39 71.5 C46 76 54 76 61 71.5 C68 \
             71.5 74 74 76 82 Z"
        }
        Kind::Artillery => {
            "M20 45 L74 20 L79.5 31.5 L57 45 C60 48 61.5 52 61.5 56.5 C61.5 67 53 75.5 42.5 75.5 \
             C32 75.5 24 67 24 57 C24 55 24.5 53 25 51 Z M42.5 46.5 A10 10 0 1 0 42.51 46.5 Z M63 \
             63 L81 71 L81 78 L56 78 Z"
        }
        Kind::AntiAir => {
            "M56 16 L62.5 18.5 L52 48 L45.5 45.5 Z M70 21 L76.5 23.5 L65 52 L58.5 49.5 Z M38 42 \
             L68 54 L63 66 L52 64 L66 76 L66 81 L24 81 L24 76 L38 63 L34 52 Z"
        }
        Kind::Missile => {
            "M50 14 C57 20 60 28 60 36 L60 60 L73 73 L73 79 L59 75 L57 84 L43 84 L41 75 L27 79 \
             L27 73 L40 60 L40 36 C40 28 43 20 50 14 Z M50 33 A5 5 0 1 0 50.01 33 Z"
        }
    }
}

/// Words for the terrain: the ground, then the half of the board.
fn terrain(square: Square, river: River) -> Vec<&'static str> {
    let bridged = river == River::Bridged && BRIDGE_FILES.iter().any(|file| file.contains(square));
    let ground = match square.terrain() {
        _ if bridged && matches!(square.rank(), 6 | 7) => "bridge",
        Terrain::Water => "sea",
        Terrain::Mixed if square.file() == 2 => "coast",
        Terrain::Mixed => "river",
        Terrain::Land => "land",
    };
    let half = match square.zone() {
        Zone::Upper => "upper",
        Zone::Lower => "lower",
    };
    vec![ground, half]
}

const AIR_FORCE: &str = Kind::AirForce.name();

fn names(kinds: KindSet) -> Vec<&'static str> {
    kinds.iter().map(Kind::name).collect()
}

impl Render for CoTuLenh {
    const THEMES: &'static [Theme<Self>] = THEMES;

    fn diagram(&self, last: Option<Step>) -> Diagram {
        let frame = Frame::of(self.turn());
        let marked = [last.map(Step::origin), last.and_then(Step::target)];
        let cells = Square::all().map(|square| Cell {
            name: square.to_string(),
            index: square.index().to_string(),
            x: square.file().into(),
            y: square.rank_index().into(),
            ground: square.terrain().into(),
            terrain: terrain(square, self.rules().river),
            place: frame.cell(square),
            figure: self.board().get(square).map(figure),
            marked: marked.contains(&Some(square)),
        });
        let files = (0..Square::FILES).map(|file| Label {
            text: char::from(b'a' + file).into(),
            x: file.into(),
            y: Square::RANKS.into(),
        });
        let ranks = (0..Square::RANKS).map(|rank_index| Label {
            text: (Square::RANKS - rank_index).to_string(),
            x: -1.0,
            y: rank_index.into(),
        });
        Diagram {
            outline: Outline::Point,
            width: Square::FILES.into(),
            height: Square::RANKS.into(),
            inks: ByPlayer::new([0xB7, 0x1C, 0x1C], [0x15, 0x4C, 0x9E]),
            cells: cells.collect(),
            labels: files.chain(ranks).collect(),
            scenery: scenery(self.rules().river),
            flipped: false,
        }
    }

    fn cell_in_check(&self) -> Option<String> {
        let commander = self.board().commander(self.turn());
        commander.filter(|_| self.in_check() == Some(true)).map(|square| square.to_string())
    }

    fn move_details(&self, step: Step) -> MoveDetails {
        let group = match step {
            Step::End { .. } => KindSet::EMPTY,
            Step::Deploy { group, .. } => group,
            Step::Whole { from, .. } => self.board().get(from).map_or(KindSet::EMPTY, Stack::kinds),
        };
        let captures = step.kind().is_some_and(StepKind::is_capture);
        let takes = step.target().filter(|_| captures).map(|to| to.to_string().into());
        MoveDetails {
            kind: step.kind().map_or("end", StepKind::name),
            from: Some(step.origin().to_string().into()),
            to: step.target().map(|to| to.to_string().into()),
            group: names(group),
            deploys: matches!(step, Step::Deploy { .. }),
            takes,
            ..MoveDetails::default()
        }
    }

    fn turn_in_progress(&self) -> Option<TurnInProgress> {
        self.deployment().map(|deployment| TurnInProgress {
            from: deployment.origin().to_string(),
            pieces: names(deployment.pending()),
            steps: deploy_step_texts(self),
        })
    }

    /// The fire zones of both sides.
    fn overlays(&self) -> Vec<Overlay> {
        let overlay = |owner: Player| {
            let mut cells = BTreeMap::<Square, Vec<String>>::new();
            for (place, zone) in defenders(self.board(), owner) {
                for square in zone {
                    cells.entry(square).or_default().push(place.to_string());
                }
            }
            let cells = cells.into_iter().map(|(square, by)| (square.to_string(), by)).collect();
            Overlay { name: "air defence", owner, concerns: &[AIR_FORCE], cells }
        };
        Player::ALL.map(overlay).into()
    }
}

impl StepKind {
    /// The name of the kind of step.
    const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Capture => "capture",
            Self::StayCapture => "stay-capture",
            Self::SuicideCapture => "suicide-capture",
            Self::Combine => "combine",
        }
    }
}
