//! The board as a picture would show it.

use std::collections::BTreeMap;

use sandtable_core::{
    ByPlayer, Cell, Diagram, Draw, Figure, FigurePiece, Ground, Label, MoveParts, Outline, Overlay, Pending,
    Player, Role,
};

use crate::air::defenders;
use crate::notation::{deployment_steps_text, kinds_text};
use crate::{Action, Kind, KindSet, Position, Square, Stack, Step, Terrain, Zone};

impl From<Terrain> for Ground {
    fn from(terrain: Terrain) -> Self {
        match terrain {
            Terrain::Water => Self::Water,
            Terrain::Mixed => Self::Mixed,
            Terrain::Land => Self::Land,
        }
    }
}

/// A token needs neither parentheses nor the carrier's `+`, which is drawn as a star, and is uppercase for both.
pub(crate) fn figure(stack: Stack) -> Figure {
    let kinds = kinds_text(stack.kinds(), stack.heroes());
    let role = |kind| match (stack.is_stack(), kind == stack.carrier()) {
        (false, _) => Role::Alone,
        (true, true) => Role::Carrier,
        (true, false) => Role::Passenger,
    };
    let pieces = stack.flatten().map(|piece| FigurePiece {
        kind: piece.kind.name(),
        owner: piece.owner,
        role: role(piece.kind),
        height: None,
        starred: piece.heroic,
    });
    Figure {
        owner: stack.owner(),
        letters: stack.to_string(),
        token: kinds.trim_matches(['(', ')']).trim_start_matches('+').to_owned(),
        outlines: &[],
        starred: stack.is_carrier_heroic(),
        pieces: pieces.collect(),
    }
}

/// Ground first, then the half of the board.
fn terrain(square: Square) -> Vec<&'static str> {
    let ground = match square.terrain() {
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

fn names(kinds: KindSet) -> Vec<&'static str> {
    kinds.iter().map(Kind::name).collect()
}

impl Draw for Position {
    fn diagram(&self, last: Option<Step>) -> Diagram {
        let marked = [last.map(Step::origin), last.and_then(Step::target)];
        let cells = Square::all().map(|square| Cell {
            name: square.to_string(),
            index: square.index().to_string(),
            x: square.file().into(),
            y: square.rank_index().into(),
            ground: square.terrain().into(),
            terrain: terrain(square),
            place: self.seen(square).dense(),
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
        }
    }

    fn parts(&self, step: Step) -> MoveParts {
        let (kind, group) = match step {
            Step::End { .. } => ("end", KindSet::EMPTY),
            Step::Deploy { group, action, .. } => (action.name(), group),
            Step::Whole { from, action, .. } => {
                (action.name(), self.board().get(from).map_or(KindSet::EMPTY, Stack::kinds))
            }
        };
        let takes = match step {
            Step::Whole { to, action, .. } | Step::Deploy { to, action, .. } if action.is_capture() => {
                Some(to.to_string())
            }
            _ => None,
        };
        MoveParts {
            kind,
            from: Some(step.origin().to_string()),
            to: step.target().map(|to| to.to_string()),
            group: names(group),
            deploys: matches!(step, Step::Deploy { .. }),
            takes,
            ..MoveParts::default()
        }
    }

    fn pending(&self) -> Option<Pending> {
        self.deployment().map(|deployment| Pending {
            from: deployment.origin().to_string(),
            pieces: names(deployment.pending()),
            steps: deployment_steps_text(self),
        })
    }

    /// The fire zones of either side.
    fn overlays(&self) -> Vec<Overlay> {
        let overlay = |owner: Player| {
            let mut cells = BTreeMap::<Square, Vec<String>>::new();
            for (place, zone) in defenders(self.board(), owner) {
                for square in zone.iter() {
                    cells.entry(square).or_default().push(place.to_string());
                }
            }
            let cells = cells.into_iter().map(|(square, by)| (square.to_string(), by)).collect();
            Overlay { name: "air defence", owner, cells }
        };
        Player::ALL.map(overlay).into()
    }
}

impl Action {
    /// The action in a word.
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
