"""Proofs of work: only an unexpired challenge of the same message with a right answer is valid."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tenants.http.proof_of_work import TTL_SECONDS, ProofOfWork
from tests.fixtures.proofs import solve

WORK = ProofOfWork(b"secret", "lead a k1")


@pytest.fixture(scope="module")
def solved() -> ProofOfWork:
    return replace(WORK, proof=solve(WORK.challenge()))


def test_proof_of_own_challenge_is_valid(solved: ProofOfWork) -> None:
    assert solved.is_valid()
    assert len(solved.proof) <= 55  # one block of SHA-256


@pytest.mark.parametrize("subject", ["lead b k1", "lead a k2", "contact k1"])
def test_proof_for_other_message_is_invalid(solved: ProofOfWork, subject: str) -> None:
    assert not replace(solved, subject=subject).is_valid()


def test_proof_with_forged_terms_is_invalid(solved: ProofOfWork) -> None:
    challenge, _, answer = solved.proof.partition(":")
    bits, expires_at, signature = challenge.split(".")
    for forged in (
        f"1.{expires_at}.{signature}:{answer}",
        f"{bits}.{int(expires_at) + 1}.{signature}:{answer}",
        f"{bits}.{expires_at}.{'0' * len(signature)}:{answer}",
        solve(ProofOfWork(b"other secret", WORK.subject).challenge()),
    ):
        assert not replace(solved, proof=forged).is_valid()


def test_proof_with_wrong_answer_is_invalid(solved: ProofOfWork) -> None:
    challenge = solved.proof.partition(":")[0]
    wrong = [f"{challenge}:{number}" for number in range(3)]
    assert [replace(solved, proof=proof).is_valid() for proof in wrong] == [proof == solved.proof for proof in wrong]


@pytest.mark.parametrize("proof", ["", ":", "18", "18:1", "..:1", "18.x.y:1", "é:1", "1" * 5000, "18.1.:0\0"])
def test_malformed_proof_is_invalid(proof: str) -> None:
    assert not replace(WORK, proof=proof).is_valid()


def test_proof_after_expiry_is_invalid(solved: ProofOfWork, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + TTL_SECONDS + 2)
    assert not solved.is_valid()
