//! A slow reference implementation of the rules, written to be readable.
//!
//! It shares the board and the types with the crate, but no code about movement.

use sandtable_core::{FromSetup, Player, Position};
use sandtable_cotulenh::{
    Board, CoTuLenh, Direction, Heroism, Kind, KindSet, River, Rules, Setup, SetupDeployment, Square, Stack,
    Step, StepKind,
};

/// A position, with the deployment in progress reduced to its origin, its pending pieces, and whether it captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) board: Board,
    pub(crate) turn: Player,
    pub(crate) rules: Rules,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    pub(crate) deployment: Option<Deploying>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deploying {
    pub(crate) origin: Square,
    pub(crate) pending: KindSet,
    pub(crate) captured: bool,
}

/// The state of an Air Force in the enemy's air defence.
#[derive(Clone, Copy, PartialEq)]
enum Air {
    Safe,
    SuicideOnly,
    ShotDown,
}

impl Reference {
    pub(crate) fn new(position: &CoTuLenh) -> Self {
        let setup = position.to_setup();
        let mut this = Self {
            board: setup.placement.into_iter().collect(),
            turn: setup.turn,
            rules: position.rules(),
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            deployment: None,
        };
        if let Some(SetupDeployment { origin, pending, steps }) = setup.deployment {
            let pending = pending.unwrap_or_else(|| this.board.get(origin).unwrap().kinds());
            this.deployment = Some(Deploying { origin, pending, captured: false });
            for step in steps {
                this = this.after(step);
            }
        }
        this
    }

    /// Converts to a position; no deployment may be in progress.
    pub(crate) fn to_position(&self) -> CoTuLenh {
        assert!(self.deployment.is_none());
        let setup = Setup {
            placement: self.board.all_pieces().collect(),
            turn: self.turn,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            deployment: None,
        };
        CoTuLenh::from_setup(&setup, self.rules).unwrap()
    }

    /// All legal steps.
    pub(crate) fn legal_steps(&self) -> Vec<Step> {
        self.candidates().into_iter().filter(|&step| self.is_legal(step)).collect()
    }

    /// A step is legal iff some sequence of further steps (maybe none) ends the turn legally.
    fn is_legal(&self, step: Step) -> bool {
        let after = self.after(step);
        if after.deployment.is_none() {
            let mover = self.turn;
            return after.may_stay_on(step.origin(), mover)
                && after.board.commander(mover).is_some()
                && !after.is_attacked(mover)
                && !after.commanders_face();
        }
        after.candidates().into_iter().any(|next| after.is_legal(next))
    }

    /// Whether the pieces that a player has left on a square may stay there.
    fn may_stay_on(&self, square: Square, owner: Player) -> bool {
        let left = self.board.get(square).filter(|stack| stack.owner() == owner);
        left.is_none_or(|stack| may_stand(stack.carrier(), square))
    }

    /// All pseudo-legal steps: the safety of the commander is not checked.
    fn candidates(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if Player::ALL.iter().any(|&owner| self.board.commander(owner).is_none()) {
            return steps;
        }
        if let Some(Deploying { origin, pending, .. }) = self.deployment {
            for group in subsets(pending) {
                for (to, kind) in self.reach(origin, group, false) {
                    steps.push(Step::Deploy { from: origin, to, group, kind });
                }
            }
            steps.push(Step::End { from: origin });
            return steps;
        }
        for (from, stack) in self.board.pieces(self.turn) {
            for group in subsets(stack.kinds()) {
                let whole = group == stack.kinds();
                for (to, kind) in self.reach(from, group, whole) {
                    steps.push(if whole {
                        Step::Whole { from, to, kind }
                    } else {
                        Step::Deploy { from, to, group, kind }
                    });
                }
            }
        }
        steps
    }

