"""The questions that a guru asks before a session is booked, and the answers of the person who books it.

The console shows and checks the same rules, and so does the page on which a session is booked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from tenants.kit.errors import ValidationFailed

MAX_QUESTIONS: Final = 5
MAX_QUESTION_LENGTH: Final = 120
MIN_CHOICES: Final = 2
MAX_CHOICES: Final = 8
MAX_CHOICE_LENGTH: Final = 80
ANSWER_LENGTHS: Final[Mapping[str, int]] = MappingProxyType({"short": 120, "long": 500})
MAX_ANSWER_LENGTH: Final = max(ANSWER_LENGTHS.values())
YES_OR_NO: Final = ("Yes", "No")

QuestionKind = Literal["short", "long", "choice", "yes_no"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a service. `choices` are those of the kind `choice`, of which one is the answer.

    `short` and `long` are answered with a text of one line or of several, `yes_no` with one of YES_OR_NO.
    """

    label: str
    kind: QuestionKind
    required: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The answer of a person to the question with the label `question`; "" for none."""

    question: str
    answer: str


def require_clear_questions(questions: Sequence[Question]) -> None:
    """Raise ValidationFailed with what is wrong with each question, if anything is."""
    if errors := question_errors(questions):
        raise ValidationFailed(fields=errors)


def question_errors(questions: Sequence[Question]) -> dict[str, str]:
    """Return one sentence for each question that can't be asked, under the name of its field in JSON."""
    if len(questions) > MAX_QUESTIONS:
        return {"questions": f"Ask up to {MAX_QUESTIONS} questions."}
    seen = Counter(_folded(one.label) for one in questions)
    errors = {}
    for number, question in enumerate(questions):
        label, choices = _label_error(question, seen), _choices_error(question)
        if label:
            errors[f"questions.{number}.label"] = label
        if choices:
            errors[f"questions.{number}.choices"] = choices
    return errors


def kept_answers(
    questions: Sequence[Question], answers: Sequence[QuestionAnswer], *, is_optional: bool = False
) -> list[QuestionAnswer]:
    """Return the answers to keep, in the order of the questions and without empty ones.

    With `is_optional`, required questions may stay open: the guru books for a customer. Raises ValidationFailed with
    what is wrong with the answer to each question.
    """
    if errors := answer_errors(questions, answers, is_optional=is_optional):
        raise ValidationFailed(fields=errors)
    given = {one.question: one for one in answers if one.answer}
    return [given[one.label] for one in questions if one.label in given]


def answer_errors(
    questions: Sequence[Question], answers: Sequence[QuestionAnswer], *, is_optional: bool = False
) -> dict[str, str]:
    """Return one sentence for each question whose answer can't be kept, under `answers.` and its number from 0.

    An answer to a question that was not asked is refused as a whole, under `answers`.
    """
    asked = {one.label for one in questions}
    counts = Counter(one.question for one in answers)
    if counts.keys() - asked:
        return {"answers": "These questions have changed. Please load the page again and answer the new ones."}
    given = {one.question: one.answer for one in answers}
    errors = {}
    for number, question in enumerate(questions):
        error = _answer_error(question, given.get(question.label, ""), is_needed=question.required and not is_optional)
        if counts[question.label] > 1:
            error = "Please answer this question once."
        if error:
            errors[f"answers.{number}"] = error
    return errors


def to_questions(rows: Sequence[Mapping[str, Any]]) -> list[Question]:
    """Return the questions of a JSON column."""
    return [Question(row["label"], row["kind"], row["required"], tuple(row["choices"])) for row in rows]


def question_rows(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return questions in the form of a JSON column."""
    return [asdict(one) | {"choices": list(one.choices)} for one in questions]


def _label_error(question: Question, seen: Mapping[str, int]) -> str:
    if not question.label.strip():
        return "Enter your question."
    if len(question.label) > MAX_QUESTION_LENGTH:
        return f"Use up to {MAX_QUESTION_LENGTH} characters."
    return "You already ask this. Please ask each question once." if seen[_folded(question.label)] > 1 else ""


def _choices_error(question: Question) -> str:
    choices = question.choices
    if question.kind != "choice":
        return "Only a question with choices can have them." if choices else ""
    if not MIN_CHOICES <= len(choices) <= MAX_CHOICES:
        return f"Enter {MIN_CHOICES} to {MAX_CHOICES} choices, one on each line."
    if not all(one.strip() for one in choices):
        return "Enter a text for each choice."
    if any(len(one) > MAX_CHOICE_LENGTH for one in choices):
        return f"Use up to {MAX_CHOICE_LENGTH} characters for each choice."
    return "Enter each choice once." if len({_folded(one) for one in choices}) < len(choices) else ""


def _answer_error(question: Question, answer: str, *, is_needed: bool) -> str:
    if not answer.strip():
        return "Please answer this question." if is_needed or answer else ""
    if question.kind == "choice":
        return "" if answer in question.choices else "Choose one of the answers."
    if question.kind == "yes_no":
        return "" if answer in YES_OR_NO else "Choose Yes or No."
    if question.kind == "short" and len(answer.splitlines()) > 1:
        return "Please answer in one line."
    longest = ANSWER_LENGTHS[question.kind]
    return f"Use up to {longest} characters." if len(answer) > longest else ""


def _folded(text: str) -> str:
    return text.strip().casefold()
