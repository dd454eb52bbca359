import { isoAt, type FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { FactKind, FoundFact } from '#platform/ports/crawler.ts'
import { convertCandidate } from '#domains/candidates/convert.ts'
import { keepKnown } from '#domains/candidates/known.ts'
import { DAY_MS } from './calendar.ts'
import type { Member } from './members.ts'

const CONVERTED_DAYS_AGO = 21
const CHANGED_DAYS_AGO = 3

type Said = [kind: FactKind, value: string, label?: string]
type Company = { domain: string; daysAgo: number; home: Said[]; about?: Said[] }

/** The best known of them became a lead, and has grown since. */
const customer: Company = {
  domain: 'tidewell.example',
  daysAgo: 24,
  home: [
    ['name', 'Tidewell Facilities'],
    ['description', 'Looks after 340 office buildings between Bristol and Exeter, day and night.'],
    ['industry', 'Facility management'],
    ['email', 'office@tidewell.example'],
    ['phone', '+441174960142'],
    ['address', '4 Quay Street, Bristol BS1 4AX'],
    ['social', 'https://www.linkedin.com/company/tidewell-example', 'LinkedIn'],
    ['technology', 'WordPress'],
    ['language', 'en'],
  ],
  about: [
    ['team_page', 'https://tidewell.example/about'],
    ['person', 'Rosalind Hartley', 'Head of Field Service'],
    ['person', 'Owen Penrose', 'Managing Director'],
  ],
}
const grown: Said[] = [['person', 'Sunita Barlow', 'Dispatch Manager']]

const others: Company[] = [
  {
    domain: 'lumenlifts.example',
    daysAgo: 12,
    home: [
      ['name', 'Lumen Lifts'],
      ['description', 'Maintains and modernises lifts of every make.'],
      ['industry', 'Lift maintenance'],
      ['email', 'service@lumenlifts.example'],
      ['phone', '+441614960177'],
      ['technology', 'Webflow'],
      ['language', 'en'],
    ],
    about: [['person', 'Callum Naylor', 'Service Manager']],
  },
  {
    domain: 'norrsken-vent.example',
    daysAgo: 9,
    home: [
      ['name', 'Norrsken Ventilation'],
      ['description', 'Ventilation for schools and hospitals.'],
      ['email', 'hej@norrsken-vent.example'],
      ['language', 'sv'],
    ],
  },
  {
    domain: 'ferribyfire.example',
    daysAgo: 5,
    home: [
      ['name', 'Ferriby Fire & Security'],
      ['phone', '+441314960120'],
      ['address', '19 Harbour Row, Edinburgh EH6 6JJ'],
      ['language', 'en'],
    ],
  },
  { domain: 'oakhampton-heat.example', daysAgo: 2, home: [['name', 'Oakhampton Heating']] },
]

/**
 * Companies that may become customers, with what their sites say. None of them exists, so none is asked: neither a host
 * nor a credit is touched, now or later.
 */
export async function lookForCustomers(
  ctx: Context,
  clock: FakeClock,
  by: Member,
  now: number,
): Promise<void> {
  const own = ctx.as(by)
  const daysAgo = (days: number) => clock.set(isoAt(now - days * DAY_MS))
  for (const company of [customer, ...others]) {
    daysAgo(company.daysAgo)
    const { id } = await keepKnown(own, siteOf(company))
    if (company !== customer) continue
    daysAgo(CONVERTED_DAYS_AGO)
    await convertCandidate(own, id)
  }
  daysAgo(CHANGED_DAYS_AGO)
  await keepKnown(ctx, siteOf({ ...customer, about: [...customer.about!, ...grown] }))
}

function siteOf({ domain, home, about }: Company) {
  const url = `https://${domain}/`
  const pages = [{ url, facts: home.map(factOf) }]
  if (about) pages.push({ url: `${url}about`, facts: about.map(factOf) })
  return { url, pages }
}

function factOf([kind, value, label]: Said): FoundFact {
  return { kind, label: label ?? null, value }
}
