import { expect } from 'vitest'
import type { FakeClock } from '#platform/clock.ts'
import type { WhatsAppMessage } from '#platform/ports/whatsapp.ts'
import { whatsappSignature } from '#platform/whatsapp-signature.ts'
import { client } from '#test/client.ts'
import { openInbox, type Inbox } from './conversations.harness.ts'

export const WEBHOOK = '/api/webhooks/whatsapp'
export const settings = {
  appSecret: 'the app secret',
  verifyToken: 'the verify token',
  phoneNumberId: '10555',
}

export type WhatsAppInbox = Inbox & {
  /** Sends a webhook as WhatsApp does, and waits for all that follows of it. */
  tells(value: object, options?: { signature?: string; phone_number_id?: string }): Promise<number>
  /** Somebody writes by WhatsApp; answers what WhatsApp calls it. */
  writes(phone: string, message?: object): Promise<string>
  /** What became of a message that was handed over. */
  becomes(message: WhatsAppMessage, status: string, more?: object): Promise<void>
  /** What WhatsApp calls it. */
  wamidOf(message: WhatsAppMessage): string
}

let wamids = 0

export async function openWhatsApp(clock: FakeClock): Promise<WhatsAppInbox> {
  const config = { whatsapp: { ...settings, token: 'token', businessAccountId: '777', apiUrl: 'https://x' } }
  const inbox = await openInbox(clock, { config })
  const stranger = client(inbox.app.url)
  const { sent } = inbox.ports.whatsapp
  const wamidOf = (message: WhatsAppMessage) => `wamid.${sent.indexOf(message) + 1}`
  const tells: WhatsAppInbox['tells'] = async (value, { signature, phone_number_id = '10555' } = {}) => {
    const metadata = { display_phone_number: '4930999', phone_number_id }
    const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '777', changes: [change] }],
    })
    const { status } = await stranger.raw('POST', WEBHOOK, body, {
      'content-type': 'application/json',
      'x-hub-signature-256': signature ?? whatsappSignature(settings.appSecret, body),
    })
    await inbox.settled()
    return status
  }
  return {
    ...inbox,
    tells,
    wamidOf,
    async writes(phone, message = {}) {
      const id = `wamid.in${++wamids}`
      const from = phone.replace('+', '')
      const timestamp = String(Math.floor(clock.now() / 1_000))
      const text = { type: 'text', text: { body: 'What does it cost?' } }
      const contacts = [{ wa_id: from, profile: { name: 'Grace on WhatsApp' } }]
      expect(await tells({ contacts, messages: [{ from, id, timestamp, ...text, ...message }] })).toBe(200)
      return id
    },
    async becomes(message, status, more = {}) {
      const { to, reference } = message
      const told = { id: wamidOf(message), status, recipient_id: to.slice(1), timestamp: '1' }
      const value = { statuses: [{ ...told, biz_opaque_callback_data: reference, ...more }] }
      expect(await tells(value)).toBe(200)
    },
  }
}
