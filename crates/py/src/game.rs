//! `Game`: what all games have in common, and the three kinds stand on.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use numpy::PyArrayDyn;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use sandtable::core::{MAX_PERFT_DEPTH, Outcome as Ended, Player, PolicyIndex};
use sandtable::render::{SvgOptions, TerminalOptions, svg, terminal};
use sandtable::{AnyGame, BoxedGame, Declared, GameKind, find, in_words};

use crate::arrays::{filled, layout};
use crate::{Whole, chess, cotulenh, tribun, value_error, whole};

/// The widest picture of a board.
const MAX_PIXELS: u32 = 8192;

/// A game being played: a position with its past. Made by `sandtable.make` or by the class of its kind.
///
/// Actions are indices of the policy, as a network's output has them. Players are 0, who moves first, and 1; the same
/// player may be to move again.
///
/// Two games are equal if they went through equal positions by the same moves and ended the same way.
///
/// >>> import sandtable
/// >>> game = sandtable.make("tribun")
/// >>> game.current_player(), len(game.legal_actions())
/// (0, 265)
/// >>> game.apply_action(game.string_to_action("b3-e5"))
/// >>> game.returns(), game.is_terminal(), game.history()
/// ([0.0, 0.0], False, ['b3-e5'])
#[pyclass(subclass, module = "sandtable")]
pub(crate) struct Game {
    pub(crate) game: BoxedGame,
}

/// How a game ended: `winner` is 0, 1 or, in a draw, None; `reason` says why.
#[pyclass(frozen, get_all, eq, hash, module = "sandtable")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// Who won: 0, 1, or None in a draw.
    winner: Option<usize>,
    /// Why the game ended.
    reason: String,
}

#[pymethods]
impl Outcome {
    #[new]
    const fn new(winner: Option<usize>, reason: String) -> Self {
        Self { winner, reason }
    }

    fn __getnewargs__(&self) -> (Option<usize>, &str) {
        (self.winner, &self.reason)
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or_else(|| "None".to_owned(), |winner| winner.to_string());
        format!("Outcome(winner={winner}, reason='{}')", self.reason)
    }
}

/// A game of that name, from the start or from a position's text.
///
/// >>> import sandtable
/// >>> sandtable.make("cotulenh", rules="club").rules
/// 'club'
/// >>> sandtable.make("checkers")
/// Traceback (most recent call last):
/// ValueError: there is no game `checkers`; there is chess, cotulenh, tribun
#[pyfunction]
#[pyo3(signature = (game, rules=None, text=None))]
pub(crate) fn make(
    py: Python<'_>,
    game: &str,
    rules: Option<&str>,
    text: Option<&str>,
) -> PyResult<Py<PyAny>> {
    wrap(py, begin(game, rules, text)?)
}

/// What `pickle` calls: a game of its first position, the actions played since, and how the players ended it.
#[pyfunction]
#[pyo3(name = "_restore")]
pub(crate) fn restore(
    py: Python<'_>,
    game: &str,
    rules: &str,
    text: &str,
    actions: Vec<u32>,
    declared: Option<&str>,
) -> PyResult<Py<PyAny>> {
    let mut game = begin(game, Some(rules), Some(text))?;
    for action in actions {
        game.play_index(PolicyIndex(action)).map_err(value_error)?;
    }
    match declared {
        None => {}
        Some("resigned 0") => game.resign(Player::First),
        Some("resigned 1") => game.resign(Player::Second),
        Some("agreed") => game.agree_draw(),
        Some("claimed") => {
            chess::claim(&mut *game).ok_or_else(|| PyValueError::new_err("there is no draw to claim"))?;
        }
        Some(other) => return Err(PyValueError::new_err(format!("`{other}` does not end a game"))),
    }
    wrap(py, game)
}

/// The kind of that name.
pub(crate) fn kind(name: &str) -> PyResult<&'static GameKind> {
    find(name).map_err(value_error)
}

/// The rules of that name, or the game's own.
pub(crate) fn rules_or_default(kind: &GameKind, rules: Option<&str>) -> String {
    rules.map_or_else(|| (kind.rules)()[0].to_owned(), ToOwned::to_owned)
}

