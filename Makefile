# All that this needs is GNU make (3.81, as on macOS, will do) and Python 3.11 or newer.
#
#   make serve ARGS="--port 9000"     passes options on; so do test (to pytest), bench and pins
#   make PYTHON=python3.13 …          picks the interpreter of a new .venv

VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/sh

# Nothing of the caller's Python set-up may leak in: what we install is what we run.
unexport PYTHONHOME PYTHONPATH PYTHONSAFEPATH PYTHONSTARTUP PYTHONWARNINGS
unexport PIP_CONSTRAINT PIP_PREFIX PIP_REQUIREMENT PIP_TARGET
export PYTHONNOUSERSITE := 1
export PIP_USER := 0
export PIP_NO_INPUT := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The file names the folder that the environment was made in. It does not count when its Python is
# gone, or when the checkout was moved or copied: then everything below it is made anew.
MADE := $(VENV)/made-in
ifneq ($(shell $(BIN)/python -I -c 'import pip' 2>/dev/null && cat $(MADE)),$(CURDIR))
.PHONY: $(MADE)
endif

.DEFAULT_GOAL := help
.PHONY: serve test soak lint bench fast fast-off pins clean help

serve: $(VENV)/runtime ## start the table on this machine
	@$(BIN)/guandan serve $(ARGS)

test: lint ## check the style and the types, then run every test
	@tools/test-tools.sh
	$(BIN)/python -m pytest $(ARGS)

soak: $(VENV)/dev ## the long runs: everything at its full size, many simulated worlds, ten minutes of kills
	$(BIN)/python -m pytest --soak $(ARGS)
	$(BIN)/python -m tests.sim --seeds 1..2000
	$(BIN)/python -m tests.soak --minutes 10 --rooms 100

lint: $(VENV)/dev ## check the style and the types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev ## print the figures of this machine
	@$(BIN)/python -m bench $(ARGS)

fast: $(VENV)/fast ## compile what the bots search with (needs a C compiler; all works without)
	@$(BIN)/python tools/fast.py

fast-off: $(MADE) ## back to the plain modules
	@$(BIN)/python tools/fast.py --remove

pins: $(MADE) ## compile requirements/*.txt anew; ARGS=--upgrade moves to the newest versions
	tools/pins.sh $(BIN)/python $(ARGS)

clean: ## remove the virtual environment and all caches
	rm -f bots/guandan_bots/*/*.so bots/guandan_bots/*/*.pyd bots/guandan_bots/compiled.sha256
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/make \1|\2/p' Makefile | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

# Each stamp is newer than all that went into it, so a second run installs nothing.
$(MADE):
	@tools/venv.sh $(VENV) "$(PYTHON)"

$(VENV)/runtime: $(MADE) pyproject.toml requirements/build.txt requirements/runtime.txt
	@tools/install.sh $(VENV) build runtime
	$(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/fast: $(VENV)/runtime requirements/fast.txt
	@tools/install.sh $(VENV) fast
	@touch $@

$(VENV)/dev: $(VENV)/runtime requirements/dev.txt
	@tools/install.sh $(VENV) dev
	@touch $@
