from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.languages import Language, code_lists, normalize

LANGUAGES = code_lists.LANGUAGES.split()
REGIONS = code_lists.REGIONS.split()
SCRIPTS = code_lists.SCRIPTS.split()
FORM = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?|x-default")

slow = settings(deadline=None)
tags = st.lists(
    st.sampled_from([*LANGUAGES, *REGIONS, *SCRIPTS, "deu", "fil", "419", "UK", "EU", "x", "1996"]),
    min_size=1,
    max_size=4,
).flatmap(lambda subtags: st.sampled_from("-_").map(lambda separator: separator.join(subtags)))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("de", "de"), ("DE", "de"), ("de_CH.UTF-8", "de-CH"), ("zh_CN", "zh-CN"),
        ("pt_br", "pt-BR"), ("pt-BR", "pt-BR"), ("en_US", "en-US"), ("zh-hans", "zh-Hans"),
        ("zh_Hant_TW", "zh-Hant-TW"), ("ZH-HANT-tw", "zh-Hant-TW"), ("sr-Latn", "sr-Latn"),
        ("sr_RS@latin", "sr-Latn-RS"), ("sr@cyrillic", "sr-Cyrl"), ("uz_UZ@cyrillic", "uz-Cyrl-UZ"),
        ("sd_IN@devanagari", "sd-Deva-IN"), ("de_DE@euro", "de-DE"),
        ("de_DE.ISO-8859-15@euro", "de-DE"), ("ja_JP.eucJP", "ja-JP"), ("ru_RU.KOI8-R", "ru-RU"),
        (" fr ", "fr"), ("fr-", "fr"), ("no", "no"), ("nb", "nb"), ("nn-NO", "nn-NO"), ("uk", "uk"),
        ("se", "se"), ("x-default", "x-default"), ("X_Default", "x-default"),
    ],
)  # fmt: skip
def test_tags_and_locales_become_codes_without_a_problem(name: str, code: str) -> None:
    assert normalize(name) == (code, None)


@pytest.mark.parametrize(
    ("name", "code", "problem"),
    [
        ("en-UK", "en-GB", "'UK' is 'GB'"), ("en_uk", "en-GB", "'UK' is 'GB'"),
        ("fr-FX", "fr-FR", "'FX' is 'FR'"), ("my-BU", "my-MM", "'BU' is 'MM'"),
        ("en-EU", "en", "ignore the region 'EU'"), ("en_UN.UTF-8", "en", "ignore the region 'UN'"),
        ("sr-Latn-EU", "sr-Latn", "ignore the region 'EU'"),
        ("iw", "he", "'iw' is retired in favour of 'he'"),
        ("iw-IL", "he-IL", "'iw' is retired in favour of 'he'"),
        ("in", "id", "'in' is retired in favour of 'id'"),
        ("ji", "yi", "'ji' is retired in favour of 'yi'"),
        ("jw", "jv", "'jw' is retired in favour of 'jv'"),
        ("mo", "ro", "'mo' is retired in favour of 'ro'"),
        ("sh", "sr-Latn", "'sh' is retired in favour of 'sr'"),
        ("sh-Cyrl", "sr-Cyrl", "'sh' is retired in favour of 'sr'"),
        ("deu", "de", "the two-letter code of 'deu' is 'de'"),
        ("ger-AT", "de-AT", "the two-letter code of 'ger' is 'de'"),
        ("eng", "en", "the two-letter code of 'eng' is 'en'"),
        ("cmn-Hans", "zh-Hans", "the two-letter code of 'cmn' is 'zh'"),
        ("zh-cmn-Hans", "zh-Hans", "support no 'cmn' after 'zh'"),
        ("zh-CHS", "zh-Hans", "the script 'chs' is 'Hans'"),
        ("zh_cht", "zh-Hant", "the script 'cht' is 'Hant'"),
        ("sr-latin", "sr-Latn", "the script 'latin' is 'Latn'"),
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
        ("es-419", "no group of countries such as '419'"),
        ("en-001", "no group of countries such as '001'"),
        ("zh-Hant-419", "no group of countries such as '419'"),
        ("fil", "two-letter languages only"), ("yue", "two-letter languages only"),
        ("haw-US", "two-letter languages only"),
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
        ("jp", "a region in place of the language; write one such as 'ja'"),
        ("JP-jp", "a region in place of the language; write one such as 'ja'"),
        ("cz_CZ.UTF-8", "a region in place of the language; write one such as 'cs'"),
        ("us", "a region in place of the language; write one such as 'en-US'"),
        ("en-XX", "an unknown region 'XX'; write 'en'"),
        ("sr-Latn-YU", "an unknown region 'YU'; write 'sr-Latn'"),
        ("es-999", "an unknown region '999'; write 'es'"),
        ("zh-Hens", "an unknown script 'Hens'; write 'zh'"), ("en-\xfc", "is none; write 'en'"),
        ("en-US-averylongsubtag", "is none; write 'en-US'"),
        ("english", "an unknown language; write one such as 'en' or 'pt-BR'"),
        *(
            (name, "an unknown language")
            for name in ("xx", "und", "C.UTF-8", "null", "en us", "x-mine", "\ufb01", "", "-", "\0")
        ),
    ],
)  # fmt: skip
def test_a_name_that_is_no_language_is_refused_with_a_cure(name: str, cure: str) -> None:
    refused = normalize(name)

    assert refused.code is None
    assert repr(name) in (refused.problem or "")
    assert cure in (refused.problem or "")


