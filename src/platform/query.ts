import type { Parameters } from './contract.ts'

/** The query of an address as it came in, to be sent on. */
export function searchOf(parameters: Parameters): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values ?? []].flat()) search.append(name, value)
  return search
}
