import graphquant as gq
from tests.cli.test_inputs import molecules_of


def test_what_the_encoder_met_is_noted_once(run, tmp_path):
    gq.write(molecules_of("C", "O", "N", "C"), tmp_path / "train.jsonl")
    run("fit", tmp_path / "train.jsonl", "-k", 2, "--cycles", 1, "-o", tmp_path / "c.parquet")
    gq.write(molecules_of("C", "Br"), tmp_path / "new.jsonl")
    for args in (["encode"], ["evaluate"]):
        text = run(*args, tmp_path / "c.parquet", tmp_path / "new.jsonl", tmp_path / "new.jsonl").stderr
        assert text.count("note: node attribute 'symbol': 2 of 4 values are categories that training") == 1
