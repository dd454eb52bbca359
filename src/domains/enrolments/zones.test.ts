import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { wallTime } from '#platform/zone.ts'
import { seed } from '#test/random.ts'
import { shareOf } from '#test/tier.ts'
import { DAY_MS, startOutreach, type Outreach } from './enrolments.harness.ts'

/** Where clocks change at other times and by other amounts, or not at all. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Santiago',
]
/** Days around which a clock changes in one of them. */
const weeks = [
  '2026-03-06',
  '2026-03-27',
  '2026-04-03',
  '2026-09-04',
  '2026-10-02',
  '2026-10-23',
  '2026-10-30',
]

const clock = new FakeClock('2026-03-01T00:00:00.000Z')
let outreach: Outreach
beforeAll(async () => {
  outreach = await startOutreach({ clock })
})
afterAll(() => outreach.close())

const morning = { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', until: '10:00' }
const daily = [0, 1, 1, 1].map(delay_days => ({ type: 'email', template: 'intro', delay_days }))

// Another part of them with each seed.
test.for(shareOf(weeks, seed, 7))('each local slot once around %s, in five zones', async start => {
  const { app, sequence, enrol, settle } = outreach
  app.mail.sent.splice(0)
  clock.set(`${start}T00:00:00.000Z`)
  const id = await sequence(daily, { settings: { window: morning } })
  const leads = []
  for (const timezone of zones) leads.push({ timezone, ...(await enrol(id, { timezone })) })
  const sent = new Map<string, string[]>()
  for (;;) {
    await settle()
    for (const { to } of app.mail.sent.splice(0)) {
      const { timezone } = leads.find(({ email }) => email === to)!
      const local = wallTime(clock.now(), timezone).toISOString().slice(0, 16)
      sent.set(to, [...(sent.get(to) ?? []), local])
    }
    const next = await nextWait()
    if (next === undefined) break
    clock.set(next)
  }
  for (const { email, timezone } of leads) {
    const times = sent.get(email) ?? []
    expect(times, timezone).toHaveLength(daily.length)
    const days = times.map(time => time.slice(0, 10))
    expect(new Set(days).size, timezone).toBe(daily.length)
    const first = Date.parse(days[0]!)
    expect(
      days.map(day => (Date.parse(day) - first) / DAY_MS),
      timezone,
    ).toEqual([0, 1, 2, 3])
    for (const time of times)
      expect(time.slice(11) >= '09:00' && time.slice(11) < '10:00', `${timezone} ${time}`).toBe(true)
  }
})

test('a clock that jumps three days ahead, back and ahead again sends each step once', async () => {
  const { app, sequence, enrol, settle, is } = outreach
  app.mail.sent.splice(0)
  clock.set('2026-05-04T09:30:00.000Z')
  const id = await sequence(daily, { settings: { window: morning } })
  const leads = []
  for (const timezone of zones) leads.push(await enrol(id, { timezone }))
  for (const days of [3, -3, 3, -3, 3, 3, -3, 3, 3]) {
    await settle()
    clock.advance(days * DAY_MS)
    await settle()
    const next = await nextWait()
    if (next !== undefined && Date.parse(next) < clock.now() + DAY_MS) clock.set(next)
  }
  for (let next = await nextWait(); next !== undefined; next = await nextWait()) {
    clock.set(next)
    await settle()
  }
  for (const { id, email } of leads) {
    await is(id, { stop_reason: 'finished' })
    expect(app.mail.sent.filter(({ to }) => to === email)).toHaveLength(daily.length)
  }
})

/** When something falls due next, if anything does. */
async function nextWait(): Promise<string | undefined> {
  const [row] = await outreach.app.database.query<{ run_at: string | null }>(
    `select min(run_at) as run_at from jobs where state = 'ready' and kind = 'enrolments.step'`,
  )
  return row!.run_at ?? undefined
}
