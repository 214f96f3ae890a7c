"""The states of the United States by postal abbreviation and in the short forms that people write."""

from __future__ import annotations

_TEXT = """
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware
DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky
LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana
NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota
OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas
UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming
"""
_SHORT_FORMS = """
AL ala|AK alas|AZ ariz|AR ark|CA cal calif cali|CO colo|CT conn|DE del|DC dofc districtcolumbia|FL fla|GA geo
HI hawai|IL ill ills|IN ind|KS kan kans|KY ken kent|MA mass|MI mich|MN minn|MS miss|MO mizzou|MT mont|NE neb nebr
NV nev|NH newh nhamp|NJ jersey njersey newj|NM newm nmex newmex nmexico|NY nyork newy|NC ncar ncarolina nocarolina ncaro
ND ndak ndakota nodakota|OK okla|OR ore oreg|PA penn penna pennsylvannia|RI rhodeis|SC scar scarolina socarolina scaro
SD sdak sdakota sodakota|TN tenn|TX tex|VT verm|VA virg|WA wash washst washingtonstate|WV wva westva wvirginia wvirg
WI wis wisc|WY wyo|NY newyorkstate
"""


def _entries(text: str) -> list[tuple[str, str]]:
    return [(entry[:2], entry[3:]) for line in text.strip().splitlines() for entry in line.split("|")]


STATE_NAMES: dict[str, str] = dict(_entries(_TEXT))
# The postal abbreviation by the short form without spaces: "calif", "ncarolina".
STATE_SHORT_FORMS: dict[str, str] = {form: code for code, forms in _entries(_SHORT_FORMS) for form in forms.split()}
