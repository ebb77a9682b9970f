"""The container image and the compose file in container/: what they set, and whether they run.

Images come from Debian's packages (mmdebstrap), since none is fetched. What only builds and runs in
a chroot works everywhere; a kernel that forbids containers skips the rest.
"""

import json
import os
import re
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from dicecup.engine import native
from dicecup.hosting.settings import Settings
from dicecup.web.config import Config
from tests.conftest import FORBIDDEN

TOP = Path(__file__).parent.parent
FOLDER = TOP / "container"
SERVERS = ("first", "second")
MOST_BYTES = 300_000_000
VARIABLES = {
    "DATABASE_PASSWORD": "geheim",
    "DICECUP_HOST_KEY": "5a" * 32,
    "DICECUP_PUBLIC_URL": "https://dice.example.org",
    "CERTIFICATES": "/etc/certificates",
}
SUITE, PYTHON = "bookworm", "3.11"
"""Debian's release of the images, and its Python."""
MERGED = "/usr/share/mmdebstrap/hooks/merged-usr"
SERVE = """
import signal, subprocess, time
from urllib.request import urlopen
server = subprocess.Popen(["dicecup", "serve"], stdout=subprocess.PIPE, text=True)
server.stdout.readline()
for _ in range(2800):
    try:
        print(urlopen("http://127.0.0.1:8421/health").read().decode())
        break
    except OSError:
        time.sleep(0.1)
server.send_signal(signal.SIGTERM)
print(server.wait(280))
"""
NEIGHBOUR = """
FROM localhost/base
RUN apt-get update && apt-get install --yes --no-install-recommends nginx-light postgresql
COPY neighbour.sh /neighbour.sh
ENTRYPOINT ["/bin/sh", "/neighbour.sh"]
"""
"""An image that stands for those of nginx and PostgreSQL."""
NEIGHBOUR_SCRIPT = """
set -e
[ -n "$POSTGRES_DB" ] || exec nginx -g 'daemon off;'
data=/var/lib/postgresql/data
cd /usr/lib/postgresql/*/bin
ln -sf "$PWD/pg_isready" /usr/local/bin/
chown postgres: "$data"
as() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }
if [ ! -s "$data/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  chmod 644 /tmp/password
  as ./initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password --encoding UTF8 --auth-host scram-sha-256
  echo "host all all all scram-sha-256" >>"$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | as ./postgres --single -D "$data" postgres
fi
exec setpriv --reuid postgres --regid postgres --init-groups ./postgres -D "$data" -c listen_addresses='*'
"""


def filled(text: str) -> str:
    """Return a text of the compose file with the values of its variables."""
    return re.sub(r"\$\{(\w+)(?::\?[^}]*|:-([^}]*))\}", lambda found: VARIABLES.get(found[1], found[2] or ""), text)


def compose() -> dict[str, Any]:
    """Return the compose file as a program reads it."""
    found: dict[str, Any] = yaml.safe_load(filled((FOLDER / "compose.yaml").read_text("utf-8")))
    return found


def of_image() -> dict[str, str]:
    """Return the environment that the image sets."""
    text = (FOLDER / "Containerfile").read_text("utf-8")
    return dict(re.findall(r"(DICECUP_\w+)=(\S+)", text))


