import { afterEach, beforeEach, vi } from "vitest";

/** The suite's instant, as tests/fixtures/clock.py has it. Only `Date` stands still: timers run. */
const NOW = new Date(process.env.PORCHLIGHT_TEST_CLOCK || "2027-01-13T16:00:00Z");

const set = () => void vi.setSystemTime(NOW);

set(); // also for what files compute while they load
beforeEach(set);
afterEach(set);
