"""`python -m reports` is `pypto-report`."""

from reports.cli import main

if __name__ == "__main__":
    main()
