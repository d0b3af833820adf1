//! Observations: 62 planes over 12 ranks and 11 files, in the mover's [frame](crate::frame).

use sandtable_core::learn::{Canvas, DecodeError, Layout, Plane, PlaneCursor, PlaneReader, Shape};
use sandtable_core::rules::Context;
use sandtable_core::{Observe, Player, Position};

use crate::air::covered;
use crate::frame::Frame;
use crate::terrain;
use crate::{Board, CoTuLenh, Kind, KindSet, Setup, SetupDeployment, Square, SquareSet, Stack};

/// One plane per kind, in stack order.
macro_rules! for_each_kind {
    ($prefix:literal, $values:literal) => {
        [
            Plane::new(concat!($prefix, " Navy"), $values),
            Plane::new(concat!($prefix, " Air Force"), $values),
            Plane::new(concat!($prefix, " Tank"), $values),
            Plane::new(concat!($prefix, " Engineer"), $values),
            Plane::new(concat!($prefix, " Headquarter"), $values),
            Plane::new(concat!($prefix, " Commander"), $values),
            Plane::new(concat!($prefix, " Infantry"), $values),
            Plane::new(concat!($prefix, " Militia"), $values),
            Plane::new(concat!($prefix, " Artillery"), $values),
            Plane::new(concat!($prefix, " Anti-Air"), $values),
            Plane::new(concat!($prefix, " Missile"), $values),
        ]
    };
}

// The first plane of each run.
const OWN: usize = 0;
const ENEMY: usize = OWN + Kind::NUM;
const OWN_HEROES: usize = ENEMY + Kind::NUM;
const ENEMY_HEROES: usize = OWN_HEROES + Kind::NUM;
const REPETITION: usize = ENEMY_HEROES + Kind::NUM;
const CLOCK: usize = REPETITION + 1;
const ORIGIN: usize = CLOCK + 1;
const PENDING: usize = ORIGIN + 1;
const NAVY_GROUND: usize = PENDING + Kind::NUM;
const LAND_GROUND: usize = NAVY_GROUND + 1;
const OWN_FIRE: usize = LAND_GROUND + 1;
const ENEMY_FIRE: usize = OWN_FIRE + 1;
const COUNT: usize = ENEMY_FIRE + 1;

static PLANES: [Plane; COUNT] = {
    let runs: [[Plane; Kind::NUM]; 5] = [
        for_each_kind!("own", "1 where the mover has one, passengers included"),
        for_each_kind!("enemy", "1 where the opponent has one, passengers included"),
        for_each_kind!("own heroic", "1 where the mover has a heroic one"),
        for_each_kind!("enemy heroic", "1 where the opponent has a heroic one"),
        for_each_kind!("pending", "1 on the origin of a deployment if one has not acted yet"),
    ];
    let mut planes = [Plane::new("", ""); COUNT];
    let begins = [OWN, ENEMY, OWN_HEROES, ENEMY_HEROES, PENDING];
    let mut run = 0;
    while run < runs.len() {
        let mut kind = 0;
        while kind < Kind::NUM {
            planes[begins[run] + kind] = runs[run][kind];
            kind += 1;
        }
        run += 1;
    }
    planes[REPETITION] = Plane::new("repetition", "1 everywhere if the position has occurred before");
    planes[CLOCK] = Plane::new("clock", "turns without a capture / 100 everywhere, at most 1");
    planes[ORIGIN] = Plane::new("origin", "1 on the origin of a deployment in progress");
    planes[NAVY_GROUND] = Plane::new("navy ground", "1 where a Navy may stand");
    planes[LAND_GROUND] = Plane::new("land ground", "1 where all others may stand");
    planes[OWN_FIRE] = Plane::new("own fire", "1 in the zones of the mover's air defence");
    planes[ENEMY_FIRE] = Plane::new("enemy fire", "1 in the zones of the opponent's air defence");
    planes
};

// The cells of the terrain planes. Terrain is symmetric, so they are the same in both frames.
static NAVY_CELLS: [u8; 40] = cells_of(terrain::NAVY_GROUND);
static LAND_CELLS: [u8; 108] = cells_of(terrain::LAND_GROUND);

const fn cells_of<const N: usize>(ground: SquareSet) -> [u8; N] {
    let mut cells = [0; N];
    let mut found = 0;
    let mut i = 0;
    while i < Square::NUM {
        if ground.contains(Square::from_dense(i)) {
            cells[found] = i as u8;
            found += 1;
        }
        i += 1;
    }
    assert!(found == N, "the array has one element per square of the set");
    cells
}

impl Observe for CoTuLenh {
    const PLANES: &'static [Plane] = &PLANES;
    const SHAPE: Shape = Shape { rows: Square::RANKS as usize, cols: Square::FILES as usize, planes: COUNT };
    const ENCODING: &'static str = "cotulenh-observation-1";

