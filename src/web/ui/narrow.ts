/** Phones: a drawer instead of the sidebar, cards instead of the table. */
export const NARROW = '(max-width: 767px)'
