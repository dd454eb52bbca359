/** Fixed words that several domains share, apart from the schemas so that the web app can carry them. */
export const customFieldKinds = ['text', 'number', 'date', 'checkbox', 'choice'] as const
export const CUSTOM_FIELDS_MAX = 50

/** The rows of a block: a list is loaded block by block. */
export const OUTLINE_EVERY = 100

/** An outline tells where the blocks of so many rows begin; those further on are asked for when somebody goes there. */
export const OUTLINE_ROWS = 20_000

/** A search looks no further than this many matches. */
export const SEARCH_MATCHES_MAX = 10_000

/** Where somebody is who hides their number in WhatsApp: `whatsapp:` and the ID that WhatsApp has for them. */
export const WHATSAPP_ADDRESS = 'whatsapp:'
