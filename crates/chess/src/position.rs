//! Positions: the rules of chess on top of the move generator.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use cozy_chess::{self as cozy, BitBoard};
use sandtable_core::rules::SetupError;
use sandtable_core::{ByPlayer, FromSetup, Outcome, Player, Position};

use crate::backend::{self, color, ours, square_set, theirs};
use crate::castling::CastlingRights;
use crate::game::{ChessGame, claimable_draw};
use crate::movegen::to_generator;
use crate::rules::{FIFTY_MOVE_CLOCK, FIVEFOLD, SEVENTY_FIVE_MOVE_CLOCK, THREEFOLD};
use crate::setup::{Invalid, Setup};
use crate::{BLACK, DrawRules, Ending, Move, Piece, Reason, Role, Square, SquareSet, WHITE};

/// Selects when an en passant square counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassant {
    /// Only if a pawn can legally capture there, as in the repetition rule. The default everywhere.
    #[default]
    Legal,
    /// After every double step, whether or not a capture is possible.
    Always,
}

/// A position, without its history.
///
/// ```
/// use sandtable_chess::Chess;
/// use sandtable_core::Position as _;
///
/// let position = Chess::default();
/// assert_eq!(position.legal_moves().len(), 20);
/// assert!(!position.is_check());
/// ```
///
/// # Equality
///
/// Positions are equal if they have the same piece placement, side to move, castling rights, counters, rules and en
/// passant square. An en passant square on which no pawn can legally capture does not count.
#[derive(Clone, Debug)]
pub struct Chess {
    pub(crate) board: cozy::Board,
    /// The half-move clock; the board's own clock stops at 100.
    halfmoves: u16,
    rules: DrawRules,
}

impl Chess {
    /// The piece on a square.
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        backend::piece_on(&self.board, theirs(square))
    }

    /// The squares of a player's pieces of one kind.
    #[must_use]
    #[inline]
    pub fn pieces(&self, player: Player, role: Role) -> SquareSet {
        square_set(self.board.colored_pieces(color(player), backend::piece(role)))
    }

    /// The squares of all pieces of a player.
    #[must_use]
    pub fn occupied(&self, player: Player) -> SquareSet {
        square_set(self.board.colors(color(player)))
    }

    /// The square of a player's king.
    #[must_use]
    pub fn king(&self, player: Player) -> Square {
        ours(self.board.king(color(player)))
    }

    /// The castling rights of both players.
    #[must_use]
    pub fn castling(&self) -> ByPlayer<CastlingRights> {
        backend::castling_rights(&self.board)
    }

    /// The half-move clock: half-moves since the last capture or pawn move.
    #[must_use]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The move number: starts at 1 and increases after each move of Black.
    #[must_use]
    pub fn fullmoves(&self) -> u16 {
        self.board.fullmove_number()
    }

    /// Returns whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The square that a pawn has just passed over in a double step, if it counts.
    #[must_use]
    pub fn en_passant(&self, when: EnPassant) -> Option<Square> {
        let target = self.passed_square()?;
        let counts = match when {
            EnPassant::Always => true,
            EnPassant::Legal => {
                let mover = self.board.side_to_move();
                let pawns = self.board.colored_pieces(mover, cozy::Piece::Pawn);
                let capturers = cozy::get_pawn_attacks(target, !mover) & pawns;
                capturers
                    .iter()
                    .any(|from| self.board.is_legal(cozy::Move { from, to: target, promotion: None }))
            }
        };
        counts.then(|| ours(target))
    }

    /// Returns whether the material alone shows that no sequence of moves leads to checkmate.
    ///
    /// True for bare kings, for a single knight, and for bishops that are all on squares of one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let of = |piece| self.board.pieces(piece);
        let sufficient = of(cozy::Piece::Pawn) | of(cozy::Piece::Rook) | of(cozy::Piece::Queen);
        let (knights, bishops) = (of(cozy::Piece::Knight), of(cozy::Piece::Bishop));
        sufficient.is_empty()
            && match knights.len() {
                0 => bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES),
                1 => bishops.is_empty(),
                _ => false,
            }
    }

    /// Returns whether the 50-move rule applies: the clock has reached 100, and there is a legal move.
    pub(crate) fn fifty_moves_passed(&self) -> bool {
        self.halfmoves >= FIFTY_MOVE_CLOCK && self.has_legal_move()
    }
}

impl Position for Chess {
    type Move = Move;
    type Rules = DrawRules;
    type Ending = Ending;

    const NAME: &'static str = "chess";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("White", "Black");
    /// A game has at most 118 captures and pawn moves, so the 75-move rule ends it before this limit.
    const PLY_LIMIT: usize = (118 + 1) * SEVENTY_FIVE_MOVE_CLOCK as usize;

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
        self.board.play_unchecked(to_generator(m));
        self.halfmoves = if self.board.halfmove_clock() == 0 { 0 } else { self.halfmoves.saturating_add(1) };
    }

    fn in_check(&self) -> Option<bool> {
        Some(self.is_check())
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason> {
        if self.is_insufficient_material() || self.has_legal_move() {
            self.outcome_with_moves(occurrences)
        } else if self.is_check() {
            Outcome::Win { winner: !self.turn(), reason: Reason::Rule(Ending::Checkmate) }
        } else {
            Outcome::Draw { reason: Reason::Rule(Ending::Stalemate) }
        }
    }

    fn outcome_with_moves(&self, occurrences: u32) -> Outcome<Reason> {
        let clock = self.halfmoves;
        let rule = if self.is_insufficient_material() {
            Ending::InsufficientMaterial
        } else if clock >= SEVENTY_FIVE_MOVE_CLOCK {
            Ending::SeventyFiveMoves
        } else if occurrences >= FIVEFOLD {
            Ending::FivefoldRepetition
        } else if self.rules.fifty_moves_end && clock >= FIFTY_MOVE_CLOCK {
            Ending::FiftyMoves
        } else if self.rules.threefold_ends && occurrences >= THREEFOLD {
            Ending::ThreefoldRepetition
        } else {
            return Outcome::Ongoing;
        };
        Outcome::Draw { reason: Reason::Rule(rule) }
    }

    fn claimable_draw(game: &ChessGame) -> Option<Reason> {
        claimable_draw(game)
    }

    fn hash64(&self) -> u64 {
        self.zobrist()
    }

    fn same_position(&self, other: &Self) -> bool {
        self.repeats(other)
    }

    fn is_irreversible_from(&self, before: &Self) -> bool {
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
        Self::from_setup(&setup, self.rules).expect("the mirror image of a valid position is valid")
    }
}

impl FromSetup for Chess {
    type Setup = Setup;
    type Invalid = Invalid;

    fn from_setup(setup: &Setup, rules: DrawRules) -> Result<Self, SetupError<Invalid>> {
        setup.validate()?;
        Ok(Self { board: backend::board_from_setup(setup), halfmoves: setup.halfmoves, rules })
    }

    /// Includes the en passant square only if a pawn can legally capture there: see [`EnPassant`].
    fn to_setup(&self) -> Setup {
        let setup = backend::setup_from_board(&self.board, self.halfmoves);
        Setup { en_passant: self.en_passant(EnPassant::Legal), ..setup }
    }
}

impl Default for Chess {
    fn default() -> Self {
        Self::start(DrawRules::default())
    }
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.halfmoves == other.halfmoves
            && self.fullmoves() == other.fullmoves()
            && self.rules == other.rules
            && self.same_position(other)
    }
}

impl Eq for Chess {}

impl Hash for Chess {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.hash64(), self.halfmoves, self.fullmoves()).hash(state);
    }
}
