//! Static evaluation: material, piece-square tables, mobility, pawn structure, king safety.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use cozy_chess::{self as cozy, BitBoard, Board, Color, Piece};
use sandtable_core::Position;
use sandtable_core::search::{Evaluate, Levels, NodeView, ProgressClock, SearchParameters, Tactic, Tunable};

use crate::attacks::attacks_from;
use crate::exchange::{exchange_value, static_exchange};
use crate::frame::Frame;
use crate::levels::LEVELS;
use crate::rules::FIFTY_MOVE_CLOCK;
use crate::weights::{Tapered, Weights};
use crate::{Chess, Move, Promotion, Square, backend};

impl Evaluate for Chess {
    const HISTORY_SLOTS: usize = Piece::NUM * cozy::Square::NUM;

    const WIN_SCALE: f64 = 210.0;

    const LEVELS: Levels = LEVELS;

    /// Found by matches: see `docs/engine.md`.
    const SEARCH: SearchParameters = SearchParameters {
        aspiration_margin: 22,
        reverse_futility_margin: 89,
        razoring_margin: 312,
        null_move_margin: 196,
        late_moves: 3,
        late_moves_growth: 82,
        late_moves_depth: 8,
        futility_base: 106,
        futility_slope: 67,
        history_depth: 5,
        history_margin: 3930,
        exchange_margin: 101,
        quiet_exchange_margin: 36,
        correction_weight: 92,
        reduction_base: 65,
        reduction_divisor: 458,
        reduction_history: 9816,
        singular_depth: 6,
        singular_margin: 24,
        delta_margin: 233,
        ..SearchParameters::DEFAULT
    };

    type View<'a> = ChessView<'a>;

    fn view(&self) -> ChessView<'_> {
        ChessView { position: self, checking_squares: OnceCell::new() }
    }
}

/// A position under search.
#[derive(Debug)]
pub struct ChessView<'a> {
    position: &'a Chess,
    /// For each kind of piece, the squares from which it would check the opponent's king.
    checking_squares: OnceCell<[BitBoard; Piece::NUM]>,
}

impl ChessView<'_> {
    fn checking_squares(&self) -> &[BitBoard; Piece::NUM] {
        self.checking_squares.get_or_init(|| checking_squares(&self.position.board))
    }
}

