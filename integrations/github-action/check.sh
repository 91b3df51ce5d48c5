#!/usr/bin/env bash
# Check and test rulesets, with annotations: check.sh RULESETS...
# Both run, so that one push shows everything; either fails the job.
set -uo pipefail
failed=0
houserule check --format github "$@" || failed=$?
houserule test --format github "$@" || failed=$?
exit "$failed"
