"""From raw attributes to vectors and back: encoding, centring, scaling, unit norm."""

from graphquant.preprocessing._circle import from_circle
from graphquant.preprocessing._curve import from_curve
from graphquant.preprocessing._encoder import AttributeEncoder
from graphquant.preprocessing._notes import AttributeNotes, Encoded, EncodingNotes
from graphquant.preprocessing._specs import Numeric, OneHot
from graphquant.preprocessing._transformer import GraphEncoder
from graphquant.preprocessing._unit_norm import UnitNorm, unit_norm
from graphquant.preprocessing.edit_costs import EditCosts
from graphquant.preprocessing.molecules import MoleculeEncoder

__all__ = [
    "AttributeEncoder",
    "AttributeNotes",
    "EditCosts",
    "Encoded",
    "EncodingNotes",
    "GraphEncoder",
    "MoleculeEncoder",
    "Numeric",
    "OneHot",
    "UnitNorm",
    "from_circle",
    "from_curve",
    "unit_norm",
]
