"""How Sphinx builds these pages: `sphinx-build -W docs docs/_build`."""

import re
from pathlib import Path

import hsearch
from player.gtp import table

project = "hsearch"
author = copyright = "The hsearch founders"  # noqa: A001 - Sphinx names it
version = release = hsearch.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
exclude_patterns = ["_build", "_generated"]
html_theme = "furo"
html_title = "hsearch"
html_show_sphinx = False
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
# Boards stand in docstrings as they are printed; they are no markup.
autodoc_default_options = {"members": True, "undoc-members": False}


def write_gtp(_app):
    """Write the table of GTP commands, as `help` prints it, for `reference/gtp.md`."""
    folder = Path(__file__).parent / "_generated"
    folder.mkdir(exist_ok=True)
    lines = ["| command | what it does |", "|---|---|"]
    for line in table.help_lines([*table.COMMANDS.values()]):
        name, _, doc = line.partition(": ")
        name = name.replace("|", "\\|")
        lines.append(f"| `{name}` | {doc} |")
    (folder / "gtp.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def keep_tables(_app, _what, _name, _value, _options, lines):
    """Show the paragraphs of a docstring that are laid out in columns as they are."""
    text = "\n".join(lines)
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if re.search(r"^ *\w+ {2,}\S|^ {2,}\S", paragraph, re.MULTILINE):
            indented = "\n".join(f"    {line}" for line in paragraph.splitlines())
            paragraphs.append(f"::\n\n{indented}")
        else:
            paragraphs.append(paragraph)
    lines[:] = "\n\n".join(paragraphs).split("\n")


def setup(app):
    """Have the table written before anything is read, and docstrings shown as they are laid out."""
    app.connect("builder-inited", write_gtp)
    app.connect("autodoc-process-docstring", keep_tables)
