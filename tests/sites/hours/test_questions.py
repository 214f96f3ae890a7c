"""The rules of questions and answers: every answer is kept as typed, or each fault is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites.hours.questions import (
    ANSWER_LENGTHS,
    MAX_CHOICE_LENGTH,
    MAX_CHOICES,
    MAX_QUESTION_LENGTH,
    MAX_QUESTIONS,
    YES_OR_NO,
    Question,
    QuestionAnswer,
    QuestionKind,
    answer_errors,
    kept_answers,
    question_errors,
    question_rows,
    require_clear_questions,
    to_questions,
)
from tenants.kit.errors import ValidationFailed

KINDS: st.SearchStrategy[QuestionKind] = st.sampled_from(("short", "long", "choice", "yes_no"))
LABELS = st.one_of(st.sampled_from(("Size?", "size? ", "Level", "", "  ")), st.text(max_size=130))
CHOICES = st.lists(st.one_of(st.sampled_from(("S", "M", "s", " ")), st.text(max_size=90)), max_size=10).map(tuple)
ANY_QUESTIONS = st.lists(st.builds(Question, LABELS, KINDS, st.booleans(), CHOICES), max_size=7)


@st.composite
def clear_questions(draw: st.DrawFn) -> list[Question]:
    """Return questions that can be asked."""
    questions = []
    for number in range(draw(st.integers(0, MAX_QUESTIONS))):
        kind = draw(KINDS)
        choices = tuple(f"Choice {one}" for one in range(draw(st.integers(2, MAX_CHOICES)))) if kind == "choice" else ()
        questions.append(Question(f"Question {number}", kind, draw(st.booleans()), choices))
    return questions


@st.composite
def asked_and_answered(draw: st.DrawFn) -> tuple[list[Question], list[QuestionAnswer]]:
    """Return questions with any answers, of which some fit."""
    questions = draw(clear_questions())
    labels = st.sampled_from([*(one.label for one in questions), "Not asked"])
    texts = st.one_of(
        st.sampled_from(("", " ", "Yes", "No", "yes", "Choice 0", "Choice 9", "two\nlines")), st.text(max_size=510)
    )
    return questions, draw(st.lists(st.builds(QuestionAnswer, labels, texts), max_size=6))


@given(ANY_QUESTIONS)
def test_questions_are_kept_as_typed_or_named(questions: list[Question]) -> None:
    errors = question_errors(questions)
    assert all(errors.values())
    if errors:
        with pytest.raises(ValidationFailed) as refused:
            require_clear_questions(questions)
        assert refused.value.fields == errors
        return
    require_clear_questions(questions)
    assert to_questions(question_rows(questions)) == questions
    assert len(questions) <= MAX_QUESTIONS
    assert len({one.label.strip().casefold() for one in questions}) == len(questions)
    for one in questions:
        assert len(one.label.strip()) > 0
        assert len(one.label) <= MAX_QUESTION_LENGTH
        assert (one.kind == "choice") == bool(one.choices)
        assert all(choice.strip() and len(choice) <= MAX_CHOICE_LENGTH for choice in one.choices)


@given(clear_questions())
def test_clear_questions_have_no_errors(questions: list[Question]) -> None:
    assert question_errors(questions) == {}


@given(clear_questions(), st.data())
def test_each_unclear_question_is_named(questions: list[Question], data: st.DataObject) -> None:
    if not questions:
        return
    number = data.draw(st.integers(0, len(questions) - 1))
    questions[number] = replace(questions[number], label="x" * (MAX_QUESTION_LENGTH + 1))
    assert list(question_errors(questions)) == [f"questions.{number}.label"]


@given(asked_and_answered(), st.booleans())
def test_answers_are_kept_as_typed_or_named(
    case: tuple[list[Question], list[QuestionAnswer]], is_optional: bool
) -> None:
    questions, answers = case
    errors = answer_errors(questions, answers, is_optional=is_optional)
    asked = [one.label for one in questions]
    if errors:
        assert all(errors.values())
        assert ("answers" in errors) == any(one.question not in asked for one in answers)
        with pytest.raises(ValidationFailed) as refused:
            kept_answers(questions, answers, is_optional=is_optional)
        assert refused.value.fields == errors
        return
    kept = kept_answers(questions, answers, is_optional=is_optional)
    assert sorted(kept, key=lambda one: asked.index(one.question)) == kept
    assert {(one.question, one.answer) for one in kept} == {(one.question, one.answer) for one in answers if one.answer}
    given_to = {one.question: one.answer for one in kept}
    for question in questions:
        assert is_optional or not question.required or question.label in given_to
        answer = given_to.get(question.label)
        if answer is None:
            continue
        if question.kind == "choice":
            assert answer in question.choices
        elif question.kind == "yes_no":
            assert answer in YES_OR_NO
        else:
            assert len(answer) <= ANSWER_LENGTHS[question.kind]


@given(clear_questions())
def test_missing_answers_are_named_one_by_one(questions: list[Question]) -> None:
    errors = answer_errors(questions, [])
    assert list(errors) == [f"answers.{number}" for number, one in enumerate(questions) if one.required]
    assert answer_errors(questions, [], is_optional=True) == {}


def test_too_many_questions_are_refused() -> None:
    questions = [Question(f"Question {number}", "short", required=False) for number in range(MAX_QUESTIONS + 1)]
    assert question_errors(questions) == {"questions": "Ask up to 5 questions."}


def test_same_question_twice_names_both() -> None:
    questions = [Question("Your level?", "short", required=False), Question("your level? ", "long", required=False)]
    assert list(question_errors(questions)) == ["questions.0.label", "questions.1.label"]


@pytest.mark.parametrize("choices", [(), ("One",), ("One", "one"), ("One", " "), ("One", "x" * 81), tuple("abcdefghi")])
def test_unclear_choices_are_named(choices: tuple[str, ...]) -> None:
    assert list(question_errors([Question("Which?", "choice", False, choices)])) == ["questions.0.choices"]


def test_choices_of_text_question_are_refused() -> None:
    assert list(question_errors([Question("Which?", "short", False, ("One", "Two"))])) == ["questions.0.choices"]


def test_question_answered_twice_is_named() -> None:
    answers = [QuestionAnswer("Level?", "New"), QuestionAnswer("Level?", "Old")]
    assert list(answer_errors([Question("Level?", "short", False)], answers)) == ["answers.0"]
