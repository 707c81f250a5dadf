"""Checks of parameters, and the errors that they raise."""

import os
import pickle
import sys

import numpy as np
import pytest

import graphquant as gq
from graphquant import exceptions
from graphquant._validation import check_choice, check_positive_int, import_optional
from graphquant.exceptions import (
    GraphQuantError,
    InvalidParameterError,
    MissingDependencyError,
    NativeCoreError,
)

ERRORS = [
    error
    for name in exceptions.__all__
    if isinstance(error := getattr(exceptions, name), type) and issubclass(error, GraphQuantError)
]


class TestCheckChoice:
    def test_known(self):
        assert check_choice("matcher", "exact", ["auto", "exact"]) == "exact"

    def test_near_miss_is_suggested(self):
        with pytest.raises(
            InvalidParameterError,
            match=r"^Unknown matcher 'frank-wolf'\. Did you mean 'frank-wolfe'\? Known: 'auto'",
        ):
            check_choice("matcher", "frank-wolf", ["auto", "frank-wolfe"])

    @pytest.mark.parametrize("value", ["zzz", None, 3, ["?"]])
    def test_unknown(self, value):
        with pytest.raises(InvalidParameterError, match=r"^Unknown matcher .*\. Known: 'auto', 'exact'\.$"):
            check_choice("matcher", value, iter(["auto", "exact"]))


class TestCheckPositiveInt:
    @pytest.mark.parametrize("value", [1, 7, np.int32(7), np.uint8(1)])
    def test_accepted(self, value):
        number = check_positive_int("n_codes", value)
        assert number == value
        assert type(number) is int

    def test_minimum(self):
        assert check_positive_int("seed", 0, minimum=0) == 0

    @pytest.mark.parametrize("value", [0, -1, 1.0, "3", None, True, np.True_, [1]])
    def test_refused(self, value):
        with pytest.raises(
            InvalidParameterError,
            match=r"^n_codes=.* is not a whole number of at least 1\. Give n_codes as an int, 1 or more\.$",
        ):
            check_positive_int("n_codes", value)


class TestImportOptional:
    def test_present(self):
        assert import_optional("json.decoder", "chem", "Reading").__name__ == "json.decoder"

    def test_absent(self):
        with pytest.raises(
            MissingDependencyError,
            match=r"^Reading SMILES needs the package 'no_such_package', which is not installed\. "
            r"Install it with: pip install 'graphquant\[chem\]'$",
        ) as caught:
            import_optional("no_such_package.part", "chem", "Reading SMILES")
        assert isinstance(caught.value.__cause__, ModuleNotFoundError)

    def test_installed_but_broken(self, tmp_path, monkeypatch):
        (tmp_path / "broken_package.py").write_text("raise ImportError('libXrender.so.1 is missing')")
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(
            MissingDependencyError,
            match=r"'broken_package', which cannot be imported \(libXrender\.so\.1 is missing\)\.",
        ):
            import_optional("broken_package", "chem", "Drawing")
        assert "broken_package" not in sys.modules


@pytest.mark.parametrize("error", ERRORS)
class TestErrors:
    def test_message_and_hint(self, error):
        err = error("It is wrong.", "Fix it.")
        assert (err.message, err.hint, str(err)) == ("It is wrong.", "Fix it.", "It is wrong. Fix it.")

    def test_no_hint(self, error):
        assert (error("It is wrong.").hint, str(error("It is wrong."))) == (None, "It is wrong.")

    @pytest.mark.parametrize("hint", ["Fix it.", None])
    def test_pickle(self, error, hint):
        err = pickle.loads(pickle.dumps(error("It is wrong.", hint)))
        assert type(err) is error
        assert (err.message, err.hint) == ("It is wrong.", hint)

    def test_is_the_builtin_that_callers_expect(self, error):
        is_import = error in (MissingDependencyError, NativeCoreError)
        expected = ImportError if is_import else ValueError
        assert error is GraphQuantError or issubclass(error, expected)


def test_a_million_threads_are_not_started():
    from graphquant._threads import n_threads

    assert 16 <= n_threads(10**6) <= max(16, 4 * (os.cpu_count() or 1))
    assert [n_threads(n) for n in (1, 2, 16)] == [1, 2, 16]
    q = gq.GraphQuantizer(2, n_jobs=10**6, batch_size=4, max_cycles=1, random_state=0)
    assert q.fit([gq.Graph([float(i)]) for i in range(8)]).predict([gq.Graph([3.0])]).shape == (1,)
