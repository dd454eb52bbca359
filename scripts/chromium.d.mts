/** Where a Chromium is that the browser tests can drive; undefined when there is none. */
export function findChromium(): string | undefined