    fn draw_observation(&self, context: Context, canvas: impl Canvas) {
        let mut background = [0.0; COUNT];
        background[REPETITION] = f32::from(u8::from(context.occurrences > 1));
        background[CLOCK] = f32::from(self.halfmoves().min(Self::DRAW_CLOCK)) / f32::from(Self::DRAW_CLOCK);
        let mut planes = PlaneCursor::new(canvas, &background);

        let frame = Frame::of(self.turn());
        let cell = |square| frame.cell(square);
        planes.marks_among(REPETITION, |marker| {
            for (owner, run) in [(self.turn(), OWN), (!self.turn(), ENEMY)] {
                for (square, stack) in self.board().pieces(owner) {
                    let cell = cell(square);
                    stack.kinds().iter().for_each(|kind| marker.mark(run + kind.index(), cell));
                    let heroes = OWN_HEROES + run;
                    stack.heroes().iter().for_each(|kind| marker.mark(heroes + kind.index(), cell));
                }
            }
        });
        planes.constant();
        planes.constant();
        let deployment = self.deployment();
        planes.marks(deployment.map(|deployment| cell(deployment.origin())));
        planes.marks_among(Kind::NUM, |marker| {
            if let Some(deployment) = deployment {
                for kind in deployment.pending() {
                    marker.mark(kind.index(), cell(deployment.origin()));
                }
            }
        });
        planes.fixed(NAVY_CELLS.iter().copied().map(usize::from));
        planes.fixed(LAND_CELLS.iter().copied().map(usize::from));
        for owner in [self.turn(), !self.turn()] {
            planes.marks(covered(self.board(), owner).iter().map(cell));
        }
        planes.finish();
    }

    fn decode_observation(
        values: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Setup, Context), DecodeError> {
        let reader = Reader { planes: PlaneReader::new(values, layout)?, turn, frame: Frame::of(turn) };
        let mut board = Board::EMPTY;
        let mut deployment = None;
        for square in Square::all() {
            board.set(square, reader.stack(square)?);
            let pending = reader.kinds(PENDING, square)?;
            if reader.flag(ORIGIN, square)? {
                if deployment.is_some() {
                    return Err(reader.error(ORIGIN, square, "a single deployment origin"));
                }
                deployment =
                    Some(SetupDeployment { origin: square, pending: Some(pending), steps: Vec::new() });
            } else if !pending.is_empty() {
                return Err(reader.error(PENDING, square, "pending pieces on the deployment origin only"));
            }
            for (plane, carrier) in [(NAVY_GROUND, Kind::Navy), (LAND_GROUND, Kind::Tank)] {
                if reader.flag(plane, square)? != carrier.may_stand(square) {
                    return Err(reader.error(plane, square, "the terrain of the board"));
                }
            }
        }
        for (plane, owner) in [(OWN_FIRE, turn), (ENEMY_FIRE, !turn)] {
            let covered = covered(&board, owner);
            for square in Square::all() {
                if reader.flag(plane, square)? != covered.contains(square) {
                    return Err(reader.error(plane, square, "the fire zones of the pieces on the board"));
                }
            }
        }
        let clock = reader.planes.constant(CLOCK)?;
        if !(0.0..=1.0).contains(&clock) {
            return Err(reader.error(CLOCK, Square::A12, "0 to 1"));
        }
        reader.planes.constant(REPETITION)?;
        let occurrences = if reader.flag(REPETITION, Square::A12)? { 2 } else { 1 };
        #[expect(clippy::cast_sign_loss, reason = "the clock is not negative, as checked above")]
        let halfmoves = (clock * f32::from(Self::DRAW_CLOCK)).round() as u16;
        let setup =
            Setup { placement: board.all_pieces().collect(), turn, halfmoves, fullmoves: 1, deployment };
        Ok((setup, Context::repeated(occurrences)))
    }
}

/// A reader of observations by square.
struct Reader<'a> {
    planes: PlaneReader<'a, CoTuLenh>,
    turn: Player,
    frame: Frame,
}

impl Reader<'_> {
    fn error(&self, plane: usize, square: Square, expected: &'static str) -> DecodeError {
        self.planes.error(plane, self.frame.cell(square), expected)
    }

    fn flag(&self, plane: usize, square: Square) -> Result<bool, DecodeError> {
        self.planes.flag(plane, self.frame.cell(square))
    }

    fn kinds(&self, run: usize, square: Square) -> Result<KindSet, DecodeError> {
        let mut kinds = KindSet::EMPTY;
        for kind in Kind::ALL {
            if self.flag(run + kind.index(), square)? {
                kinds = kinds.with(kind);
            }
        }
        Ok(kinds)
    }

    fn stack(&self, square: Square) -> Result<Option<Stack>, DecodeError> {
        let (own, enemy) = (self.kinds(OWN, square)?, self.kinds(ENEMY, square)?);
        let (own_heroes, enemy_heroes) = (self.kinds(OWN_HEROES, square)?, self.kinds(ENEMY_HEROES, square)?);
        let (owner, run, kinds, heroes) = if enemy.is_empty() {
            (self.turn, OWN, own, own_heroes)
        } else {
            (!self.turn, ENEMY, enemy, enemy_heroes)
        };
        let wrong = |plane: usize, kinds: KindSet, expected| {
            let kind = kinds.first().map_or(0, Kind::index);
            self.error(plane + kind, square, expected)
        };
        if !own.is_empty() && !enemy.is_empty() {
            return Err(wrong(OWN, own, "pieces of one player only"));
        }
        if heroes.len() < own_heroes.union(enemy_heroes).len() || !kinds.contains_all(heroes) {
            let stray = own_heroes.union(enemy_heroes).without(kinds);
            return Err(wrong(OWN_HEROES + run, stray, "heroism only where the piece stands"));
        }
        if kinds.is_empty() {
            return Ok(None);
        }
        Stack::new(owner, kinds, heroes)
            .map(Some)
            .map_err(|_| wrong(run, kinds, "kinds that form a valid stack"))
    }
}
