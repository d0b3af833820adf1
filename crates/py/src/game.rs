//! `Game`, the base class of all games.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use numpy::PyArrayDyn;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use sandtable::core::Player;
use sandtable::core::learn::{PolicyIndex, Shape};
use sandtable::core::record::Tags;
use sandtable::core::rules::MAX_PERFT_DEPTH;
use sandtable::engine::Evaluation;
use sandtable::games::describe_outcome;
use sandtable::render::{SvgOptions, TerminalOptions, svg, terminal};
use sandtable::{AnyGame, BoxedGame, GameKind, find};

use crate::arrays::{filled, layout};
use crate::end::{self, DrawOffer, Outcome};
use crate::game_class::{kind_of_class, wrap};
use crate::search::Watch;
use crate::{Int, chess, factors, int, value_error};

/// The largest width of an SVG board.
const MAX_SIZE: u32 = 8192;

/// A game in progress: a position with its history. Create one with `sandtable.make` or one of the subclasses.
///
/// Actions are policy indices. Player 0 moves first, player 1 second; turns need not alternate: in Cờ Tư Lệnh a player
/// may make several moves in a row.
///
/// Two games are equal if they have the same first position, the same moves and the same outcome.
///
/// >>> import sandtable
/// >>> game = sandtable.make("tribun")
/// >>> game.current_player(), len(game.legal_actions())
/// (0, 265)
/// >>> game.apply_action(game.string_to_action("b3-e5"))
/// >>> game.returns(), game.is_terminal(), game.sans_played()
/// ([0.0, 0.0], False, ['b3-e5'])
#[pyclass(subclass, module = "sandtable")]
pub(crate) struct Game {
    pub(crate) game: BoxedGame,
}

/// Creates a game by name, at the start position or at the position `text`.
///
/// >>> import sandtable
/// >>> sandtable.make("cotulenh", rules="club").rules
/// 'club'
/// >>> sandtable.make("checkers")  # doctest: +ELLIPSIS
/// Traceback (most recent call last):
/// ValueError: unknown game `checkers`: expected chess, ...
#[pyfunction]
#[pyo3(signature = (game, rules=None, text=None))]
pub(crate) fn make(
    py: Python<'_>,
    game: &str,
    rules: Option<&str>,
    text: Option<&str>,
) -> PyResult<Py<PyAny>> {
    wrap(py, create(game, rules, text)?)
}

/// Finds a kind of game by name.
pub(crate) fn kind(name: &str) -> PyResult<&'static GameKind> {
    find(name).map_err(value_error)
}

/// The given name of a rule set, or that of the default rules.
pub(crate) fn rules_or_default(kind: &GameKind, rules: Option<&str>) -> String {
    rules.map_or_else(|| kind.rules[0].to_owned(), ToOwned::to_owned)
}

/// Creates a game at the start position, or at the position `text`.
pub(crate) fn create(name: &str, rules: Option<&str>, text: Option<&str>) -> PyResult<BoxedGame> {
    let kind = kind(name)?;
    let rules = rules_or_default(kind, rules);
    match text {
        None => kind.start(&rules),
        Some(text) => kind.parse(text, &rules),
    }
    .map_err(value_error)
}

/// A shape as Python sees it: (rows, columns, planes).
pub(crate) type Extents = (usize, usize, usize);

/// Converts a shape.
pub(crate) const fn extents(shape: Shape) -> Extents {
    (shape.rows, shape.cols, shape.planes)
}

/// What to do about a game in use.
const CLONE: &str = "give each thread a game of its own with clone()";

/// Borrows a game for reading.
pub(crate) fn shared<'py>(game: &Bound<'py, Game>) -> PyResult<PyRef<'py, Game>> {
    game.try_borrow().map_err(|_| crate::in_use("game", CLONE))
}

/// Borrows a game for a change.
pub(crate) fn exclusive<'py>(game: &Bound<'py, Game>) -> PyResult<PyRefMut<'py, Game>> {
    game.try_borrow_mut().map_err(|_| crate::in_use("game", CLONE))
}

/// Converts a player number.
pub(crate) fn player(number: i128) -> PyResult<Player> {
    let found = usize::try_from(number).ok().and_then(|number| Player::ALL.get(number).copied());
    found.ok_or_else(|| value_error(format!("unknown player {number}: expected 0 or 1")))
}

