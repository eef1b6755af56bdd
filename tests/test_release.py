"""Published files: wheel and sdist, their metadata, and the workflow."""

import email
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from documents import README
from places import ROOT

import hsearch

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())


def tracked(*folders):
    """Return the files in some folders that git tracks; all of them outside a checkout."""
    done = subprocess.run(  # noqa: S603
        ["git", "ls-files", "-z", *folders],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0 and done.stdout:
        return {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    files = (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in files}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    return folder


@pytest.mark.slow
def test_the_wheel_has_the_program_and_its_positions_and_nothing_else(built):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
    information = {name for name in names if ".dist-info/" in name}
    expected = {
        name.replace("positions/", "hsearch/positions/", 1) for name in tracked("positions")
    }

    assert names - information == tracked("hsearch", "player") | expected
    assert path.name == f"hsearch-{hsearch.__version__}-py3-none-any.whl"
    vendored = {name.removesuffix(".LICENSE") for name in tracked("player/board/static/vendor")}
    licenses = {re.sub(r".*/licenses/", "", name) for name in information if "/licenses/" in name}
    assert licenses == {"LICENSE", *(name for name in tracked("player") if "LICENSE" in name)}
    assert {Path(name).name for name in vendored} >= {"lit-html", "inter"}


@pytest.mark.slow
def test_the_wheel_metadata_is_correct(built):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        fields = email.message_from_bytes(wheel.read(name))

    assert (fields["Name"], fields["Version"]) == ("hsearch", hsearch.__version__)
    assert fields["License-Expression"] == "MIT AND BSD-3-Clause AND OFL-1.1"
    assert fields["Requires-Python"] == ">=3.11"
    assert README.splitlines()[0] in str(fields.get_payload())
    versions = {c.rpartition(" ")[2] for c in fields.get_all("Classifier") if "Python :: 3." in c}
    assert versions == set(WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]["python"])


@pytest.mark.slow
def test_the_sdist_is_enough_to_test_and_build(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = tracked("hsearch", "player", "tests", "positions", "docs")

    assert needed - names == set()
    assert {"README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "pyproject.toml"} <= names


def test_commands_and_names_load_without_extras():
    """Without extras, every command and every name of `hsearch` loads."""
    extras = PROJECT["project"]["optional-dependencies"]
    needed = {re.match(r"[\w-]+", each)[0] for name in extras for each in extras[name]}
    needed.remove("hsearch")  # our own extras are listed under its name
    distributions = packages_distributions()
    modules = {name for name, of in distributions.items() if needed & set(of)}
    modules |= {"torch", "starlette", "onnx", "distributed", "resvg_py"}
    program = f"""if True:
        import importlib, sys
        sys.modules.update(dict.fromkeys({sorted(modules)}))
        import hsearch
        from player.cli import COMMANDS, main
        for name in COMMANDS:
            assert main.get_command(None, name), name
        for name in hsearch.__all__:
            getattr(hsearch, name)
    """
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr


def test_version_tags_match_the_version():
    """A commit tagged as a version has that version everywhere a version is named."""
    tags = subprocess.run(
        ["git", "tag", "--points-at", "HEAD"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    versions = [tag for tag in tags if re.fullmatch(r"v\d+\.\d+\.\d+\S*", tag)]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())

    assert all(tag == f"v{hsearch.__version__}" for tag in versions)
    assert citation["version"] == hsearch.__version__
    assert f"\n## {hsearch.__version__}" in (ROOT / "CHANGELOG.md").read_text()
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "hsearch/version.py"


def test_the_citation_is_complete():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    sources = (ROOT / "docs/explanation/sources.md").read_text().split("## Where")[1]

    sources = " ".join(sources.casefold().split())

    assert {"cff-version", "message", "title", "authors", "license"} <= set(citation)
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= set(reference)
        title = reference["title"].split(":")[0]
        names = [each["family-names"].split()[-1] for each in reference["authors"]]
        assert title.casefold() in sources, title
        assert names[0].casefold() in sources, names


def workflow_lines():
    """Return the command lines that the jobs run."""
    steps = (step for job in WORKFLOW["jobs"].values() for step in job["steps"])
    return [line for step in steps if "run" in step for line in step["run"].splitlines()]


def test_the_workflow_runs_the_commands_of_the_checks():
    """The workflow runs `.ci/run` itself, and in other jobs its commands."""
    checks = (ROOT / ".ci/run").read_text()
    lines = workflow_lines()
    made = re.search(r"^(python3 -m venv \.venv-test && .*) && (\S+pytest)$", README, re.MULTILINE)

    assert any(line.endswith(" .ci/run") for line in lines)
    assert made[1] in lines
    assert made[2] in lines
    assert "python -m build" in checks
    assert any("-m build" in line for line in lines)
    proved = re.search(r"hsearch (analyze .* grep \"Proved: Black\")", checks)[1]
    assert sum(line.endswith(proved) for line in lines) == 2
    contributing = (ROOT / "docs/CONTRIBUTING.md").read_text()
    assert "sphinx-build -W docs docs/_build" in contributing
    assert ".venv-test/bin/sphinx-build -W docs docs/_build" in lines


def test_the_workflow_names_folders_and_jobs_that_exist():
    jobs = WORKFLOW["jobs"]
    folders = {word for line in workflow_lines() for word in re.findall(r"\btests/[\w/]+", line)}

    assert folders
    assert all((ROOT / folder).is_dir() for folder in folders)
    assert set(jobs["release"]["needs"]) == set(jobs) - {"release", "weekly"}
    assert jobs["release"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
