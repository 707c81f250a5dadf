"""Sums of short rows by vector instructions.

The compiler finds these instructions in long loops only. Rows here have some ten numbers, and there are many
of them; so the instructions are written down.
"""

from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.extending import intrinsic

from graphquant.kernels._jit import kernel

# Numbers in a block. Rows have room for whole blocks; what is behind their end is of no account.
BLOCK = 8

_REAL, _INT = ir.DoubleType(), ir.IntType(64)
_VECTOR = ir.VectorType(_REAL, BLOCK)
_ADDED = ("reassoc", "nsz", "contract")


def _element(builder, array, row, column):
    """Return the address of an element of a matrix in C order."""
    width = builder.extract_value(array.shape, 1)
    return builder.gep(array.data, [builder.add(builder.mul(row, width), column)])


def _load_block(builder, address):
    return builder.load(builder.bitcast(address, _VECTOR.as_pointer()), align=8)


def _repeated(builder, value):
    """Return a vector of one value."""
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        first, undefined, ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK)
    )


def _make_add_blocks(n_blocks):
    @intrinsic
    def add_blocks(context, indices, weights, channel, begin, end, rows, column, out, row):
        """INOUT out[row] += weights[k, channel] * rows[indices[k]] for k in begin:end, blocks from column."""
        number = types.intp
        signature = types.void(indices, weights, number, number, number, rows, number, out, number)

        def generate(context, builder, signature, args):
            arrays = (
                context.make_array(signature.args[at])(context, builder, args[at]) for at in (0, 1, 5, 7)
            )
            indices, weights, rows, out = arrays
            channel, begin, end, column, row = (args[at] for at in (2, 3, 4, 6, 8))
            columns = [builder.add(column, _INT(BLOCK * block)) for block in range(n_blocks)]
            targets = [_element(builder, out, row, at) for at in columns]
            sums = [cgutils.alloca_once_value(builder, _load_block(builder, target)) for target in targets]
            with cgutils.for_range(builder, end, start=begin, intp=_INT) as loop:
                weight = builder.load(_element(builder, weights, loop.index, channel))
                with builder.if_then(builder.fcmp_unordered("!=", weight, _REAL(0.0))):
                    index = builder.load(builder.gep(indices.data, [loop.index]))
                    source = builder.sext(index, _INT)
                    factor = _repeated(builder, weight)
                    for at, total in zip(columns, sums, strict=True):
                        values = _load_block(builder, _element(builder, rows, source, at))
                        product = builder.fmul(factor, values, flags=_ADDED)
                        builder.store(builder.fadd(builder.load(total), product, flags=_ADDED), total)
            for target, total in zip(targets, sums, strict=True):
                address = builder.bitcast(target, _VECTOR.as_pointer())
                builder.store(builder.load(total), address, align=8)
            return context.get_dummy_value()

        return signature, generate

    return add_blocks


def _add_a_block(indices, weights, channel, begin, end, rows, column, out, row):
    """Do the same for one block, without a compiler."""
    block = slice(column, column + BLOCK)
    for k in range(begin, end):
        out[row, block] += weights[k, channel] * rows[indices[k], block]


_compiled = not config.DISABLE_JIT
_add_1, _add_2, _add_3, _add_4 = (_make_add_blocks(n) if _compiled else _add_a_block for n in (1, 2, 3, 4))


@kernel
def whole_blocks(length):
    """Return the length of the blocks that hold a row."""
    return (length + BLOCK - 1) // BLOCK * BLOCK


@kernel
def add_neighbours(G, node, channel, rows, length, out, row):
    """INOUT out[row] += the rows of all neighbours of a node, times a channel of the edges to them.

    Rows are read and written in whole blocks.
    """
    begin, end = G.adj_ptr[node], G.adj_ptr[node + 1]
    column = 0
    if _compiled:
        while column + 3 * BLOCK < length:
            _add_4(G.adj_idx, G.adj_vec, channel, begin, end, rows, column, out, row)
            column += 4 * BLOCK
        if column + 2 * BLOCK < length:
            _add_3(G.adj_idx, G.adj_vec, channel, begin, end, rows, column, out, row)
            column += 3 * BLOCK
        elif column + BLOCK < length:
            _add_2(G.adj_idx, G.adj_vec, channel, begin, end, rows, column, out, row)
            column += 2 * BLOCK
    while column < length:
        _add_1(G.adj_idx, G.adj_vec, channel, begin, end, rows, column, out, row)
        column += BLOCK


__all__ = ["BLOCK", "add_neighbours", "whole_blocks"]
