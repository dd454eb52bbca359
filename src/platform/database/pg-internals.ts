import pg from 'pg'

/** What pg's own Query class uses to send a value; not in its published types. */
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

export const prepareValue = utils.prepareValue