@pytest.mark.parametrize("server", SERVERS)
def test_servers_accept_the_settings_of_the_compose_file(server: str, tmp_path: Path) -> None:
    environment = of_image() | compose()["services"][server]["environment"] | {"DICECUP_DATA": str(tmp_path)}
    config, settings = Config.read(environment), Settings.read(environment)
    assert config.is_https
    assert config.proxies == compose()["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert settings.database.get_backend_name() == "postgresql"
    assert settings.database.host in compose()["services"]
    assert settings.host_key.hex() == VARIABLES["DICECUP_HOST_KEY"]


def test_every_variable_of_the_files_is_one_of_dicecup() -> None:
    from dicecup.cli.serve import VARIABLES as KNOWN

    known = {name for names, _ in KNOWN for name in names.split(", ")}
    used = set(of_image()).union(*(compose()["services"][server]["environment"] for server in SERVERS))
    assert used <= known


def test_both_servers_share_a_key_and_a_database_but_no_folder() -> None:
    first, second = (compose()["services"][server] for server in SERVERS)
    assert first["environment"] == second["environment"]
    assert first["volumes"] != second["volumes"]


def test_the_proxy_reaches_both_servers_and_is_that_of_the_guide() -> None:
    text = (FOLDER / "nginx.conf").read_text("utf-8")
    assert set(re.findall(r"^    server (\S+);", text, re.MULTILINE)) == {
        f"{name}:{of_image()['DICECUP_PORT']}" for name in SERVERS
    }
    guide = (TOP / "docs" / "examples" / "nginx.conf").read_text("utf-8")
    own = ("server_name", "# ssl", "proxy_pass")
    assert {line for line in guide.splitlines() if not line.strip().startswith(own)} <= set(text.splitlines())


class Podman:
    """Images and containers in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        storage = f'[storage]\ndriver = "overlay"\ngraphroot = "{folder}/images"\nrunroot = "{folder}/run"\n'
        (folder / "storage.conf").write_text(storage)
        # no more than this process has, which need not be able to raise its limits
        most = {"nofile": (resource.RLIMIT_NOFILE, 65_536), "nproc": (resource.RLIMIT_NPROC, 4_096)}
        known = {name: (resource.getrlimit(kind)[1], limit) for name, (kind, limit) in most.items()}
        counts = {name: min(hard if hard >= 0 else limit, limit) for name, (hard, limit) in known.items()}
        limits = [f'"{name}={count}:{count}"' for name, count in counts.items()]
        runtime = next((name for name in ("runc", "crun") if shutil.which(name, path=SYSTEM)), "runc")
        engine = f'[engine]\nruntime = "{runtime}"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
        engine += f'tmp_dir = "{folder}/engine"\n[network]\nnetwork_config_dir = "{folder}/networks"\n'
        (folder / "containers.conf").write_text(f"[containers]\ndefault_ulimits = [{', '.join(limits)}]\n{engine}")
        self.environment = {
            "PATH": SYSTEM,
            "HOME": str(folder),
            "CONTAINERS_CONF": f"{folder}/containers.conf",
            "CONTAINERS_STORAGE_CONF": f"{folder}/storage.conf",
            "BUILDAH_ISOLATION": "chroot",
            "BUILDAH_FORMAT": "docker",
        }

    def try_to(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program with these variables of the environment."""
        environment = self.environment | variables
        return subprocess.run(words, env=environment, cwd=FOLDER, capture_output=True, text=True, check=False, timeout=500)

    def __call__(self, *words: str, **variables: str) -> str:
        """Return the output of a program, which must not fail."""
        done = self.try_to(*words, **variables)
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout.strip()


SYSTEM = f"{os.defpath}:/usr/sbin:/sbin"
NEEDED = ("buildah", "podman", "mmdebstrap", "podman-compose", "iptables")


@pytest.fixture(scope="module")
def podman() -> Iterator[Podman]:
    """The images `base` and `dicecup`, built."""
    native.load(required=True)
    if missing := [name for name in NEEDED if shutil.which(name, path=SYSTEM) is None]:
        pytest.skip(f"apt-get install {' '.join(missing)} runc netavark aardvark-dns")
    if os.getuid() != 0:
        pytest.skip("images are built as root")
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        made = Podman(Path(folder))
        try:
            build(made)
            yield made
        finally:
            made.try_to("podman", "system", "reset", "--force")


def build(podman: Podman) -> None:
    """Build the images. Wheels are fetched out here, with the settings of this machine for them."""
    base, context = podman.folder / "base.tar", podman.folder / "context"
    packages = "--include=ca-certificates,media-types,python3,python3-venv,usr-is-merged"  # and no perl
    slim = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "groff", "info", "lintian", "locale", "man")]
    podman("mmdebstrap", "--variant=minbase", f"--hook-dir={MERGED}", packages, *slim, SUITE, str(base))
    podman("podman", "import", "--quiet", str(base), "localhost/base:latest")
    base.unlink()
    shutil.copytree(FOLDER, context / "container")
    shutil.copytree(TOP / "requirements", context / "requirements")
    wheels = context / "dist"
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(wheels), str(TOP)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    pinned = re.findall(
        r"^([a-z][^=[]*)(?:\[.*?\])?(==.*) \\$", (TOP / "requirements" / "run.txt").read_text("utf-8"), re.MULTILINE
    )
    (podman.folder / "versions.txt").write_text("\n".join(name + version for name, version in pinned))
    download = ["download", "--quiet", "--only-binary", ":all:", "--python-version", PYTHON, "--dest", str(wheels)]
    constraint = ["--constraint", str(podman.folder / "versions.txt"), f"{wheel}[hosting]"]
    subprocess.run([sys.executable, "-m", "pip", *download, *constraint], check=True, capture_output=True)
    arguments = ["--build-arg", "BASE=localhost/base", "--build-arg", "PIP_NO_INDEX=1"]
    podman(
        "buildah", "build", *arguments, "--file", str(context / "container" / "Containerfile"), "--tag", "dicecup", str(context)
    )


