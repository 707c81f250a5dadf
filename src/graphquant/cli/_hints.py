"""From advice for Python to advice for the shell: how messages of the library read here."""

import re

# Whole sentences first, then the parameters inside them. Everything that messages of the library name
# in Python has an entry here; a test checks all messages.
_HERE = {
    # encoders
    r'\bSet AttributeEncoder\(missing="zero"\) or missing="mean"': "Set --missing zero or --missing mean",
    r'\bmissing="(zero|mean|error)"': r"--missing \1",
    r'\bunknown="(other|zero|error)"': r"--unknown \1",
    r"\bFit the encoder on data that has it, list it in OneHot\(categories=\.\.\.\),": (
        "Learn from data that has it,"
    ),
    r"--unknown zero\b": "--unknown other",
    r", for example with AttributeEncoder\(scale='std'\)": "",
    r"\bGive them by Numeric\b": "Give them",
    r", or list its categories: OneHot\(\.\.\., categories=\.\.\.\)": "",
    r"\bUse OneHot\('([^']*)'\)": r"Use --node-onehot \1 or --edge-onehot \1",
    r"\bName what to use, for example (\w+)=\[OneHot\('([^']*)'\)\], to decide yourself": (
        r"Name what to use, for example --\1-onehot '\2', to decide yourself"
    ),
    r"\bNumeric\('([^']*)'\) needs numbers": "a number is needed",
    r"\bName an attribute with (\w+)=\[\.\.\.\], or leave presence at its default": (
        r"Name an attribute with --\1"
    ),
    r" \(AttributeEncoder has a missing-value policy\)": " with --missing zero or --missing mean",
    r"\bEncode both with the same encoder: encoder\.transform\(raw\), or gq\.read\(path, encoder=encoder\)": (
        "Encode both the same way: graphquant convert DATA OUT.parquet --encoder FROM"
    ),
    r"\bEncode the raw graphs with the same encoder\. If the vectors really.*": (
        "Encode raw graphs the same way: graphquant convert DATA OUT.parquet --encoder FROM."
    ),
    r"\bEncode (both|all files) with the same AttributeEncoder\b": (
        r"Encode \1 the same way: graphquant convert DATA OUT.parquet --encoder FROM"
    ),
    r"\bFit an AttributeEncoder to a part of them and pass it: gq\.scan\(path, encoder=encoder\)": (
        "Write vectors first: graphquant convert DATA OUT.parquet --encode"
    ),
    r"\bencode names with AttributeEncoder\b": "give names as text, which is then encoded",
    r"\bWrite it again with \w+\.to_json\(\)": "Write it again",
    r"\bPass what \w+\.to_json\(\) returned": "Write the file again",
    r"\bOmit encoder, or pass the graphs to encoder\.fit_transform yourself": "Omit --encoder",
    r"; AttributeEncoder fills missing ones\. A graph with no": ". A graph with no",
    # edit costs
    r"\bName it: EditCosts\((\w+)=('[^']*'|X)\), several as a list, none as an empty one": (
        r'Name it in --costs FILE.json: {"\1": [NAME]}, none as []'
    ),
    r"\bSay how it counts: EditCosts\((\w+)=Numeric\([^)]*\)\).*": (
        r'Say in --costs FILE.json: {"\1": ["NAME"]} for equal or not, {"\1": []} to leave it out.'
    ),
    r", or name others: EditCosts\((\w+)=\.\.\.\)": r', or name others in --costs FILE.json: {"\1": [...]}',
    r"\bName one: (\w+)=\[\.\.\.\]": r'Name one: {"\1": [...]}',
    r", or leave it out: (\w+)=\[\]": r', or leave it out: {"\1": []}',
    r"\bUse Numeric\([^)]*\) for a number, or leave": "Leave",
    r'\bGive a name, Numeric\("x"\), or a list of them': "Give a name, or a list of names",
    r", or use gq\.pairwise_edit_distances, which keeps them distinct": "",
    r"\b(\S+)=(\S+) (is not a cost|is not a table|does not name attributes|has an attribute twice)": (
        r"\1 \2 \3"
    ),
    r"\b(\S+)=(\S+) does not fit the attributes": r"\1 \2 does not fit the attributes",
    r"\bthreshold=(\S+) is not a distance": r"--threshold \1 is not a distance",
    # limits of a search
    r"\btime_limit=(\S+) is not a number of that kind": r"--time-limit \1 is not a number of seconds",
    r"\bGive time_limit >= 0, or None": "Give a number >= 0",
    # files
    r', or name its encoding, for example encoding="[^"]*"': "",
    r'\bon_error="(skip|raise)"': r"--on-error \1",
    r"\bstrict=(True|False)": "--strict",
    r", or by max_unpacked=BYTES": "",
    r"\brepair=True": "--repair",
    r"\bhydrogens=True": "--hydrogens",
    r"\bencoding='([^']*)' is not known": r"the encoding \1 is not known",
    r"\bRead with coordinates=False\b": "Give molecules with coordinates",
    r"\bsplit=\.": "--split.",
    r"\bsplit=": "--split ",
    r"\bformat= for a folder": "--output-format for a folder",
    r"\bformat=": "--input-format",
    r"\bpath=": "--data",
    r"\b(smiles|name|target)=(?=['\"\w])": r"--\1 ",
    r"\b(smiles|name|target)=": r"--\1",
    r"\bUse gq\.(read|scan)\b": "Name a file",
    r"; row_group_sizes\(path\) lists them": "",
    r", or pass directed=True\.": ", or make the graphs directed.",
    # learning
    r"\bThe mean stopped at max_iter=(\S+); its variance(.*), tol=\S+ Raise max_iter or tol\.": (
        r"The mean stopped after \1 rounds; its variance\2."
    ),
    r", or read the graphs first: fit\(gq\.read\(path\)\)": (
        ", or put the graphs into one row group: graphquant convert DATA OUT.parquet"
    ),
    r"\bLeave it out, or fit\(gq\.read\(path\)\)": "Leave it out",
    r"\bFit again with checkpoint= to": "Use --checkpoint DIR to",
    r"\bGive a DaskExecutor or a LocalExecutor of graphquant\.out_of_core, or None": "Use --scheduler",
    r"\bFor more memory: executor=LocalExecutor\(memory=\.\.\.\), or more workers": (
        "For more memory: --scheduler with more workers"
    ),
    r"\bPass it: gq\.load\(path, matcher=\.\.\.\)": "It works in Python only",
    r"\brelocate_idle=True": "--relocate-idle",
    r"\bcheckpoint=": "--checkpoint ",
    r"\bn_codes=": "-k ",
    r"\bn_codes\b": "-k",
    r"\bmax_cycles=": "--cycles ",
    r"\bmax_cycles\b": "--cycles",
    r"\bmax_graphs=": "--max-graphs ",
    r"\bbatch_size=": "--batch-size ",
    r"\blearning_rate=": "--rate ",
    r"\blearning_rate\b": "--rate",
    r"\brandom_state=": "--seed ",
    r"\bn_init=": "--n-init ",
    r"\balgorithm=": "--algorithm ",
    r"\bmatcher=": "--matcher ",
    r"\border=": "--order ",
    r"\b(tol|theta)=": r"--\1 ",
    r"\bor tol\.": "or --tol.",
    r"\bGraphQuantizer\.save\b": "graphquant fit",
}
_PATTERNS = [(re.compile(pattern), here) for pattern, here in _HERE.items()]


def for_the_shell(text: str) -> str:
    """Translate a message of the library for the command line.

    Examples
    --------
    >>> for_the_shell('Fix the line, or read with on_error="skip".')
    'Fix the line, or read with --on-error skip.'
    """
    for pattern, here in _PATTERNS:
        text = pattern.sub(here, text)
    return text


__all__ = ["for_the_shell"]
