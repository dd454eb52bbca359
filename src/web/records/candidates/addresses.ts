import { sharedDomains } from '#domains/accounts/values.ts'
import type { Lead } from '#domains/leads/contract.ts'

/** What somebody pasted, one site each: lines, spaces, commas and semicolons part them, brackets around a mail go. */
export function addressesIn(text: string): string[] {
  const bySite = new Map<string, string>()
  for (const part of text.split(/[\s,;]+/)) {
    const address = part.replaceAll(/^[<("'[]+|[>)"'\].]+$/g, '')
    if (address !== '' && !bySite.has(siteOf(address))) bySite.set(siteOf(address), address)
  }
  return [...bySite.values()]
}

/** How many rows a file has at most; those with nothing in them are none. */
export function rowsIn(csv: string): number {
  return csv.split(/\r\n|\r|\n/).filter(line => /[^\s,;"]/.test(line)).length
}

/** The domain of a lead's company: that of its mail, or of its web site. One that anybody may have says nothing. */
export function domainOf({ email, website }: Pick<Lead, 'email' | 'website'>): string | undefined {
  const domains = [email?.split('@').at(-1), website && siteOf(website)]
  return domains.map(domain => domain?.toLowerCase()).find(domain => domain && !sharedDomains.has(domain))
}

/** Two spellings of one site are one. The server has the last word on what is a site at all. */
function siteOf(address: string): string {
  const bare = address.toLowerCase().replace(/^[a-z]+:\/\//, '')
  const host = bare.split(/[/?#]/)[0] ?? ''
  return (host.split('@').at(-1) ?? '').replace(/^www\./, '')
}
