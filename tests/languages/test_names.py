"""Names of languages become valid hreflang codes, or are refused with a cure."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("de", "de"), ("DE", "de"), ("de_CH.UTF-8", "de-CH"), ("zh_CN", "zh-CN"),
        ("pt_br", "pt-BR"), ("zh-hans", "zh-Hans"), ("zh_Hant_TW", "zh-Hant-TW"),
        ("ZH-HANT-tw", "zh-Hant-TW"), ("sr_RS@latin", "sr-Latn-RS"), ("sr@cyrillic", "sr-Cyrl"),
        ("de_DE.ISO-8859-15@euro", "de-DE"), ("ja_JP.eucJP", "ja-JP"), ("ru_RU.KOI8-R", "ru-RU"),
        (" fr ", "fr"), ("fr-", "fr"), ("no", "no"), ("nn-NO", "nn-NO"), ("uk", "uk"),
        ("x-default", "x-default"), ("X_Default", "x-default"),
    ],
)  # fmt: skip
def test_tags_and_locales_become_codes_without_a_problem(name: str, code: str) -> None:
    assert normalize(name) == (code, None)


@pytest.mark.parametrize(
    ("name", "code", "problem"),
    [
        ("en-UK", "en-GB", "the region is 'GB', not 'uk'"), ("fr-FX", "fr-FR", "is 'FR', not 'fx'"),
        ("en-EU", "en", "ignore the region 'EU'"), ("en_UN.UTF-8", "en", "ignore the region 'UN'"),
        ("sr-Latn-EU", "sr-Latn", "ignore the region 'EU'"),
        ("iw", "he", "the code is 'he', not 'iw'"), ("iw-IL", "he-IL", "is 'he', not 'iw'"),
        ("in", "id", "is 'id', not 'in'"), ("mo", "ro", "is 'ro', not 'mo'"),
        ("deu", "de", "is 'de', not 'deu'"), ("ger-AT", "de-AT", "is 'de', not 'ger'"),
        ("cmn-Hans", "zh-Hans", "is 'zh', not 'cmn'"),
        ("zh-cmn-Hans", "zh-Hans", "support no 'cmn' after 'zh'"),
        ("zh-CHS", "zh-Hans", "the script is 'Hans', not 'chs'"),
        ("sr-latin", "sr-Latn", "the script is 'Latn', not 'latin'"),
        ("zh-TW-Hant", "zh-Hant-TW", "the script comes before the region"),
        ("de-1996", "de", "support no '1996' after 'de'"),
        ("ca_ES@valencia", "ca-ES", "'@valencia' has no place"),
        ("ca-ES-valencia", "ca-ES", "support no 'valencia' after 'ca'"),
        ("en-US-x-mine", "en-US", "support no extension 'x-mine'"),
        ("th-u-ca-buddhist", "th", "support no extension 'u-ca-buddhist'"),
        ("de-DE-AT", "de-DE", "support no 'at' after 'de'"),
        ("zh-Hans-Hant", "zh-Hans", "support no 'hant' after 'zh'"),
        ("en-USA", "en", "support no 'usa' after 'en'"),
    ],
)  # fmt: skip
def test_a_code_is_corrected_with_a_problem(name: str, code: str, problem: str) -> None:
    corrected = normalize(name)

    assert corrected.code == code
    assert problem in (corrected.problem or "")
    assert f"{name!r} is written as '{code}'" in (corrected.problem or "")
    assert normalize(code) == (code, None)


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("es-419", "no group of countries such as '419'"), ("haw-US", "and 'haw' has none"),
        ("zh-Hant-001", "no group of countries such as '001'"),
        ("fil", "two-letter languages only"),
    ],
)  # fmt: skip
def test_what_search_engines_do_not_support_is_kept_with_a_problem(code: str, problem: str) -> None:
    kept = normalize(code)

    assert kept.code == code
    assert problem in (kept.problem or "")
    assert f"{code!r} is kept" in (kept.problem or "")


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("en-XX", "an unknown region 'xx'; write 'en'"),
        ("sr-Latn-YU", "an unknown region 'yu'; write 'sr-Latn'"),
        ("es-999", "an unknown region '999'; write 'es'"),
        ("zh-Hens", "an unknown script 'hens'; write 'zh'"), ("en-\xfc", "is none; write 'en'"),
        ("en-US-averylongsubtag", "is none; write 'en-US'"),
        ("english", "an unknown language; write one such as 'en' or 'pt-BR'"),
        *(
            (name, "an unknown language")
            for name in ("xx", "jp", "us", "sh", "und", "C.UTF-8", "null", "en us", "x-mine",
                         "\ufb01", "", "-", "\0")
        ),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("za", "en-ZA"), ("CO", "es-CO"), ("zh", "zh-Hans"), ("zh-TW", "zh-TW"), ("fr", "fr"),
        ("DE-AT", "de-AT"), ("de_AT.UTF-8", "de-AT"), ("latam", "es-419"), ("uk", "en-GB"),
    ],
)  # fmt: skip
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
