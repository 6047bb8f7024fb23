#!/usr/bin/env bash
# The main job on this machine: no key, no network beyond the package registries.
set -euo pipefail
say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
[ -n "${NO_COLOR:-}" ] || [ ! -t 1 ] && say() { printf '\n== %s\n' "$*"; }

since=$(date -u +%Y%m%d-%H%M%S)  # a run's id begins with its time: older runs are not shown

say "1. The strongest containment that this machine has"
sandbox=bubblewrap
if docker info >/dev/null 2>&1 && proctor setup docker; then
  sandbox=docker
else
  proctor setup bubblewrap
fi
echo "using $sandbox"

say "2. oracle plays reference solutions through the real tools: all resolved (16 of the 96 tasks)"
proctor run repos --model oracle --batch --limit 16 --sandbox "$sandbox" --name "demo: oracle"

say "3. noop does nothing: none resolved"
proctor run repos --model noop --batch --limit 16 --sandbox "$sandbox" --name "demo: noop"

say "4. a small real model on this machine, served over the OpenAI protocol"
proctor setup local
proctor run repos --model local --batch --sandbox "$sandbox" --limit 3 --max-turns 6 \
  --sample-time-limit 40 --max-tokens 300 --name "demo: local"

say "5. What is left to look at"
proctor runs | awk -v since="$since" '$1 >= since'
echo
echo "read a transcript:   $(command -v proctor) replay last --batch | less -R"
echo "watch a recording:   $(command -v proctor) replay demo    (one task, played by hand)"
echo "every run so far:    $(command -v proctor) runs"
