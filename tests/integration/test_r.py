"""The code of docs/guides/r.md in R: what it prints is what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RSCRIPT = shutil.which("Rscript")
PAGE = Path(__file__).parents[2] / "docs" / "guides" / "r.md"
PARTS = re.findall(r"```r\n(.*?)```\n\n```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(RSCRIPT is None, reason="needs R: apt install r-base-core r-cran-reticulate"),
]


@pytest.mark.parametrize(("code", "printed"), PARTS, ids=["system2", "reticulate"])
def test_the_page_prints_what_it_shows(code, printed, tmp_path):
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "RETICULATE_PYTHON": sys.executable,
    }
    (tmp_path / "page.R").write_text(code, encoding="utf-8")
    if "reticulate" in code:
        there = subprocess.run([RSCRIPT, "-e", "library(reticulate)"], capture_output=True, check=False)
        if there.returncode:
            pytest.skip("needs reticulate: apt install r-cran-reticulate")
    command = [RSCRIPT, "--vanilla", "page.R"]
    ended = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == printed
