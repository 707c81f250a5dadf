"""Compile kernels as parts of the entries that call them, and not for themselves.

Numba optimises every compiled function, with all that it calls, and makes machine code of it, although only
entries are ever run: what an entry calls is linked into it and optimised there once more. A part is left as
it was translated, so that its code is optimised once, in the entry, and not at every level below it, too.
"""

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes


class PartLibrary(JITCodeLibrary):
    """Code that can be linked into that of a caller, and that is all."""

    def _optimize_final_module(self):
        """Leave it to the entry."""

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self):
        """Stand in for the code generator, which is asked for nothing but ``set_env``."""
        return self

    def set_env(self, name, env):
        """Set nothing: a part that does not run has no environment."""


@register_pass(mutates_CFG=False, analysis_only=False)
class UsePartLibrary(LoweringPass):
    """Have the code put into a ``PartLibrary``."""

    _name = "use_part_library"

    def __init__(self):
        LoweringPass.__init__(self)

    def run_pass(self, state):
        """Replace the library that lowering would make."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return True


class PartCompiler(CompilerBase):
    """The usual compiler, for parts."""

    def define_pipelines(self):
        """Return the usual pipeline with another library."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(UsePartLibrary, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]


__all__ = ["PartCompiler"]