    /// The targets of a group, each with the kind of step.
    fn reach(&self, from: Square, group: KindSet, whole: bool) -> Vec<(Square, StepKind)> {
        let stack = self.board.get(from).unwrap();
        let (owner, carrier) = (stack.owner(), group.first().unwrap());
        let heroic = stack.is_heroic(carrier);
        let mut found = Vec::new();
        for direction in Direction::ALL {
            let Some((move_range, capture_range)) = ranges(carrier, heroic, direction) else { continue };
            let mut may_move = true;
            let mut blocked = false;
            let mut path = Vec::new();
            let mut square = from;
            while let Some(next) = square.step(direction) {
                let previous = square;
                square = next;
                path.push(square);
                let distance = path.len() as u8;
                let air =
                    if carrier == Kind::AirForce && !heroic { self.air(owner, &path) } else { Air::Safe };
                if air == Air::ShotDown {
                    break;
                }
                if group == Kind::Commander.only() && self.faces(!owner, square, from, group) {
                    break;
                }
                let lands = may_stand(carrier, square) && self.river_allows(carrier, from, square, direction);
                let strait = carrier == Kind::Navy && is_strait(previous, square);
                if carrier != Kind::AirForce && (!lands || strait) {
                    may_move = false;
                }
                match self.board.get(square) {
                    None => {
                        if may_move && !blocked && lands && air == Air::Safe && distance <= move_range {
                            found.push((square, StepKind::Move));
                        }
                    }
                    Some(target) if target.owner() == owner => {
                        let kinds = target.kinds().union(group);
                        let joins = !target.kinds().meets(group)
                            && self.rules.allow_stack(kinds)
                            && may_stand(kinds.first().unwrap(), square);
                        if may_move && !blocked && air == Air::Safe && distance <= move_range && joins {
                            found.push((square, StepKind::Combine));
                        }
                        blocked |= blocks(carrier, target);
                    }
                    Some(target) => {
                        let range = if carrier == Kind::Navy && target.carrier() != Kind::Navy {
                            capture_range - 1
                        } else {
                            capture_range
                        };
                        let reached = distance <= range && (!blocked || captures_over(carrier));
                        if reached && air == Air::SuicideOnly {
                            found.push((square, StepKind::SuicideCapture));
                        } else if reached {
                            let crosses = self.rules.river == River::Bridged
                                || !carrier.is_heavy()
                                || from.zone() == square.zone();
                            let lands = may_stand(carrier, square) && crosses;
                            if lands {
                                found.push((square, StepKind::Capture));
                            }
                            if !lands || (carrier == Kind::AirForce && whole) {
                                found.push((square, StepKind::StayCapture));
                            }
                        }
                        blocked |= blocks(carrier, target);
                    }
                }
                let goes_on = !blocked || captures_over(carrier);
                if !goes_on {
                    break;
                }
            }
        }
        if whole && group == Kind::Commander.only() {
            found.extend(self.long_capture(from, owner));
        }
        found
    }

    /// The capture of the enemy commander at any distance, if both stand alone and face each other.
    fn long_capture(&self, from: Square, owner: Player) -> Option<(Square, StepKind)> {
        let enemy = self.board.commander(!owner)?;
        let alone = self.board.get(enemy)?.kinds() == Kind::Commander.only();
        let (_, distance) = from.line_to(enemy)?;
        (alone && distance > 1 && self.commanders_face()).then_some((enemy, StepKind::Capture))
    }

    /// Whether the river lets a piece reach the square by a move that is not a capture.
    fn river_allows(&self, carrier: Kind, from: Square, to: Square, direction: Direction) -> bool {
        let vertical = matches!(direction, Direction::North | Direction::South);
        let bridge = vertical && (from.file() == 5 || from.file() == 7);
        !carrier.is_heavy() || from.zone() == to.zone() || (self.rules.river == River::Bridged && bridge)
    }

    /// The state of an Air Force after a path, the start square excluded.
    fn air(&self, owner: Player, path: &[Square]) -> Air {
        let zones_over = |square: Square| -> Vec<Square> {
            let defends = |&(place, stack): &(Square, Stack)| {
                let level = match stack.carrier() {
                    Kind::Missile => 2,
                    Kind::Navy | Kind::AntiAir => 1,
                    _ => return false,
                } + i32::from(stack.is_carrier_heroic());
                let files = i32::from(place.file()) - i32::from(square.file());
                let ranks = i32::from(place.rank()) - i32::from(square.rank());
                files * files + ranks * ranks <= level * level
            };
            self.board.pieces(!owner).filter(defends).map(|(place, _)| place).collect()
        };
        let mut entered: Vec<Square> = path.iter().flat_map(|&square| zones_over(square)).collect();
        entered.sort();
        entered.dedup();
        match entered[..] {
            [] => Air::Safe,
            [only] => {
                let first = path.iter().position(|&square| zones_over(square).contains(&only)).unwrap();
                let still_in = path[first..].iter().all(|&square| zones_over(square).contains(&only));
                if still_in { Air::SuicideOnly } else { Air::ShotDown }
            }
            _ => Air::ShotDown,
        }
    }

