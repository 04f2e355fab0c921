"""``python -m concordant``."""

from concordant.cli.main import main

if __name__ == "__main__":
    main()
