"""A game at the terminal, line by line.

`table` holds the game and saves it, `link` is the way to it, `loop` talks with the people; `board`
and `sheet` show a position, `telling` what happened; `entry` reads what is typed, `console` reads
and writes the lines.
"""
