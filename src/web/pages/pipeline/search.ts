const ID = /^[0-9a-f]{24}$/
const WORDS_LENGTH_MAX = 200

/** The URL of the pipeline: leads or opportunities, owner, and search text. */
export type PipelineSearch = { of?: 'opportunities'; owner_id?: string; q?: string }

export function pipelineSearch(raw: Record<string, unknown>): PipelineSearch {
  const owner = String(raw.owner_id ?? '')
  const q = String(raw.q ?? '').slice(0, WORDS_LENGTH_MAX)
  return {
    ...(raw.of === 'opportunities' && { of: 'opportunities' as const }),
    ...((owner === 'none' || ID.test(owner)) && { owner_id: owner }),
    ...(q && { q }),
  }
}

export type Filters = { owner_id?: string[]; q?: string }

/** The filters as API parameters. */
export function filtersOf({ owner_id, q }: PipelineSearch): Filters {
  return { ...(owner_id && { owner_id: [owner_id] }), ...(q && { q }) }
}