@pytest.mark.parametrize("value", [None, True, 7, 1.5, ["en"], {"en": "x"}, b"en"])
def test_a_value_that_is_no_string_is_refused(value: object) -> None:
    assert normalize(value) == (None, f"expected a language code, got {value!r}")


def test_norwegian_that_yaml_read_as_false_gets_its_cure() -> None:
    assert "write 'no'" in (normalize(False).problem or "")


def test_every_language_and_region_and_script_is_accepted() -> None:
    assert [normalize(language) for language in LANGUAGES] == [Language(it) for it in LANGUAGES]
    for region in REGIONS:
        assert normalize(f"en_{region.lower()}") == (f"en-{region}", None)
    for script in SCRIPTS:
        assert normalize(f"EN_{script.upper()}") == (f"en-{script}", None)


def test_folders_are_named_by_the_option() -> None:
    names = {"za": "en-ZA", "co": "es-CO", "zh": "zh-Hans", "tw": "zh-Hant", "de_at": "de-AT"}

    assert normalize("za", names) == ("en-ZA", None)
    assert normalize("CO", names) == ("es-CO", None)
    assert normalize("zh", names) == ("zh-Hans", None)
    assert normalize("zh-TW", names) == ("zh-TW", None)
    assert normalize("DE-AT", names) == ("de-AT", None)
    assert normalize("de_AT.UTF-8", names) == ("de-AT", None)
    assert normalize("fr", names) == ("fr", None)


def test_a_declared_code_is_normalised_and_has_no_problem_of_its_own() -> None:
    names = {"latam": "es-419", "uk": "en_uk", "bad": "xx"}

    assert normalize("latam", names) == ("es-419", None)
    assert normalize("uk", names) == ("en-GB", None)
    assert normalize("bad", names).code is None


def test_codes_of_different_options_do_not_mix() -> None:
    assert normalize("za", {"za": "en-ZA"}).code == "en-ZA"
    assert normalize("za", {"za": "af-ZA"}).code == "af-ZA"
    assert normalize("za").code == "za"


@slow
@given(tags | st.text() | st.from_regex(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,3}([.@]\w*)?"))
def test_a_normal_code_stays_as_it_is(name: str) -> None:
    code, problem = normalize(name)

    if code is None:
        assert problem
        assert problem.isprintable()
    else:
        assert FORM.fullmatch(code)
        assert normalize(code).code == code


@slow
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

    # Serbo-Croatian kept a code there that ISO 639-1 withdrew.
    languages = {it.alpha_2 for it in pycountry.languages if hasattr(it, "alpha_2")} - {"sh"}
    assert languages == {*LANGUAGES}
    assert {it.alpha_2 for it in pycountry.countries} == {*REGIONS}
    assert {*SCRIPTS} == {it.alpha_4 for it in pycountry.scripts} - {"Qaaa", "Qabx"}
    assert (len(LANGUAGES), len(REGIONS)) == (183, 249)


def test_three_letter_codes_are_those_of_the_iso_codes_project() -> None:
    pycountry = pytest.importorskip("pycountry")
    known = {it.alpha_3: getattr(it, "alpha_2", None) for it in pycountry.languages}
    known |= {
        it.bibliographic: it.alpha_2 for it in pycountry.languages if "bibliographic" in dir(it)
    }
    renamed = dict(pair.split(":") for pair in code_lists.TWO_LETTER.split())

    for three, two in known.items():
        if two and three != "hbs":
            assert renamed[three] == two
    assert set(renamed) <= set(known)
    assert set(renamed.values()) == {*LANGUAGES}
    for three in code_lists.THREE_LETTER.split():
        assert known.get(three, None) is None


def test_every_code_is_valid_bcp_47() -> None:
    tags_of = pytest.importorskip("language_tags").tags
    kept = code_lists.THREE_LETTER.split()
    groups = [f"en-{group}" for group in code_lists.REGION_GROUPS.split()]
    regions = [f"en-{region}" for region in REGIONS]

    for tag in [*LANGUAGES, *kept, *groups, *regions]:
        assert tags_of.check(tag), tag
