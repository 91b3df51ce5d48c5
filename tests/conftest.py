"""What holds for every test."""

from __future__ import annotations

import signal

import pytest
import yaml

from interpreter.syntax import yaml_events

# What a shell runs in the background ignores Ctrl-C, and so would every program that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--python-yaml", action="store_true", help="read YAML in Python, as where libyaml is not there")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--python-yaml"):
        yaml_events.LOADER = yaml.SafeLoader