impl NodeView<Chess> for ChessView<'_> {
    fn position(&self) -> &Chess {
        self.position
    }

    fn evaluate(&self) -> i32 {
        self.position.evaluate_with(&Weights::DEFAULT)
    }

    fn progress_clock(&self) -> ProgressClock {
        ProgressClock { elapsed: self.position.halfmoves(), limit: FIFTY_MOVE_CLOCK }
    }

    fn tactic(&self, m: Move) -> Tactic {
        let board = &self.position.board;
        let target = backend::theirs(m.to());
        let captured = if board.colors(!board.side_to_move()).has(target) {
            board.piece_on(target).map_or(0, exchange_value)
        } else if let Move::EnPassant { .. } = m {
            exchange_value(Piece::Pawn)
        } else {
            0
        };
        let promoted = match m.promotion() {
            None => 0,
            Some(Promotion::Queen) => exchange_value(Piece::Queen) - exchange_value(Piece::Pawn),
            // An underpromotion is rarely worth searching.
            Some(_) => return Tactic::QUIET,
        };
        if captured + promoted == 0 {
            return Tactic::QUIET;
        }
        let risk = board.piece_on(backend::theirs(m.from())).map_or(0, exchange_value);
        Tactic { gain: captured + promoted, risk }
    }

    fn static_exchange(&self, m: Move) -> i32 {
        let board = &self.position.board;
        let (from, to) = (backend::theirs(m.from()), backend::theirs(m.to()));
        let mover = board.piece_on(from).map_or(0, exchange_value);
        let stake = m.promotion().map_or(mover, |promotion| exchange_value(backend::piece(promotion.role())));
        static_exchange(board, from, to, self.tactic(m).gain, stake)
    }

    /// Captures and promotions to a queen.
    fn for_each_noisy<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let position = self.position;
        let board = &position.board;
        let enemies = board.colors(!board.side_to_move());
        let for_pawns = enemies | position.last_rank() | position.passed_set();
        let targets = |piece| if piece == Piece::Pawn { for_pawns } else { enemies };
        position.for_each_in(targets, &mut |m| match m.promotion() {
            None | Some(Promotion::Queen) => f(m),
            Some(_) => ControlFlow::Continue(()),
        })
    }

    /// All other moves, underpromotions included.
    fn for_each_quiet<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let position = self.position;
        let board = &position.board;
        let quiet = !board.colors(!board.side_to_move());
        let for_pawns = (quiet & !position.passed_set()) | position.last_rank();
        let targets = |piece| if piece == Piece::Pawn { for_pawns } else { quiet };
        position.for_each_in(targets, &mut |m| match m.promotion() {
            Some(Promotion::Queen) => ControlFlow::Continue(()),
            None | Some(_) => f(m),
        })
    }

    /// Checks by the moving piece.
    fn for_each_quiet_threat<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let position = self.position;
        let board = &position.board;
        // Empty targets exclude castling, which the generator writes as the king capturing its rook. A pawn promotes on
        // the last rank.
        let pieces = !board.occupied();
        let pawns = pieces & !(position.passed_set() | position.last_rank());
        let checks = self.checking_squares();
        position.for_each_in(
            |piece| checks[piece as usize] & if piece == Piece::Pawn { pawns } else { pieces },
            &mut f,
        )
    }

    /// Whether the moving piece gives check. Discovered checks are not noticed.
    fn threatens(&self, m: Move) -> bool {
        let piece = self.position.board.piece_on(backend::theirs(m.from()));
        piece.is_some_and(|piece| self.checking_squares()[piece as usize].has(backend::theirs(m.to())))
    }

    /// `None` with only pawns and the king left, where zugzwang is common.
    fn null_move(&self) -> Option<Chess> {
        let board = &self.position.board;
        let pieces = board.colors(board.side_to_move()) & !board.pieces(Piece::Pawn);
        if pieces.len() < 2 {
            return None;
        }
        let mut next = self.position.clone();
        next.board = board.null_move()?;
        Some(next)
    }

    fn move_bits(&self, m: Move) -> u32 {
        let promotion = m.promotion().map_or(0, |promotion| promotion as u32 + 1);
        (m.from().index() | m.to().index() << 6) as u32 | promotion << 12
    }

    fn move_from_bits(&self, bits: u32) -> Option<Move> {
        let square = |shift: u32| Square::new((bits >> shift & 63) as u8);
        let promotion = Promotion::ALL.into_iter().find(|&promotion| promotion as u32 + 1 == bits >> 12);
        Some(self.position.classify(square(0)?, square(6)?, promotion))
    }

    fn signature(&self, m: Move) -> u16 {
        self.move_bits(m) as u16
    }

    fn history_slot(&self, m: Move) -> usize {
        let piece = self.position.board.piece_on(backend::theirs(m.from())).map_or(0, |piece| piece as usize);
        piece * cozy::Square::NUM + Frame::of(self.position.turn()).cell(m.to())
    }

    /// The pawns.
    fn structure_key(&self) -> u64 {
        let pawns = |color| self.position.board.colored_pieces(color, Piece::Pawn).0;
        let hash = pawns(Color::White).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ pawns(Color::Black).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        hash >> 40
    }
}

impl Tunable for Chess {
    type Weights = Weights;
    const WEIGHTS: Weights = Weights::DEFAULT;

    fn parameters(weights: &mut Weights) -> Vec<&mut i32> {
        weights.parameters()
    }

    fn evaluate_with(&self, weights: &Weights) -> i32 {
        let board = &self.board;
        let mover = board.side_to_move();
        let score = Side::new(board, mover, weights).score() - Side::new(board, !mover, weights).score()
            + weights.tempo;
        let phase = phase(board);
        let value = (score.mg * phase + score.eg * (FULL_PHASE - phase)) / FULL_PHASE;
        let stronger = if value >= 0 { mover } else { !mover };
        let value = value / drawishness(board, stronger) + mop_up(board, mover) - mop_up(board, !mover);
        value.clamp(-Self::EVALUATION_LIMIT, Self::EVALUATION_LIMIT)
    }
}

const FULL_PHASE: i32 = 24;

/// The game phase: from [`FULL_PHASE`] with all pieces down to 0 with only pawns and kings.
fn phase(board: &Board) -> i32 {
    let of = |piece| count(board.pieces(piece).0);
    let phase = of(Piece::Knight) + of(Piece::Bishop) + 2 * of(Piece::Rook) + 4 * of(Piece::Queen);
    phase.min(FULL_PHASE)
}

