"""Names of languages become valid hreflang codes, or are refused with a cure."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import read_table
from sitemap_plugin.languages.codes import CODES, normalize

LANGUAGES = [code for name, code in CODES["language"].items() if name == code and len(code) == 2]
REGIONS = [code for name, code in CODES["region"].items() if name.upper() == code > "A"]
SCRIPTS = [code for name, code in CODES["script"].items() if name.title() == code]
FORM = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?|x-default")

TAGS = st.lists(
    st.sampled_from([*LANGUAGES, *REGIONS, *SCRIPTS, "deu", "fil", "419", "UK", "EU", "x", "1996"]),
    min_size=1,
    max_size=4,
).flatmap(lambda subtags: st.sampled_from("-_").map(lambda separator: separator.join(subtags)))
TABLE = read_table(__file__, "names.yaml")


@pytest.mark.parametrize(("name", "code"), TABLE["valid"])
def test_tags_and_locales_become_codes_without_a_problem(name: str, code: str) -> None:
    assert normalize(name) == (code, None)


@pytest.mark.parametrize(("name", "code", "problem"), TABLE["corrected"])
def test_a_code_is_corrected_with_a_problem(name: str, code: str, problem: str) -> None:
    corrected = normalize(name)

    assert corrected.code == code
    assert problem in (corrected.problem or "")
    assert f"{name!r} is written as '{code}'" in (corrected.problem or "")
    assert normalize(code) == (code, None)


@pytest.mark.parametrize(("code", "problem"), TABLE["kept"])
def test_what_search_engines_do_not_support_is_kept_with_a_problem(code: str, problem: str) -> None:
    kept = normalize(code)

    assert kept.code == code
    assert problem in (kept.problem or "")
    assert f"{code!r} is kept" in (kept.problem or "")


@pytest.mark.parametrize(("name", "cure"), TABLE["refused"])
def test_a_name_that_is_no_language_is_refused_with_a_cure(name: str, cure: str) -> None:
    refused = normalize(name)

    assert refused.code is None
    assert repr(name) in (refused.problem or "")
    assert cure in (refused.problem or "")


@pytest.mark.parametrize("value", [None, True, 7, ["en"], {"en": "x"}, b"en"])
def test_a_value_that_is_no_string_is_refused(value: object) -> None:
    assert normalize(value) == (None, f"expected a language code, got {value!r}")


def test_norwegian_that_yaml_read_as_false_gets_its_cure() -> None:
    assert "write 'no'" in (normalize(False).problem or "")


@pytest.mark.parametrize(("name", "code"), TABLE["declared"])
def test_the_option_names_folders_and_its_codes_have_no_problem(name: str, code: str) -> None:
    names = {"za": "en-ZA", "co": "es-CO", "zh": "zh-Hans", "tw": "zh-Hant", "de_at": "de-AT",
             "latam": "es-419", "uk": "en_uk"}  # fmt: skip
    assert normalize(name, names) == (code, None)


def test_codes_of_different_options_do_not_mix() -> None:
    assert normalize("za", {"za": "en-ZA"}).code == "en-ZA"
    assert normalize("za", {"za": "af-ZA"}).code == "af-ZA"
    assert normalize("za").code == "za"
    assert normalize("bad", {"bad": "xx"}).code is None


@settings(max_examples=30)
@given(TAGS | st.text() | st.text("deEN-_.@x1"))
def test_a_normal_code_stays_as_it_is(name: str) -> None:
    code, problem = normalize(name)

    if code is None:
        assert problem
        assert problem.isprintable()
    else:
        assert FORM.fullmatch(code)
        assert normalize(code).code == code


@settings(max_examples=30)
@given(
    st.sampled_from(LANGUAGES),
    st.none() | st.sampled_from(SCRIPTS),
    st.none() | st.sampled_from(REGIONS),
    st.sampled_from("-_"),
    st.sampled_from([str, str.upper, str.lower]),
)
def test_a_valid_code_in_any_spelling_is_accepted(
    language: str, script: str | None, region: str | None, separator: str, case: type[str]
) -> None:
    subtags = [subtag for subtag in (language, script, region) if subtag]
    assert normalize(case(separator.join(subtags))) == ("-".join(subtags), None)


def test_the_lists_are_those_of_the_iso_codes_project() -> None:
    pycountry = pytest.importorskip("pycountry")
    known = {it.alpha_3: getattr(it, "alpha_2", None) for it in pycountry.languages}
    known |= {
        it.bibliographic: it.alpha_2 for it in pycountry.languages if "bibliographic" in dir(it)
    }

    # Serbo-Croatian kept a code there that ISO 639-1 withdrew.
    assert {*known.values()} - {"sh", None} == {*LANGUAGES}
    assert {it.alpha_2 for it in pycountry.countries} == {*REGIONS}
    assert {*SCRIPTS} == {it.alpha_4 for it in pycountry.scripts} - {"Qaaa", "Qabx"}
    longer = {name: code for name, code in CODES["language"].items() if len(name) == 3}
    assert longer.keys() <= known.keys()
    for name, code in known.items():
        if code not in {None, "sh"}:
            assert longer[name] == code


def test_every_code_is_valid_bcp_47() -> None:
    tags_of = pytest.importorskip("language_tags").tags
    regions = [f"en-{code}" for code in CODES["region"].values() if code]

    for tag in [*CODES["language"].values(), *regions]:
        assert tags_of.check(tag), tag
