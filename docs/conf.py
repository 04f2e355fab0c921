"""The configuration of the site. `make docs` builds it to docs/_build/html."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import concordant

sys.path[:0] = [str(Path(__file__).parent / folder) for folder in ("_ext", "tools")]
# The pages that run load one of the extensions in a process of their own.
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], *filter(None, [os.environ.get("PYTHONPATH")])])

project = "concordant"
author = "The concordant authors"
copyright = author
version = release = concordant.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx.ext.mathjax",
    "pages",  # docs/_ext: pages that are made from the code
    "names",  # docs/_ext: names in backticks are links
    "running",  # docs/_ext: pages that run commands
    "examples",  # docs/_ext: examples in cards and tabs that run
    "finding",  # docs/_ext: what the search finds first
]
exclude_patterns = ["_build", "_generated", "tools", "schema"]
nitpicky = True  # a reference that leads nowhere is an error
default_role = "name"
smartquotes = False  # what stands between quotes is often to be typed

highlight_language = "none"  # of blocks that do not name their language

myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_in_temp = True  # a page that writes files leaves none in docs
nb_execution_timeout = 120
nb_merge_streams = True

autodoc_typehints = "none"  # the section Parameters has the types
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "concordant"
# MathJax and its fonts are part of the site: nothing is loaded from elsewhere. The package holds the files.
# It is not used as an extension, because then pages are not read in parallel.
mathjax_path = "mathjax/tex-chtml.js"
mathjax = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static"
html_static_path = ["_static", str(mathjax)]
# Other combinations of the parts of MathJax, which the site does not load.
exclude_patterns += [f"mathjax/{name}.js" for name in ("mml-*", "tex-mml-*", "*svg*", "*full*")]
html_extra_path = ["../build/playground/concordant-playground.html"]  # made by `make playground`
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).parent / "_ext" / "scorer.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "concordant"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_favicon = "_static/icon.svg"
html_context = {"default_mode": "auto"}
# Nothing is below these.
html_sidebars = {
    name: [] for name in ("index", "start", "which", "playground", "gallery/index", "changes", "citing")
}
