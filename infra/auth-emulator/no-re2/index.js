// superstatic, the hosting emulator's server, tries re2 and goes on without it. We never start that emulator.
throw new Error("re2 is left out on purpose: see package.json");