/// A game from its start or from a text.
pub(crate) fn begin(name: &str, rules: Option<&str>, text: Option<&str>) -> PyResult<BoxedGame> {
    let kind = kind(name)?;
    let rules = rules_or_default(kind, rules);
    match text {
        None => kind.start(&rules),
        Some(text) => kind.parse(text, &rules),
    }
    .map_err(value_error)
}

/// A game as an object of the class of its kind.
pub(crate) fn wrap(py: Python<'_>, game: BoxedGame) -> PyResult<Py<PyAny>> {
    let name = game.name();
    let base = PyClassInitializer::from(Game { game });
    Ok(match name {
        "chess" => Py::new(py, base.add_subclass(chess::ChessGame))?.into_any(),
        "cotulenh" => Py::new(py, base.add_subclass(cotulenh::CoTuLenhGame))?.into_any(),
        "tribun" => Py::new(py, base.add_subclass(tribun::TribunGame))?.into_any(),
        _ => Py::new(py, base)?.into_any(),
    })
}

/// The player of that number.
pub(crate) fn player(number: i64) -> PyResult<Player> {
    let found = usize::try_from(number).ok().and_then(|number| Player::ALL.get(number).copied());
    found.ok_or_else(|| PyValueError::new_err(format!("there is no player {number}: players are 0 and 1")))
}

/// An action as an index of a policy of that size.
pub(crate) fn index(action: Whole, policy_size: usize) -> PyResult<PolicyIndex> {
    let Whole(action) = action;
    let found = u32::try_from(action).map(PolicyIndex).ok().filter(|index| index.index() < policy_size);
    found.ok_or_else(|| {
        value_error(format!("there is no action {action}: actions are 0 to {}", policy_size - 1))
    })
}

impl Game {
    /// The observation of the current position, in the caller's array or a new one.
    pub(crate) fn observe<'py>(
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

    /// Which actions are legal: none once the game is over.
    pub(crate) fn mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        filled(py, out, &[self.game.policy_size()], |mask| {
            if self.game.is_over() {
                mask.fill(false);
                return Ok(());
            }
            self.game.write_mask(mask).map_err(value_error)
        })
    }

    /// An action as an index of the game's policy.
    pub(crate) fn index(&self, action: Whole) -> PyResult<PolicyIndex> {
        index(action, self.game.policy_size())
    }

    /// Takes back the last move.
    pub(crate) fn take_back(&mut self) -> PyResult<()> {
        match self.game.undo() {
            Some(_) => Ok(()),
            None => Err(PyIndexError::new_err("there is no move to take back")),
        }
    }

    fn standing(&self) -> String {
        match self.game.outcome() {
            Ended::Ongoing => format!("{} to move", self.game.players()[self.game.turn()]),
            outcome => in_words(&outcome, self.game.players()),
        }
    }
}

