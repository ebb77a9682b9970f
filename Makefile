# The same short commands here and in CI. They need Python 3.11 or newer (with pip and venv), make and git.
#
#   make play       a game in the browser         make check   style, types, who imports whom
#   make test       the tests, in minutes         make bench   the figures of the README (FIGURE=name: one of them)
#   make test-all   the slow ones                 make docs    figures and pictures of docs/
#   make quick      rules, records, house: 30 s   make site    docs/, the rules and the API as pages in build/site
#   make dist       sdist and wheel into dist/    make ui      the browser client (make protocol: what is made of the messages)
#   make native     the kernels compiled ahead of time, for wheels
#   make screens    every screen as a picture     make lock    requirements/ anew (UPGRADE=--upgrade: newest versions)
#   make clean      back to a fresh clone

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --no-input

# Where Python is told to write no bytecode, each program that a test starts would compile all its modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play ui protocol native screens test quick test-all test-native check bench docs site dist lock clean

# There is one environment. requirements/dev.txt, bench.txt and cluster.txt add packages to run.txt in the same versions. Each file
# is installed when a target first needs it and again after it has changed.

# The server compiles the kernels while it serves (docs/decisions/0026).
play: ui
	@$(BIN)/dicecup serve --open

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo 'Dicecup needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3.11' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run: requirements/run.txt pyproject.toml | $(VENV)/made
	$(PIP) install --require-hashes -r requirements/run.txt
	$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/dev: requirements/dev.txt | $(VENV)/run
	$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

# Ray, for the tests of the extra `cluster`.
$(VENV)/cluster: requirements/cluster.txt | $(VENV)/dev
	$(PIP) install --require-hashes -r requirements/cluster.txt
	@touch $@

# Sphinx, for the docs site and its tests.
$(VENV)/site: requirements/site.txt | $(VENV)/dev
	$(PIP) install --require-hashes -r requirements/site.txt
	@touch $@

$(VENV)/bench: requirements/bench.txt | $(VENV)/dev
	$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

# Kernels are compiled before tests and figures, so that these do not measure the compiler.
$(VENV)/warm: $(VENV)/run $(shell find src/dicecup/engine -name '*.py')
	@echo 'Compiling the engine; this takes a minute, once.'
	@$(BIN)/python -m dicecup.analysis.warm
	@touch $@

# Matches, trainings and bounds need more kernels than a game.
$(VENV)/arena: $(VENV)/warm
	@echo 'Compiling the arena; this takes another minute, once.'
	@$(BIN)/python -m dicecup.arena.warm
	@touch $@

# The kernels as a native library and as WebAssembly. Wheels hold them; a checkout runs without. It needs a C compiler, and wasm-ld
# (Debian's lld) for WebAssembly, or the Python package ziglang. The program knows which sources they were compiled from.
native: $(VENV)/dev
	@$(BIN)/python -m dicecup.arena.native

# Node is a package of the environment. The script builds the client only if a source has changed. With the kernels of `make native`
# it packs them for playing without a server; it does not compile any.
ui: $(VENV)/run
	@$(BIN)/python ui/build.py

# The files that are generated from the messages and the catalogues. Tests compare them.
protocol: $(VENV)/run
	@$(BIN)/python -m dicecup.web.documents
	@$(BIN)/python ui/build.py protocol
	@$(BIN)/python -m dicecup.web.verifier

# Pictures for a person to look at. docs/images holds the published ones.
screens: ui $(VENV)/dev $(VENV)/warm
	@DICECUP_SCREENSHOTS=build/screens $(BIN)/python -m pytest -n 2 -q -m slow tests/browser/test_screens.py

# The rooms that all others rest on have full branch coverage.
COVERED := src/dicecup/core/*,src/dicecup/yam_master/*,src/dicecup/yamm/*,src/dicecup/games.py,src/dicecup/record/*

# Tracing makes Python slow, so only the tests of these rooms are traced. The others wait for servers and browsers a third of their
# time, so six of them run at once on two cores.
TRACED := tests/core tests/yam_master tests/yamm tests/record tests/golden tests/test_games.py

test: $(VENV)/dev $(VENV)/arena ui
	@$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report= $(TRACED)
	@$(BIN)/python -m coverage report --include='$(COVERED)' --fail-under=100
	@$(BIN)/python -m pytest -n 6 --dist worksteal --durations=10 $(addprefix --ignore=,$(TRACED))

# The inner loop: tests that need no compiled kernel and start no program.
quick: $(VENV)/dev
	@$(BIN)/python -m pytest -n 2 -q tests/core tests/yam_master tests/yamm tests/record tests/golden tests/test_games.py tests/test_house.py

# The page that they open holds the kernels. pytest ends with 5 when there was nothing to run.
test-all: $(VENV)/dev $(VENV)/cluster $(VENV)/site $(VENV)/arena native ui
	@$(BIN)/python -m pytest -n 4 -m slow tests || test $$? -eq 5

# The kernels compiled ahead of time do what Numba's do.
test-native: native
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m native tests/engine/native tests/test_distribution.py tests/test_container.py

check: $(VENV)/dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python ui/build.py check

bench: $(VENV)/bench $(VENV)/arena ui
	@$(BIN)/python -m bench $(FIGURE)

docs: $(VENV)/dev $(VENV)/arena
	@$(BIN)/python -m docs.plots

# The guides, the rules and the API reference as static pages. Any web server can serve them, and browsers open them from the disk.
site: $(VENV)/site
	@$(BIN)/python -m docs.site

dist: native ui
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist .

# uv writes the locks and does nothing else: one lock for every platform and every Python from 3.11, keeping the versions
# that still fit. The locks keep extras: pip looks for the newest version of a package with an extra that no line pins, and then
# refuses it for its missing hash.
UV := build/uv/bin/uv
COMPILE := $(UV) pip compile --quiet --system-certs --universal --python-version 3.11 --generate-hashes --no-strip-extras \
  --no-emit-index-url --custom-compile-command 'make lock' $(UPGRADE)

$(UV): requirements/lock.txt
	$(PYTHON) -m venv --clear build/uv
	build/uv/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/lock.txt

lock: $(UV)
	$(COMPILE) --group lock --output-file requirements/lock.txt
	$(COMPILE) pyproject.toml --extra train --extra hosting --extra accounts --extra tournaments --extra photos --extra pictures --group build --output-file requirements/run.txt
	$(COMPILE) pyproject.toml --extra train --extra hosting --extra accounts --extra tournaments --extra photos --extra pictures --extra envs --group dev --constraints requirements/run.txt --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --extra train --extra hosting --extra accounts --extra tournaments --extra photos --extra pictures --extra envs --group bench --constraints requirements/dev.txt --output-file requirements/bench.txt
	$(COMPILE) pyproject.toml --group dev --extra train --extra hosting --extra accounts --extra tournaments --extra photos --extra pictures --extra envs --extra cluster --constraints requirements/bench.txt --output-file requirements/cluster.txt
	$(COMPILE) pyproject.toml --extra train --extra hosting --extra accounts --extra tournaments --extra photos --extra pictures --extra envs --group site --constraints requirements/cluster.txt --output-file requirements/site.txt
	$(COMPILE) pyproject.toml --extra train --extra envs --group baselines --constraints requirements/cluster.txt --output-file requirements/baselines.txt
	$(COMPILE) pyproject.toml --extra dice-reader --constraints requirements/baselines.txt --output-file requirements/dice-reader.txt

clean:
	rm -rf $(VENV) build dist ui/node_modules src/dicecup/web/static/app .coverage .coverage.* .hypothesis .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
