"""Clones that lack part of the history, working trees elsewhere, and several repositories."""

from collections.abc import Callable
from pathlib import Path

import pytest

from git_repositories import Repo, ask

NAMES = ["a.md", "b.md", "c.md", "d.md", "e.md"]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Files a, b and c, changed on the days 1, 2 and 3; then a side branch merged on day 6.

    Only to be read.
    """
    return Repo.make(
        tmp_path_factory.mktemp("origin"),
        "1 a.md=a b.md=b c.md=c d.md=d old.md=o src/x.py=x; 2 b.md=b2; 3 c.md=c3; fork side; "
        "4 d.md=d4; on main; 5 e.md=e; 6 merge side; 7 old.md>docs/moved.md; 8 f.md=f",
    )


@pytest.fixture
def clone(origin: Repo, tmp_path: Path) -> Callable[..., Repo]:
    def make(*options: str) -> Repo:
        origin.git("clone", "--quiet", *options, origin.path.as_uri(), tmp_path / "clone")
        return Repo(tmp_path / "clone")

    return make


@pytest.mark.parametrize(
    ("depth", "days"),
    [(1, [None] * 5), (5, [None, None, None, 4, 5]), (6, [None, None, 3, 4, 5]),
     (9, [1, 2, 3, 4, 5])],
)  # fmt: skip
def test_a_shallow_clone_lacks_only_the_dates_of_its_boundary(
    clone: Callable[..., Repo], depth: int, days: list[float | None]
) -> None:
    repo = clone(f"--depth={depth}")
    with (repo.path / ".git/shallow").open("a") as file:
        file.write("1" * 40 + "\n")  # It need not be there.
    answer = ask([repo.path / name for name in NAMES])

    assert answer.days == days
    assert [(problem.severity, problem.where) for problem in answer.problems] == [
        ("notice", "lastmod: git")
    ] * (None in days)
    for problem in answer.problems:
        assert problem.message.startswith(f"{days.count(None)} pages last changed before this")
        for cure in ("git fetch --unshallow", "fetch-depth: 0", "GIT_DEPTH: 0"):
            assert cure in problem.message


def test_fetching_the_rest_gives_all_dates_and_a_worktree_is_as_shallow_as_its_clone(
    clone: Callable[..., Repo], tmp_path: Path
) -> None:
    repo = clone("--depth=6")
    repo.git("worktree", "add", "--quiet", "--detach", tmp_path / "tree")
    assert ask([tmp_path / "tree" / name for name in NAMES]).days == [None, None, 3, 4, 5]
    assert repo.days([*NAMES, "docs/moved.md"]) == [None, None, 3, 4, 5, None]

    repo.git("fetch", "--quiet", "--unshallow")
    assert repo.days([*NAMES, "docs/moved.md"]) == [1, 2, 3, 4, 5, 1]


@pytest.mark.parametrize("filter_", ["blob:none", "blob:limit=1"])
def test_a_clone_without_blobs_has_all_dates_and_fetches_nothing(
    clone: Callable[..., Repo], filter_: str
) -> None:
    repo = clone(f"--filter={filter_}")
    objects = repo.git("count-objects", "-v")

    assert repo.days([*NAMES, "docs/moved.md"]) == [1, 2, 3, 4, 5, 1]
    assert repo.git("count-objects", "-v") == objects


def test_a_clone_without_folders_gives_no_dates_and_a_warning(clone: Callable[..., Repo]) -> None:
    repo = clone("--filter=tree:0")
    objects = repo.git("count-objects", "-v")
    answer = ask([repo.path / name for name in NAMES])

    assert answer.days == [None] * 5
    (problem,) = answer.problems
    assert (problem.severity, problem.where) == ("warning", str(repo.path))
    assert "git fetch --refetch --filter=blob:none" in problem.message
    assert repo.git("count-objects", "-v") == objects


def test_a_clone_without_earlier_versions_compares_bytes_and_says_so(repo: Repo) -> None:
    repo.play("1 a.md=a b.md=b; 2 a.md=*a*; 3 b.md=b3")
    copy = Repo(repo.path.with_name("copy"))
    repo.git("clone", "--quiet", "--filter=blob:none", repo.path.as_uri(), copy.path)
    answer = ask([copy.path / "a.md", copy.path / "b.md"])

    assert answer.days == [2, 3]
    assert [str(problem)[:56] for problem in answer.problems] == [
        "lastmod: git: this clone lacks earlier versions of files"
    ]


def test_a_worktree_is_dated_by_its_own_head_and_a_sparse_checkout_is_dated(
    clone: Callable[..., Repo], tmp_path: Path
) -> None:
    repo = clone("--sparse")
    repo.git("sparse-checkout", "set", "docs")
    repo.git("worktree", "add", "--quiet", tmp_path / "tree", "main~6")

    assert not (repo.path / "src").exists()
    assert repo.days(["docs/moved.md", "a.md"]) == [1, 1]
    assert ask([tmp_path / "tree/c.md", repo.path / "c.md"]).days == [1, 3]


def test_each_repository_of_a_site_is_asked_for_its_own_files(tmp_path: Path) -> None:
    library = Repo.make(tmp_path / "library", "1 docs/a.md=a; 2 b.md=b")
    one = Repo.make(tmp_path / "one", "3 docs/a.md=a link.md=l .gitignore=inner")
    two = Repo.make(tmp_path / "two", "4 docs/a.md=a")
    inner = Repo.make(one.path / "docs/inner", "5 a.md=a; 6 a.md=new")
    (two.path / "link.md").symlink_to(inner.path / "a.md")
    two.commit(5, {})
    one.git("submodule", "--quiet", "add", library.path, "docs/library")
    one.commit(6, {})
    (tmp_path / "a.md").write_text("outside")

    folders = (one.path / "docs", two.path / "docs", inner.path, tmp_path)
    files = [folder / "a.md" for folder in folders]
    parts = [one.path / "docs/library/docs/a.md", one.path / "docs/library/b.md"]
    assert ask([*files, *parts, two.path / "link.md"]).days == [3, 4, 6, None, 1, 2, 6]


def test_a_repository_that_cannot_be_read_leaves_the_others_alone(tmp_path: Path) -> None:
    good, bad = Repo.make(tmp_path / "good", "1 a.md=a"), Repo.make(tmp_path / "bad", "2 a.md=a")
    (bad.path / ".git/HEAD").unlink()
    (bad.path / "lost").mkdir()
    bad.write({"lost/.git": "gitdir: /nowhere/modules/site\n", "lost/a.md": "a"})

    answer = ask([bad.path / "a.md", bad.path / "lost/a.md", good.path / "a.md"])

    assert answer.days == [None, None, 1]
    assert [(problem.severity, problem.where) for problem in answer.problems] == [
        ("warning", str(bad.path)),
        ("warning", str(bad.path / "lost")),
    ]


def test_a_repository_of_another_user_is_a_warning_with_the_cure(
    origin: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    answer = ask([origin.path / "a.md"])

    assert answer.days == [None]
    (problem,) = answer.problems
    assert problem.severity == "warning"
    assert f"git config --global --add safe.directory {origin.path}" in problem.message

    for name, value in (("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", "*")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert ask([origin.path / "a.md"]).days == [1]


def test_grafts_and_replacements_change_nothing(clone: Callable[..., Repo]) -> None:
    repo = clone()
    main, middle, first = repo.git("rev-parse", "main", "main~4", "main~6").split()
    repo.git("replace", "--graft", main, first)
    repo.git("replace", middle, first)
    repo.write({".git/info/grafts": f"{main}\n"})

    assert repo.days(NAMES) == [1, 2, 3, 4, 5]


def test_a_move_is_followed_where_another_commit_cannot_be_compared(tmp_path: Path) -> None:
    origin = Repo.make(
        tmp_path / "origin",
        "1 p.md=30 q.md=30x gone.md=30y; 2 q.md>docs/q.md docs/q.md=30x/; "
        f"3 p.md>docs/p.md docs/p.md=30/ big={'30' * 9} gone.md=; 4 big=",
    )
    origin.git("config", "uploadpack.allowFilter", "true")
    clone = Repo(tmp_path / "clone")
    origin.git("clone", "--quiet", "--filter=blob:limit=1k", origin.path.as_uri(), clone.path)

    assert origin.days(["docs/p.md", "docs/q.md"]) == [1, 1]
    assert clone.days(["docs/p.md", "docs/q.md"]) == [3, 1]
