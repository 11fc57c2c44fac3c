"""Clones that lack part of the history, working trees elsewhere, and several repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from git_repositories import Repo, ask

MakeRepo = Callable[[str], Repo]


@pytest.fixture
def origin(make_repo: MakeRepo) -> Repo:
    """Files a, b and c, changed on the days 1, 2 and 3; then a side branch merged on day 6."""
    repo = make_repo("origin")
    repo.commit(1, {"a.md": "a", "b.md": "b", "c.md": "c", "d.md": "d"})
    repo.commit(2, {"b.md": "b2"})
    repo.commit(3, {"c.md": "c3"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(4, {"d.md": "d4"})
    repo.git("checkout", "--quiet", "main")
    repo.commit(5, {"e.md": "e"})
    repo.merge(6, "side")
    return repo


def clone(origin: Repo, *options: str) -> Repo:
    target = origin.path.parent / "clone"
    origin.git("clone", "--quiet", *options, origin.path.as_uri(), target)
    return type(origin)(target)


NAMES = ["a.md", "b.md", "c.md", "d.md", "e.md"]


@pytest.mark.parametrize(
    ("depth", "days"),
    [
        (1, [None, None, None, None, None]),
        (2, [None, None, None, None, None]),
        (3, [None, None, None, 4, 5]),
        (4, [None, None, 3, 4, 5]),
        (5, [1, 2, 3, 4, 5]),
    ],
)
def test_a_shallow_clone_lacks_only_the_dates_of_its_boundary(
    origin: Repo, depth: int, days: list[float | None]
) -> None:
    repo = clone(origin, f"--depth={depth}")

    answer = ask([repo.path / name for name in NAMES])

    assert answer.days == days
    assert len(answer.problems) == (None in days)


def test_a_shallow_clone_gives_one_notice_that_says_how_to_fetch_more(origin: Repo) -> None:
    repo = clone(origin, "--depth=1")

    [problem] = ask([repo.path / name for name in NAMES]).problems

    assert problem.severity == "notice"
    assert problem.message.startswith("5 pages ")
    assert "git fetch --unshallow" in problem.message
    assert "fetch-depth: 0" in problem.message
    assert "GIT_DEPTH: 0" in problem.message


def test_a_clone_that_is_just_deep_enough_for_the_first_commit_lacks_nothing(repo: Repo) -> None:
    repo.commit(1, {"a.md": "a"})
    copy = clone(repo, "--depth=1")

    answer = ask([copy.path / "a.md"])

    assert (copy.path / ".git/shallow").exists()
    assert answer.days == [1]
    assert answer.problems == []


def test_fetching_the_rest_gives_all_dates(origin: Repo) -> None:
    repo = clone(origin, "--depth=1")
    before = repo.days(NAMES)
    repo.git("fetch", "--quiet", "--unshallow")

    assert [before, repo.days(NAMES)] == [[None] * 5, [1, 2, 3, 4, 5]]


def test_a_move_at_the_boundary_is_not_known_and_gives_no_date(origin: Repo) -> None:
    origin.move(7, "a.md", "docs/a.md")
    origin.commit(8, {"e.md": "e8"})
    repo = clone(origin, "--depth=2")

    assert repo.days(["docs/a.md", "e.md"]) == [None, 8]


@pytest.mark.parametrize("filter_", ["blob:none", "blob:limit=1"])
def test_a_clone_without_blobs_has_all_dates(origin: Repo, filter_: str) -> None:
    origin.move(7, "a.md", "docs/a.md")
    repo = clone(origin, f"--filter={filter_}")
    origin.path.rename(origin.path.with_name("gone"))

    assert repo.days(["docs/a.md", *NAMES[1:]]) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("filter_", ["tree:0", "combine:blob:none+tree:0"])
def test_a_clone_without_folders_gives_no_dates_and_a_warning(origin: Repo, filter_: str) -> None:
    repo = clone(origin, f"--filter={filter_}")
    objects = repo.git("count-objects", "-v")

    answer = ask([repo.path / name for name in NAMES])

    assert answer.days == [None] * 5
    [problem] = answer.problems
    assert (problem.severity, problem.where) == ("warning", str(repo.path))
    assert "git fetch --refetch --filter=blob:none" in problem.message
    assert repo.git("count-objects", "-v") == objects


def test_a_worktree_is_dated_by_its_own_head(origin: Repo) -> None:
    tree = origin.path.parent / "tree"
    origin.git("worktree", "add", "--quiet", tree, "main~3")

    assert ask([tree / "b.md", origin.path / "d.md"]).days == [2, 4]
    assert ask([tree / "d.md"]).days == [1]


def test_a_worktree_of_a_shallow_clone_is_shallow_too(origin: Repo) -> None:
    repo = clone(origin, "--depth=4")
    tree = origin.path.parent / "tree"
    repo.git("worktree", "add", "--quiet", "--detach", tree)

    assert ask([tree / name for name in NAMES]).days == [None, None, 3, 4, 5]


def test_a_sparse_checkout_is_dated(origin: Repo) -> None:
    origin.commit(7, {"docs/a.md": "a", "src/x.py": "x"})
    repo = clone(origin, "--sparse")
    repo.git("sparse-checkout", "set", "docs")

    assert not (repo.path / "src").exists()
    assert repo.days(["docs/a.md", "a.md"]) == [7, 1]


def test_a_file_in_a_submodule_is_dated_by_the_submodule(repo: Repo, make_repo: MakeRepo) -> None:
    library = make_repo("library")
    library.commit(1, {"docs/a.md": "a"})
    library.commit(2, {"b.md": "b"})
    repo.commit(5, {"docs/index.md": "i"})
    repo.git("submodule", "--quiet", "add", library.path, "docs/library")
    repo.commit(6, {})

    files = ["docs/index.md", "docs/library/docs/a.md", "docs/library/b.md"]
    assert repo.days(files) == [5, 1, 2]


def test_each_repository_of_a_site_is_asked_for_its_own_files(
    make_repo: MakeRepo, tmp_path: Path
) -> None:
    one, two, inner = make_repo("one"), make_repo("two"), make_repo("one/docs/inner")
    one.commit(1, {"docs/a.md": "a", ".gitignore": "inner\n"})
    two.commit(2, {"docs/a.md": "a"})
    inner.commit(3, {"a.md": "a"})
    (tmp_path / "a.md").write_text("outside")

    folders = (one.path / "docs", two.path / "docs", inner.path, tmp_path)
    assert ask([folder / "a.md" for folder in folders]).days == [1, 2, 3, None]


def test_a_repository_that_cannot_be_read_leaves_the_others_alone(make_repo: MakeRepo) -> None:
    good, bad = make_repo("good"), make_repo("bad")
    good.commit(1, {"a.md": "a"})
    bad.commit(2, {"a.md": "a"})
    blob = bad.git("rev-parse", "HEAD^{tree}")
    (bad.path / ".git/objects" / blob[:2] / blob[2:]).unlink()

    answer = ask([bad.path / "a.md", good.path / "a.md"])

    assert answer.days == [None, 1]
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert problem.where == str(bad.path)


def test_a_dot_git_file_that_leads_nowhere_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/.git").write_text("gitdir: /nowhere/modules/site\n")
    (tmp_path / "site/a.md").write_text("a")

    answer = ask([tmp_path / "site/a.md"])

    assert answer.days == [None]
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert problem.where == str(tmp_path / "site")
    assert "names a repository that is not there" in problem.message


def test_a_repository_of_another_user_is_a_warning_with_the_cure(
    origin: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")

    answer = ask([origin.path / "a.md"])

    assert answer.days == [None]
    [problem] = answer.problems
    assert problem.severity == "warning"
    assert f"git config --global --add safe.directory {origin.path}" in problem.message


def test_a_refusal_that_was_lifted_in_the_environment_is_none(
    origin: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "*")

    assert ask([origin.path / "a.md"]).days == [1]


def test_a_link_into_another_repository_is_dated_there(make_repo: MakeRepo) -> None:
    one, two = make_repo("one"), make_repo("two")
    one.commit(1, {"a.md": "a"})
    (two.path / "link.md").symlink_to(one.path / "a.md")
    two.commit(2, {"b.md": "b"})
    one.commit(3, {"a.md": "a3"})

    assert two.days(["link.md", "b.md"]) == [3, 2]


def test_grafts_and_replacements_change_nothing(origin: Repo) -> None:
    main, middle, first = origin.git("rev-parse", "main", "main~2", "main~4").split()
    before = origin.days(NAMES)
    origin.git("replace", "--graft", main, first)
    origin.git("replace", middle, first)
    (origin.path / ".git/info/grafts").write_text(f"{main}\n")

    assert [before, origin.days(NAMES)] == [[1, 2, 3, 4, 5]] * 2


def test_a_boundary_that_names_a_commit_that_is_not_there_is_passed_over(origin: Repo) -> None:
    repo = clone(origin, "--depth=2")
    files = [repo.path / name for name in NAMES]
    before = ask(files).days
    with (repo.path / ".git/shallow").open("a") as file:
        file.write("1" * 40 + "\n")

    assert ask(files).days == before


def test_a_version_that_is_missing_is_compared_by_bytes_and_the_others_by_words(repo: Repo) -> None:
    lines = "".join(f"line {number}\n" for number in range(30))
    olds = {f"old/{name}": lines + name for name in "cde"}
    repo.commit(1, {"a.md": "a", "b.md": "b", **olds})
    repo.commit(2, {"a.md": "*a*", "b.md": "*b*"})
    for day, name, data in ((3, "c", "1"), (4, "d", None), (5, "e", None)):
        new = f"{lines}<!-- moved -->{name}"
        files = {f"old/{name}": None, f"{name}.md": new}
        repo.commit(day, files if name == "e" else {**files, "data.csv": data})
    for name in ("HEAD~4:b.md", "HEAD~2:data.csv"):
        blob = repo.git("rev-parse", name)
        (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()

    answer = ask([repo.path / f"{name}.md" for name in "abcde"])

    assert answer.days == [1, 2, 3, 4, 1]
    assert [problem.message[:43] for problem in answer.problems] == [
        "this clone lacks earlier versions of files ",
        "2 of 5 pages were last changed by commits t",
    ]
