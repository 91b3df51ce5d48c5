#!/usr/bin/env bash
# What a change does to the odds: odds.sh BASE FOLDER
# Writes comment.md and, if any odds change, odds.svg into FOLDER, adds the comment to the summary of the job, and prints
# `comment=…` and `chart=…`, the outputs of the step. BASE is the revision that the change is to be merged into.
set -euo pipefail
base=$1 folder=$2
mkdir -p "$folder"
if ! git merge-base "$base" HEAD > /dev/null 2>&1; then  # a shallow clone lacks the history
  git fetch --quiet --no-tags --unshallow origin "$base" HEAD >&2 || git fetch --quiet --no-tags origin "$base" >&2 || true
fi
# Changes that came to the base meanwhile are not those of this change.
before=$(git merge-base "$base" HEAD 2> /dev/null || echo "$base")
rm -f "$folder/odds.svg"
houserule delta "$before" HEAD --format markdown --svg "$folder/odds.svg" > "$folder/comment.md"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$folder/comment.md" >> "$GITHUB_STEP_SUMMARY"; fi
echo "comment=$folder/comment.md"
if [ -f "$folder/odds.svg" ]; then echo "chart=$folder/odds.svg"; fi
