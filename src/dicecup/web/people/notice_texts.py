"""The texts of notices, in the language of a channel."""

from typing import Any, NamedTuple

from dicecup.hosting.people.notices import NoticeKind
from dicecup.hosting.people.outbox import Delivery, details_of
from dicecup.locale import DEFAULT_LANGUAGE, LANGUAGES, Messages
from dicecup.sentences import on_one_line


class NoticeText(NamedTuple):
    """What a person reads, and the path of the page that opens."""

    title: str
    body: str
    path: str


def messages_in(language: str) -> Messages:
    """Return the messages of a language, or of the default one for a language that is gone."""
    return Messages(language if language in LANGUAGES else DEFAULT_LANGUAGE)


def text_of(delivery: Delivery, language: str) -> NoticeText:
    """Return the text of a delivery."""
    messages, details = messages_in(language), details_of(delivery)
    names = ", ".join(on_one_line(str(name)) for name in details.get("names", ()))
    game = game_name(str(details.get("game", "")), messages)
    body = messages("notice_game_with", game=game, names=names) if names else game
    match delivery.kind:
        case NoticeKind.INVITATION:
            title, body = messages("notice_invitation", name=names), game
        case NoticeKind.ROUND:
            title, body = messages("notice_round", number=details["round"]), on_one_line(str(details["name"]))
        case NoticeKind.OVER:
            title = messages(f"notice_over_{details.get('outcome') or 'other'}")
        case kind:
            title = messages(f"notice_{kind.replace('-', '_')}")
    return NoticeText(title, body, str(details.get("path", "/")))


def game_name(name: str, messages: Messages) -> str:
    """Return the name of a game, for a game without one in the catalogue its own."""
    key = f"game_{name.replace('-', '_')}"
    return messages(key) if key in messages else on_one_line(name)


def as_line(text: NoticeText) -> str:
    """Return a text in one line."""
    return f"{text.title} – {text.body}" if text.body else text.title


def named(**values: Any) -> dict[str, str]:
    """Return values for a message, each in one line."""
    return {name: on_one_line(str(value)) for name, value in values.items()}
