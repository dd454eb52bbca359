import type { NewLead } from '#domains/leads/contract.ts'
import type { Random } from './random.ts'
import { regions, type City } from './places.ts'

export type Contact = {
  city: City
  trade: string
  /** Somebody else in the same company, for the notes to mention. */
  colleague: string
  lead: Pick<
    NewLead,
    'first_name' | 'last_name' | 'email' | 'phone' | 'company' | 'title' | 'website' | 'timezone'
  >
}

const titles = [
  'Head of Service',
  'Operations Manager',
  'Managing Director',
  'Service Coordinator',
  'Dispatch Lead',
  'COO',
  'Field Operations Manager',
  'IT Manager',
  'Head of Customer Service',
  'Regional Manager',
]
const SECOND_CONTACT_SHARE = 0.15

/** People one after another, now and then a second one from a company that is there already. */
export function contactMaker(random: Random): () => Contact {
  const makers = regions.map(region => {
    const names = region.roots.flatMap(root => region.trades.map(trade => ({ root, trade })))
    const nextCompany = random.deck(names)
    const nextFirst = random.deck(region.firstNames)
    const nextLast = random.deck(region.lastNames)
    const known: { company: string; trade: string; city: City }[] = []
    const addresses = new Set<string>()
    return function make(): Contact {
      const again = known.length > 0 && random.chance(SECOND_CONTACT_SHARE)
      const { root, trade } = nextCompany()
      const firm = again
        ? random.pick(known)
        : { company: `${root} ${trade}`, trade, city: random.pick(region.cities) }
      known.push(firm)
      const [first_name, last_name] = [nextFirst(), nextLast()]
      const domain = `${slug(firm.company)}.example`
      const email = `${slug(first_name)}.${slug(last_name)}@${domain}`
      if (addresses.has(email)) return make()
      addresses.add(email)
      const lead = {
        first_name,
        last_name,
        company: firm.company,
        title: random.pick(titles),
        email,
        phone: firm.city.phone.replaceAll('x', () => String(random.whole(0, 9))),
        website: `https://${domain}`,
        timezone: firm.city.timezone,
      }
      return {
        city: firm.city,
        trade: firm.trade,
        colleague: random.pick(region.firstNames.filter(name => name !== first_name)),
        lead,
      }
    }
  })
  return () => random.pick(makers)()
}

/** `Kyl & Värme` → `kyl-varme`: what an address can hold. */
function slug(text: string): string {
  const plain = text.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