    /// Whether the commander of `owner` faces the square along an open rank or file, on the board without the moving group.
    fn faces(&self, owner: Player, square: Square, from: Square, group: KindSet) -> bool {
        let Some(commander) = self.board.commander(owner) else { return false };
        let mut board = self.board;
        let rest: Vec<_> =
            board.get(from).unwrap().flatten().filter(|piece| !group.contains(piece.kind)).collect();
        board.set(from, Stack::of(&rest).ok());
        open_line(&board, commander, square)
    }

    /// Whether an enemy piece by itself could capture on the commander's square.
    pub(crate) fn is_attacked(&self, owner: Player) -> bool {
        let Some(commander) = self.board.commander(owner) else { return false };
        self.board
            .pieces(!owner)
            .any(|(from, stack)| stack.kinds().iter().any(|kind| self.attacks(from, kind, commander)))
    }

    pub(crate) fn attacks(&self, from: Square, kind: Kind, target: Square) -> bool {
        self.reach(from, kind.only(), false).iter().any(|&(to, kind)| to == target && kind.is_capture())
    }

    pub(crate) fn commanders_face(&self) -> bool {
        match (self.board.commander(Player::First), self.board.commander(Player::Second)) {
            (Some(first), Some(second)) => open_line(&self.board, first, second),
            _ => false,
        }
    }

    /// The position after a step, which may be illegal.
    pub(crate) fn after(&self, step: Step) -> Self {
        let mut after = self.clone();
        match step {
            Step::End { .. } => after.end_turn(self.deployment.unwrap().captured),
            Step::Whole { from, to, kind } => {
                after.act(from, self.board.get(from).unwrap().kinds(), to, kind);
                after.end_turn(kind.is_capture());
            }
            Step::Deploy { from, to, group, kind } => {
                after.act(from, group, to, kind);
                let (pending, captured) = match self.deployment {
                    Some(deploying) => (deploying.pending, deploying.captured),
                    None => (self.board.get(from).unwrap().kinds(), false),
                };
                let (pending, captured) = (pending.without(group), captured || kind.is_capture());
                after.deployment = Some(Deploying { origin: from, pending, captured });
                // Capturing the commander ends the game, and the turn with it.
                if pending.is_empty() || after.board.commander(!self.turn).is_none() {
                    after.end_turn(captured);
                }
            }
        }
        after
    }

    fn end_turn(&mut self, captured: bool) {
        self.deployment = None;
        self.halfmoves = if captured { 0 } else { self.halfmoves + 1 };
        self.fullmoves += u16::from(self.turn == Player::Second);
        self.turn = !self.turn;
    }

    fn act(&mut self, from: Square, group: KindSet, to: Square, kind: StepKind) {
        let stack = self.board.get(from).unwrap();
        let (movers, rest): (Vec<_>, Vec<_>) = stack.flatten().partition(|piece| group.contains(piece.kind));
        if kind == StepKind::StayCapture {
            self.board.set(to, None);
        } else {
            self.board.set(from, Stack::of(&rest).ok());
            let arrived = match kind {
                StepKind::SuicideCapture => vec![],
                StepKind::Combine => self.board.get(to).unwrap().flatten().chain(movers).collect(),
                _ => movers,
            };
            self.board.set(to, Stack::of(&arrived).ok());
        }
        self.degrade(to);
        self.promote_attackers();
        self.promote_last_guards();
    }

    /// Carrier only: a piece that becomes a passenger loses its heroism.
    fn degrade(&mut self, square: Square) {
        if let (Heroism::CarrierOnly, Some(stack)) = (self.rules.heroism, self.board.get(square)) {
            let heroes = if stack.is_carrier_heroic() { stack.carrier().only() } else { KindSet::EMPTY };
            self.board.set(square, Some(Stack::new(stack.owner(), stack.kinds(), heroes).unwrap()));
        }
    }

