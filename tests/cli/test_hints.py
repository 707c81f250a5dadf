"""Advice for the shell: no Python in it, and no option that the command does not have."""

import re

import pytest
from typer.main import get_command

import graphquant as gq
from graphquant.cli._hints import for_the_shell
from graphquant.cli.app import app
from tests.cli.messages import messages
from tests.cli.test_inputs import molecules_of

COMMANDS = get_command(app).commands
OPTIONS = {
    name: {option for parameter in command.params for option in parameter.opts} | {"--help", "--debug"}
    for name, command in COMMANDS.items()
}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
PYTHON = re.compile(
    r"""(?<![-\w"'])[A-Za-z_]\w*=(?![=\s>])   # parameter=
    | ="
    | \bgq\. | \bnp\. | numpy\.
    | \w*Encoder\b | \bOneHot\b | \bNumeric\b
    | \b[a-z_]+\(                          # a call
    """,
    re.VERBOSE,
)
# Messages about graphs that were made in Python, about parameters that the shell does not have, and about
# variables of the environment.
ONLY_IN_PYTHON = (
    "_core/_library.py",
    "_validation.py",
    "datasets/_dataset.py",
    "datasets/_files.py",
    "datasets/blobs.py",
    "edit/common.py",
    "edit/given.py",
    "experiments/",
    "graphs/",
    "matching/",
    "metrics/",
    "plotting/",
    "preprocessing/vectors.py",
)
# Words of files, and parameters that the options of a command cannot make wrong.
OTHER_WORDS = (
    "<print file=",
    "edgemode=",
    "isdirected=",
    "edgedefault=",
    "center=",
    "scale=",
    "shape=",
    "balance=",
    "presence=",
    "executor=",
    "Write them with gq.write",
    "Give an AttributeEncoder, or",
    "weight=",
    "is not a list of attributes",
    "Write X=[...], even for a single one.",
    "Give names of attributes, Numeric(...) or OneHot(...).",
    "'X'): categories=",
    "='X' is not accepted",
    "='X' is not a whole number",
)


def is_for_the_shell(place, text):
    return not place.startswith(ONLY_IN_PYTHON) and not any(word in text for word in OTHER_WORDS)


ALL = [(place, for_the_shell(text)) for place, text in messages() if is_for_the_shell(place, text)]


def named(text):
    """Options of ours that a text names."""
    return set(OPTION.findall(re.sub(r"pip install .*", "", text)))


def test_messages_are_found():
    assert len(ALL) > 200


def test_no_message_of_the_shell_speaks_python():
    wrong = [f"{place}: {text}" for place, text in ALL if PYTHON.search(text)]
    assert not wrong, "\n".join(["say these for the shell, in graphquant/cli/_hints.py:", *wrong])


def test_every_option_that_is_named_exists():
    known = set().union(*OPTIONS.values())
    wrong = [f"{place}: {text}" for place, text in ALL if not named(text) <= known]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("for_python", "here"),
    [
        (
            'Set AttributeEncoder(missing="zero") or missing="mean", or omit the attribute.',
            "Set --missing zero or --missing mean, or omit the attribute.",
        ),
        (
            'Fit the encoder on data that has it, list it in OneHot(categories=...), or set unknown="zero".',
            "Learn from data that has it, or set --unknown other.",
        ),
        ("Pass it: gq.load(path, matcher=...).", "It works in Python only."),
        ("Use OneHot('symbol').", "Use --node-onehot symbol or --edge-onehot symbol."),
        ("Encode both with the same AttributeEncoder.", "Encode both the same way: graphquant convert "),
        (
            "Stopped at max_cycles=3. Raise max_cycles or tol.",
            "Stopped at --cycles 3. Raise --cycles or --tol.",
        ),
        (
            "The mean stopped at max_iter=50; its variance falls by 2e-05, tol=1e-06. Raise max_iter or tol.",
            "The mean stopped after 50 rounds; its variance falls by 2e-05.",
        ),
    ],
)
def test_translations(for_python, here):
    assert for_the_shell(for_python).startswith(here)


