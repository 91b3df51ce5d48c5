"""Cases, claims, coverage, reachability and mutation of rulesets."""
