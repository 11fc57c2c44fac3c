"""Which commit dates a file: histories, and the days that are right."""

import pytest

from git_repositories import History, Repo

CHANGES = {
    "each file has the day of its own last change": (
        "1 docs/a.md=a docs/b.md=b README.md=r; 2 docs/a.md=a2; 3 docs/c.md=c src/x.py=x",
        "docs/a.md:2 docs/b.md:1 docs/c.md:3 README.md:1",
    ),
    "the docs folder may be deep": (
        "1 website/docs/a.md=a b.md=b; 2 b.md=b2",
        "website/docs/a.md:1",
    ),
    "a deleted file that came back is as old as its return": (
        "1 a.md=a b.md=b; 2 a.md=; 3 a.md=a; 4 b.md=b2",
        "a.md:3",
    ),
    "a reverted change is a change": (
        "1 a.md=a; 2 a.md=a2; 3 a.md=a",
        "a.md:3",
    ),
    "a clock that ran backwards changes nothing": (
        "900 a.md=a b.md=b; 20 a.md=a2; fork side; 1 b.md=b2; on main; 5 c.md=c; 3 merge side",
        "a.md:20 b.md:1 c.md:5",
    ),
}
MERGES = {
    "a change on the side": (
        "1 a.md=30 b.md=b; fork side; 2 a.md=30side; on main; 3 b.md=b3; 9 merge side",
        "a.md:2 b.md:3",
    ),
    "a merge that combined two changes is one": (
        "1 a.md=30 b.md=b; fork side; 2 a.md=side/30; on main; 3 a.md=30main; "
        "9 merge side a.md=side/30main",
        "a.md:9 b.md:1",
    ),
    "a merge that changed a file itself is a change": (
        "1 a.md=30 b.md=b; fork side; 2 b.md=b2; on main; 3 c.md=c; 9 merge side a.md=evil",
        "a.md:9 b.md:2 c.md:3",
    ),
    "a merge that brought an old version back leads to the side that has it": (
        "1 a.md=30 b.md=b; fork side; 2 b.md=b2; on main; 3 a.md=a3; 9 merge side a.md=30",
        "a.md:1",
    ),
    "the same change on both sides leads to the newer": (
        "1 a.md=30 b.md=b; fork side; 2 a.md=same b.md=b2; on main; 3 a.md=same; 9 merge side",
        "a.md:3 b.md:2",
    ),
    "an octopus leads to the branch that made the change": (
        "1 a.md=a b.md=b c.md=c d.md=d; fork one; 2 a.md=changed; on main; fork two; "
        "3 b.md=changed; on main; fork three; 4 c.md=changed; on main; 9 merge one two three",
        "a.md:2 b.md:3 c.md:4 d.md:1",
    ),
    "an octopus of equal changes leads to the newest": (
        "1 a.md=a m.md=m; fork one; 7 a.md=same one.md=1; on main; fork two; "
        "5 a.md=same two.md=2; on main; 2 m.md=m2; 9 merge one two",
        "a.md:7 two.md:5",
    ),
    "a wordless change on the way": (
        "1 a.md=a; fork side; 2 a.md=*a*; on main; 3 b.md=b; 9 merge side",
        "a.md:1 b.md:3",
    ),
}
MOVES = {
    "a moved file keeps its day": (
        "1 old/a.md=a other.md=o; 2 other.md=o2; 3 old/a.md>docs/a.md; 4 other.md=o3",
        "docs/a.md:1",
    ),
    "a move to the top and to another letter case": (
        "1 docs/a.md=a docs/b.md=b; 2 docs/a.md>a.md docs/b.md>docs/B.md",
        "a.md:1 docs/B.md:1",
    ),
    "a moved folder": (
        "1 documentation/a.md=a documentation/sub/b.md=b; 2 documentation/a.md=a2; "
        "3 documentation>docs; 4 docs>site",
        "site/a.md:2 site/sub/b.md:1",
    ),
    "many moves": (
        "1 a.md=a other.md=o; 2 a.md>one.md; 3 one.md>two/b.md; 4 two/b.md>one/b.md; "
        "5 one/b.md>c.md; 6 c.md>a.md; 7 a.md>docs/a.md",
        "docs/a.md:1",
    ),
    "a copy is a new file": (
        "1 a.md=a; 2 b.md=a",
        "a.md:1 b.md:2",
    ),
    "two files that changed places have changed": (
        "1 a.md=a b.md=b; 2 a.md=b b.md=a",
        "a.md:2 b.md:2",
    ),
    "a file that replaced a moved one is new": (
        "1 a.md=a; 2 a.md>b.md; 3 a.md=new",
        "a.md:3 b.md:1",
    ),
    "of equal files the one of the same name is the origin": (
        "1 old/a.md=same; 2 old/b.md=same; 3 old>docs",
        "docs/a.md:1 docs/b.md:2",
    ),
    "a move on a branch": (
        "1 old/a.md=a b.md=b; fork side; 2 old/a.md>docs/a.md; on main; 3 b.md=b3; 4 merge side",
        "docs/a.md:1 b.md:3",
    ),
    "a merge that moved a file itself": (
        "1 a.md=a b.md=b; fork side; 2 b.md=b2; on main; 3 c.md=c; 4 merge side a.md>docs.md",
        "docs.md:1 b.md:2",
    ),
    "a change on one side, a move on the other": (
        "1 old/a.md=30 b.md=b; fork side; 2 old/a.md=30more; on main; 3 old/a.md>docs/a.md; "
        "4 merge side old/a.md= docs/a.md=30more",
        "docs/a.md:2",
    ),
}
IGNORED = {
    "a listed commit is no change": (
        "1 a.md=a b.md=b; 2 a.md=a2 b.md=b2 as IGNORED; 3 b.md=b3",
        "a.md:1 b.md:3",
    ),
    "several in a row": (
        "1 a.md=a; 2 a.md=a2 as IGNORED; 3 a.md=a3 as IGNORED",
        "a.md:1",
    ),
    "a listed commit that added a file, and the very first": (
        "1 b.md=b as IGNORED; 2 a.md=a as IGNORED",
        "a.md:2 b.md:1",
    ),
    "a listed commit on a branch": (
        "1 a.md=a b.md=b; fork side; 2 a.md=a2 as IGNORED; on main; 3 b.md=b3; 4 merge side",
        "a.md:1 b.md:3",
    ),
    # What the main line has goes on there; what only the side has, there; else it is the merge.
    "a listed merge that changed files itself": (
        "1 a.md=a b.md=b; fork side; 2 b.md=b2 new.md=n; on main; 3 a.md=a3; "
        "4 merge side a.md=evil b.md=evil new.md=evil born.md=evil as IGNORED",
        "a.md:3 b.md:1 new.md:2 born.md:4",
    ),
    "a listed move with an edit": (
        "1 old/a.md=30; 2 old/a.md= docs/a.md=30more as IGNORED",
        "docs/a.md:1",
    ),
}


