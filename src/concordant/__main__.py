"""``python -m concordant``."""

from concordant.cli import main

if __name__ == "__main__":
    main()
