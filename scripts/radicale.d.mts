/** Where Radicale is, which the tests of calendars write into; undefined when there is none. */
export function findRadicale(): string | undefined
