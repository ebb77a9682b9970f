"""Entries of people: the action or throw that each form stands for, and typed errors for all other
texts.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games
from dicecup.core.dice import keep, roll
from dicecup.core.errors import DicecupError
from dicecup.core.game import Position
from dicecup.core.source import Throw
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal import entry
from dicecup.terminal.entry import Verb, Vocabulary, split_verb, throw, words_of
from dicecup.terminal.games import action_text

DUEL = games.position("yam-master", "5/5/5/5/5 x 1:11346 12-12 1")
FIRST = games.position("yamm", str(games.from_id("yamm").start().roll("12222")))
LATER = games.from_id("yamm").start().roll("12222").play("f1.2").roll("13355").play("d1.1")
"""Two results are wet: those of turns 1 and 2."""
ONE_WET = LATER.roll("11346")


def words(language: str = "en") -> Vocabulary:
    """Return the words of a language."""
    return words_of(Messages(language))


def meant(text: str, position: Position, language: str = "en") -> str:
    """Return the action text that an entry stands for."""
    verb, rest = split_verb(text, words(language))
    return action_text(verb, rest, position, words(language))


@pytest.mark.parametrize(
    "text, action",
    [
        ("k11", "k11"),
        ("11", "k11"),
        ("1 1", "k11"),
        ("6,1,3", "k136"),
        ("K 3 1", "k13"),
        ("keep 3 1", "k13"),
        ("k-", "k-"),
        ("keep -", "k-"),
        ("!k11", "!k11"),
        ("!11", "!k11"),
        ("11!", "!k11"),
        ("! 1 1", "!k11"),
        ("!-", "!k-"),
        ("défi 11", "!k11"),
        ("challenge 1 1", "!k11"),
        ("c3", "c3"),
        ("C3", "c3"),
        ("3c", "c3"),
        ("place c3", "c3"),
        ("-c3", "-c3"),
        ("- C3", "-c3"),
        ("take c3", "-c3"),
        ("--", "--"),
        ("–", "--"),
        ("pass", "--"),
        ("PASS", "--"),
    ],
)
def test_entries_of_yam_master_are_understood(text: str, action: str) -> None:
    assert meant(text, DUEL) == action


@pytest.mark.parametrize(
    "text, action, language",
    [
        ("behalte 1 3", "k13", "de"),
        ("wette 11", "!k11", "de"),
        ("setze c3", "c3", "de"),
        ("nimm c3", "-c3", "de"),
        ("passe", "--", "de"),
        ("keep 1 3", "k13", "de"),
        ("garde 1 3", "k13", "fr"),
        ("défi 11", "!k11", "fr"),
        ("retire c3", "-c3", "fr"),
    ],
)
def test_entries_of_yam_master_are_understood_in_other_languages(text: str, action: str, language: str) -> None:
    assert meant(text, DUEL, language) == action


@pytest.mark.parametrize(
    "text, action, language",
    [
        ("222", "k222", "en"),
        ("d1.6", "d1.6", "en"),
        ("D1 6", "d1.6", "en"),
        ("↓1 6", "d1.6", "en"),
        ("v1 6", "d1.6", "en"),
        ("down 1 six", "", "en"),
        ("^2.fh", "u2.FH", "en"),
        ("↑2 Y", "u2.Y", "en"),
        ("free 3 high", "f3.H", "en"),
        ("write free 3 low", "f3.T", "en"),
        ("Wahl 1 FH", "f1.FH", "de"),
        ("wahl 2 hoch", "f2.H", "de"),
        ("w2t", "f2.T", "de"),
        ("schreibe wahl 3 strasse", "f3.ST", "de"),
        ("Libre 2 suite", "f2.ST", "fr"),
        ("bas 1 bas", "d1.T", "fr"),
        ("haut 1 haut", "u1.H", "fr"),
    ],
)
def test_entries_of_yamm_are_understood(text: str, action: str, language: str) -> None:
    if action:
        assert meant(text, FIRST, language) == action
    else:
        with pytest.raises(DicecupError):
            meant(text, FIRST, language)


@pytest.mark.parametrize(
    "text, action",
    [
        ("2. > f2.6", "2. > f2.6"),
        ("2>f2.6", "2. > f2.6"),
        ("> f2 6", "2. > f2.6"),
        ("correct f2.6", "2. > f2.6"),
        ("correct 2 free 2 6", "2. > f2.6"),
    ],
)
def test_corrections_are_understood(text: str, action: str) -> None:
    assert meant(text, ONE_WET) == action


@pytest.mark.parametrize(
    "text, position, code",
    [
        ("", DUEL, "not-an-entry"),
        ("!", DUEL, "not-an-entry"),
        ("k", DUEL, "not-an-entry"),
        ("-", DUEL, "not-an-entry"),
        ("f3", DUEL, "not-an-entry"),
        ("c33", DUEL, "not-an-entry"),
        ("d1.6", DUEL, "not-an-entry"),
        ("take", DUEL, "not-an-entry"),
        ("k7", DUEL, "not-a-face"),
        ("0", DUEL, "not-a-face"),
        ("k٣٣", DUEL, "not-a-face"),  # Arabic digits
        ("c３", DUEL, "not-a-face"),  # a wide digit
        ("111346", DUEL, "too-many-dice"),
        ("--", FIRST, "not-an-entry"),
        ("!k22", FIRST, "not-an-entry"),
        ("défi 22", FIRST, "not-an-entry"),
        ("d4.6", FIRST, "not-an-entry"),
        ("d1.7", FIRST, "not-an-entry"),
        ("d1", FIRST, "not-an-entry"),
        ("correct f2.6", FIRST, "no-correction"),
        ("correct f2.6", LATER, "which-result"),
        ("correct everything", LATER, "not-an-entry"),
    ],
)
def test_wrong_entries_are_refused_with_a_code(text: str, position: Position, code: str) -> None:
    with pytest.raises(DicecupError) as caught:
        meant(text, position)
    assert caught.value.code == code


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "position", [DUEL, FIRST, LATER, ONE_WET, games.position("yam-master", "x4/5/5/5/5 o 1:11111 11-12 2")]
)
def test_every_canonical_text_is_understood(position: Position, language: str) -> None:
    listed = [*position.actions, *getattr(position, "corrections", ())]
    assert [meant(str(action), position, language) for action in listed] == list(map(str, listed))


@given(st.text(st.sampled_from("k!-123456789abcdefuHTYS .,>|~٣３xé") | st.characters(), max_size=12))
def test_any_text_is_an_action_or_a_typed_error(text: str) -> None:
    for position in (DUEL, FIRST, LATER):
        for read in (meant, throw):
            try:
                found = read(text, position)
            except DicecupError:
                continue
            if isinstance(found, str):
                position.game.action(found)  # readable, whether allowed or not


# --- Throws ---------------------------------------------------------------------------------------

AIR = games.position("yam-master", "5/5/5/5/5 x 1:33??? 12-12 1")


@pytest.mark.parametrize(
    "text, position, thrown",
    [
        ("63313", AIR, Throw(roll("13336"))),
        ("6 3 3 1 3", AIR, Throw(roll("13336"))),
        ("641", AIR, Throw(roll("13346"))),
        ("~", AIR, None),
        ("42|653", AIR, Throw(roll("23456"), keep("24"))),
        ("33|654", AIR, Throw(roll("33456"))),
        ("54321", games.from_id("yamm").start(), Throw(roll("12345"))),
    ],
)
def test_throws_are_understood(text: str, position: Position, thrown: Throw | None) -> None:
    assert throw(text, position) == thrown


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "not-five-dice"),
        ("64", "not-five-dice"),
        ("3333", "not-five-dice"),
        ("333333", "too-many-dice"),
        ("٣", "not-a-face"),
        ("37", "not-a-face"),
        ("33|", "not-five-dice"),
    ],
)
def test_invalid_throws_are_refused(text: str, code: str) -> None:
    with pytest.raises(DicecupError) as caught:
        throw(text, AIR)
    assert caught.value.code == code


def test_a_single_die_is_one_face() -> None:
    assert entry.face("4") == 4
    for text in ("", "0", "7", "44", "٣"):
        with pytest.raises(DicecupError):
            entry.face(text)


# --- Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_means_two_things(language: str) -> None:
    messages = Messages(language)
    verbs = [word for verb in tuple(Verb) if verb.value in ENTRY_WORDS for word in messages(verb.value).split()]
    assert sorted(set(verbs)) == sorted(verbs)


ENTRY_WORDS = frozenset(verb.value for verb in entry._VERBS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_of_the_terminal_is_no_action(language: str) -> None:
    for word in words(language).verbs:
        for position in (DUEL, FIRST):
            with pytest.raises(DicecupError):
                action_text(None, word, position, words(language))
