"""The membership plans and what each of them allows (SPEC 6, SPEC 9)."""
