//! A slow reference implementation of the rules: coordinates, maps, every subset of attackers. It follows the wording of
//! the rules and shares only the public types with the generator.

use std::collections::BTreeMap;

use sandtable_core::{Player, Position};
use sandtable_tribun::{Board, Height, Rules, Tile, Tribun};

type Coord = (i8, i8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    owner: Player,
    tribun: bool,
    p: u8,
    s: u8,
}

/// The occupied tiles of a board.
type Pieces = BTreeMap<Coord, Piece>;

/// The board after each legal action, by action word; `None` after an attack on the tribun.
pub(crate) type Successors = BTreeMap<u32, Option<[u8; Tile::CIDS]>>;

const VALID: [u8; 6] = [1, 2, 3, 4, 6, 8];
const DIRECTIONS: [Coord; 6] = [(1, 1), (1, 0), (0, 1), (-1, -1), (-1, 0), (0, -1)];
const TWOS: [Coord; 3] = [(1, 2), (-1, 1), (2, 1)];
const THREES: [Coord; 6] = [(3, 2), (2, 3), (1, 3), (3, 1), (-1, 2), (2, -1)];

fn on_board((x, y): Coord) -> bool {
    x.abs() <= 5 && y.abs() <= 5 && (x - y).abs() <= 5
}

fn all_tiles() -> impl Iterator<Item = Coord> {
    (-5..=5).flat_map(|x| (-5..=5).map(move |y| (x, y))).filter(|&at| on_board(at))
}

fn cid((x, y): Coord) -> u32 {
    u32::try_from(i32::from(x + 5) * 11 + i32::from(y + 5)).unwrap()
}

fn plus((x, y): Coord, (dx, dy): Coord, times: i8) -> Coord {
    (x + dx * times, y + dy * times)
}

fn both_ways(offsets: &[Coord]) -> Vec<Coord> {
    offsets.iter().flat_map(|&(x, y)| [(x, y), (-x, -y)]).collect()
}

fn keeps_sp(p: u8, s: u8) -> bool {
    s == 0 || p <= 4 && 2 * p >= s
}

/// Normalisation: rounds the primary down, checks the slave property, liberates a slave without a primary.
fn normalised(mut piece: Piece) -> Option<Piece> {
    while piece.p > 0 && !VALID.contains(&piece.p) {
        piece.p -= 1;
    }
    if !keeps_sp(piece.p, piece.s) {
        piece.p = 0;
    }
    match piece {
        Piece { p: 0, s: 0, .. } => None,
        Piece { p: 0, s, owner, .. } => Some(Piece { owner: !owner, tribun: false, p: s, s: 0 }),
        _ => Some(piece),
    }
}

fn set(pieces: &mut Pieces, at: Coord, piece: Option<Piece>) {
    match piece.and_then(normalised) {
        Some(piece) => pieces.insert(at, piece),
        None => pieces.remove(&at),
    };
}

fn word(opcode: u32, fields: &[(u32, u32)]) -> u32 {
    let mut word = opcode << 28;
    let mut at = 0;
    for &(bits, value) in fields {
        assert!(value < 1 << bits);
        word |= value << at;
        at += bits;
    }
    word
}

#[derive(Debug)]
pub(crate) struct Slow {
    pieces: Pieces,
    turn: Player,
    rules: Rules,
}

impl Slow {
    pub(crate) fn new(position: &Tribun) -> Self {
        let mut pieces = Pieces::new();
        for player in Player::ALL {
            for (tile, unit) in position.board().units(player) {
                let piece = Piece {
                    owner: unit.owner(),
                    tribun: unit.is_tribun(),
                    p: unit.primary().value(),
                    s: unit.slave().map_or(0, Height::value),
                };
                pieces.insert((tile.x(), tile.y()), piece);
            }
        }
        Self { pieces, turn: position.turn(), rules: position.rules() }
    }

    fn empty(&self, at: Coord) -> bool {
        on_board(at) && !self.pieces.contains_key(&at)
    }

