# Two commands set everything up by themselves: make demo, make test.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TESTS ?= tests
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup demo demo-classic test lint format bench chaos soak admit fuzz published mutants screenshots lock clean exploits honest

help:
	@echo "make demo    set up, run oracle, noop and a small local model, print scores"
	@echo "make demo-classic   HumanEval, MBPP and MMLU with the small model (DATA=folder of their files)"
	@echo "make test    set up, build the boxes, run the tests"
	@echo "make lint    ruff, mypy --strict, import contracts, known vulnerabilities (pip-audit)"
	@echo "make bench   print the figures of speed beside their peers"
	@echo "make screenshots  make the README's pictures again, from real runs"
	@echo "make published  whole classic suites and published outputs graded (PROCTOR_DATA)"
	@echo "make exploits  the whole exploit gallery: the matrix, and SECURITY.md's tables (ONLY='GLOB...')"
	@echo "make chaos   N disturbed episodes (default 200), a table at the end"
	@echo "make admit   all that is proved of the shipped tasks, proved anew; oracle and noop on all"
	@echo "make soak    chaos with 1,000 episodes, and admit"
	@echo "make mutants how defects planted at random fare: the table of repos/README.md"
	@echo "make honest  right but odd solutions, each of which must be graded clean"
	@echo "make fuzz    N times as many hostile inputs as make test tries (default 20)"

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing the locked packages into $(VENV) ..."
	@$(BIN)/python -m pip install -q --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

demo: $(STAMP)
	@PATH="$(abspath $(BIN)):$$PATH" bash scripts/demo.sh

demo-classic: $(STAMP)
	@PATH="$(abspath $(BIN)):$$PATH" bash scripts/demo-classic.sh $(if $(DATA),--data $(DATA))

test: $(STAMP)
	@PATH="$(abspath $(BIN)):$$PATH" bash scripts/test.sh $(TESTS)

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/audit.py

format: $(STAMP)
	@$(BIN)/ruff check --fix -q .
	@$(BIN)/ruff format -q .

bench: $(STAMP)
	@$(BIN)/python -P -m tests.benchmarks

published: $(STAMP)
	@$(BIN)/python -m pytest tests -m published --durations=0

exploits: $(STAMP)
	@$(BIN)/python -P -m tests.exploits $(ONLY)

honest: $(STAMP)
	@$(BIN)/python -P -m tests.honest

soak: N ?= 1000
soak: chaos admit

admit: $(STAMP)
	@$(BIN)/proctor task validate --all --full --fresh --check $(if $(SANDBOX),--sandbox $(SANDBOX))
	@PROCTOR_SOAK=1 $(BIN)/python -m pytest tests/e2e/test_corpus.py -p no:xdist --timeout 7200

chaos: $(STAMP)
	@PROCTOR_SOAK=$(or $(N),200) $(BIN)/python -m pytest tests/chaos -p no:xdist --timeout 7200

fuzz: $(STAMP)
	@PROCTOR_FUZZ=$(or $(N),20) $(BIN)/python -m pytest tests/fuzz tests/store/test_torn.py \
		-p no:xdist --timeout 7200

mutants: $(STAMP)
	@PYTHONPATH=. $(BIN)/python -P scripts/mutants.py

screenshots: $(STAMP)
	@$(BIN)/python -P scripts/screenshots.py

lock:
	@$(PYTHON) -m pip install -q uv
	@uv pip compile pyproject.toml --extra bubblewrap --extra local --group dev --universal \
		--generate-hashes --no-header -q -o requirements.lock --python-version 3.11

clean:
	@rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
