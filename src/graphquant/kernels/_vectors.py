"""Work on short rows by vector instructions.

The compiler finds these instructions in long loops only. Rows here have some ten numbers, and there are many
of them; so the instructions are written down.
"""

from functools import reduce

import numpy as np
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


_LOG2_E = 1.4426950408889634
# log 2 in two parts: n times the first has no rounding error.
_LOG_2_HIGH, _LOG_2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_SHIFT = 1.5 * 2.0**52
_LARGEST = 700.0


@intrinsic
def _exponential_blocks(context, matrix, row, n_blocks):
    """INOUT matrix[row] = exp of it to some 10 digits, in whole blocks; limited to exp(-700) and exp(700).

    x = n log 2 + r. Adding and taking off _SHIFT rounds to whole n, and leaves n in the last bits of the sum.
    """
    signature = types.void(matrix, types.intp, types.intp)

    def generate(context, builder, signature, args):
        matrix = context.make_array(signature.args[0])(context, builder, args[0])
        integers = ir.VectorType(_INT, BLOCK)

        def every(value):
            return ir.Constant(_VECTOR, [value] * BLOCK)

        def times(a, b):
            return builder.fmul(a, b, flags=_ADDED)

        def plus(a, b):
            return builder.fadd(a, b, flags=("contract",))

        with cgutils.for_range(builder, args[2], intp=_INT) as loop:
            place = _element(builder, matrix, args[1], builder.mul(loop.index, _INT(BLOCK)))
            x = _load_block(builder, place)
            # What is no number counts as -inf.
            x = builder.select(builder.fcmp_ordered(">", x, every(-_LARGEST)), x, every(-_LARGEST))
            x = builder.select(builder.fcmp_ordered("<", x, every(_LARGEST)), x, every(_LARGEST))
            shifted = builder.fadd(builder.fmul(x, every(_LOG2_E)), every(_SHIFT))
            n = builder.fsub(shifted, every(_SHIFT))
            r = plus(x, builder.fmul(n, every(-_LOG_2_HIGH)))
            r = plus(r, times(n, every(-_LOG_2_LOW)))
            # The series up to r^8, in pieces that do not wait for one another.
            r2 = times(r, r)
            r4 = times(r2, r2)
            low = plus(plus(every(1.0), r), times(r2, plus(every(1 / 2), times(r, every(1 / 6)))))
            high = plus(every(1 / 24), times(r, every(1 / 120)))
            high = plus(high, times(r2, plus(every(1 / 720), times(r, every(1 / 5040)))))
            high = plus(high, times(r4, every(1 / 40320)))
            bits = builder.add(builder.bitcast(shifted, integers), ir.Constant(integers, [1023] * BLOCK))
            power = builder.bitcast(builder.shl(bits, ir.Constant(integers, [52] * BLOCK)), _VECTOR)
            result = times(plus(low, times(r4, high)), power)
            builder.store(result, builder.bitcast(place, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()

    return signature, generate


def _exponential_row(matrix, row, n_blocks):
    """Do the same, without a compiler."""
    values = matrix[row, : n_blocks * BLOCK]
    np.exp(np.clip(np.where(np.isnan(values), -np.inf, values), -_LARGEST, _LARGEST), out=values)


def _make_normalise_blocks(n_blocks):
    @intrinsic
    def normalise_blocks(context, E, n_rows, u, v):
        """Do as ``normalise_short_rows``, for so many blocks; all sums of columns are in registers."""
        signature = types.float64(E, types.intp, u, v)

        def generate(context, builder, signature, args):
            E, u, v = (context.make_array(signature.args[at])(context, builder, args[at]) for at in (0, 2, 3))
            offsets = [_INT(BLOCK * block) for block in range(n_blocks)]
            scales = [_load_block(builder, builder.gep(v.data, [at])) for at in offsets]
            ones = ir.Constant(_VECTOR, [1.0] * BLOCK)
            columns = [cgutils.alloca_once_value(builder, ones) for _ in offsets]
            change = cgutils.alloca_once_value(builder, _REAL(0.0))
            add_up = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(_REAL, [_REAL, _VECTOR]),
                f"llvm.vector.reduce.fadd.v{BLOCK}f64",
            )
            magnitude = builder.module.declare_intrinsic("llvm.fabs", [_REAL])
            with cgutils.for_range(builder, args[1], intp=_INT) as loop:
                row = [_load_block(builder, _element(builder, E, loop.index, at)) for at in offsets]
                products = [builder.fmul(e, scale) for e, scale in zip(row, scales, strict=True)]
                total = reduce(lambda a, b: builder.fadd(a, b, flags=_ADDED), products)
                total = builder.call(add_up, [_REAL(1.0), total], fastmath=("reassoc", "nsz"))
                place = builder.gep(u.data, [loop.index])
                was = builder.fmul(builder.load(place), total)
                off = builder.call(magnitude, [builder.fsub(was, _REAL(1.0))])
                builder.store(builder.fadd(builder.load(change), off), change)
                scale = builder.fdiv(_REAL(1.0), total)
                builder.store(scale, place)
                factor = _repeated(builder, scale)
                for e, column in zip(row, columns, strict=True):
                    product = builder.fmul(factor, e, flags=_ADDED)
                    builder.store(builder.fadd(builder.load(column), product, flags=_ADDED), column)
            for at, column in zip(offsets, columns, strict=True):
                address = builder.bitcast(builder.gep(v.data, [at]), _VECTOR.as_pointer())
                builder.store(builder.fdiv(ones, builder.load(column)), address, align=8)
            return builder.load(change)

        return signature, generate

    return normalise_blocks


_compiled = not config.DISABLE_JIT
_add_1, _add_2, _add_3, _add_4 = (_make_add_blocks(n) if _compiled else _add_a_block for n in (1, 2, 3, 4))
_exponential = _exponential_blocks if _compiled else _exponential_row
_normalise_1, _normalise_2, _normalise_3, _normalise_4, _normalise_5 = (
    _make_normalise_blocks(n) for n in (1, 2, 3, 4, 5)
)
# Most columns of a matrix whose rows count as short; none do without a compiler.
SHORT = 5 * BLOCK if _compiled else 0


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


@kernel
def exponentiate(E, nx, ny):
    """INOUT E = exp(E), to some 10 digits; OUT next to nothing behind the rows, to the end of their blocks.

    Entries are limited to -700 and 700, those that are no number count as -inf.
    """
    end = whole_blocks(ny)
    for r in range(nx):
        for p in range(ny, end):
            E[r, p] = -np.inf
    # After all of them: reading whole blocks of what was just written in parts makes the processor wait.
    for r in range(nx):
        _exponential(E, r, end // BLOCK)


@kernel
def normalise_short_rows(E, nx, ny, u, v):
    """Scale the rows of u E v to a sum of one, then the columns; each has a slack entry of u or v.

    INOUT u, v. Returns how far the sums of rows were from one, in sum. Up to SHORT columns; to the end of
    their blocks E is next to nothing, and v finite.
    """
    if ny <= BLOCK:
        return _normalise_1(E, nx, u, v)
    if ny <= 2 * BLOCK:
        return _normalise_2(E, nx, u, v)
    if ny <= 3 * BLOCK:
        return _normalise_3(E, nx, u, v)
    if ny <= 4 * BLOCK:
        return _normalise_4(E, nx, u, v)
    return _normalise_5(E, nx, u, v)


__all__ = ["BLOCK", "SHORT", "add_neighbours", "exponentiate", "normalise_short_rows", "whole_blocks"]
