"""`dicecup admin push-key` and `forget-mail`: how the server tells people something."""

from argparse import Namespace

from dicecup.cli.audited import audited
from dicecup.cli.database import environment
from dicecup.hosting.people.channels import remove_address
from dicecup.locale import Messages


def make_push_key(arguments: Namespace, messages: Messages) -> None:
    """Create the key of web push in the data folder, unless it is there. Nothing of it is printed.

    Raises `HostingError` (`not-a-setting`).
    """
    from dicecup.hosting.settings import data_folder
    from dicecup.web.people.telling import PUSH_KEY_FILE, create_push_key

    folder = data_folder(environment(arguments))
    is_new = create_push_key(folder)
    print(messages("admin_push_key" if is_new else "admin_same_push_key", file=folder / PUSH_KEY_FILE))


def forget_mail(arguments: Namespace, address: str, messages: Messages) -> None:
    """Delete a mail address, for example one from which mails come back. The audit log does not
    name it."""
    found = audited(arguments, "", lambda store, entry: remove_address(store, address, entry))
    print(messages("admin_mail_forgotten" if found else "admin_no_such_mail"))
