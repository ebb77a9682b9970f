"""The board of Yam Master as a picture and in sentences, and the squares that the dice allow.

Square brackets mark what can be chosen now: a square for a token, or a token that the Predator may
take.
"""

from dicecup.locale import Messages
from dicecup.terminal.console import TIE, Cell, Console, Style
from dicecup.yam_master import FailedDefi, Figure, Position, Side, Squares

_STYLES = {"x": Style.X, "o": Style.O}


def figure_name(figure: Figure, messages: Messages) -> str:
    """Return the word on the board, with its translation in brackets."""
    return messages(f"figure_{figure.name.lower()}")


def token(position: Position, place: int) -> str:
    """Return `x` or `o`, an empty text for a free square."""
    return "x" if position.x >> place & 1 else "o" if position.o >> place & 1 else ""


def show_board(console: Console, position: Position) -> None:
    """Print the board: columns a to e, rows 1 to 5. A free square shows its figure, any other its
    token."""
    board = position.game.board
    chosen = position.placeable | position.removable
    console.row([Cell("", 3), *(Cell(letter, 8, Style.DIM) for letter in "abcdefghi"[: board.columns])])
    for row in range(board.rows):
        cells = [Cell(str(row + 1), 3, Style.DIM, ">")]
        for place in range(row * board.columns, (row + 1) * board.columns):
            on = token(position, place)
            text, style = on or board.figures[place].value, _STYLES.get(on)
            if chosen >> place & 1:
                text, style = f"[{text}]", style or Style.OPEN
            cells.append(Cell(text, 8, style))
        console.row(cells)


def read_board(console: Console, position: Position) -> None:
    """Print the board in sentences, one for each row."""
    board = position.game.board
    for row in range(board.rows):
        squares = (square_text(console.messages, position, row * board.columns + column) for column in range(board.columns))
        console.say(f"{'; '.join(squares)}.")


def square_text(messages: Messages, position: Position, place: int) -> str:
    """Return the name, the figure and the token of a square."""
    board = position.game.board
    key = {"x": "square_x", "o": "square_o", "": "square_free"}[token(position, place)]
    return messages(key, square=board.names[place], figure=board.figures[place].value)


def show_supplies(console: Console, position: Position, names: tuple[str, ...]) -> None:
    """Print the tokens left and the points of both sides."""
    points = position.points
    for side in Side:
        console.tell("supply", name=names[side], supply=position.supplies[side], points=points[side])


def show_choices(console: Console, position: Position) -> None:
    """Print the squares that the dice allow, the tokens that the Predator can take, and the demand
    of a declared Défi."""
    if position.defi:
        ignored = position.game.options.failed_defi is FailedDefi.IGNORED
        console.tell("defi_declared_ignored" if ignored else "defi_declared")
    if position.placeable:
        board = position.game.board
        squares = (
            f"{board.names[place]} {figure_name(board.figures[place], console.messages)}".replace(" ", TIE)
            for place in _places(position, position.placeable)
        )
        console.tell("squares_open", Style.OPEN, squares=", ".join(squares))
    else:
        console.tell("squares_none")
    if position.removable:
        taken = ", ".join(position.game.board.names[place] for place in _places(position, position.removable))
        console.tell("predator_open", Style.OPEN, squares=taken)


def _places(position: Position, squares: Squares) -> list[int]:
    return [place for place in range(len(position.game.board.names)) if squares >> place & 1]
