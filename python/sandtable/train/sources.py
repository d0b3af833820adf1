"""Games that training can start from: of the engine, of random moves, and of files."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import sandtable
from sandtable.train.files import ShardError, read_records
from sandtable.train.options import Options, Stream
from sandtable.train.samples import Result, SampleGame

#: Random moves at the beginning of an engine game: at least this many, and up to this many more.
_OPENING_PLIES, _OPENING_SPREAD = 4, 4
#: The largest lead after the opening, in centipawns: a search also has to judge positions that good play
#: avoids.
_BALANCE = 1000
#: The share of random moves after the opening, in per cent, for the same reason.
_RANDOM_MOVES = 5
#: The maximum length of an engine game: more than that of self-play, because these games are cheap.
_MAX_PLIES = 300
#: The score of a random move in files of `sandtable net data`: -32768 with the sign in the lowest bit.
_NOT_SEARCHED = 65_535
#: A recorded game: result, start position, actions, and whether each is a policy target.
_Recorded = tuple[Result, str, list[int], list[bool]]


def result_of(game: sandtable.Game) -> Result:
    """The result of a game; `TRUNCATED` if it is not over."""
    outcome = game.outcome()
    if outcome is None:
        return Result.TRUNCATED
    return Result.DRAW if outcome.winner is None else Result(outcome.winner)


def engine_game(options: Options, number: int) -> SampleGame:
    """A game of the engine against itself. It depends on the settings and its number alone."""
    played = sandtable.engine_game(
        options.game,
        number,
        rules=options.rules,
        seed=int(options.rng(Stream.ENGINE).integers(2**63)),
        nodes=options.engine_nodes,
        opening_plies=_OPENING_PLIES,
        opening_spread=_OPENING_SPREAD,
        random_moves=_RANDOM_MOVES,
        balance=_BALANCE,
        max_plies=_MAX_PLIES,
    )
    if played.winner is not None:
        result = Result(played.winner)
    else:
        result = Result.TRUNCATED if played.truncated else Result.DRAW
    game = SampleGame.without_search(number, result, "", played.actions)
    game.values = np.array([np.nan if value is None else value for value in played.values], np.float32)
    # A random move is no target.
    game.keep_targets(~np.isnan(game.values))
    return game


def random_game(options: Options, number: int) -> SampleGame:
    """The end of a decisive game of random moves, without policy targets.

    It depends on the seed and its number alone.
    """
    rng = options.rng(Stream.RANDOM, number)
    result = Result.DRAW
    # Without a winner there is little to learn: another game.
    while result >= Result.DRAW:
        board = sandtable.make(options.game, rules=options.rules)
        while not board.is_terminal() and board.ply < board.ply_limit:
            board.apply_action(rng.choice(board.legal_actions()))
        result = result_of(board)
    actions = board.actions_played()[-options.random_plies :]
    for _ in actions:
        board.undo()
    game = SampleGame.without_search(number, result, board.position_text() if board.ply else "", actions)
    game.keep_targets(np.zeros(len(actions), np.bool_))
    return game


def engine_games(options: Options, first: int) -> Iterator[SampleGame]:
    """The engine games from number `first` on, in order. The engine runs on several threads."""
    with ThreadPoolExecutor(options.threads) as executor:
        numbers = range(first, options.from_engine)
        # In portions, so that little is lost when training is stopped.
        portion = 4 * options.threads
        for start in range(0, len(numbers), portion):
            yield from executor.map(lambda n: engine_game(options, n), numbers[start : start + portion])


def generated_games(options: Options, first: int) -> Iterator[SampleGame]:
    """The engine games and then the random games, without the first ones."""
    yield from engine_games(options, first)
    for number in range(max(first - options.from_engine, 0), options.from_random):
        yield random_game(options, number)


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
