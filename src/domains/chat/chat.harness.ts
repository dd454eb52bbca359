import { expect, onTestFinished } from 'vitest'
import { client, type Client } from '#test/client.ts'
import type { Inbox } from '#domains/conversations/conversations.harness.ts'
import type { ChatEntry, ChatState, ChatWidget } from './contract.ts'

export const WIDGETS = '/api/chat/widgets'
export const SITE = 'shop.example'

/** A widget of the team that the site shows. */
export async function widgetOf({ ada }: Pick<Inbox, 'ada'>, fields: object = {}): Promise<ChatWidget> {
  const reply = await ada.browser.post(WIDGETS, {
    name: 'Shop',
    allowed_domains: [SITE],
    hours: [],
    ...fields,
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

export type Message = { event?: string; id?: string; data?: any }

/** Somebody on a page of that site. */
export type Guest = Client & {
  id: string
  token: string
  address: string
  say(text: string, more?: object): Promise<ChatEntry>
  history(after?: string): Promise<{ data: ChatEntry[]; state: ChatState; after: string | null }>
  listen(options?: { url?: string; after?: string; token?: string }): Promise<Stream>
}

export type Stream = {
  status: number
  headers: Headers
  messages: Message[]
  /** What is told by an event of this name. */
  of(event: string): any[]
  texts(): string[]
  ended: Promise<void>
  leave(): void
}

let keys = 0

export async function guestOf(url: string, widget: ChatWidget, beginning: object = {}): Promise<Guest> {
  const page = client(url, { origin: `https://${SITE}` })
  const begun = await page.post(`/api/chat/${widget.id}/sessions`, beginning)
  expect(begun.status, begun.text).toBe(201)
  return asGuest(url, begun.body.token)
}

export function asGuest(url: string, token: string): Guest {
  const headers = { origin: `https://${SITE}`, authorization: `Bearer ${token}` }
  const caller = client(url, headers)
  return {
    ...caller,
    id: '',
    token,
    address: '',
    async say(text, more = {}) {
      const body = { key: `key-${++keys}-message`, text, ...more }
      const reply = await caller.post('/api/chat/messages', body)
      expect(reply.status, reply.text).toBe(201)
      return reply.body
    },
    async history(after) {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
      const reply = await caller.get(`/api/chat/messages${query}`)
      expect(reply.status, reply.text).toBe(200)
      return reply.body
    },
    listen: (options = {}) => listen(url, headers, options),
  }
}

async function listen(
  own: string,
  headers: Record<string, string>,
  { url = own, after }: { url?: string; after?: string },
): Promise<Stream> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
  const response = await fetch(`${url}/api/chat/live${query}`, { headers, signal: leaving.signal })
  const messages: Message[] = []
  const ended = read(response, messages).catch(() => {})
  const of = (event: string) => messages.filter(one => one.event === event).map(({ data }) => data)
  return {
    status: response.status,
    headers: response.headers,
    messages,
    of,
    texts: () => of('entry').map(({ text }) => text),
    ended,
    leave: () => leaving.abort(),
  }
}

async function read(response: Response, messages: Message[]): Promise<void> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const message: Record<string, unknown> = {}
      for (const line of block.split('\n')) {
        const [, field, value] = /^(\w*): ?(.*)$/.exec(line)!
        if (field) message[field] = field === 'data' ? JSON.parse(value!) : value
      }
      messages.push(message)
    }
  }
}