    fn promote(&mut self, square: Square, kind: Kind) {
        let stack = self.board.get(square).unwrap();
        if self.rules.heroism == Heroism::Everyone || kind == stack.carrier() {
            let heroes = stack.flatten().filter(|piece| piece.heroic).map(|piece| piece.kind);
            let heroes = heroes.chain([kind]).collect();
            self.board.set(square, Some(Stack::new(stack.owner(), stack.kinds(), heroes).unwrap()));
        }
    }

    fn promote_attackers(&mut self) {
        let Some(commander) = self.board.commander(!self.turn) else { return };
        let before = self.clone();
        for (square, stack) in before.board.pieces(self.turn) {
            for kind in stack.kinds().iter().filter(|&kind| before.attacks(square, kind, commander)) {
                self.promote(square, kind);
            }
        }
    }

    fn promote_last_guards(&mut self) {
        for owner in Player::ALL {
            let pieces: Vec<(Square, Kind)> = self
                .board
                .pieces(owner)
                .flat_map(|(square, stack)| stack.kinds().iter().map(move |kind| (square, kind)))
                .collect();
            if pieces.len() == 2 && pieces.iter().any(|&(_, kind)| kind == Kind::Commander) {
                for (square, kind) in pieces {
                    if kind != Kind::Commander {
                        self.promote(square, kind);
                    }
                }
            }
        }
    }
}

fn subsets(kinds: KindSet) -> Vec<KindSet> {
    let mut subsets = vec![KindSet::EMPTY];
    for kind in kinds {
        let with: Vec<_> = subsets.iter().map(|set| set.with(kind)).collect();
        subsets.extend(with);
    }
    subsets.retain(|set| !set.is_empty());
    subsets
}

/// Whether a stack with this carrier may stand on the square.
fn may_stand(carrier: Kind, square: Square) -> bool {
    let name = square.to_string();
    let water = name.starts_with(['a', 'b']);
    let mixed = name.starts_with('c') || ["d6", "e6", "d7", "e7"].contains(&name.as_str());
    if carrier == Kind::Navy { water || mixed } else { !water }
}

/// Whether a step crosses one of the straits c5–d6 and c8–d7.
fn is_strait(one: Square, other: Square) -> bool {
    [(Square::C5, Square::D6), (Square::C8, Square::D7)]
        .iter()
        .any(|&(a, b)| (one, other) == (a, b) || (one, other) == (b, a))
}

/// The ranges of moves and captures in a direction; `None` if the piece may not go there.
fn ranges(kind: Kind, heroic: bool, direction: Direction) -> Option<(u8, u8)> {
    let diagonal = direction.is_diagonal();
    let (moves, captures, diagonals) = match kind {
        Kind::Commander => (99, 1, false),
        Kind::Infantry | Kind::Engineer | Kind::AntiAir => (1, 1, false),
        Kind::Militia => (1, 1, true),
        Kind::Tank => (2, 2, false),
        Kind::Artillery => (3, 3, true),
        Kind::Missile if diagonal => (1, 1, true),
        Kind::Missile => (2, 2, true),
        Kind::AirForce | Kind::Navy => (4, 4, true),
        Kind::Headquarters => (0, 0, true),
    };
    if diagonal && !diagonals && !heroic {
        return None;
    }
    match (kind, heroic) {
        (_, false) => Some((moves, captures)),
        (Kind::Commander, true) => Some((99, 1)),
        (_, true) => Some((moves + 1, captures + 1)),
    }
}

fn captures_over(carrier: Kind) -> bool {
    matches!(carrier, Kind::Artillery | Kind::Missile | Kind::AirForce | Kind::Navy)
}

/// Whether the stack blocks a mover.
fn blocks(carrier: Kind, stack: Stack) -> bool {
    match carrier {
        Kind::AirForce => false,
        Kind::Navy => stack.carrier() == Kind::Navy,
        _ => true,
    }
}

/// Whether the squares are on one rank or file with nothing in between.
fn open_line(board: &Board, from: Square, to: Square) -> bool {
    let Some((direction, _)) = from.line_to(to) else { return false };
    if direction.is_diagonal() {
        return false;
    }
    let mut square = from;
    loop {
        square = square.step(direction).unwrap();
        if square == to {
            return true;
        }
        if board.get(square).is_some() {
            return false;
        }
    }
}