/// Converts an action to an index of a policy of `policy_size` indices.
pub(crate) fn index(action: Int, policy_size: usize) -> PyResult<PolicyIndex> {
    let Int(action) = action;
    let found = u32::try_from(action).map(PolicyIndex).ok().filter(|index| index.index() < policy_size);
    found.ok_or_else(|| value_error(format!("unknown action {action}: expected 0 to {}", policy_size - 1)))
}

impl Game {
    /// Writes the observation of the current position to the caller's array or a new one.
    pub(crate) fn write_observation<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        order: &str,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let order = layout(order)?;
        filled(py, out, &self.game.shape().extents(order), |values| {
            self.game.write_observation(order, values).map_err(value_error)
        })
    }

    /// Writes the mask of legal actions to the caller's array or a new one.
    pub(crate) fn mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        filled(py, out, &[self.game.policy_size()], |mask| self.game.write_mask(mask).map_err(value_error))
    }

    /// Converts an action to an index of the game's policy.
    pub(crate) fn index(&self, action: Int) -> PyResult<PolicyIndex> {
        index(action, self.game.policy_size())
    }

    /// Takes back the last move. `IndexError` if there is none.
    pub(crate) fn take_back(&mut self) -> PyResult<()> {
        match self.game.undo() {
            Some(_) => Ok(()),
            None => Err(PyIndexError::new_err("no move to take back")),
        }
    }

    /// The side to move or the outcome, in words.
    fn status(&self) -> String {
        let (outcome, players) = (self.game.outcome(), self.game.players());
        if outcome.is_over() {
            describe_outcome(&outcome, players)
        } else {
            format!("{} to move", players[self.game.turn()])
        }
    }
}

#[pymethods]
impl Game {
    /// Creates a game of a class that was made from the registry; the typed classes have their own constructors.
    #[new]
    #[classmethod]
    #[pyo3(signature = (text=None, rules=None))]
    fn new(cls: &Bound<'_, PyType>, text: Option<&str>, rules: Option<&str>) -> PyResult<Self> {
        Ok(Self { game: create(kind_of_class(cls)?.name, rules, text)? })
    }

