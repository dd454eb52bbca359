/** Search parameters as in the API: repeated names are lists, no JSON. */
export type RawSearch = Record<string, string | string[]>

export function parseSearch(text: string): RawSearch {
  const search: RawSearch = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const known = search[name]
    if (known === undefined) search[name] = value
    else search[name] = [...(Array.isArray(known) ? known : [known]), value]
  }
  return search
}

export function stringifySearch(search: Record<string, unknown>): string {
  const text = searchText(search)
  return text && `?${text}`
}

export function searchText(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (Array.isArray(value)) for (const one of value) params.append(name, String(one))
    else if (value !== undefined && value !== null && value !== '') params.append(name, String(value))
  }
  return params.toString()
}