    fn own(&self) -> impl Iterator<Item = (Coord, Piece)> + '_ {
        self.pieces.iter().filter(|(_, piece)| piece.owner == self.turn).map(|(&at, &piece)| (at, piece))
    }

    fn own_at(&self, at: Coord) -> Option<Piece> {
        self.pieces.get(&at).copied().filter(|piece| piece.owner == self.turn)
    }

    fn enemy_at(&self, at: Coord) -> bool {
        self.pieces.get(&at).is_some_and(|piece| piece.owner != self.turn)
    }

    /// The parts of a unit: number, height, and the side that determines the direction of a 1.
    fn parts(&self, piece: Piece) -> Vec<(u32, u8, Player)> {
        let mut parts = vec![(0, piece.p, self.turn)];
        if piece.s > 0 {
            parts.push((1, piece.s, !self.turn));
        }
        parts
    }

    fn slide(&self, from: Coord, vector: Coord) -> (Vec<Coord>, Option<Coord>) {
        let mut passed = Vec::new();
        for times in 1.. {
            let at = plus(from, vector, times);
            if !on_board(at) {
                break;
            }
            if self.pieces.contains_key(&at) {
                return (passed, Some(at));
            }
            passed.push(at);
        }
        (passed, None)
    }

    fn eight_steps(&self, from: Coord) -> Vec<Coord> {
        let mut reached = Vec::new();
        for direction in DIRECTIONS {
            reached.push(plus(from, direction, 1));
            if !self.enemy_at(plus(from, direction, 1)) {
                reached.push(plus(from, direction, 2));
            }
        }
        reached
    }

    /// The empty tiles that a part can move to.
    fn moves(&self, from: Coord, piece: Piece, (part, height, side): (u32, u8, Player)) -> Vec<Coord> {
        let forward = if side == Player::First { 1 } else { -1 };
        let around = |vectors: &[Coord]| vectors.iter().map(|&v| plus(from, v, 1)).collect::<Vec<_>>();
        let reached = match height {
            1 if piece.tribun && part == 0 => around(&DIRECTIONS),
            1 => vec![plus(from, (1, 1), forward)],
            2 => around(&both_ways(&TWOS)),
            3 => around(&both_ways(&THREES)),
            4 | 6 => both_ways(&TWOS).into_iter().flat_map(|v| self.slide(from, v).0).collect(),
            _ => self.eight_steps(from),
        };
        reached.into_iter().filter(|&to| self.empty(to)).collect()
    }

    /// The enemy units that a part attacks.
    fn attacks(&self, from: Coord, piece: Piece, (part, height, side): (u32, u8, Player)) -> Vec<Coord> {
        let forward = if side == Player::First { 1 } else { -1 };
        let around = |vectors: &[Coord]| vectors.iter().map(|&v| plus(from, v, 1)).collect::<Vec<_>>();
        let reached = match height {
            1 if piece.tribun && part == 0 => around(&DIRECTIONS),
            1 => vec![plus(from, (1, 0), forward), plus(from, (0, 1), forward)],
            2 => around(&both_ways(&TWOS)),
            3 => around(&both_ways(&THREES)),
            4 => both_ways(&TWOS).into_iter().filter_map(|v| self.slide(from, v).1).collect(),
            6 => DIRECTIONS.into_iter().filter_map(|v| self.slide(from, v).1).collect(),
            _ => [self.eight_steps(from), around(&both_ways(&TWOS))].concat(),
        };
        reached.into_iter().filter(|&at| self.enemy_at(at)).collect()
    }

    pub(crate) fn successors(&self) -> Successors {
        let mut found = Found { successors: Successors::new() };
        self.all_moves(&mut found);
        self.all_attacks(&mut found);
        self.all_combinations(&mut found);
        self.all_sym_combines(&mut found);
        self.all_splits(&mut found);
        self.all_backstabs(&mut found);
        found.successors
    }

    /// The board after a move with a part.
    fn relocated(&self, from: Coord, to: Coord, part: u32) -> Pieces {
        let mut after = self.pieces.clone();
        let piece = self.pieces[&from];
        if part == 0 {
            set(&mut after, from, Some(Piece { p: 0, ..piece }));
            set(&mut after, to, Some(Piece { s: 0, ..piece }));
        } else {
            after.remove(&from);
            after.insert(to, piece);
        }
        after
    }

    fn all_moves(&self, found: &mut Found) {
        for (from, piece) in self.own() {
            for part in self.parts(piece) {
                for to in self.moves(from, piece, part) {
                    let word = word(0, &[(7, cid(from)), (7, cid(to)), (1, part.0)]);
                    found.add(word, &self.relocated(from, to, part.0));
                }
            }
        }
    }

    fn all_attacks(&self, found: &mut Found) {
        for (&target, &victim) in self.pieces.iter().filter(|(_, piece)| piece.owner != self.turn) {
            // The attackers, each with the parts that reach the target.
            let attackers: Vec<_> = self
                .own()
                .map(|(at, piece)| {
                    let reach = self.parts(piece).into_iter();
                    let reach = reach.filter(|&part| self.attacks(at, piece, part).contains(&target));
                    (at, piece, reach.map(|(part, height, _)| (part, height)).collect::<Vec<_>>())
                })
                .filter(|(_, _, parts)| !parts.is_empty())
                .collect();
            if victim.tribun {
                for (attacker, ..) in &attackers {
                    let winner = self.turn.index() as u32;
                    let word = word(9, &[(7, cid(*attacker)), (7, cid(target)), (1, winner)]);
                    found.successors.insert(word, None);
                }
                continue;
            }
            let mut subsets: Vec<Vec<(Coord, Piece, u32, u8)>> = vec![Vec::new()];
            for (at, piece, parts) in &attackers {
                for subset in subsets.clone() {
                    for &(part, height) in parts {
                        subsets.push([subset.clone(), vec![(*at, *piece, part, height)]].concat());
                    }
                }
            }
            for subset in subsets.iter().filter(|subset| !subset.is_empty()) {
                self.attack(target, victim, subset, found);
            }
        }
    }

    fn attack(&self, target: Coord, victim: Piece, subset: &[(Coord, Piece, u32, u8)], found: &mut Found) {
        let sum: u8 = subset.iter().map(|&(.., height)| height).sum();
        let hit = normalised(Piece { p: victim.p.saturating_sub(sum), ..victim });
        let with = |mut pieces: Pieces, piece| {
            pieces.insert(target, piece);
            pieces
        };
        match hit {
            Some(left) if left.owner == victim.owner => {
                let loss = victim.p - left.p;
                let word = word(3, &[(7, cid(target)), (3, u32::from(loss) - 1)]);
                found.add_once(word, || with(self.pieces.clone(), Piece { p: victim.p - loss, ..victim }));
            }
            Some(freed) => {
                found.add_once(word(2, &[(7, cid(target))]), || with(self.pieces.clone(), freed));
            }
            None => {
                for &(attacker, piece, part, _) in subset {
                    let pair = [(7, cid(attacker)), (7, cid(target))];
                    let kill = word(1, &[pair[0], pair[1], (1, part)]);
                    found.add_once(kill, || self.relocated(attacker, target, part));
                    let can = part == 0 && !piece.tribun && keeps_sp(piece.p, victim.p);
                    if can && self.rules.enslaving {
                        found.add_once(word(4, &pair), || {
                            with(self.relocated(attacker, target, part), Piece { s: victim.p, ..piece })
                        });
                    }
                }
            }
        }
    }

    /// The board after a combination, or `None` if the result or a remainder is not valid.
    fn combined(&self, center: Coord, gifts: &[(Coord, u8)]) -> Option<Pieces> {
        let height = gifts.iter().map(|(_, gift)| gift).sum();
        let donors = gifts.iter().all(|&(at, gift)| self.own_at(at).is_some_and(|donor| donor.p >= gift));
        if !donors || !VALID.contains(&height) || height == 8 && !self.rules.height_eight {
            return None;
        }
        let mut after = self.pieces.clone();
        let mut tribun = false;
        for &(at, gift) in gifts {
            let donor = self.pieces[&at];
            let left = donor.p - gift;
            if left > 0 && (donor.tribun || !VALID.contains(&left) || !keeps_sp(left, donor.s)) {
                return None;
            }
            tribun |= donor.tribun;
            set(&mut after, at, Some(Piece { p: left, tribun: false, ..donor }));
        }
        after.insert(center, Piece { owner: self.turn, tribun, p: height, s: 0 });
        Some(after)
    }

    fn all_combinations(&self, found: &mut Found) {
        let gifts = || (1..=8).flat_map(|a| (1..=8).map(move |b| (a, b)));
        for center in all_tiles().filter(|&at| self.empty(at)) {
            for (b, to_b) in (0..).zip(DIRECTIONS) {
                for (a, to_a) in (0..b).zip(DIRECTIONS) {
                    for (gift_a, gift_b) in gifts() {
                        let donors = [(plus(center, to_a, 1), gift_a), (plus(center, to_b, 1), gift_b)];
                        if let Some(after) = self.combined(center, &donors) {
                            let gifts = [(3, u32::from(gift_a) - 1), (3, u32::from(gift_b) - 1)];
                            let fields = [(7, cid(center)), (3, a), (3, b), gifts[0], gifts[1]];
                            found.add(word(5, &fields), &after);
                        }
                    }
                }
            }
        }
    }

    fn all_sym_combines(&self, found: &mut Found) {
        if !self.rules.symmetric_combination {
            return;
        }
        let forms: [(u32, &[usize], &[u8]); 3] =
            [(0, &[0, 1, 2, 3, 4, 5], &[1]), (1, &[0, 4, 5], &[1, 2]), (2, &[3, 1, 2], &[1, 2])];
        for center in all_tiles().filter(|&at| self.empty(at)) {
            for (config, directions, gifts) in forms {
                for &gift in gifts {
                    let donors: Vec<_> =
                        directions.iter().map(|&d| (plus(center, DIRECTIONS[d], 1), gift)).collect();
                    let pieces: Vec<_> = donors.iter().map(|&(at, _)| self.own_at(at)).collect();
                    // Equal in everything: owner, primary and slave.
                    let equal = pieces
                        .iter()
                        .all(|&piece| piece == pieces[0] && piece.is_some_and(|piece| !piece.tribun));
                    if let Some(after) = equal.then(|| self.combined(center, &donors)).flatten() {
                        let fields = [(7, cid(center)), (2, config), (2, u32::from(gift) - 1)];
                        found.add(word(6, &fields), &after);
                    }
                }
            }
        }
    }

    fn all_splits(&self, found: &mut Found) {
        for (actor, piece) in self.own().filter(|(_, piece)| !piece.tribun) {
            let mut choices: Vec<Vec<u8>> = vec![Vec::new()];
            for direction in DIRECTIONS {
                let room = self.empty(plus(actor, direction, 1));
                let heights: &[u8] = if room { &[0, 1, 2, 3, 4, 6] } else { &[0] };
                choices = choices
                    .iter()
                    .flat_map(|choice| heights.iter().map(|&h| [choice.as_slice(), &[h]].concat()))
                    .filter(|choice| choice.iter().sum::<u8>() <= piece.p)
                    .collect();
            }
            for heights in choices {
                let left = piece.p - heights.iter().sum::<u8>();
                let tiles = heights.iter().filter(|&&h| h > 0).count() + usize::from(left > 0);
                let valid = left == 0 || VALID.contains(&left) && keeps_sp(left, piece.s);
                if tiles < 2 || left == piece.p || !valid {
                    continue;
                }
                let mut after = self.pieces.clone();
                set(&mut after, actor, Some(Piece { p: left, ..piece }));
                for (&h, direction) in heights.iter().zip(DIRECTIONS) {
                    if h > 0 {
                        after.insert(plus(actor, direction, 1), Piece { p: h, s: 0, ..piece });
                    }
                }
                let mut fields = vec![(7, cid(actor))];
                fields.extend(heights.iter().map(|&h| (3, u32::from(h))));
                found.add(word(7, &fields), &after);
            }
        }
    }

    fn all_backstabs(&self, found: &mut Found) {
        for (actor, piece) in self.own().filter(|(_, piece)| piece.s > 0) {
            for (number, direction) in (0..).zip(DIRECTIONS) {
                let to = plus(actor, direction, 1);
                if self.empty(to) {
                    let mut after = self.pieces.clone();
                    after.remove(&actor);
                    after.insert(to, Piece { s: 0, ..piece });
                    found.add(word(8, &[(7, cid(actor)), (3, number)]), &after);
                }
            }
        }
    }
}

struct Found {
    successors: Successors,
}

impl Found {
    /// Adds the board after an attack, unless the word is known. Many subsets of attackers have the same word, and the
    /// board depends on the word alone.
    fn add_once(&mut self, word: u32, after: impl FnOnce() -> Pieces) {
        if !self.successors.contains_key(&word) {
            self.add(word, &after());
        }
    }

    /// Adds the board after an action; an action found twice must lead to the same board.
    fn add(&mut self, word: u32, after: &Pieces) {
        let mut bytes = [0; Tile::CIDS];
        for (&at, piece) in after {
            let index = |height: u8| [0, 1, 2, 3, 4, 6, 8].iter().position(|&h| h == height).unwrap() as u8;
            bytes[cid(at) as usize] = index(piece.p)
                | index(piece.s) << 3
                | (piece.owner.index() as u8) << 6
                | u8::from(piece.tribun) << 7;
        }
        assert!(Board::from_bytes(&bytes).is_ok(), "an action must lead to a valid board");
        let earlier = self.successors.insert(word, Some(bytes));
        assert!(earlier.is_none_or(|earlier| earlier == Some(bytes)), "{word:#010x} has two outcomes");
    }
}
