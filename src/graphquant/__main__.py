"""``python -m graphquant``."""

from graphquant.cli.app import main

if __name__ == "__main__":
    main()
