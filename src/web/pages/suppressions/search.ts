import {
  suppressionChannels,
  suppressionReasons,
  type SuppressionChannel,
  type SuppressionReason,
} from '#domains/suppressions/values.ts'

/** What the URL of the list holds. */
export type SuppressionsSearch = {
  q?: string
  channel?: SuppressionChannel
  reason?: SuppressionReason
  /** Removed entries. */
  lifted?: true
}

export const ADDRESS_LENGTH_MAX = 254

/** Keeps only what the API understands. */
export function suppressionsSearch(raw: Record<string, unknown>): SuppressionsSearch {
  const q = one(raw.q).slice(0, ADDRESS_LENGTH_MAX)
  const channel = suppressionChannels.find(each => each === one(raw.channel))
  const reason = suppressionReasons.find(each => each === one(raw.reason))
  return {
    ...(q && { q }),
    ...(channel && { channel }),
    ...(reason && { reason }),
    ...(one(raw.lifted) === 'true' && { lifted: true as const }),
  }
}

/** The filters as the API takes them. */
export function suppressionsFilter({ q, channel, reason }: SuppressionsSearch) {
  return {
    ...(q && { q }),
    ...(channel && { channel: [channel] }),
    ...(reason && { reason: [reason] }),
  }
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