EDITS = {
    f"a move to {new} with an edit": (
        f"1 old/a.md=30 other.md=o; 2 old/a.md= {new}=30{edit}; 3 other.md=o3",
        f"{new}:{day}",
    )
    for new in ("docs/b.md", "old/sub/a.md", "a.md")
    for edit, day in (("<!--_moved_-->", 1), ("more", 2))
}
WORDS = {
    "a wordless change leads to the version before": (
        "1 a.md=one b.md=one; 2 a.md=two b.md=two; 3 a.md=*two*; "
        "4 a.md=---/tags:_[x]/---/two/ b.md=*two*!; 5 b.md=three",
        "a.md:2 b.md:5",
    ),
    "a wordless merge leads to the side that says the same": (
        "1 a.md=a m.md=m; fork side; 2 a.md=side; on main; 3 m.md=m3; 9 merge side a.md=**side**",
        "a.md:2 m.md:3",
    ),
    "other files change by any byte": (
        "1 a.csv=a; 2 a.csv=*a*",
        "a.csv:2",
    ),
}
CASES = CHANGES | MERGES | MOVES | EDITS | IGNORED | WORDS


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float | None]:
    """Return the days of all files of one repository that has every case in a folder."""
    repo = Repo(tmp_path_factory.mktemp("rules"))
    repo.git("init", "--quiet")
    ignored = repo.play(*(script for script, _ in CASES.values()))
    repo.write({".git-blame-ignore-revs": "\n".join(ignored)})
    names = repo.git("ls-files").splitlines()
    return dict(zip(names, repo.days(names), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_commit_that_made_the_version_counts(dated: dict[str, float | None], case: str) -> None:
    folder = list(CASES).index(case)
    expected = {name: float(day) for name, day in (p.split(":") for p in CASES[case][1].split())}

    assert {name: dated[f"{folder}/{name}"] for name in expected} == expected


def test_a_change_of_mode_changes_no_word(repo: Repo) -> None:
    repo.play("1 a.md=a b.md=b")
    repo.git("mv", "b.md", "c.md")
    for name in ("a.md", "c.md"):
        (repo.path / name).chmod(0o755)
    repo.commit(2, {})

    assert repo.days(["a.md", "c.md"]) == [1, 1]


def test_a_main_line_that_never_had_the_folder_leads_to_the_side(repo: Repo) -> None:
    repo.play("1 x.py=x; 2 x.py=x2", "3 docs/a.md=a")

    assert repo.days(["0/x.py", "1/docs/a.md"]) == [2, 3]


def test_long_chains_of_merges_are_followed(repo: Repo) -> None:
    # Each merge differs from its first parent and agrees with its second, the merge before it.
    history = History()
    first = history.commit(0, [], {"a.md": "a", "b.md": "b"})
    last = history.commit(1, [first], {"a.md": "z", "b.md": "b"})
    for day in range(2, 500):
        last = history.commit(day, [first, last], {"a.md": "z", "b.md": "b"})
    stream = [*history.stream, f"reset refs/heads/main\nfrom :{last}\n"]
    repo.git("fast-import", "--quiet", "--force", text="\n".join(stream))
    repo.git("reset", "--quiet", "--hard", "main")

    assert repo.days(["a.md", "b.md"]) == [1, 0]