/// The divisor of an advantage that is hard to convert.
fn drawishness(board: &Board, stronger: Color) -> i32 {
    let pieces = |color| {
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .into_iter()
            .map(|piece| count(board.colored_pieces(color, piece).0) * exchange_value(piece))
            .sum::<i32>()
    };
    let (strong, weak) = (pieces(stronger), pieces(!stronger));
    if board.colored_pieces(stronger, Piece::Pawn).is_empty()
        && strong - weak <= exchange_value(Piece::Bishop)
    {
        return 4;
    }
    let bishops = board.pieces(Piece::Bishop);
    let opposite =
        !bishops.is_disjoint(BitBoard::DARK_SQUARES) && !bishops.is_disjoint(BitBoard::LIGHT_SQUARES);
    if opposite && strong == exchange_value(Piece::Bishop) && weak == strong { 2 } else { 1 }
}

/// The mop-up score of `color` against a bare king: drives it to the edge and brings the other king close.
fn mop_up(board: &Board, color: Color) -> i32 {
    if board.colors(!color).len() > 1
        || board.pieces(Piece::Rook).is_empty() && board.pieces(Piece::Queen).is_empty()
    {
        return 0;
    }
    let (king, bare_king) = (board.king(color), board.king(!color));
    let distance_from_edge = |square: cozy::Square| {
        let from_edge = |line: i32| line.min(7 - line);
        from_edge(square.file() as i32) + from_edge(square.rank() as i32)
    };
    200 - 20 * distance_from_edge(bare_king) - 8 * distance(king, bare_king)
}

