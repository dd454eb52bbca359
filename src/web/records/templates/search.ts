export const templateSorts = [
  'name',
  '-name',
  '-updated_at',
  'updated_at',
  '-created_at',
  'created_at',
] as const
export type TemplateSort = (typeof templateSorts)[number]
export const DEFAULT_SORT = 'name' satisfies TemplateSort

/** What the URL of the templates holds. */
export type TemplatesSearch = { q?: string; sort?: TemplateSort; trashed?: true }

const WORDS_LENGTH_MAX = 200

export function templatesSearch(raw: Record<string, unknown>): TemplatesSearch {
  const q = String(raw.q ?? '').slice(0, WORDS_LENGTH_MAX)
  const sort = templateSorts.find(each => each === raw.sort)
  return {
    ...(q && { q }),
    ...(sort && sort !== DEFAULT_SORT && { sort }),
    ...(String(raw.trashed) === 'true' && { trashed: true as const }),
  }
}

const ID = /^[0-9a-f]{24}$/

/** What the URL of one template holds: the lead of the preview, and whether the preview fills a phone screen. */
export type TemplateSearch = { lead?: string; preview?: true }

export function templateSearch(raw: Record<string, unknown>): TemplateSearch {
  const lead = String(raw.lead ?? '')
  return {
    ...(ID.test(lead) && { lead }),
    ...(String(raw.preview) === 'true' && { preview: true as const }),
  }
}
