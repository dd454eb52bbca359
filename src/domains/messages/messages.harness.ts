import { createLead } from '#domains/leads/service.ts'
import { FakeClock } from '#platform/clock.ts'
import type { Event } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { testPorts, type MemoryPorts } from '#test/ports.ts'
import { OPEN_LINK, tokenFor, UNSUBSCRIBE_LINK } from './tokens.ts'
import { writeMessages } from './compose.ts'

/** What a person's mail program calls itself. */
export const THUNDERBIRD = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.5.0'

export type Sent = { id: string; lead_id: string; address: string; team_id: string; message_id: string }

export type House = {
  app: TestApp
  clock: FakeClock
  ports: MemoryPorts
  ada: Person
  /** Anybody on the internet. */
  stranger: Client
  close(): Promise<void>
}

export async function openHouse(options: AppOptions = {}): Promise<House> {
  const clock = new FakeClock()
  const ports = testPorts()
  const app = await startApp({ clock, ports, ...options })
  const ada = await app.person()
  return { app, clock, ports, ada, stranger: client(app.url), close: () => app.close() }
}

let people = 0

type Wanted = {
  email?: string
  phone?: string
  subject?: string
  html?: string
  text?: string
  channel?: 'email' | 'sms'
  status?: string
  meeting_url?: string
  lead_id?: string
  enrolment_id?: string
}

/** A message as it stands once it was sent, an hour ago unless told. */
export async function sent(
  { app, clock }: House,
  person: Person,
  wanted: Wanted = {},
  agoMs = 3_600_000,
): Promise<Sent> {
  const { channel = 'email', status = 'SENT', email = `lead${++people}@example.test` } = wanted
  const phone = wanted.phone ?? `+4930${String(10_000_000 + people)}`
  const lead_id = wanted.lead_id ?? (await createLead(person.ctx, { first_name: 'Grace', email, phone })).id
  const id = newId(clock.now())
  const origin = {
    source_kind: 'sequence' as const,
    source_id: newId(),
    source_name: 'Welcome',
    step_index: 0,
    ...(wanted.enrolment_id && { enrolment_id: wanted.enrolment_id, round: 1, version: 1 }),
  }
  const draft = { id, lead_id, text: wanted.text ?? 'Hello Grace', origin }
  const address = channel === 'sms' ? phone : email
  await person.ctx.transaction(async ctx =>
    writeMessages(
      ctx,
      channel === 'sms'
        ? { sms: [{ ...draft, address }] }
        : {
            emails: [
              {
                ...draft,
                address,
                subject: wanted.subject ?? 'A question',
                html: wanted.html ?? '<p>Hello Grace</p>',
                thread: [],
                track: { opens: true, clicks: true },
                meeting_url: wanted.meeting_url ?? null,
              },
            ],
          },
    ),
  )
  const sent_at = status === 'SENT' ? new Date(clock.now() - agoMs).toISOString() : null
  await app.database.query(
    'update messages set status = $2, sent_at = $3, tries = 1, trouble_at = $4 where id = $1',
    [id, status, sent_at, status === 'FAILED' || status === 'UNKNOWN' ? new Date() : null],
  )
  const [row] = await app.database.query<{ message_id: string }>(
    'select message_id from messages where id = $1',
    [id],
  )
  return { id, lead_id, address, team_id: person.team_id, message_id: row!.message_id }
}

export async function rowOf({ app }: House, { id }: { id: string }): Promise<Record<string, any>> {
  const [row] = await app.database.query('select * from messages where id = $1', [id])
  return row!
}

/** What the lead's timeline tells of its messages, oldest first. */
export async function told({ app }: House, { id }: { id: string }): Promise<Event[]> {
  return app.database.query<Event>(
    `select * from events where subject_kind = 'message' and subject_id = $1 order by id`,
    [id],
  )
}

export async function toldTypes(house: House, message: { id: string }): Promise<string[]> {
  return (await told(house, message)).map(({ type }) => type)
}

/** Who is not to be written to, and why. */
export async function suppressed({ app }: House, team_id: string): Promise<Record<string, string>> {
  const rows = await app.database.query<{ address: string; reason: string }>(
    'select address, reason from suppressions where team_id = $1 and lifted_at is null',
    [team_id],
  )
  return Object.fromEntries(rows.map(({ address, reason }) => [address, reason]))
}

export function openPath(house: House, { id: message_id, team_id }: Sent): string {
  return `/t/o/${token(house, message_id, team_id, OPEN_LINK)}`
}

export function clickPath(house: House, { id: message_id, team_id }: Sent, link = 0): string {
  return `/t/c/${token(house, message_id, team_id, link)}`
}

export function unsubscribePath(house: House, { id: message_id, team_id }: Sent): string {
  return `/u/${token(house, message_id, team_id, UNSUBSCRIBE_LINK)}`
}

function token({ app }: House, message_id: string, team_id: string, link: number): string {
  return tokenFor(app.runtime.settings, { team_id, message_id, link })
}

/** A token in which one bit is another. */
export function bent(path: string, bit: number): string {
  const [, kind, part, tail] = /^(\/(?:t\/o|t\/c|u)\/)(.+)()$/.exec(path)!
  const bytes = Buffer.from(part!, 'base64url')
  bytes[bit >> 3]! ^= 1 << (bit & 7)
  return kind! + bytes.toString('base64url') + tail
}