/// The distance in king moves.
fn distance(a: cozy::Square, b: cozy::Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// For each kind of piece, the squares from which it would check the opponent's king.
fn checking_squares(board: &Board) -> [BitBoard; Piece::NUM] {
    let mover = board.side_to_move();
    let king = board.king(!mover);
    let diagonal = cozy::get_bishop_moves(king, board.occupied());
    let straight = cozy::get_rook_moves(king, board.occupied());
    let mut squares = [BitBoard::EMPTY; Piece::NUM];
    squares[Piece::Pawn as usize] = cozy::get_pawn_attacks(king, !mover);
    squares[Piece::Knight as usize] = cozy::get_knight_moves(king);
    squares[Piece::Bishop as usize] = diagonal;
    squares[Piece::Rook as usize] = straight;
    squares[Piece::Queen as usize] = diagonal | straight;
    squares
}

/// The features of one side from its own perspective: its back rank is rank 1 for both colours.
struct Side<'a> {
    board: &'a Board,
    us: Color,
    weights: &'a Weights,
    /// The pawns of this side, with the ranks flipped for Black.
    pawns: u64,
    /// The opponent's pawns, likewise.
    enemy_pawns: u64,
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, us: Color, weights: &'a Weights) -> Self {
        let pawns = |color| relative(board.colored_pieces(color, Piece::Pawn), us);
        Self { board, us, weights, pawns: pawns(us), enemy_pawns: pawns(!us) }
    }

    fn score(&self) -> Tapered {
        self.material() + self.pieces() + self.pawn_structure() + self.passed_pawns() + self.shelter()
    }

    /// Material and piece-square tables.
    fn material(&self) -> Tapered {
        let mut sum = Tapered::default();
        for piece in Piece::ALL {
            for square in self.board.colored_pieces(self.us, piece) {
                let rank = square.rank().relative_to(self.us) as usize;
                let file = square.file() as usize;
                sum += self.weights.rank[piece as usize][rank];
                sum += self.weights.file[piece as usize][file.min(7 - file)];
                if piece != Piece::King {
                    sum += self.weights.material[piece as usize];
                }
            }
        }
        sum
    }

    /// Mobility, threats, open files, and attacks on the enemy king.
    fn pieces(&self) -> Tapered {
        let Self { board, us, weights, .. } = *self;
        let all = board.occupied();
        let enemies = board.colors(!us);
        let heavy = enemies & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen));
        let attacked_by_pawns = BitBoard(flip_for(south_attacks(self.enemy_pawns), us));
        let free = !board.colors(us) & !attacked_by_pawns;
        let king = board.king(!us);
        let ring = cozy::get_king_moves(king) | king.bitboard();

        let mut sum = Tapered::default();
        let (mut attackers, mut danger) = (0, Tapered::default());
        for (i, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            for square in board.colored_pieces(us, piece) {
                let attacks = attacks_from(piece, us, square, all);
                sum += weights.mobility[i] * count((attacks & free).0);
                let ring_attacks = count((attacks & ring).0);
                attackers += i32::from(ring_attacks > 0);
                danger += weights.attack[i] * ring_attacks;
                if matches!(piece, Piece::Knight | Piece::Bishop) {
                    sum += weights.minor_threat * count((attacks & heavy).0);
                } else if piece == Piece::Rook {
                    let file = FILE_A << (square as usize & 7);
                    if self.pawns & file == 0 {
                        sum += if self.enemy_pawns & file == 0 {
                            weights.open_file
                        } else {
                            weights.half_open_file
                        };
                    }
                }
            }
        }
        // A single attacker is harmless; the danger of several grows with the square of their weight.
        if attackers > 1 {
            sum += Tapered { mg: danger.mg * danger.mg / 16, eg: danger.eg * danger.eg / 16 };
        }
        if board.colored_pieces(us, Piece::Bishop).len() > 1 {
            sum += weights.bishop_pair;
        }
        let pieces = enemies & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
        sum + weights.pawn_threat * count(north_attacks(self.pawns) & relative(pieces, us))
    }

    fn pawn_structure(&self) -> Tapered {
        let Self { weights, pawns, enemy_pawns, .. } = *self;
        let attacks = north_attacks(pawns);
        let files = fill_north(fill_south(pawns));
        let isolated = pawns & !beside(files);
        let backward = (pawns << 8 & south_attacks(enemy_pawns) & !fill_north(attacks)) >> 8 & !isolated;
        weights.doubled * count(pawns & fill_south(pawns >> 8))
            + weights.isolated * count(isolated)
            + weights.backward * count(backward)
            + weights.protected * count(pawns & attacks)
            + weights.phalanx * count(pawns & beside(pawns))
    }

    fn passed_pawns(&self) -> Tapered {
        let Self { weights, pawns, enemy_pawns, us, .. } = *self;
        let front = fill_south(enemy_pawns >> 8);
        let passed = pawns & !(front | beside(front) | fill_south(pawns >> 8));
        let all = relative(self.board.occupied(), us);
        let mut sum = Tapered::default();
        for square in BitBoard(passed) {
            let stop = square as usize + 8;
            sum += weights.passed[square.rank() as usize];
            let ahead = square.rank() as i32 - 1;
            if all >> stop & 1 == 0 {
                sum += weights.unblocked_passed * ahead;
            }
            let stop = cozy::Square::index(stop).relative_to(us);
            sum += weights.own_king_distance * (ahead * distance(self.board.king(us), stop));
            sum += weights.enemy_king_distance * (ahead * distance(self.board.king(!us), stop));
        }
        sum
    }

    /// The pawn shield of the king.
    fn shelter(&self) -> Tapered {
        let king = 1_u64 << (self.board.king(self.us).relative_to(self.us) as usize);
        let wide = king | beside(king);
        let files = fill_north(fill_south(wide)) & RANK_1;
        let covered = fill_south(self.pawns) & RANK_1;
        self.weights.shield[0] * count(self.pawns & wide << 8)
            + self.weights.shield[1] * count(self.pawns & wide << 16)
            + self.weights.king_file_without_pawn * count(files & !covered)
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xFF;

/// A bitboard from the perspective of `us`: ranks are flipped for Black.
const fn relative(squares: BitBoard, us: Color) -> u64 {
    flip_for(squares.0, us)
}

/// Flips the ranks for Black. Applied twice, it is the identity.
const fn flip_for(squares: u64, us: Color) -> u64 {
    match us {
        Color::White => squares,
        Color::Black => squares.swap_bytes(),
    }
}

const fn count(squares: u64) -> i32 {
    squares.count_ones().cast_signed()
}

/// The squares to the left and right of each square of a set.
const fn beside(squares: u64) -> u64 {
    (squares & !FILE_H) << 1 | (squares & !FILE_A) >> 1
}

const fn north_attacks(pawns: u64) -> u64 {
    beside(pawns) << 8
}

const fn south_attacks(pawns: u64) -> u64 {
    beside(pawns) >> 8
}

const fn fill_north(mut squares: u64) -> u64 {
    squares |= squares << 8;
    squares |= squares << 16;
    squares | squares << 32
}

const fn fill_south(mut squares: u64) -> u64 {
    squares |= squares >> 8;
    squares |= squares >> 16;
    squares | squares >> 32
}
