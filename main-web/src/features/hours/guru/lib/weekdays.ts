/** The days of the week; Monday is 0. */
export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

export const WEEKDAY_NUMBERS = [0, 1, 2, 3, 4, 5, 6] as const;
