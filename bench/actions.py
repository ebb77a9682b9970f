"""Checked actions per second on one core, read from their texts, throws included.

The yardstick is python-chess, which parses and pushes the moves of three famous games.
"""

import time
from collections.abc import Callable

import chess

from bench._games import played
from dicecup import from_id, roll

ROUNDS = 7
CHESS = [
    (
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 "
        "Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
    ),
    (
        "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 "
        "Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#"
    ),
    (
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 "
        "Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#"
    ),
]


def chess_moves() -> int:
    """Play the three chess games ten times and return the number of moves."""
    count = 0
    for game in CHESS * 10:
        board = chess.Board()
        for move in game.split():
            board.push(board.parse_san(move))
            count += 1
    return count


def dice_actions(game_id: str, games: list[list[str]]) -> int:
    """Play games from the words of their records and return the number of actions."""
    count = 0
    game = from_id(game_id)
    for record_words in games:
        position = game.start()
        for word in record_words:
            if position.waiting:
                position = position.roll(roll(word))
            else:
                position = position.play(word)
                count += 1
    return count


def games_as_words(game_id: str) -> list[list[str]]:
    """Return the words (throws and actions) of the records of twenty games, one list per game."""
    records = (played(game_id, f"bench {seed}", level=level) for level in ("random", "greedy") for seed in range(10))
    return [[word for line in game.journal.lines for word in line.split(" ")[1:]] for game in records]


def rate(count: Callable[[], int]) -> float:
    """Return how many actions `count` plays per CPU second, in the best of several rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        before = time.process_time()
        done = count()
        best = max(best, done / (time.process_time() - before))
    return best


def main() -> None:
    """Print the rates and their ratio to the rate of python-chess."""
    yardstick = rate(chess_moves)
    print(f"{'python-chess push(parse_san)':32}{yardstick:>10,.0f} moves per second")
    for game_id in ("yam-master", "yamm(players=1)"):
        games = games_as_words(game_id)
        found = rate(lambda game_id=game_id, games=games: dice_actions(game_id, games))  # type: ignore[misc]
        print(f"{game_id + ' play(text)':32}{found:>10,.0f} actions per second  {found / yardstick:.2f} of python-chess")


if __name__ == "__main__":
    main()
