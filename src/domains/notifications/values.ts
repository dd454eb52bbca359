export const TITLE_LENGTH_MAX = 200
export const TEXT_LENGTH_MAX = 2_000
/** The count of unread ones goes no further: nobody has more. */
export const KEPT_MAX = 500
export const READ_AT_ONCE_MAX = 200
export const SUBSCRIPTIONS_MAX = 10
