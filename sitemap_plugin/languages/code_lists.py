"""The lists that hreflang codes are made of, as the iso-codes project and CLDR had them in 2026.

Plain strings of words, so that importing them costs next to nothing; ``codes.py`` splits them.
"""

from __future__ import annotations

LANGUAGES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie
ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv
mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm
rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts
tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
"""ISO 639-1."""

REGIONS = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
"""ISO 3166-1 alpha-2."""

REGION_GROUPS = """
001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 143 145
150 151 154 155 202 419
"""
"""UN M.49 codes that BCP 47 admits as regions."""

SCRIPTS = """
Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo Brah Brai
Bugi Buhd Cakm Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl
Egyd Egyh Egyp Elba Elym Ethi Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang
Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng Hmnp Hntl Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali
Kana Kawi Khar Khmr Khoj Kitl Kits Knda Kore Kpel Krai Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb
Lina Linb Lisu Loma Lyci Lydi Mahj Maka Mand Mani Marc Maya Medf Mend Merc Mero Mlym Modi Mong Moon
Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma
Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti Psin Ranj Rjng Rohg Roro Runr
Samr Sara Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo
Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg Thaa Thai Tibt Tirh
Tnsa Todr Tols Toto Tutg Ugar Vaii Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii Zanb Zinh Zmth Zsye
Zsym Zxxx Zyyy Zzzz
"""
"""ISO 15924, without the private-use range."""

TWO_LETTER = """
aar:aa abk:ab afr:af aka:ak alb:sq als:sq amh:am ara:ar arb:ar arg:an arm:hy asm:as ava:av ave:ae
aym:ay ayr:ay aze:az azj:az bak:ba bam:bm baq:eu bel:be ben:bn bis:bi bod:bo bos:bs bre:br bul:bg
bur:my cat:ca ces:cs cha:ch che:ce chi:zh chu:cu chv:cv cls:sa cmn:zh cor:kw cos:co cre:cr cwd:cr
cym:cy cze:cs dan:da deu:de div:dv dut:nl dzo:dz ekk:et ell:el eng:en epo:eo esk:ik est:et eus:eu
ewe:ee fao:fo fas:fa fij:fj fin:fi fra:fr fre:fr fry:fy fuc:ff ful:ff gaz:om geo:ka ger:de gla:gd
gle:ga glg:gl glv:gv gre:el grn:gn gug:gn guj:gu hat:ht hau:ha heb:he her:hz hin:hi hmo:ho hrv:hr
hun:hu hye:hy ibo:ig ice:is ido:io iii:ii ike:iu iku:iu ile:ie ina:ia ind:id ipk:ik isl:is ita:it
jav:jv jpn:ja kal:kl kan:kn kas:ks kat:ka kau:kr kaz:kk khk:mn khm:km kik:ki kin:rw kir:ky kmr:ku
knc:kr kng:kg kom:kv kon:kg kor:ko kpv:kv kua:kj kur:ku lao:lo lat:la lav:lv lim:li lin:ln lit:lt
ltz:lb lub:lu lug:lg lvs:lv mac:mk mah:mh mal:ml mao:mi mar:mr may:ms mkd:mk mlg:mg mlt:mt mon:mn
mri:mi msa:ms mya:my nau:na nav:nv nbl:nr nde:nd ndo:ng nep:ne nld:nl nno:nn nob:nb nor:no npi:ne
nya:ny oci:oc ojg:oj oji:oj ori:or orm:om ory:or oss:os pan:pa pbu:ps per:fa pes:fa pli:pi plt:mg
pol:pl por:pt pus:ps que:qu quz:qu roh:rm ron:ro rum:ro run:rn rus:ru sag:sg san:sa sin:si slk:sk
slo:sk slv:sl sme:se smo:sm sna:sn snd:sd som:so sot:st spa:es sqi:sq src:sc srd:sc srp:sr ssw:ss
sun:su swa:sw swe:sv swh:sw tah:ty tam:ta tat:tt tel:te tgk:tg tgl:tl tha:th tib:bo tir:ti ton:to
tsn:tn tso:ts tuk:tk tur:tr twi:tw uig:ug ukr:uk urd:ur uzb:uz uzn:uz ven:ve vie:vi vol:vo wel:cy
wln:wa wol:wo xho:xh ydd:yi yid:yi yor:yo zha:za zho:zh zsm:ms zul:zu zyb:za
"""
"""Three-letter codes (ISO 639-2 and 639-3) of languages that have an ISO 639-1 code."""

THREE_LETTER = """
ace ach ada ady afh agq ain akk ale alt ang ann anp apc arc arn arp arw ary asa ast awa bal ban bas
bej bem bew bez bgc bgn bho bik bin bla blo blt bqi bra brh brx bss bua bug byn cad car cch ccp ceb
cgg chb chg chk chm chn cho chp chr chy cic ckb cnr cop crh csb csw dak dar dav del den dgr din dje
doi dsb dua dum dyo dyu ebu efi egy eka elx enm ewo fan fat fil fon frm fro frr frs fur gaa gay gba
gez gil gmh goh gon gor got grb grc gsw guz gwi hai haw hil hit hmn hnj hrx hsb hup iba ilo inh isv
jbo jgo jmc jpr jrb kaa kab kac kaj kam kaw kbd kcg kde kea kek ken kgp kha kho khq kkj kln kmb kok
kos kpe krc krl kru ksb ksf ksh kum kut kxv lad lag lah lam lez lij lkt lld lmo lol loz lrc ltg lua
lui lun luo lus luy lzz mad mag mai mak man mas mdf mdr men mer mfe mga mgh mgo mhn mic min mnc mni
moh mos mrh mua mus mwl mwr mww myv mzn nap naq nds new nia niu nmg nnh nog non nqo nso nus nwc nym
nyn nyo nzi oka osa ota pag pal pam pap pau pcm peo phn pis pms pon prg pro quc raj rap rar rhg rif
rof rom rup rwk sad sah sam saq sas sat sbp scn sco sdh seh sel ses sga sgs shi shn sid skr sma smj
smn sms snk sog srn srr ssy suk sus sux suz syc syr szl tem teo ter tet tig tiv tkl tlh tli tmh tog
tok tpi trv trw tsi tum tvl twq tyv tzm udm uga umb vai vec vmw vot vun wae wal war was wbp xal xdq
xnr xog yao yap yav yrl yue zap zbl zen zgh zun zza
"""
"""Languages without an ISO 639-1 code: ISO 639-2, and those that CLDR has a locale for."""

RETIRED_LANGUAGES = "in:id iw:he ji:yi jw:jv mo:ro sh:sr"
RETIRED_REGIONS = "UK:GB BU:MM DD:DE FX:FR TP:TL ZR:CD"
SCRIPT_NAMES = "chs:Hans cht:Hant arabic:Arab cyrillic:Cyrl devanagari:Deva latin:Latn"


def pairs(text: str) -> dict[str, str]:
    """Return the words of a list that stand for others, with these."""
    return dict(pair.split(":") for pair in text.split())
