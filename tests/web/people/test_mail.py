"""Mails: what they say, who gets them, and how they end."""

from collections.abc import Iterator

import pytest
from aiosmtplib.email import flatten_message

from dicecup.hosting.people.channels import CONFIRM, MAIL, Channel
from dicecup.hosting.people.notifier import Outcome
from dicecup.hosting.people.outbox import Delivery, json_of
from dicecup.web.people.addresses import is_address
from dicecup.web.people.mail import MailLinks, MailSender
from dicecup.web.people.telling import Telling
from tests.hosting.guests import KEY
from tests.web.people.receivers import Mailbox, mail_server

LINKS = MailLinks(KEY, "https://dice.example.org")


@pytest.fixture
def server() -> Iterator[tuple[Mailbox, MailSender]]:
    with mail_server() as (mailbox, url):
        yield mailbox, sender(url)


def sender(url: str) -> MailSender:
    return MailSender(Telling(smtp=url, mail_from="Dice cup <dice@example.org>"), LINKS, lambda: 1e9)


def channel(language: str = "en", *, daily: bool = False, address: str = "anna@example.org") -> Channel:
    return Channel("c", "anna", MAIL, address, "", language, daily, 0.0, 0.0)


def delivery(kind: str = "turn", topic: str = "t", **details: object) -> Delivery:
    told = {"path": f"/tables/{topic}", "game": "yam-master", "names": ["Ben"]} | details
    return Delivery("c", topic, f"{topic}.{kind}", kind, json_of(told), 0.0, 86_400.0)


async def test_a_mail_says_what_happened_and_how_to_end_it(server: tuple[Mailbox, MailSender]) -> None:
    mailbox, mails = server
    assert await mails.send(channel(), [delivery()]) is Outcome.SENT
    (mail,) = mailbox.received
    assert (mail["From"], mail["To"]) == ("Dice cup <dice@example.org>", "anna@example.org")
    assert mail["Subject"] == "Your turn – Yam Master with Ben"
    assert mail["List-Unsubscribe"] == f"<{LINKS.one_click('c')}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["Content-Language"] == "en"
    assert (mail["Auto-Submitted"], mail["Date"]) == ("auto-generated", "Sun, 09 Sep 2001 01:46:40 +0000")
    text = mail.get_content()
    assert "https://dice.example.org/tables/t" in text
    assert LINKS.stop("c") in text
    assert LINKS.channel_of("stop", LINKS.stop("c").partition("=")[2]) == "c"


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("kind", ["turn", "clock-quarter", "clock-hour", "rematch", "over", "invitation"])
def test_every_kind_has_a_text_in_every_language(language: str, kind: str) -> None:
    mail = sender("smtp://127.0.0.1:25").message_of(channel(language), [delivery(kind, outcome="drawn")])
    assert len(mail["Subject"]) > 5
    round_ = delivery("round", name="Open", round=3)
    assert "3" in sender("smtp://127.0.0.1:25").message_of(channel(language), [round_])["Subject"]


def test_the_link_that_ends_the_mails_is_one_line_as_it_is() -> None:
    real = channel()._replace(id="0123456789abcdef" * 2)
    mail = sender("smtp://127.0.0.1:25").message_of(real, [delivery(names=["Zoë Müller-Lüdenscheidt"] * 3)])
    lines = flatten_message(mail).decode("ascii").splitlines()
    assert f"List-Unsubscribe: <{LINKS.one_click(real.id)}>" in lines


async def test_a_repeated_mail_has_the_same_id(server: tuple[Mailbox, MailSender]) -> None:
    mailbox, mails = server
    for each in (delivery(), delivery(), delivery("over")):
        await mails.send(channel(), [each])
    assert (len(mailbox.received), len(mailbox.read)) == (3, 2)


async def test_the_mail_of_a_day_lists_all_tables(server: tuple[Mailbox, MailSender]) -> None:
    mailbox, mails = server
    await mails.send(channel("de", daily=True), [delivery(), delivery("over", "u", outcome="won")])
    (mail,) = mailbox.received
    assert mail["Subject"] == "2 Nachrichten von deinen Tischen"
    assert [line for line in mail.get_content().splitlines() if line.startswith("https://dice.example.org/tables/")] == [
        "https://dice.example.org/tables/t",
        "https://dice.example.org/tables/u",
    ]


async def test_an_address_is_asked_for_its_confirmation(server: tuple[Mailbox, MailSender]) -> None:
    mailbox, mails = server
    await mails.send(channel(), [Delivery("c", CONFIRM, "c", CONFIRM, "{}", 0.0, 1.0)])
    (mail,) = mailbox.received
    assert LINKS.confirm("c") in mail.get_content()
    assert mail["List-Unsubscribe"] is None


async def test_an_address_that_bounces_is_gone_and_a_full_one_is_tried_again(server: tuple[Mailbox, MailSender]) -> None:
    mailbox, mails = server
    answers = {
        "550 5.1.1 no such user": Outcome.GONE,
        "550 no such user": Outcome.GONE,
        "550 5.7.1 relaying denied": Outcome.FAILED,  # a fault of the host
        "452 4.2.2 mailbox full": Outcome.FAILED,
    }
    for number, (answer, outcome) in enumerate(answers.items()):
        mailbox.refused[f"p{number}@example.org"] = answer
        assert await mails.send(channel(address=f"p{number}@example.org"), [delivery()]) is outcome, answer
    assert mailbox.received == []


async def test_the_user_of_the_mail_server_may_have_any_characters() -> None:
    with mail_server() as (mailbox, url):
        smtp = url.replace("://", "://dice%40example.org@")
        telling = Telling(smtp=smtp, smtp_password="p%40ss", mail_from="dice@example.org")
        assert await MailSender(telling, LINKS, lambda: 1e9).send(channel(), [delivery()]) is Outcome.SENT
    assert mailbox.logins == [("dice@example.org", "p%40ss")]


async def test_a_mail_server_that_does_not_answer_is_tried_again() -> None:
    with mail_server() as (_, url):
        mails = sender(url)
    assert await mails.send(channel(), [delivery()]) is Outcome.FAILED


def test_names_add_no_header() -> None:
    evil = delivery(names=["Ben\r\nBcc: eve@example.org", "\u2028x"])
    mail = sender("smtp://127.0.0.1:25").message_of(channel(), [evil])
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Your turn – Yam Master with Ben??Bcc: eve@example.org, ?x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anna",
        "anna@",
        "@x.org",
        "a..b@x.org",
        ".a@x.org",
        "a.@x.org",
        "a b@x.org",
        "a@x.org\r\nBcc: b@x.org",
        "a@x.org\n",
        "a@x,b@y",
        "a@-x.org",
        f"{'a' * 65}@x.org",
    ],
)
def test_only_addresses_are_addresses(text: str) -> None:
    assert not is_address(text)
    assert is_address("anna.b+dice@mail.example.org")


def test_a_token_is_for_one_channel_and_one_purpose() -> None:
    token = LINKS.token("stop", "c")
    assert LINKS.channel_of("confirm", token) is None
    assert LINKS.channel_of("stop", token.replace("c.", "d.")) is None
    assert MailLinks(bytes(32), "https://x").channel_of("stop", token) is None
    assert LINKS.channel_of("stop", "é") is None
