"""Colours of all drawings, in both themes.

The first category, the most frequent one, has the colour of the ink: carbon is inconspicuous, oxygen stands
out. The others can also be distinguished by people with colour blindness (after Okabe and Ito).
"""

CATEGORIES = ("#475569", "#7aa6d1", "#d55e00", "#009e73", "#b8860b", "#a6519b", "#0072b2", "#8c6d46")
INK = "#334155"
ACCENT = "#0f766e"
RAMP = ("#7fb3ac", "#093f3b")
LINK = "#d97706"
# Below what most members of a cluster have.
GLOW = "#cfe6df"
VANISHED = 0.03
_FAINTEST = 0.12


def category_colour(category: int) -> str:
    """Return the colour of a category; those beyond the palette share the last one.

    Examples
    --------
    >>> category_colour(0), category_colour(99) == category_colour(7)
    ('#475569', True)
    """
    return CATEGORIES[min(max(category, 0), len(CATEGORIES) - 1)]


def ramp_colour(share: float) -> str:
    """Return a colour between the light and the dark end of the ramp.

    Examples
    --------
    >>> ramp_colour(0.0), ramp_colour(1.0)
    ('#7fb3ac', '#093f3b')
    """
    low, high = (_channels(end) for end in RAMP)
    mixed = (round(a + min(max(share, 0.0), 1.0) * (b - a)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def opacity(strength: float) -> float:
    """Return the opacity of a weak node or edge of a mean; 0 if it has all but vanished.

    Examples
    --------
    >>> opacity(1.0), opacity(0.05), opacity(0.001)
    (1.0, 0.12, 0.0)
    """
    return 0.0 if strength < VANISHED else max(strength, _FAINTEST)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


__all__ = [
    "ACCENT",
    "CATEGORIES",
    "GLOW",
    "INK",
    "LINK",
    "RAMP",
    "VANISHED",
    "category_colour",
    "opacity",
    "ramp_colour",
]
