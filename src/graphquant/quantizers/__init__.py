"""Learning codebooks: one driver, four ways to find winners, an estimator."""

from graphquant.quantizers._encoding import Encoding
from graphquant.quantizers._estimator import GraphQuantizer
from graphquant.quantizers._history import Cycle, History
from graphquant.quantizers._persistence import load
from graphquant.quantizers._rates import RateContext

__all__ = ["Cycle", "Encoding", "GraphQuantizer", "History", "RateContext", "load"]
