import ctypes, os, functools
@functools.cache
def library():
    return ctypes.CDLL(os.environ["GRAPHQUANT_LIBRARY"])
