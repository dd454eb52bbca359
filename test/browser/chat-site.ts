import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Stage } from './browser.ts'

export type Site = { url: string; host: string; show(widget_id: string): void }

/** A site of somebody else, at an origin of its own, whose policy allows our script and our answers and nothing besides. */
export async function startSite({ app }: Stage): Promise<Site> {
  let widget = ''
  const server = createServer((_, reply) => {
    reply.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${app.url}; connect-src ${app.url}`,
    })
    reply.end(`<!doctype html><html lang="en"><head><title>Northgate Lifts</title></head><body><main>
      <h1>Lifts, inspected</h1><p>Crews on time.</p></main>
      <script src="${app.url}/chat.js" data-widget="${widget}" async></script></body></html>`)
  })
  await once(server.listen(0), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}/`, host, show: id => void (widget = id) }
}

export async function newWidget({ api }: Stage, fields: object = {}): Promise<{ id: string }> {
  const { status, body, text } = await api.post('/api/chat/widgets', {
    name: 'Website',
    hours: [],
    ...fields,
  })
  expect(status, text).toBe(201)
  return body
}

export const chatButton = (page: Page) => page.getByRole('button', { name: /^Open chat/ })
export const panel = (page: Page) => page.getByRole('dialog')
export const talk = (page: Page) => page.getByRole('log', { name: 'Messages' })
export const field = (page: Page) =>
  panel(page).getByRole('textbox', { name: /^(?:Write a message|Ask a question|Reply to \w+)$/ })

/** Opens the chat, and says that. */
export async function begin(page: Page, text: string): Promise<void> {
  await chatButton(page).click()
  await say(page, text)
}

export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
  await talk(page).getByText(text).waitFor()
}
