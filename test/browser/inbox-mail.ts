import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { SEND_JOB } from '#domains/conversations/answer.ts'
import { takeMessage } from '#domains/conversations/receive.ts'
import type { IncomingMessage } from '#platform/offers.ts'
import type { Mail } from '#platform/ports/mail.ts'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import type { Person } from '#test/app.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import { makeLead, type Stage } from './browser.ts'

/** One pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The address of the installation. */
export const OURS = 'rapport@example.test'
/** An image that an email wants to load. */
export const ELSEWHERE = 'https://images.example.test/banner.png'

let mails = 0

type Mailbox = NonNullable<IncomingMessage['mailbox']>
export type Arriving = Partial<IncomingMail> & {
  from: string
  /** Shared, unless it says otherwise. */
  mailbox?: Partial<Mailbox> & { id: string }
}

/** An email comes in as a whole. */
export async function arrives({ ctx }: Person, { mailbox, ...fields }: Arriving): Promise<void> {
  const mail = incomingMail({
    to: [party(OURS)],
    message_id: `<in.${++mails}@lead.example>`,
    ...fields,
  })
  const { from, from_name: name, subject, text, message_id: answer_id } = mail
  const message = {
    channel: 'email' as const,
    address: from!,
    name,
    subject,
    text,
    answer_id,
    automatic: false,
  }
  const shared = { owner_id: null, private_to: null, creates_leads: false }
  const to = mailbox && { mailbox: { ...shared, ...mailbox } }
  expect(await takeMessage(ctx, { ...message, mail, ...to })).toBe(true)
}

/** A lead of that person who has written, and the conversation. */
export async function written(
  person: Person,
  first_name: string,
  fields: Partial<Arriving> = {},
): Promise<string> {
  const from = `${first_name.toLowerCase()}@example.test`
  const { browser, user_id } = person
  await makeLead(browser, { first_name, last_name: 'Hopper', email: from, owner_id: user_id })
  await arrives(person, { from, ...fields })
  const { data } = (await browser.get(`/api/conversations?q=${encodeURIComponent(from)}`)).body
  return data[0].id
}

export function party(address: string, name: string | null = null) {
  return { address, name }
}

export const thread = (page: Page) => page.getByRole('log', { name: 'Messages' })
export const composer = (page: Page) => page.getByRole('region', { name: 'Write' })
export const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply by Email' })

export function textFile(name: string, text: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
}

/** As from the desktop, or the clipboard. */
export async function drop(page: Page, names: string[], kind: 'drop' | 'paste'): Promise<void> {
  await reply(page).evaluate(
    `(field => {
      const data = new DataTransfer()
      for (const name of ${JSON.stringify(names)})
        data.items.add(new File(['abc'], name, { type: name.endsWith('png') ? 'image/png' : 'text/plain' }))
      const rest = { bubbles: true, cancelable: true }
      const event = '${kind}' === 'drop'
        ? new DragEvent('drop', { ...rest, dataTransfer: data })
        : new ClipboardEvent('paste', { ...rest, clipboardData: data })
      field.dispatchEvent(event)
    })(document.querySelector('[data-composer] textarea'))`,
  )
}

/** The email to that address, once it has been sent: the time to take it back is over at once. */
export async function sentAtOnce({ app }: Stage, address: string, words: string): Promise<Mail> {
  await expect
    .poll(async () => {
      await app.database.query(
        `update messages set due_at = now() - interval '1 second' where status = 'DUE'`,
      )
      await app.database.query(`update jobs set run_at = now() where kind = $1 and owner is null`, [SEND_JOB])
      app.runtime.wakeWorker()
      return app.mail.lastTo(address)?.text ?? ''
    })
    .toContain(words)
  return app.mail.lastTo(address)!
}
