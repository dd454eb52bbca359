export const candidateStatuses = ['QUEUED', 'CRAWLING', 'CRAWLED', 'BLOCKED', 'FAILED', 'GONE'] as const
export type CandidateStatus = (typeof candidateStatuses)[number]

export const candidateOrigins = ['added', 'list', 'csv', 'lead'] as const
export const candidateSorts = ['created_at', 'updated_at', 'name', 'score'] as const

/** What a site says is read again when it is this old. */
export const STALE_DAYS = 90
/** What the first crawl of a site costs; those after it cost nothing. */
export const CRAWL_CREDITS = 1
/** So long a person waits before the same site is read again. */
export const RECRAWL_PAUSE_HOURS = 24

export const ADDRESSES_MAX = 1_000
export const ADDRESS_LENGTH_MAX = 500
export const CSV_BYTES_MAX = 5 * 1024 * 1024
export const CONVERT_MAX = 200

export const FACTS_MAX = 200
export const FACT_LENGTH_MAX = 500
