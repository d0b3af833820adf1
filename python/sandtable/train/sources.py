"""Games that training can start from: of the engine, of game records and of `sandtable net data`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import sandtable
from sandtable.train.files import ShardError, read_records
from sandtable.train.options import Options, Stream
from sandtable.train.samples import Result, SampleGame

#: Random moves at the beginning of an engine game: this many, or one or two more.
_OPENING_PLIES = 4
#: The share of random moves after the opening: a search also has to judge positions that good play avoids.
_RANDOM_MOVES = 0.05
#: The maximum length of an engine game: more than that of self-play, because these games are cheap.
_MAX_PLIES = 300
#: A game ends when the score of one side stays beyond this, in centipawns, for this many moves, as in
#: `sandtable net data`: with few nodes the engine often shuffles pieces in won positions.
_DECIDED, _DECIDED_MOVES = 1500, 8
#: The score of a random move in files of `sandtable net data`: -32768 with the sign in the lowest bit.
_NOT_SEARCHED = 65_535
#: A recorded game: result, start position, actions, and whether each is a policy target.
_Recorded = tuple[Result, str, list[int], list[bool]]
#: The transposition table of the engine, in MiB: small, because it is new for each move.
_HASH_MB = 1


def result_of(game: sandtable.Game) -> Result:
    """The result of a game; `TRUNCATED` if it is not over."""
    outcome = game.outcome()
    if outcome is None:
        return Result.TRUNCATED
    return Result.DRAW if outcome.winner is None else Result(outcome.winner)


class Adjudicator:
    """Decides games that one side is winning."""

    def __init__(self) -> None:
        self._leader, self._moves = 0, 0

    def add(self, line: sandtable.Line, mover: int) -> Result | None:
        """Takes the best line of a position and its mover. Returns the result as soon as it is decided."""
        score = line.centipawns if line.mate is None else math.copysign(math.inf, line.mate)
        assert score is not None, "a line has a score"
        leader = mover if score > 0 else 1 - mover
        if abs(score) < _DECIDED:
            self._moves = 0
        else:
            self._moves = self._moves + 1 if leader == self._leader else 1
            self._leader = leader
        return Result(leader) if self._moves >= _DECIDED_MOVES else None


def engine_game(options: Options, number: int) -> SampleGame:
    """A game of the engine against itself. It depends on the settings and its number alone."""
    rng = options.rng(Stream.ENGINE, number)
    board = sandtable.make(options.game, rules=options.rules)
    opening = _OPENING_PLIES + int(rng.integers(3))
    searched = []
    adjudicator, decided = Adjudicator(), None
    while not board.is_terminal() and board.ply < _MAX_PLIES and decided is None:
        is_random = board.ply < opening or rng.random() < _RANDOM_MOVES
        if is_random:
            action = int(rng.choice(board.legal_actions()))
        else:
            best = sandtable.search(board, nodes=options.engine_nodes, hash_mb=_HASH_MB).lines[0]
            decided = adjudicator.add(best, board.current_player())
            action = best.action
        searched.append(not is_random)
        board.apply_action(action)
    result = result_of(board) if decided is None or board.is_terminal() else decided
    game = SampleGame.without_search(number, result, "", board.actions_played())
    # A random move is no target.
    game.keep_targets(np.array(searched, np.bool_))
    return game


def engine_games(options: Options, first: int) -> Iterator[SampleGame]:
    """The engine games from number `first` on, in order. The engine runs on several threads."""
    with ThreadPoolExecutor(options.threads) as executor:
        numbers = range(first, options.from_engine)
        # In portions, so that little is lost when training is stopped.
        portion = 4 * options.threads
        for start in range(0, len(numbers), portion):
            yield from executor.map(lambda n: engine_game(options, n), numbers[start : start + portion])


def recorded_games(options: Options) -> Iterator[SampleGame]:
    """The games of the files of `--from-records`, in order."""
    number = 0
    for name in options.from_records:
        path = Path(name)
        paths = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in paths:
            games = _engine_file if file.suffix == ".games" else _record_file
            for result, start, actions, searched in games(file, options):
                if actions:
                    game = SampleGame.without_search(number, result, start, actions)
                    game.keep_targets(np.array(searched, np.bool_))
                    yield game
                    number += 1


def _record_file(path: Path, options: Options) -> Iterator[_Recorded]:
    """The games of a file of records, which begin with their first tag."""
    kind = type(sandtable.make(options.game))
    for number, text in enumerate(split_records(path.read_text(encoding="utf-8")), 1):
        try:
            game, tags = kind.from_record(text)
        except ValueError as error:
            raise ValueError(f"{path}, game {number}: {error}") from error
        if game.rules != options.rules:
            continue
        first = game.clone()
        while first.ply > 0:
            first.undo()
        start = first.position_text()
        is_default = start == sandtable.make(options.game, rules=options.rules).position_text()
        result = result_of(game)
        if result is Result.TRUNCATED:
            result = {"1-0": Result.FIRST_WINS, "0-1": Result.SECOND_WINS, "1/2-1/2": Result.DRAW}.get(
                dict(tags).get("Result", "*"), result
            )
        actions = game.actions_played()
        yield result, "" if is_default else start, actions, [True] * len(actions)


def split_records(text: str) -> list[str]:
    """The game records of a file: each begins with a line `[` after an empty line or at the beginning."""
    records: list[list[str]] = [[]]
    in_tags, after_empty = False, True
    for line in text.splitlines():
        # A comment that is wrapped may go on with a command, such as `[%clk 0:01:00]`.
        is_tag = line.startswith("[") and (in_tags or after_empty)
        if is_tag and not in_tags and any(map(str.strip, records[-1])):
            records.append([])
        after_empty = not line.strip()
        in_tags = is_tag or (in_tags and after_empty)
        records[-1].append(line)
    return ["\n".join(lines) + "\n" for lines in records if any(map(str.strip, lines))]


def _engine_file(path: Path, options: Options) -> Iterator[_Recorded]:
    """The games of a file that `sandtable net data` has written."""
    header, records = read_records(path, "sandtable-games 1")
    settings = dict(word.split("=", 1) for word in header.split()[2:])
    if (settings.get("game"), settings.get("rules")) != (options.game, options.rules):
        raise ShardError(f"{path} has games of {settings.get('game')}, rules {settings.get('rules')}")
    for record in records:
        numbers = _numbers(record[1:])
        # After the opening, a score follows each move.
        opening, rest = numbers[1 : numbers[0] + 1], numbers[numbers[0] + 1 :]
        searched = [False] * len(opening) + [score != _NOT_SEARCHED for score in rest[1::2]]
        yield Result(record[0]), "", opening + rest[::2], searched


def _numbers(data: bytes) -> list[int]:
    """Numbers of variable length: seven bits a byte, lowest first; the last byte is less than 128."""
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(number)
            number = shift = 0
    return numbers