class TestFailingCommands:
    """Every way to fail that the commands know: the hint names options of that very command."""

    @pytest.fixture
    def places(self, run, codebook, letters, tmp_path):
        """Files of all kinds that something is wrong with, by name."""
        gq.write(molecules_of("C", "P", None), tmp_path / "missing.jsonl")
        (tmp_path / "broken.jsonl").write_text("{broken\n")
        (tmp_path / "broken.csv").write_text("smiles\nC(\n")
        (tmp_path / "empty").mkdir()
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / "run-0.npz").write_text("no snapshot")
        run("convert", letters, tmp_path / "vectors.parquet", "--encode")
        run("convert", "letters:high", tmp_path / "other.parquet", "--encode")
        run("convert", letters, tmp_path / "raw.parquet")
        (tmp_path / "damaged.parquet").write_bytes(b"PAR1 and no more")
        return {
            "T": tmp_path,
            "LETTERS": letters,
            "CODEBOOK": codebook,
        }

    @pytest.mark.parametrize(
        "line",
        [
            "info nothing.jsonl",
            "info T/empty",
            "info T/broken.jsonl",
            "info T/damaged.parquet",
            "info T/broken.csv",
            "info letters --split x",
            "info letters --data T",
            "info grec --data T/empty",
            "info LETTERS --smiles x",
            "info LETTERS --input-format xyz",
            "info LETTERS -o T/i.xml",
            "info T/raw.parquet T/vectors.parquet",
            "info T/other.parquet T/vectors.parquet",
            "fit LETTERS -k 2 -o T/c.gxl",
            "fit LETTERS -k 2 -o T/nothing/c.parquet",
            "fit LETTERS -k 99 -o T/c.parquet",
            "fit LETTERS -k 2 -o T/c.parquet --node z",
            "fit LETTERS -k 2 -o T/c.parquet --node-onehot x --node y --resume",
            "fit LETTERS -k 2 -o T/c.parquet --checkpoint T/old",
            "fit LETTERS -k 2 -o T/c.parquet --checkpoint T/old --resume",
            "fit LETTERS -k 2 -o T/c.parquet --scheduler local",
            "fit LETTERS LETTERS -k 2 -o T/c.parquet --scheduler local",
            "fit T/raw.parquet -k 2 -o T/c.parquet --scheduler local",
            "fit T/vectors.parquet -k 2 -o T/c.parquet --node x",
            "fit T/vectors.parquet -k 2 -o T/c.parquet --scheduler local --node x",
            "fit T/missing.jsonl -k 2 -o T/c.parquet --missing error",
            "encode nothing.parquet LETTERS",
            "encode LETTERS LETTERS",
            "encode T/raw.parquet LETTERS",
            "encode CODEBOOK blobs",
            "encode CODEBOOK T/missing.jsonl",
            "encode CODEBOOK T/broken.jsonl",
            "encode CODEBOOK T/other.parquet",
            "encode CODEBOOK LETTERS -o T/e.pkl",
            "encode CODEBOOK LETTERS -o T/e.csv --format json",
            "encode CODEBOOK LETTERS --format parquet",
            "evaluate CODEBOOK T/missing.jsonl",
            "evaluate CODEBOOK T/other.parquet",
            "evaluate CODEBOOK LETTERS --scheduler local",
            "report CODEBOOK blobs",
            "report CODEBOOK LETTERS -o T/r.pdf",
            "distance LETTERS LETTERS",
            "distance LETTERS:0 LETTERS:nobody",
            "distance T/vectors.parquet:0 LETTERS:0 --node x",
            "distance T/vectors.parquet:0 T/other.parquet:0",
            "distance LETTERS:0 LETTERS:1 --order 0",
            "mean LETTERS --class B -o T/m.gxl",
            "mean LETTERS -o T/m.smi",
            "mean T/missing.jsonl -o T/m.gxl --missing error",
            "convert LETTERS T/l.pdf",
            "convert LETTERS T/l.zip --output-format sdf",
            "convert LETTERS T/l.jsonl --encoder CODEBOOK",
            "convert LETTERS T/l.parquet --encoder LETTERS",
            "convert LETTERS T/l.parquet --encoder CODEBOOK --node x",
            "demo -o T",
            "reproduce table1 --data T/empty",
        ],
    )
    def test_the_hint_names_what_is_there(self, call, places, line, monkeypatch):
        monkeypatch.chdir(places["T"])
        for name, place in places.items():
            line = re.sub(rf"\b{name}\b", str(place), line)
        command, *args = line.split()
        result = call(command, *args)
        assert result.exit_code in (1, 2), result.stderr
        assert "Traceback" not in result.stderr
        assert "unexpected" not in result.stderr
        shown = result.stderr.replace(str(places["T"]), "").replace(str(places["LETTERS"]), "")
        error, _, hint = shown[shown.index("error: ") :].partition("\n\nhint: ")
        assert hint, error
        for text in (error, hint):
            assert not PYTHON.search(text), text
            self.check_options(command, text)

    @staticmethod
    def check_options(command, text):
        """Options belong to the command that failed, or to the one that the text tells to call."""
        before, *calls = text.split("graphquant ")
        for owner, words in [(command, before), *((call.split()[0], call) for call in calls)]:
            for option in OPTION.findall(words):
                assert option in OPTIONS.get(owner, set()), f"{owner} has no {option}: {text}"
