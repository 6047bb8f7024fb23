#!/usr/bin/env bash
# Builds the boxes that this machine can have, then runs the tests.
set -euo pipefail
for box in docker bubblewrap local; do
  if ! proctor setup "$box"; then
    case ",${PROCTOR_REQUIRE:-}," in
      *",$box,"*) echo "$box is required here" >&2; exit 1 ;;
      *) echo "continuing without $box: its tests skip" >&2 ;;
    esac
  fi
done
# One worker a core; a file stays on one worker, so that module fixtures are made once.
exec python -m pytest -n "${PROCTOR_TEST_JOBS:-2}" --dist loadfile --no-loadscope-reorder \
  --durations=25 "$@"
