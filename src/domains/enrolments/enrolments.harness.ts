import { expect } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { passRetries, settle } from '#test/settle.ts'
import type { Enrolment, TraceEntry } from './contract.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** By then a job that did not fail has run, on any machine. */
const LATE_MS = 5_000
/** The program of a person who reads mail. */
export const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0'

export const email = (more: object = {}) => ({ type: 'email', delay_days: 0, template: 'intro', ...more })
export const sms = (more: object = {}) => ({
  type: 'sms',
  delay_days: 0,
  message: 'Hi {{firstName}}',
  ...more,
})
export const thrice = [email(), email({ delay_days: 3 }), sms({ delay_days: 3 })]

/** A Monday morning. */
const START = '2026-03-02T09:00:00.000Z'

export type Enrolled = { lead_id: string; id: string; email: string }

/** A team with its sequences, on a clock that the test moves. */
export type Outreach = Awaited<ReturnType<typeof startOutreach>>

export async function startOutreach(options: AppOptions & { clock?: FakeClock } = {}) {
  const clock = options.clock ?? new FakeClock(START)
  const app: TestApp = await startApp({ ...options, clock })
  const ada: Person = await app.person()
  const api: Client = await ada.key()
  let leads = 0

  async function sequence(steps: object[], more: object = {}): Promise<string> {
    const { status, body } = await api.post('/api/outreach/sequences', { name: 'Spring', steps, ...more })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id
  }

  async function lead(fields: object = {}): Promise<{ id: string; email: string }> {
    const n = ++leads
    const made = await api.post('/api/crm/leads', {
      first_name: `Lead${n}`,
      email: `lead${n}@leads.example.test`,
      phone: `+1415555${String(n).padStart(4, '0')}`,
      ...fields,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }

  async function enrol(sequence_id: string, fields: object = {}): Promise<Enrolled> {
    const { id: lead_id, email } = await lead(fields)
    const { status, body } = await api.post(`/api/outreach/sequences/${sequence_id}/enrolments`, {
      lead_ids: [lead_id],
    })
    expect({ status, skipped: body.skipped }).toEqual({ status: 201, skipped: [] })
    return { lead_id, id: body.data[0].id, email }
  }

  const read = async (id: string): Promise<Enrolment> =>
    (await api.get(`/api/outreach/enrolments/${id}`)).body
  const trace = async (id: string): Promise<TraceEntry[]> =>
    (await api.get(`/api/outreach/enrolments/${id}/trace`)).body.data.toReversed()
  const mailsTo = (to: string) => app.mail.sent.filter(mail => mail.to === to)

  return {
    app,
    clock,
    ada,
    api,
    sequence,
    lead,
    enrol,
    read,
    trace,
    mailsTo,
    decisions: async (id: string) => (await trace(id)).map(({ decision }) => decision),
    is(id: string, expected: Partial<Enrolment>): Promise<void> {
      const late = Date.now() + LATE_MS
      return eventually(async () => {
        const now = await read(id)
        const { status, held, stop_reason, next_step_at } = now
        const failed = Date.now() > late ? await passRetries(app, clock) : ''
        const seen = JSON.stringify({ status, held, stop_reason, next_step_at })
        expect(now, `${seen} ${failed}`).toMatchObject(expected)
      })
    },
    /** Whatever is due is done. */
    settle: () => settle(app),
    messagesOf: async (enrolment_id: string) =>
      (await api.get(`/api/outreach/messages?enrolment_id=${enrolment_id}`)).body.data,
    /** The picture of the last mail is asked for. */
    async open(to: string, agent = READER): Promise<void> {
      const [, url] = /<img data-read="" src="([^"]+)"/.exec(mailsTo(to).at(-1)!.html)!
      const answer = await fetch(url!.replace(/^https?:\/\/[^/]+/, app.url), {
        headers: { 'user-agent': agent },
      })
      expect(answer.headers.get('content-type')).toBe('image/gif')
    },
    async unsubscribe(to: string): Promise<void> {
      const url = mailsTo(to).at(-1)!.unsubscribe_url!
      const answer = await fetch(url.replace(/^https?:\/\/[^/]+/, app.url), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
      expect(answer.status).toBe(200)
    },
    /** On the same morning, with nothing sent. */
    beginAgain(): void {
      clock.set(START)
      app.mail.sent.splice(0)
      app.ports.sms.sent.splice(0)
    },
    close: () => app.close(),
  }
}
