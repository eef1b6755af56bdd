"""The documents of the program: the README and the pages in `docs`."""

from places import ROOT

README = (ROOT / "README.md").read_text()
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if not any(part.startswith("_") for part in path.relative_to(ROOT).parts)
}
TOLD = "\n".join([README, *PAGES.values()])
