import { expect } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import type { Reply } from '#test/client.ts'
import type { Meeting } from './contract.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export type Office = {
  app: TestApp
  clock: FakeClock
  /** Somebody who is met, Monday to Friday in Berlin, and a lead to meet. */
  host(availability?: object): Promise<Host>
  close(): Promise<void>
}

export type Host = {
  ada: Person
  email: string
  lead_id: string
  guest: string
  /** Of the lead, with the host; 30 minutes unless told. */
  book(starts_at: string, more?: object): Promise<Reply<Meeting & Refusal>>
  booked(starts_at: string, more?: object): Promise<Meeting>
  change(id: string, body: object, headers?: Record<string, string>): Promise<Reply<Meeting & Refusal>>
  cancel(id: string, body?: object): Promise<Reply<Meeting & Refusal>>
  slots(from: string, until: string, more?: string): Promise<string[]>
}

type Refusal = { code: string; errors: { path: string; message: string }[] }

/** Monday morning, 2 March 2026. */
export async function openOffice(options: AppOptions & { clock?: FakeClock } = {}): Promise<Office> {
  const clock = options.clock ?? new FakeClock()
  const app = await startApp({ ...options, clock })
  return { app, clock, host: availability => makeHost(app, availability), close: () => app.close() }
}

let hosts = 0

async function makeHost(app: TestApp, availability: object = {}): Promise<Host> {
  const n = ++hosts
  const email = `host${n}@example.test`
  const guest = `grace${n}@navy.example`
  const ada = await app.person(email)
  const { browser } = ada
  const lead = await browser.post('/api/crm/leads', {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: guest,
    timezone: 'America/New_York',
  })
  const settings = { timezone: 'Europe/Berlin', notice_min: 0, active: true, ...availability }
  expect(await browser.patch('/api/meetings/availability', settings)).toMatchObject({ status: 200 })
  const lead_id = lead.body.id as string
  const book = (starts_at: string, more: object = {}) =>
    browser.post('/api/crm/meetings', { lead_id, starts_at, ...more })
  return {
    ada,
    email,
    lead_id,
    guest,
    book,
    async booked(starts_at, more) {
      const reply = await book(starts_at, more)
      expect(reply).toMatchObject({ status: 201 })
      return reply.body
    },
    change: (id, body, headers) => browser.patch(`/api/crm/meetings/${id}`, body, headers),
    cancel: (id, body = {}) => browser.post(`/api/crm/meetings/${id}/cancel`, body),
    async slots(from, until, more = '') {
      const reply = await browser.get(`/api/meetings/slots?from=${from}&until=${until}${more}`)
      expect(reply).toMatchObject({ status: 200 })
      return reply.body.slots.map(({ starts_at }: { starts_at: string }) => starts_at)
    },
  }
}
