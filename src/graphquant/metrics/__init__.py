"""Measures of a quantization."""
