"""From raw attributes to vectors: encoding, centring, scaling, unit norm."""

from graphquant.preprocessing._circle import from_circle
from graphquant.preprocessing._columns import Numeric, OneHot
from graphquant.preprocessing._encoder import AttributeEncoder
from graphquant.preprocessing._unit_norm import UnitNorm, unit_norm

__all__ = ["AttributeEncoder", "Numeric", "OneHot", "UnitNorm", "from_circle", "unit_norm"]
