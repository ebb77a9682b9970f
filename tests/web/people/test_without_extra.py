"""Without the extra `accounts` a server serves, and says what it cannot offer."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json
from importlib.machinery import PathFinder

find = PathFinder.find_spec
missing = ("authlib", "webauthn", "cryptography")
PathFinder.find_spec = lambda name, *more: None if name in missing else find(name, *more)

from dicecup.core.errors import DicecupError
from dicecup.hosting.settings import Settings
from dicecup.web import app, single_server
from dicecup.web.people import sites
from dicecup.web.people.provider_settings import ProviderSettings
from dicecup.web.people.telling import Telling

PROVIDER = {"DICECUP_OIDC_ISSUER": "https://id.example", "DICECUP_OIDC_CLIENT": "dicecup", "DICECUP_OIDC_SECRET": "x"}
codes = []
for attempt in (
    lambda: sites.site_of(None, None),
    lambda: Settings.read({"DICECUP_DATA": "FOLDER", "DICECUP_ACCOUNTS": "required"}),
    lambda: Telling.read({"DICECUP_DATA": "FOLDER", "DICECUP_PUSH_KEY": "key"}),
    lambda: ProviderSettings.read(PROVIDER | {"DICECUP_DATA": "FOLDER"}),
):
    try:
        attempt()
    except DicecupError as error:
        codes.append(error.code)
print(json.dumps(codes))
"""


@pytest.mark.slow
def test_passkeys_and_push_are_refused_and_the_rest_can_be_imported(tmp_path: object) -> None:
    program = PROGRAM.replace("FOLDER", str(tmp_path))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == ["not-offered", "not-installed", "not-installed", "not-installed"]
