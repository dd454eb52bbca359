import type { Scope } from '#platform/scopes.ts'
import { inWords, isProblem } from '../../problem.ts'

/** One redirect URI; its key stays the same while others are added and removed. */
export type UriLine = { key: number; text: string }

export type AppFields = { name: string; uris: UriLine[]; scopes: Scope[]; confidential: boolean }

/** What is sent: names as in the contract, empty lines left out. */
export type AppValues = { name: string; redirect_uris: string[]; scopes: Scope[]; confidential: boolean }

export type AppFaults = {
  name?: string
  uris: Record<UriLine['key'], string>
  scopes?: string
  other?: string
}

export const noFaults: AppFaults = { uris: {} }

export function valuesOf({ name, uris, scopes, confidential }: AppFields): AppValues {
  return { name: name.trim(), redirect_uris: filled(uris).map(textOf), scopes, confidential }
}

/** Errors found without asking the server. */
export function obviousFaults({ name, uris, scopes }: AppFields): AppFaults | undefined {
  const faults: AppFaults = { uris: {} }
  if (!name.trim()) faults.name = 'Enter a name'
  if (scopes.length === 0) faults.scopes = 'Choose at least one permission'
  if (filled(uris).length === 0 && uris[0]) faults.uris[uris[0].key] = 'Add at least one redirect URI'
  filled(uris).forEach((line, at, all) => {
    if (all.findIndex(other => textOf(other) === textOf(line)) < at)
      faults.uris[line.key] = 'This URI is listed twice'
  })
  const some = faults.name || faults.scopes || Object.keys(faults.uris).length > 0
  return some ? faults : undefined
}

/** The server names URIs by their position among those it was sent: maps each error back to its line. */
export function faultsFrom(error: unknown, uris: UriLine[]): AppFaults {
  if (!isProblem(error) || error.errors.length === 0) return { uris: {}, other: inWords(error) }
  const sent = filled(uris)
  const faults: AppFaults = { uris: {} }
  for (const { path, message } of error.errors) {
    const line = sent[Number(/^redirect_uris\[(\d+)\]/.exec(path)?.[1])]
    if (line) faults.uris[line.key] = sentence(message)
    else if (path === 'name') faults.name = sentence(message)
    else if (path.startsWith('scopes')) faults.scopes = sentence(message)
    else faults.other = inWords(error)
  }
  return faults
}

/** Only changed fields are sent, so that two people can change different fields at the same time. */
export function changesTo(
  before: { name: string; redirect_uris: string[]; scopes: Scope[] },
  { name, redirect_uris, scopes }: AppValues,
) {
  return {
    ...(name !== before.name && { name }),
    ...(redirect_uris.join('\n') !== before.redirect_uris.join('\n') && { redirect_uris }),
    ...(scopes.toSorted().join(' ') !== before.scopes.toSorted().join(' ') && { scopes }),
  }
}

function filled(uris: UriLine[]): UriLine[] {
  return uris.filter(line => textOf(line) !== '')
}

function textOf({ text }: UriLine): string {
  return text.trim()
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