@pytest.fixture(scope="module")
def containers(podman: Podman) -> Podman:
    """Podman, where the kernel lets it run containers."""
    done = podman.try_to("podman", "run", "--rm", "--entrypoint", "true", "dicecup")
    if done.returncode != 0:
        pytest.skip(f"{FORBIDDEN}: {done.stderr.strip().splitlines()[-1:]}")
    return podman


@pytest.mark.native
@pytest.mark.timeout(1500)  # for the images
class TestImage:
    """The image, and what the compose file makes of it."""

    def test_it_is_small_and_for_a_user_without_rights(self, podman: Podman) -> None:
        (image,) = json.loads(podman("podman", "image", "inspect", "dicecup"))
        assert image["Size"] <= MOST_BYTES
        config = image["Config"]
        assert config["User"] == "8421:8421"
        assert config["StopSignal"] == "SIGTERM"
        assert list(config["Volumes"]) == ["/var/lib/dicecup"]
        assert image["Healthcheck"]["Test"][0] == "CMD"

    def test_it_serves_and_ends_cleanly_in_a_chroot(self, podman: Podman) -> None:
        made = podman("buildah", "from", "dicecup")
        try:
            run = ("buildah", "run", "--isolation", "chroot", made, "--")
            assert podman(*run, "id", "-u") == "8421"
            assert "throws: 3" in podman(*run, "dicecup", "odds", "yamm")
            health, code = podman(*run, "python", "-c", SERVE).splitlines()[-2:]
            assert json.loads(health)["status"] == "ok"
            assert code == "0"
        finally:
            podman("buildah", "rm", made)

    def test_a_container_is_healthy_and_ends_cleanly(self, containers: Podman) -> None:
        containers("podman", "run", "--detach", "--name", "alone", "--read-only", "--tmpfs=/tmp", "--cap-drop=all", "dicecup")
        wait_for(lambda: containers.try_to("podman", "healthcheck", "run", "alone").returncode == 0)
        begun = time.monotonic()
        containers("podman", "stop", "--time", "60", "alone")
        assert time.monotonic() - begun < 50
        (ended,) = json.loads(containers("podman", "inspect", "alone"))
        assert (ended["State"]["ExitCode"], ended["Mounts"][0]["Destination"]) == (0, "/var/lib/dicecup")
        containers("podman", "rm", "--volumes", "alone")

    def test_two_servers_play_behind_the_proxy_and_one_may_stop(self, containers: Podman, tmp_path: Path) -> None:
        (tmp_path / "Containerfile").write_text(NEIGHBOUR)
        (tmp_path / "neighbour.sh").write_text(NEIGHBOUR_SCRIPT)
        tags = [word for name in ("database", "proxy") for word in ("--tag", compose()["services"][name]["image"])]
        containers("buildah", "build", *tags, str(tmp_path))
        pem = [str(tmp_path / f"{name}.pem") for name in ("privkey", "fullchain")]
        subject = ["-subj", "/CN=dice.example.org", "-days", "1"]
        containers("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", pem[0], "-out", pem[1], *subject)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        variables = VARIABLES | {"CERTIFICATES": str(tmp_path), "HTTPS_PORT": str(port)}
        containers("podman-compose", "--file", "compose.yaml", "up", "--detach", "--no-build", **variables)
        try:
            trusted = ssl.create_default_context(cafile=pem[1])
            trusted.check_hostname = False
            named = {"host": "dice.example.org"}
            with httpx.Client(base_url=f"https://127.0.0.1:{port}", headers=named, verify=trusted, timeout=280) as client:
                wait_for(lambda: answers(client))
                assert "<title>" in client.get("/").text
                assert client.get("/metrics").status_code == 403
                assert client.get("/health", headers={"host": "elsewhere.example.org"}).status_code == 200
                proxy, *names = (
                    containers("podman", "ps", "--filter", f"name={name}", "--format", "{{.Names}}")
                    for name in ("proxy", *SERVERS)
                )
                for name in names:
                    wait_for(lambda name=name: containers.try_to("podman", "healthcheck", "run", name).returncode == 0)
                    containers("podman", "stop", "--time", "60", name)
                    assert containers("podman", "inspect", "--format", "{{.State.ExitCode}}", name) == "0"
                    assert "<title>" in client.get("/").text
                    containers("podman", "start", name)
                    wait_for(lambda name=name: containers.try_to("podman", "healthcheck", "run", name).returncode == 0)
                    containers("podman", "restart", proxy)  # the server may have another address now
                    wait_for(lambda: answers(client))
        finally:
            containers.try_to("podman-compose", "--file", "compose.yaml", "down", "--volumes", **variables)


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/health").status_code == 200
    except httpx.HTTPError:
        return False


def wait_for(condition: Any, seconds: float = 180) -> None:
    """Wait until a condition holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.5)
