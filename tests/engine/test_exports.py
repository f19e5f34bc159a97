"""The front door and the rooms behind it say the same."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import pytest

import guandan_engine

MODULES = [module.name for module in pkgutil.iter_modules(guandan_engine.__path__)]


def test_what_is_on_the_door_is_there() -> None:
    assert len(set(guandan_engine.__all__)) == len(guandan_engine.__all__)
    for name in guandan_engine.__all__:
        assert hasattr(guandan_engine, name)


@pytest.mark.parametrize("name", guandan_engine.__all__)
def test_what_is_on_the_door_is_public_behind_it(name: str) -> None:
    thing = getattr(guandan_engine, name)
    if isinstance(thing, ModuleType):
        assert thing.__name__ == f"guandan_engine.{name}"
        return
    homes = [
        module
        for module in map(_module, MODULES)
        if name in module.__all__ and getattr(module, name) is thing
    ]
    assert homes, f"no module has {name} in its __all__"


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"guandan_engine.{name}")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_names_what_it_has(name: str) -> None:
    module = _module(name)
    assert module.__doc__
    assert len(set(module.__all__)) == len(module.__all__)
    for public in module.__all__:
        assert hasattr(module, public), public


def test_no_name_on_the_door_hides_a_module() -> None:
    """`from guandan_engine import play` must go on to be the module."""
    for name in MODULES:
        assert getattr(guandan_engine, name) is _module(name)
