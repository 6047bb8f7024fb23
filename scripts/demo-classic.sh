#!/usr/bin/env bash
# The classic suites on this machine with a small real model: 20 HumanEval, 20 MBPP, 100 MMLU tasks.
#   scripts/demo-classic.sh [--data FOLDER]
# FOLDER (or PROCTOR_DATA) holds humaneval/HumanEval.jsonl.gz, mbpp/mbpp.jsonl and mmlu/{dev,test}/;
# what is not there is taken from the hub or its cache.
set -euo pipefail
say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
[ -n "${NO_COLOR:-}" ] || [ ! -t 1 ] && say() { printf '\n== %s\n' "$*"; }

folder=${PROCTOR_DATA:-}
unset PROCTOR_DATA # it would be read as --data of each run
if [ "${1:-}" = --data ]; then folder=${2:?--data needs a folder}; fi
if [ -n "$folder" ] && [ ! -d "$folder" ]; then
  echo "no such folder: $folder" >&2
  exit 2
fi

# data SUITE FILE...: the first of FILEs in the folder as --data, or nothing where there is none.
data() {
  local suite=$1 name
  shift
  found=()
  for name in "$@"; do
    if [ -n "$folder" ] && [ -e "$folder/$name" ]; then
      found=(--data "$folder/$name")
      return
    fi
  done
  echo "$suite: no $1 in ${folder:-a folder given with --data or PROCTOR_DATA}; trying the hub" >&2
}

say "1. The strongest containment that this machine has"
sandbox=bubblewrap
if docker info >/dev/null 2>&1 && proctor setup docker; then
  sandbox=docker
else
  proctor setup bubblewrap
fi
echo "using $sandbox"

say "2. A small real model, served over the OpenAI protocol"
proctor setup local

run() {
  local suite=$1 tokens=$2
  shift 2
  proctor run "$suite" --model local --batch --max-tokens "$tokens" \
    --temperature 0 --seed 1 --name "demo: $suite" "$@"
}

failed=0
say "3. MMLU: 100 questions from 57 subjects"
data mmlu mmlu
run mmlu 96 --limit 100 "${found[@]}" || failed=$?

say "4. HumanEval: the first 20 problems"
data humaneval humaneval/HumanEval.jsonl.gz humaneval/HumanEval.jsonl HumanEval.jsonl.gz HumanEval.jsonl
run humaneval 400 --task 'HumanEval/[0-9]' --task 'HumanEval/1[0-9]' --sandbox "$sandbox" "${found[@]}" || failed=$?

say "5. MBPP: the first 20 problems"
data mbpp mbpp/mbpp.jsonl mbpp.jsonl
run mbpp 400 --task '1[1-9]' --task '2[0-9]' --task 30 --sandbox "$sandbox" "${found[@]}" || failed=$?

say "6. What is left to look at"
echo "a question with its reply and verdict:   $(command -v proctor) replay last --batch | less -R"
echo "every run so far:                        $(command -v proctor) runs"
exit "$failed"
