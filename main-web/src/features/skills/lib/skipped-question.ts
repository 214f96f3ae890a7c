const keyOf = (profileId: string) => `porchlight.skills-question.${profileId}`;

/** Whether the user skipped the question about their skills in this browser. */
export function isQuestionSkipped(profileId: string): boolean {
  try {
    return localStorage.getItem(keyOf(profileId)) !== null;
  } catch {
    return false;
  }
}

export function skipQuestion(profileId: string) {
  try {
    localStorage.setItem(keyOf(profileId), "skipped");
  } catch {
    // Storage is full or unavailable: the question comes again next time.
  }
}
