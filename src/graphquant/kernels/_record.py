"""Records: what learning kernels hand on by reference.

Numba passes a named tuple as all its arrays, and each array as seven numbers: a function that hands a hundred
arrays on takes seconds to compile. A record is one pointer to the same arrays.
"""

from numba import types
from numba.experimental import structref
from numba.extending import overload

from graphquant.kernels._jit import allocating_entry


@structref.register
class RecordType(types.StructRef):
    """Type of a record; its fields are those of a named tuple."""

    def preprocess_fields(self, fields):
        """Forget that a value was a literal."""
        return tuple((name, types.unliteral(typ)) for name, typ in fields)


class Record(structref.StructRefProxy):
    """A record as Python holds it: opaque."""


structref.define_boxing(RecordType, Record)


def _new(fields):
    """Make a record of a named tuple; for kernels only."""


@overload(_new)
def _new_in_kernel(fields):
    record = RecordType(list(zip(fields.fields, fields.types, strict=True)))
    lines = "\n".join(f"    r.{name} = fields.{name}" for name in fields.fields)
    namespace = {"new": structref.new, "record": record}
    # Fields of a record cannot be named by a variable; these names come from our own classes.
    exec(f"def impl(fields):\n    r = new(record)\n{lines}\n    return r\n", namespace)
    return namespace["impl"]


@allocating_entry
def as_record(fields):
    """Return a record that shares the arrays of a named tuple."""
    return _new(fields)
