import type { LeadChange, NewLead } from '#domains/leads/contract.ts'
import { actsOf, type Ending } from './acts.ts'
import { businessOf, choreOf, type Business, type Chore } from './business.ts'
import { calendarDate, DAY_MS, MINUTE_MS, moments, monthAndYear, someWeekday } from './calendar.ts'
import { contactMaker } from './contact.ts'
import { origins, segments, tools } from './company.ts'
import type { Member, Members } from './members.ts'
import { noteWriter, type Facts } from './notes.ts'
import { Random } from './random.ts'

/** The life of a lead, oldest first. Pure data: demo.ts plays it back. */
export type Story = {
  at: number
  by: Member
  lead: NewLead
  steps: Step[]
  business?: Business | undefined
  chore?: Chore | undefined
}
export type Step = { at: number; by: Member; change?: LeadChange; note?: string; trash?: true }

const SEED = 20_260_302
const UNOWNED_SHARE = 0.4
const PHONELESS_SHARE = 0.12
/** The first visitor is Maya: she has something to do too. */
const OWN_CHORE_SHARE = 0.25

/** How many end where, and how many days ago they may have begun: a funnel, with what is closed being older. */
const endings: Record<Ending, { count: number; age: [number, number] }> = {
  New: { count: 44, age: [0.1, 12] },
  Contacted: { count: 47, age: [3, 35] },
  Engage_AI: { count: 24, age: [6, 40] },
  Engage_Human: { count: 25, age: [10, 55] },
  Qualified: { count: 22, age: [20, 75] },
  Won: { count: 19, age: [45, 89] },
  Lost: { count: 17, age: [20, 89] },
  Trash: { count: 6, age: [4, 24] },
}

export function planStories(members: Members, now: number): Story[] {
  const random = new Random(SEED)
  const tellStory = storyTeller(random, members, now)
  const each = Object.entries(endings).flatMap(([ending, { count }]) =>
    Array<Ending>(count).fill(ending as Ending),
  )
  return random
    .shuffle(each)
    .map(tellStory)
    .toSorted((a, b) => a.at - b.at)
}

function storyTeller(
  random: Random,
  { maya, jonas, priya, tom }: Members,
  now: number,
): (ending: Ending) => Story {
  const nextContact = contactMaker(random)
  const nextCaller = random.deck([tom, tom, tom, priya, jonas])
  const nextCloser = random.deck([priya, priya, jonas, maya])
  const write = noteWriter(random)

  return ending => {
    const { lead: person, city, trade, colleague } = nextContact()
    const [caller, closer] = [nextCaller(), nextCloser()]
    const at = now - random.between(...endings[ending].age) * DAY_MS
    const origin = random.pick(origins)
    const seats = Math.round(random.pick([6, 9, 14, 22, 35, 60, 110, 180]) * random.between(0.8, 1.3))
    const renewal = now + random.whole(20, 400) * DAY_MS
    const tool = random.pick(tools)
    const lead: NewLead = {
      ...person,
      ...(random.chance(PHONELESS_SHARE) && { phone: null }),
      source: origin.source,
      utm: origin.utm ?? {},
      // A new lead that nobody has looked at has no owner.
      owner_id: ending === 'New' && random.chance(UNOWNED_SHARE) ? null : caller.id,
      custom: { segment: segmentOf(seats) },
    }
    const facts: Facts = {
      first: person.first_name!,
      company: person.company!,
      city: city.name,
      trade: trade.toLowerCase(),
      colleague,
      seats: String(seats),
      tool,
      renewal: monthAndYear(renewal),
      day: someWeekday(random),
      owner: caller.name.split(' ')[0]!,
    }
    const found = { seats, current_tool: tool, renewal_date: calendarDate(renewal) }
    const acts = actsOf({ random, ending, caller, closer, firstNote: origin.note, found })
    const times = moments(random, at, Math.max(now - restOf(random, ending), at + MINUTE_MS), acts.length)
    const steps = acts.map(({ note, ...act }, index) => ({
      ...act,
      at: times[index]!,
      ...(note && { note: write(note, facts) }),
    }))
    return {
      at,
      by: caller,
      lead,
      steps,
      business: businessOf(random, ending, { closer, company: person.company!, seats, now }),
      chore: choreOf(random, ending, random.chance(OWN_CHORE_SHARE) ? maya : caller, now),
    }
  }
}

/** What is closed came to rest some days ago; everything else may have moved within the hour. */
function restOf(random: Random, ending: Ending): number {
  return ending === 'Won' || ending === 'Lost'
    ? random.between(1, 15) * DAY_MS
    : random.between(5, 300) * MINUTE_MS
}

function segmentOf(seats: number): string {
  return segments[seats < 15 ? 0 : seats < 60 ? 1 : 2]!
}
