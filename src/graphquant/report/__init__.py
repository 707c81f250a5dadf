"""One self-contained HTML page that shows what a quantizer learnt."""

from graphquant.report._page import write_report

__all__ = ["write_report"]