#[pymethods]
impl Game {
    /// A game of this class that begins with a position's text.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.CoTuLenhGame()
    /// >>> sandtable.CoTuLenhGame.from_text(game.to_text()) == game
    /// True
    #[classmethod]
    #[pyo3(signature = (text, rules=None))]
    fn from_text<'py>(
        cls: &Bound<'py, PyType>,
        text: &str,
        rules: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if cls.is(cls.py().get_type::<Self>()) {
            return Err(PyTypeError::new_err(
                "Game has no texts of its own: ask the class of a game, or sandtable.make(name, text=…)",
            ));
        }
        cls.call1((text, rules))
    }

    /// The position as one line of text: a FEN in chess.
    fn to_text(&self) -> String {
        self.game.position()
    }

    /// The name of the game, as `make` takes it.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.name()
    }

    /// The name of the rules it is played by.
    #[getter]
    fn rules(&self) -> Option<&'static str> {
        self.game.rules()
    }

    /// What the two players are called.
    #[getter]
    fn player_names(&self) -> (&'static str, &'static str) {
        let players = self.game.players();
        (players.first, players.second)
    }

    /// The names of an observation's planes, in order.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.planes().iter().map(|plane| plane.name))
    }

    /// The shape of an observation: rows, columns, planes.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let shape = self.game.shape();
        (shape.rows, shape.cols, shape.planes)
    }

    /// How many actions the policy has.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.policy_size()
    }

    /// After how many moves an environment cuts a game of this kind off, unless told otherwise. The rules do not.
    #[getter]
    fn ply_limit(&self) -> PyResult<usize> {
        Ok(kind(self.game.name())?.ply_limit)
    }

    /// How many moves have been played.
    #[getter]
    fn ply(&self) -> usize {
        self.game.ply()
    }

    /// How often the position has occurred in this game, itself included.
    #[getter]
    fn occurrences(&self) -> u32 {
        self.game.occurrences()
    }

    /// The hash of the position, the same on every machine: equal for positions that repetition takes for one.
    #[getter]
    fn position_hash(&self) -> u64 {
        self.game.hash64()
    }

    /// Who is to move: 0 or 1.
    fn current_player(&self) -> usize {
        self.game.turn().index()
    }

    /// The legal actions, lowest first; none once the game is over.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.make("chess", text="7k/8/8/8/8/8/8/KR6 b - - 0 1")
    /// >>> [game.action_to_string(action) for action in game.legal_actions()]
    /// ['h8h7', 'h8g8', 'h8g7']
    fn legal_actions(&self) -> Vec<u32> {
        self.game.indices().into_iter().map(|index| index.0).collect()
    }

    /// Which actions are legal: an array of `num_actions` booleans, all false once the game is over.
    ///
    /// With `out`, the mask is written into that array, and nothing is allocated.
    #[pyo3(signature = (out=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        self.mask(py, out)
    }

    /// Plays an action. `ValueError` if it is not legal; the game is then as it was.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess").apply_action(0)
    /// Traceback (most recent call last):
    /// ValueError: action 0 is not legal in this position
    fn apply_action(&mut self, action: Whole) -> PyResult<()> {
        let index = self.index(action)?;
        self.game.play_index(index).map_err(value_error)
    }

    /// Plays a move: its text in any notation of the game, or a `Move` of chess. Says what was played, as people write it.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess").play("g1f3")
    /// 'Nf3'
    fn play(&mut self, text: &Bound<'_, PyAny>) -> PyResult<String> {
        self.game.play(&chess::text_of(text)?).map_err(value_error)
    }

    /// The text of a legal action: UCI in chess.
    fn action_to_string(&self, action: Whole) -> PyResult<String> {
        self.game.text_at(self.index(action)?).map_err(value_error)
    }

    /// The legal action of a text in any notation of the game, or of a `Move` of chess.
    fn string_to_action(&self, text: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.game.index_of(&chess::text_of(text)?).map(|index| index.0).map_err(value_error)
    }

    /// Takes back the last move, and a resignation, agreement or claim with it. `IndexError` at the beginning.
    fn undo(&mut self) -> PyResult<()> {
        self.take_back()
    }

    /// A copy with the same past.
    pub(crate) fn clone(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.game.clone_box())
    }

    /// Is the game over?
    fn is_terminal(&self) -> bool {
        self.game.is_over()
    }

    /// The result for player 0 and for player 1: 1 won, -1 lost, 0 drawn or going on.
    fn returns(&self) -> Vec<f32> {
        let outcome = self.game.outcome();
        Player::ALL.iter().map(|&player| outcome.value_for(player).unwrap_or(0.0)).collect()
    }

    /// How the game ended; None while it goes on.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess", text="7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome()
    /// Outcome(winner=0, reason='checkmate')
    fn outcome(&self) -> Option<Outcome> {
        match self.game.outcome() {
            Ended::Ongoing => None,
            Ended::Draw { reason } => Some(Outcome { winner: None, reason }),
            Ended::Win { winner, reason } => Some(Outcome { winner: Some(winner.index()), reason }),
        }
    }

    /// Is the player to move in check? None in a game that has no such thing.
    fn is_check(&self) -> Option<bool> {
        self.game.check()
    }

    /// What the player to move sees: float32, C-contiguous, `(rows, columns, planes)`, or planes first with
    /// `layout="chw"`.
    ///
    /// With `out`, the observation is written into that array, and nothing is allocated.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.make("cotulenh")
    /// >>> game.observation().shape == game.observation_shape
    /// True
    #[pyo3(signature = (out=None, layout="hwc"))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        layout: &str,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        self.observe(py, out, layout)
    }

    /// The moves played so far, as people write them.
    fn history(&self) -> Vec<String> {
        self.game.history()
    }

    /// The actions played so far.
    fn actions(&self) -> Vec<u32> {
        self.game.indices_played().into_iter().map(|index| index.0).collect()
    }

    /// A player gives up. A game that is over stays as it is.
    fn resign(&mut self, player: Whole) -> PyResult<()> {
        self.game.resign(self::player(player.0)?);
        Ok(())
    }

    /// Both agree to a draw. A game that is over stays as it is.
    fn agree_draw(&mut self) {
        self.game.agree_draw();
    }

    /// The record of the game, a PGN in chess, with the given tags in front.
    #[pyo3(signature = (tags=None))]
    fn record(&self, tags: Option<Vec<(String, String)>>) -> String {
        self.game.record(&tags.unwrap_or_default())
    }

    /// How good the position looks to the player to move without looking ahead, in hundredths of a pawn or its like.
    fn evaluate(&self) -> i32 {
        self.game.evaluate()
    }

    /// The number of move sequences of that length, 0 to 100. Other Python threads run meanwhile.
    ///
    /// >>> import sandtable
    /// >>> sandtable.make("chess").perft(3)
    /// 8902
    #[pyo3(signature = (depth, threads=1))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: Whole,
        #[pyo3(from_py_with = whole)] threads: i64,
    ) -> PyResult<u64> {
        let depth = crate::within("depth", depth.0, 0, MAX_PERFT_DEPTH)?;
        let (game, threads) = (&*self.game, crate::threads(threads)?);
        Ok(py.detach(|| game.perft(depth, threads)))
    }

    /// The board as an SVG document, `size` pixels wide: 1 to 8192.
    ///
    /// The last move is marked unless `last_move` is false; `arrows` are pairs of squares; `flip` puts player 1 at
    /// the bottom; `indices` writes the numbers of the board model on the cells.
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
        #[pyo3(from_py_with = whole)] size: i64,
        indices: bool,
    ) -> PyResult<String> {
        let width = crate::within("size", size, 1, MAX_PIXELS)?;
        let mut diagram = self.game.diagram();
        if !last_move {
            diagram.cells.iter_mut().for_each(|cell| cell.marked = false);
        }
        let cell = |name: &str| {
            diagram
                .cell_named(name)
                .ok_or_else(|| PyValueError::new_err(format!("`{name}` is not on the board")))
        };
        let arrows = arrows.unwrap_or_default();
        let arrows: PyResult<_> = arrows.iter().map(|(from, to)| Ok((cell(from)?, cell(to)?))).collect();
        let options = SvgOptions { width, indices, arrows: arrows? };
        let diagram = if flip { diagram.flipped() } else { diagram };
        Ok(svg(&diagram, &options))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(true, None, false, 400, false)
    }

    fn __repr__(&self) -> String {
        let board = terminal(&self.game.diagram(), TerminalOptions::default());
        format!("{board}{}", self.standing())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        Ok(self.game.is_same_game(&*other.try_borrow()?.game))
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
        let declared = self.game.declared().map(|declared| match declared {
            Declared::Resigned(Player::First) => "resigned 0",
            Declared::Resigned(Player::Second) => "resigned 1",
            Declared::Agreed => "agreed",
            Declared::Otherwise => "claimed",
        });
        let state =
            (self.game.name(), self.game.rules(), self.game.first_position(), self.actions(), declared);
        let restore = py.import("sandtable._sandtable")?.getattr("_restore")?;
        Ok((restore, state.into_pyobject(py)?))
    }
}

/// The game of that kind behind an object whose class says so.
pub(crate) fn as_kind<P: sandtable::Playable>(game: &dyn AnyGame) -> &sandtable::core::Game<P> {
    let game: &dyn std::any::Any = game;
    game.downcast_ref().expect("an object of the kind's class holds a game of the kind")
}
