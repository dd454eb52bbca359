import { expect } from 'vitest'
import type { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { readReplies } from '#domains/messages/replies.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import { testPorts, type MemoryPorts } from '#test/ports.ts'
import { settle } from '#test/settle.ts'
import type { Conversation, ConversationEntry } from './contract.ts'
import { takeMessage } from './receive.ts'
import { UNDO_MS } from './values.ts'

export const CONVERSATIONS = '/api/conversations'
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A product with one team, whose mailbox is read when a test says so. */
export type Inbox = {
  app: TestApp
  clock: FakeClock
  ports: MemoryPorts
  ada: Person
  /** A lead of the team, whom Ada owns unless told otherwise. */
  lead(fields?: object): Promise<{ id: string; email: string; phone: string; updated_at: string }>
  /** A mail comes into the installation's mailbox, and all that follows of it is done. */
  mail(fields: Partial<IncomingMail> & { from: string }): Promise<void>
  /** The team is written to, by email or text message. */
  hears(from: string, text?: string): Promise<void>
  /** Time passes, and all that is due by then is done. */
  pass(ms: number): Promise<void>
  /** What was written goes out. */
  out(): Promise<void>
  of(lead_id: string): Promise<Conversation>
  thread(id: string): Promise<ConversationEntry[]>
  settled(): Promise<void>
  close(): Promise<void>
}

let people = 0
let mails = 0

/** Monday morning, 2 March 2026. */
export async function openInbox(
  clock: FakeClock,
  options: Omit<AppOptions, 'ports'> & { ports?: MemoryPorts } = {},
): Promise<Inbox> {
  const { ports = testPorts() } = options
  const app = await startApp({ clock, ...options, ports })
  const ada = await app.person()
  const read = () => readReplies(systemContext(app.runtime))
  await read()
  const settled = () => settle(app)
  return {
    app,
    clock,
    ports,
    ada,
    settled,
    async lead(fields = {}) {
      const n = ++people
      const body = {
        first_name: 'Grace',
        last_name: `Hopper${n}`,
        email: `grace${n}@navy.example`,
        ...fields,
      }
      const reply = await ada.browser.post('/api/crm/leads', {
        phone: `+4930${10_000_000 + n}`,
        owner_id: ada.user_id,
        timezone: 'Europe/Berlin',
        ...body,
      })
      expect(reply).toMatchObject({ status: 201 })
      return reply.body
    },
    async mail(fields) {
      const at = new Date(clock.now()).toISOString()
      ports.mailbox.mails.push(incomingMail({ message_id: `<in.${++mails}@lead.example>`, at, ...fields }))
      await read()
      await settled()
    },
    async hears(address, text = 'What does it cost?') {
      const channel = address.includes('@') ? ('email' as const) : ('sms' as const)
      const message = {
        channel,
        address,
        name: null,
        subject: channel === 'email' ? 'A question' : null,
        text,
      }
      await takeMessage(ada.ctx, { ...message, automatic: false, answer_id: `in${++mails}` })
      await settled()
    },
    async pass(ms) {
      await settled()
      clock.advance(ms)
      app.runtime.wakeWorker()
      await settled()
    },
    async out() {
      await settled()
      clock.advance(UNDO_MS)
      app.runtime.wakeWorker()
      await settled()
    },
    of: async lead_id => conversationOf(ada.browser, lead_id),
    thread: async id => (await ada.browser.get(`${CONVERSATIONS}/${id}/messages`)).body.data,
    close: () => app.close(),
  }
}

export async function conversationOf(browser: Client, lead_id: string): Promise<Conversation> {
  const { body } = await browser.get(`${CONVERSATIONS}?lead_id=${lead_id}`)
  expect(body.data).toHaveLength(1)
  return body.data[0]
}

/** Every change of a thread that matters, in one line each, oldest first. */
export function told(entries: readonly ConversationEntry[]): string[] {
  return entries
    .toReversed()
    .map(({ kind, direction, channel, text, status }) =>
      [kind, direction, channel, status, text].filter(Boolean).join(' '),
    )
}
