"""The native core: the only package that knows ctypes."""
