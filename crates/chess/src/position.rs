//! A position of chess: the rules, on top of the move generator.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use cozy_chess::{self as cozy, BitBoard};
use sandtable_core::{ByPlayer, FromSetup, Outcome, Player, Position as _, SetupError};

use crate::backend::{self, color, ours, theirs};
use crate::setup::{Castling, Invalid, Setup, Wing};
use crate::{BLACK, DrawRules, Move, Piece, Promotion, Reason, Role, Square, WHITE};

/// When an en-passant square counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassant {
    /// Only if a pawn can legally take there: what the rules of repetition mean, and the default everywhere.
    #[default]
    Legal,
    /// After every double step, whether or not anything can take.
    Always,
}

/// A position of chess, without its past.
///
/// # Equality
///
/// Placement, turn, castling rights, both counters, the rules, and the en-passant square *if a pawn can legally take
/// there*: after a double step that nobody can answer, the position equals the one without the square.
#[derive(Clone, Debug)]
pub struct Position {
    pub(crate) board: cozy::Board,
    /// Half-moves since the last capture or pawn's move; the board's own clock stops at 100.
    halfmoves: u16,
    rules: DrawRules,
}

impl Position {
    /// What stands on a square.
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        backend::piece_on(&self.board, theirs(square))
    }

    /// The castling rights of both players.
    #[must_use]
    pub fn castling(&self) -> ByPlayer<Castling> {
        backend::castling(&self.board)
    }

    /// Half-moves since the last capture or pawn's move.
    #[must_use]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the current move, counted from 1 and up after Black's.
    #[must_use]
    pub fn fullmoves(&self) -> u16 {
        self.board.fullmove_number()
    }

    /// Is the king of the player to move attacked?
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The square that a pawn has just passed over, if it counts.
    #[must_use]
    pub fn en_passant(&self, when: EnPassant) -> Option<Square> {
        let target = self.passed_square()?;
        let counts = match when {
            EnPassant::Always => true,
            EnPassant::Legal => {
                let mover = self.board.side_to_move();
                let pawns = self.board.colored_pieces(mover, cozy::Piece::Pawn);
                let takers = cozy::get_pawn_attacks(target, !mover) & pawns;
                takers
                    .iter()
                    .any(|from| self.board.is_legal(cozy::Move { from, to: target, promotion: None }))
            }
        };
        counts.then(|| ours(target))
    }

    /// Can neither side ever be mated?
    ///
    /// True with bare kings, with one knight more, and with bishops that all stand on squares of one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let of = |piece| self.board.pieces(piece);
        let heavy = of(cozy::Piece::Pawn) | of(cozy::Piece::Rook) | of(cozy::Piece::Queen);
        let (knights, bishops) = (of(cozy::Piece::Knight), of(cozy::Piece::Bishop));
        heavy.is_empty()
            && match knights.len() {
                0 => bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES),
                1 => bishops.is_empty(),
                _ => false,
            }
    }

    /// The legal move from one square to another, if there is one.
    #[must_use]
    pub fn legal_move(&self, from: Square, to: Square, promotion: Option<Promotion>) -> Option<Move> {
        let candidate = self.kind_of(from, to, promotion);
        // To the generator, a king that takes its own rook castles. To us that is no move at all.
        let onto_own = self.board.colors(self.board.side_to_move()).has(theirs(to));
        (!onto_own && self.board.is_legal(for_generator(candidate))).then_some(candidate)
    }

    /// The pieces of a role, as the tensor, the notations and the drawing iterate over them.
    pub(crate) fn squares(&self, owner: Player, role: Role) -> impl Iterator<Item = Square> + use<> {
        self.board.colored_pieces(color(owner), backend::piece(role)).into_iter().map(ours)
    }

    /// Where a piece could go if no king had to be cared for: what tells a blocked move from a forbidden one.
    pub(crate) fn reaches(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.piece_on(from) else { return false };
        let (all, square) = (self.board.occupied(), theirs(from));
        let reached = match piece.role {
            Role::Pawn => {
                let foes = self.board.colors(color(!piece.owner))
                    | self.passed_square().map_or(BitBoard::EMPTY, Into::into);
                cozy::get_pawn_quiets(square, color(piece.owner), all)
                    | cozy::get_pawn_attacks(square, color(piece.owner)) & foes
            }
            Role::Knight => cozy::get_knight_moves(square),
            Role::Bishop => cozy::get_bishop_moves(square, all),
            Role::Rook => cozy::get_rook_moves(square, all),
            Role::Queen => cozy::get_bishop_moves(square, all) | cozy::get_rook_moves(square, all),
            Role::King => cozy::get_king_moves(square),
        };
        (reached & !self.board.colors(color(piece.owner))).has(theirs(to))
    }

    pub(crate) fn passed_square(&self) -> Option<cozy::Square> {
        let rank = cozy::Rank::Sixth.relative_to(self.board.side_to_move());
        self.board.en_passant().map(|file| cozy::Square::new(file, rank))
    }

    /// Which kind of move leads from one square to another here, legal or not.
    fn kind_of(&self, from: Square, to: Square, promotion: Option<Promotion>) -> Move {
        match (promotion, self.piece_on(from).map(|piece| piece.role)) {
            (Some(promotion), _) => Move::Promote { from, to, promotion },
            (None, Some(Role::King)) if from.rank() == to.rank() && from.file().abs_diff(to.file()) == 2 => {
                Move::Castle { from, to }
            }
            (None, Some(Role::Pawn))
                if self.passed_square() == Some(theirs(to)) && from.file() != to.file() =>
            {
                Move::EnPassant { from, to }
            }
            (None, _) => Move::Step { from, to },
        }
    }

    /// Calls `f` with the generated moves of one piece, until it breaks.
    #[expect(
        clippy::inline_always,
        reason = "without it perft takes 1.15 × the generator's time, with it 1.08 ×"
    )]
    #[inline(always)]
    pub(crate) fn for_each_of<B>(
        &self,
        group: cozy::PieceMoves,
        f: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // What moves is asked once for all its moves: only pawns and kings have moves of their own kind.
        match group.piece {
            cozy::Piece::Pawn => group.into_iter().try_for_each(|m| f(self.pawns_move(m))),
            cozy::Piece::King => group.into_iter().try_for_each(|m| f(self.kings_move(m))),
            _ => {
                let from = ours(group.from);
                group.to.into_iter().try_for_each(|to| f(Move::Step { from, to: ours(to) }))
            }
        }
    }

    #[inline]
    fn pawns_move(&self, m: cozy::Move) -> Move {
        let (from, to) = (ours(m.from), ours(m.to));
        match m.promotion.and_then(backend::promotion) {
            Some(promotion) => Move::Promote { from, to, promotion },
            None if self.passed_square() == Some(m.to) => Move::EnPassant { from, to },
            None => Move::Step { from, to },
        }
    }

    #[inline]
    fn kings_move(&self, m: cozy::Move) -> Move {
        let (from, to) = (ours(m.from), ours(m.to));
        if self.board.colors(self.board.side_to_move()).has(m.to) {
            let wing = if m.to.file() > m.from.file() { Wing::King } else { Wing::Queen };
            let to = Square::at(wing.king_file(), from.rank()).expect("a file of the board");
            return Move::Castle { from, to };
        }
        Move::Step { from, to }
    }
}