    /// Creates a game at the position `text`.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.CoTuLenhGame()
    /// >>> sandtable.CoTuLenhGame.from_text(game.position_text()) == game
    /// True
    #[classmethod]
    #[pyo3(signature = (text, rules=None))]
    fn from_text<'py>(
        cls: &Bound<'py, PyType>,
        text: &str,
        rules: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        kind_of_class(cls)?;
        cls.call1((text, rules))
    }

    /// The position as a line of text: FEN in chess.
    fn position_text(&self) -> String {
        self.game.position_text()
    }

    /// The name of the game, such as 'chess'.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.name()
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> Option<&'static str> {
        self.game.rules()
    }

    /// The names of the two players, such as 'White' and 'Black'.
    #[getter]
    fn player_names(&self) -> (&'static str, &'static str) {
        let players = self.game.players();
        (players.first, players.second)
    }

    /// The names of the observation planes, in order.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.planes().iter().map(|plane| plane.name))
    }

    /// The shape of an observation: `(rows, columns, planes)`.
    #[getter]
    fn observation_shape(&self) -> Extents {
        extents(self.game.shape())
    }

    /// The number of actions: the size of the policy.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.policy_size()
    }

    /// The number of moves after which environments truncate a game of this kind by default. Not a rule of the game.
    #[getter]
    fn ply_limit(&self) -> PyResult<usize> {
        Ok(kind(self.game.name())?.ply_limit)
    }

    /// The number of moves played.
    #[getter]
    fn ply(&self) -> usize {
        self.game.ply()
    }

    /// How often the current position has occurred in this game, including now.
    #[getter]
    fn occurrences(&self) -> u32 {
        self.game.occurrences()
    }

    /// The Zobrist hash of the position, the same on every machine. Positions that count as repetitions share it.
    #[getter]
    fn position_hash(&self) -> u64 {
        self.game.hash64()
    }

    /// The side to move: 0 or 1.
    fn current_player(&self) -> usize {
        self.game.turn().index()
    }

    /// The legal actions in ascending order. Empty once the game is over.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.make("chess", text="7k/8/8/8/8/8/8/KR6 b - - 0 1")
    /// >>> [game.action_to_string(action) for action in game.legal_actions()]
    /// ['h8h7', 'h8g8', 'h8g7']
    fn legal_actions(&self) -> Vec<u32> {
        self.game.legal_indices().into_iter().map(|index| index.0).collect()
    }

    /// The legal moves as texts, as `action_to_string` writes them. Empty once the game is over.
    fn legal_moves(&self) -> Vec<String> {
        self.game.legal_moves().into_iter().map(|m| m.text).collect()
    }

    /// The mask of legal actions: `num_actions` booleans, all false once the game is over.
    ///
    /// With `out`, the mask is written to that array and nothing is allocated.
    #[pyo3(signature = (out=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        self.mask(py, out)
    }

    /// Plays an action. `ValueError` if it is illegal; the game is then unchanged.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess").apply_action(0)
    /// Traceback (most recent call last):
    /// ValueError: action 0 is not legal in this position
    fn apply_action(slf: &Bound<'_, Self>, action: Int) -> PyResult<()> {
        let mut game = exclusive(slf)?;
        let index = game.index(action)?;
        game.game.play_index(index).map_err(value_error)
    }

    /// Plays a move in any notation of the game, or a complete turn. Returns it as records write it.
    ///
    /// Chess also accepts `sandtable.Move` and `chess.Move`. `ValueError` if the move is illegal; the game is then
    /// unchanged.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess").play("g1f3")
    /// 'Nf3'
    /// >>> game = sandtable.CoTuLenhGame("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1")
    /// >>> game.play("c3:T:N>c5,F>xe5"), game.ply
    /// ('c3:T:N>c5,F>xe5', 3)
    fn play(slf: &Bound<'_, Self>, text: &Bound<'_, PyAny>) -> PyResult<String> {
        // First the text: `uci()` of a foreign move may use the game.
        let text = chess::text_of(text)?;
        exclusive(slf)?.game.play(&text).map_err(value_error)
    }

    /// The text of a legal action: UCI in chess.
    fn action_to_string(&self, action: Int) -> PyResult<String> {
        self.game.move_text_at(self.index(action)?).map_err(value_error)
    }

    /// The legal action for a move in any notation of the game. Chess also accepts `Move`s.
    fn string_to_action(&self, text: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.game.index_of(&chess::text_of(text)?).map(|index| index.0).map_err(value_error)
    }

    /// Takes back the last move and a resignation, agreement or claim after it. `IndexError` if there is no move.
    fn undo(slf: &Bound<'_, Self>) -> PyResult<()> {
        exclusive(slf)?.take_back()
    }

    /// Returns a copy of the game with its history.
    pub(crate) fn clone(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.game.clone_box())
    }

    /// Returns whether the game is over.
    fn is_terminal(&self) -> bool {
        self.game.is_over()
    }

    /// The results of players 0 and 1: 1 for a win, -1 for a loss, 0 for a draw or a game in progress.
    fn returns(&self) -> Vec<f32> {
        let outcome = self.game.outcome();
        Player::ALL.iter().map(|&player| outcome.value_for(player).unwrap_or(0.0)).collect()
    }

    /// The outcome of the game; None while it is in progress.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess", text="7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome()
    /// Outcome(winner=0, reason='checkmate')
    fn outcome(&self) -> Option<Outcome> {
        Outcome::of(self.game.outcome())
    }

    /// Returns whether the side to move is in check; None in games without check.
    fn in_check(&self) -> Option<bool> {
        self.game.in_check()
    }

    /// The observation from the mover's perspective: float32, C-contiguous, `(rows, columns, planes)`, or
    /// `(planes, rows, columns)` with `layout="chw"`.
    ///
    /// With `out`, the observation is written to that array and nothing is allocated.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.make("cotulenh")
    /// >>> game.observe().shape == game.observation_shape
    /// True
    #[pyo3(signature = (out=None, layout="hwc"))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        layout: &str,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        self.write_observation(py, out, layout)
    }

    /// The factors of actions: int32, (n, `MAX_FACTORS`).
    ///
    /// The logit of an action is the sum of the values of its factors in a head of shape `HEAD_SHAPE`. A factor is the
    /// index `(row * columns + column) * planes + plane` of such a value; unused places are -1, the last value of a head with
    /// one zero appended. `ValueError` if an action is not in the policy.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.make("chess")
    /// >>> game.action_factors([game.string_to_action("e4"), game.string_to_action("Nf3")])
    /// array([[1820, 1276,   -1],
    ///        [2185, 1606,   -1]], dtype=int32)
    #[classmethod]
    #[pyo3(signature = (actions, out=None))]
    fn action_factors<'py>(
        cls: &Bound<'py, PyType>,
        actions: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        factors::action_factors(kind_of_class(cls)?, actions, out)
    }

    /// The symmetries that apply to the position: 0 is the identity, 1 the reflection left to right.
    ///
    /// In chess, a position with castling rights has only the identity. See `sandtable.symmetry`.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("tribun").symmetries(), sandtable.make("chess").symmetries()
    /// ([0, 1], [0])
    fn symmetries(&self) -> Vec<usize> {
        (0..2).filter(|&symmetry| self.game.transformed(symmetry).is_some()).collect()
    }

    /// A new game at the position transformed by a symmetry, without the history. `ValueError` if it does not apply.
    ///
    /// >>> import sandtable
    /// >>> sandtable.ChessGame("7k/8/8/8/8/8/8/KR6 w - - 0 1").transformed(1).fen
    /// 'k7/8/8/8/8/8/8/6RK w - - 0 1'
    fn transformed(&self, py: Python<'_>, symmetry: Int) -> PyResult<Py<PyAny>> {
        let Int(number) = symmetry;
        let found = usize::try_from(number).ok().and_then(|symmetry| self.game.transformed(symmetry));
        let found = found.ok_or_else(|| {
            value_error(format!("symmetry {number} does not apply: expected one of {:?}", self.symmetries()))
        })?;
        wrap(py, found)
    }

    /// The moves played, as `action_to_string` writes them.
    fn moves_played(&self) -> Vec<String> {
        self.game.moves_played()
    }

    /// The moves played, in SAN.
    fn sans_played(&self) -> Vec<String> {
        self.game.sans_played()
    }

    /// The actions played.
    fn actions_played(&self) -> Vec<u32> {
        self.game.indices_played().into_iter().map(|index| index.0).collect()
    }

    /// Resigns for a player. Does nothing if the game is over.
    fn resign(slf: &Bound<'_, Self>, player: Int) -> PyResult<()> {
        let player = self::player(player.0)?;
        exclusive(slf)?.game.resign(player);
        Ok(())
    }

    /// Ends the game in a draw by agreement. Does nothing if the game is over.
    fn agree_draw(slf: &Bound<'_, Self>) -> PyResult<()> {
        exclusive(slf)?.game.agree_draw();
        Ok(())
    }

    /// The state of the draw offer: None if both players may offer.
    #[getter]
    fn draw_offer(&self) -> Option<DrawOffer> {
        DrawOffer::of(self.game.draw_offer())
    }

    /// Offers, retracts, accepts or declines a draw for a player: `action` is 'offer', 'retract', 'accept' or 'decline'.
    ///
    /// An offer lapses when the opponent moves; in Tribun it stays open. After a player's offer is declined, only the
    /// opponent may offer next. `ValueError` if the action is not possible; the game is then unchanged.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.make("chess")
    /// >>> game.draw_action(0, "offer")
    /// >>> game.draw_offer
    /// DrawOffer(status='open', player=0)
    /// >>> game.draw_action(1, "accept")
    /// >>> game.outcome()
    /// Outcome(winner=None, reason='agreement')
    fn draw_action(slf: &Bound<'_, Self>, player: Int, action: &str) -> PyResult<()> {
        let (player, action) = (self::player(player.0)?, end::draw_action(action)?);
        exclusive(slf)?.game.draw_action(player, action).map_err(value_error)
    }

    /// The game record with the given tags: PGN in chess.
    #[pyo3(signature = (tags=None))]
    fn record(&self, tags: Option<Tags>) -> String {
        self.game.record(&tags.unwrap_or_default())
    }

    /// Reads the first game of a record: `(game, tags)`.
    ///
    /// >>> import sandtable
    /// >>> game, tags = sandtable.ChessGame.from_record('[White "Anna"]\n\n1. e4 e5 *')
    /// >>> game.sans_played(), tags
    /// (['e4', 'e5'], [('White', 'Anna')])
    #[classmethod]
    #[pyo3(signature = (record, rules=None))]
    fn from_record(
        cls: &Bound<'_, PyType>,
        record: &str,
        rules: Option<&str>,
    ) -> PyResult<(Py<PyAny>, Tags)> {
        let kind = kind_of_class(cls)?;
        let loaded = kind.load_record(record, &rules_or_default(kind, rules)).map_err(value_error)?;
        Ok((wrap(cls.py(), loaded.game)?, loaded.tags))
    }

    /// The static evaluation for the side to move by the network of the game, in hundredths of the game's least valuable
    /// piece.
    fn static_eval(&self) -> i32 {
        Evaluation::Default.static_eval(&*self.game)
    }

    /// The number of move sequences of length `depth`, 0 to 100. Ctrl-C stops it with `KeyboardInterrupt`. Releases the
    /// global interpreter lock.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess").perft(3)
    /// 8902
    #[pyo3(signature = (depth, threads=1))]
    fn perft(slf: &Bound<'_, Self>, depth: Int, #[pyo3(from_py_with = int)] threads: i128) -> PyResult<u64> {
        let depth = crate::within("depth", depth.0, 0, MAX_PERFT_DEPTH)?;
        let threads = crate::threads(threads)?;
        // Count a copy, so that other threads can use the game meanwhile.
        let game = shared(slf)?.game.clone_box();
        let watch = Watch::new(None);
        let counted = slf.py().detach(|| watch.run(|stop| game.perft_until(depth, threads, stop)));
        watch.finish()?;
        Ok(counted.map_err(value_error)?.expect("only an error stops it"))
    }

    /// The board as an SVG document, `size` (1 to 8192) pixels wide.
    ///
    /// `last_move` highlights the last move; `arrows` are pairs of cell names; `flip` puts player 1 at the bottom;
    /// `indices` labels each cell with its index in the board model.
    ///
    /// >>> import sandtable
    /// >>> picture = sandtable.make("chess").svg(arrows=[("e2", "e4")], flip=True, size=300)
    /// >>> picture[:4], 'width="300"' in picture
    /// ('<svg', True)
    #[pyo3(signature = (*, last_move=true, arrows=None, flip=false, size=400, indices=false))]
    fn svg(
        &self,
        last_move: bool,
        arrows: Option<Vec<(String, String)>>,
        flip: bool,
        #[pyo3(from_py_with = int)] size: i128,
        indices: bool,
    ) -> PyResult<String> {
        let width = crate::within("size", size, 1, MAX_SIZE)?;
        let mut diagram = self.game.diagram();
        if !last_move {
            diagram.cells.iter_mut().for_each(|cell| cell.marked = false);
        }
        let cell = |name: &str| {
            diagram
                .cell_named(name)
                .ok_or_else(|| PyValueError::new_err(format!("arrows: `{name}` is not on the board")))
        };
        let arrows = arrows.unwrap_or_default();
        let arrows: PyResult<_> = arrows.iter().map(|(from, to)| Ok((cell(from)?, cell(to)?))).collect();
        let options = SvgOptions::default().with_width(width).with_indices(indices).with_arrows(arrows?);
        let diagram = if flip { diagram.flipped() } else { diagram };
        Ok(svg(&diagram, &options))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(true, None, false, 400, false)
    }

    fn __repr__(&self) -> String {
        let board = terminal(&self.game.diagram(), TerminalOptions::default());
        format!("{board}{}", self.status())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        Ok(self.game.is_same_game(&*shared(other)?.game))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game.name(), self.game.hash64(), self.game.ply()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.clone(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let state = (
            self.game.name(),
            self.game.rules(),
            self.game.first_position_text(),
            self.game.moves_played(),
            self.draw_offer(),
            self.game.declared_end().and_then(|_| self.outcome()),
        );
        let restore = py.import("sandtable._sandtable")?.getattr("_restore")?;
        Ok((restore, state.into_pyobject(py)?))
    }
}

/// Downcasts the game of a subclass, whose position type is fixed.
pub(crate) fn as_kind<P: sandtable::games::Playable>(game: &dyn AnyGame) -> &sandtable::core::Game<P> {
    let game: &dyn std::any::Any = game;
    game.downcast_ref().expect("each subclass holds a game of its own kind")
}

/// The mutable version of [`as_kind`].
pub(crate) fn as_kind_mut<P: sandtable::games::Playable>(
    game: &mut dyn AnyGame,
) -> &mut sandtable::core::Game<P> {
    let game: &mut dyn std::any::Any = game;
    game.downcast_mut().expect("each subclass holds a game of its own kind")
}
