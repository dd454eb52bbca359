import { faultsInCustom, withoutNulls, type CustomField } from '#platform/custom-fields.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import type { Account, AccountChange, NewAccount } from './contract.ts'
import { sharedDomains } from './values.ts'

export function newAccount(
  input: NewAccount,
  fields: readonly CustomField[],
  made: { id: string; at: string },
  found: Fault[],
): Account {
  check(input, fields, found)
  return {
    id: made.id,
    name: input.name,
    domain: input.domain ? tidyDomain(input.domain) : domainOf(input.website),
    website: input.website ?? null,
    industry: input.industry ?? null,
    phone: input.phone ?? null,
    owner_id: input.owner_id ?? null,
    custom: withoutNulls(input.custom ?? {}),
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

export function check(input: AccountChange, fields: readonly CustomField[], found: Fault[]): void {
  const faults = [...faultsInCustom(input.custom, fields), ...found]
  if (faults.length > 0) throw invalid(faults)
}

export function tidyDomain(domain: string): string {
  return domain.toLowerCase().replace(/^www\./, '')
}

/** The domain of a website; none if it is not a domain, or is shared by thousands. */
export function domainOf(website: string | null | undefined): string | null {
  if (!website || !URL.canParse(website)) return null
  return companyDomain(new URL(website).hostname)
}

/** The domain of an address, unless it is that of a provider anybody may have a mailbox with. */
export function domainOfEmail(email: string | null | undefined): string | null {
  const host = email?.split('@')[1]
  return host ? companyDomain(host) : null
}

function companyDomain(host: string): string | null {
  const domain = tidyDomain(host)
  const isName = domain.includes('.') && !/^[\d.]+$/.test(domain) && !domain.includes(':')
  return isName && !sharedDomains.has(domain) ? domain : null
}

/** `eu.mail.acme.com` belongs to `acme.com` as well: from the whole name to its last two parts. */
export function parentsOf(domain: string): string[] {
  const parts = domain.split('.')
  return parts.slice(0, -1).map((_, at) => parts.slice(at).join('.'))
}