/// The move as the generator writes it: castling is the king taking its own rook.
#[inline]
fn for_generator(m: Move) -> cozy::Move {
    let promotion = m.promotion().map(|promotion| backend::piece(promotion.role()));
    let to = match m {
        Move::Castle { from, to } => {
            let wing = if to.file() > from.file() { Wing::King } else { Wing::Queen };
            cozy::Square::new(cozy::File::index(wing.rook_file()), theirs(from).rank())
        }
        _ => theirs(m.to()),
    };
    cozy::Move { from: theirs(m.from()), to, promotion }
}

impl sandtable_core::Position for Position {
    type Move = Move;
    type Rules = DrawRules;
    type Reason = Reason;

    const NAME: &'static str = "chess";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("White", "Black");
    /// The 75-move rule ends every game far below: 118 irreversible moves at most 150 half-moves apart.
    const PLY_LIMIT: usize = 17_850;

    fn start(rules: DrawRules) -> Self {
        Self { board: cozy::Board::startpos(), halfmoves: 0, rules }
    }

    fn rules(&self) -> DrawRules {
        self.rules
    }

    fn turn(&self) -> Player {
        backend::player(self.board.side_to_move())
    }

    #[inline]
    fn for_each_legal<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut flow = ControlFlow::Continue(());
        self.board.generate_moves(|group| {
            flow = self.for_each_of(group, &mut f);
            flow.is_break()
        });
        flow
    }

    fn count_legal(&self) -> u64 {
        let mut count = 0;
        self.board.generate_moves(|group| {
            count += group.len() as u64;
            false
        });
        count
    }

    fn is_legal(&self, m: Move) -> bool {
        self.legal_move(m.from(), m.to(), m.promotion()) == Some(m)
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        self.board.play_unchecked(for_generator(m));
        self.halfmoves = if self.board.halfmove_clock() == 0 { 0 } else { self.halfmoves.saturating_add(1) };
    }

    fn check(&self) -> Option<bool> {
        Some(self.is_check())
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason> {
        let draw = |reason| Outcome::Draw { reason };
        if self.is_insufficient_material() {
            return draw(Reason::InsufficientMaterial);
        }
        if !self.has_legal_move() {
            return if self.is_check() {
                Outcome::Win { winner: !self.turn(), reason: Reason::Checkmate }
            } else {
                draw(Reason::Stalemate)
            };
        }
        match () {
            () if self.halfmoves >= 150 => draw(Reason::SeventyFiveMoves),
            () if occurrences >= 5 => draw(Reason::FivefoldRepetition),
            () if self.rules.fifty_moves_end && self.halfmoves >= 100 => draw(Reason::FiftyMoves),
            () if self.rules.threefold_ends && occurrences >= 3 => draw(Reason::ThreefoldRepetition),
            () => Outcome::Ongoing,
        }
    }

    fn hash64(&self) -> u64 {
        match self.en_passant(EnPassant::Legal) {
            Some(_) => self.board.hash(),
            None => self.board.hash_without_ep(),
        }
    }

    /// The board has a relation of this name, but it takes any piece beside a passed pawn for one that can take it
    /// en passant.
    fn same_position(&self, other: &Self) -> bool {
        let (a, b) = (&self.board, &other.board);
        a.hash_without_ep() == b.hash_without_ep()
            && a.side_to_move() == b.side_to_move()
            && cozy::Color::ALL.iter().all(|&color| {
                a.colors(color) == b.colors(color) && a.castle_rights(color) == b.castle_rights(color)
            })
            && cozy::Piece::ALL.iter().all(|&piece| a.pieces(piece) == b.pieces(piece))
            && self.en_passant(EnPassant::Legal) == other.en_passant(EnPassant::Legal)
    }

    fn cuts_history(&self, before: &Self) -> bool {
        self.halfmoves == 0 || self.castling() != before.castling()
    }

    fn mirrored(&self) -> Self {
        let mut setup = Setup { en_passant: self.en_passant(EnPassant::Always), ..self.to_setup() };
        let board = setup.board;
        for square in Square::all() {
            setup.board[square.flipped().index()] =
                board[square.index()].map(|piece| Piece { owner: !piece.owner, ..piece });
        }
        setup.turn = !setup.turn;
        setup.castling = ByPlayer::new(setup.castling[BLACK], setup.castling[WHITE]);
        setup.en_passant = setup.en_passant.map(Square::flipped);
        Self::from_setup(&setup, self.rules).expect("the mirror of a position is one")
    }
}

impl FromSetup for Position {
    type Setup = Setup;
    type Invalid = Invalid;

    fn from_setup(setup: &Setup, rules: DrawRules) -> Result<Self, SetupError<Invalid>> {
        setup.validate()?;
        Ok(Self { board: backend::build(setup), halfmoves: setup.halfmoves, rules })
    }

    /// The en-passant square is there only if a pawn can legally take: see [`EnPassant`].
    fn to_setup(&self) -> Setup {
        let setup = backend::take_apart(&self.board, self.halfmoves);
        Setup { en_passant: self.en_passant(EnPassant::Legal), ..setup }
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::start(DrawRules::default())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.halfmoves == other.halfmoves
            && self.fullmoves() == other.fullmoves()
            && self.rules == other.rules
            && self.same_position(other)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.hash64(), self.halfmoves, self.fullmoves()).hash(state);
    }
}
