import { sharedDomains } from '#domains/accounts/values.ts'
import type { Lead } from '#domains/leads/contract.ts'

/** Splits pasted text into sites at line breaks, spaces, commas and semicolons; strips brackets around emails. */
export function addressesIn(text: string): string[] {
  const bySite = new Map<string, string>()
  for (const part of text.split(/[\s,;]+/)) {
    const address = part.replaceAll(/^[<("'[]+|[>)"'\].]+$/g, '')
    if (address !== '' && !bySite.has(siteOf(address))) bySite.set(siteOf(address), address)
  }
  return [...bySite.values()]
}

/** Upper bound for the rows of a file; empty rows do not count. */
export function rowsIn(csv: string): number {
  return csv.split(/\r\n|\r|\n/).filter(line => /[^\s,;"]/.test(line)).length
}

/** The domain of a lead's company, from its email or website; public providers do not count. */
export function domainOf({ email, website }: Pick<Lead, 'email' | 'website'>): string | undefined {
  const domains = [email?.split('@').at(-1), website && siteOf(website)]
  return domains.map(domain => domain?.toLowerCase()).find(domain => domain && !sharedDomains.has(domain))
}

/** Normalizes spellings of one site. The server decides what is a valid site. */
function siteOf(address: string): string {
  const bare = address.toLowerCase().replace(/^[a-z]+:\/\//, '')
  const host = bare.split(/[/?#]/)[0] ?? ''
  return (host.split('@').at(-1) ?? '').replace(/^www\./, '')
}
