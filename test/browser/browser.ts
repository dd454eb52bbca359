import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { startApp, type AppOptions, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'

const WAIT_MS = 8_000
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Visitor = {
  page: Page
  /** What the page complained about: scripts that failed, things the content policy refused. */
  complaints: string[]
}

export type Stage = {
  app: TestApp
  /** Requests as the same person, to prepare and to check. */
  api: Client
  /** A new window, signed in. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visitor>
  /** Another tab of a window. */
  tab(visitor: Visitor, path: string): Promise<Visitor>
  /** A new window of nobody. */
  stranger(options?: BrowserContextOptions): Promise<Visitor>
  close(): Promise<void>
}

/** The product with its built web app, a person who is signed in, and a real browser. */
export async function startStage(options: AppOptions = {}): Promise<Stage> {
  const app = await startApp({ web: true, ...options })
  const browser = await launch()
  const person = await app.person('ada@example.test')
  const [name = '', value = ''] = person.browser.headers.cookie!.split(/=(.*)/s)

  async function open(options: BrowserContextOptions, signedIn: boolean): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...options,
    })
    context.setDefaultTimeout(WAIT_MS)
    if (signedIn) await context.addCookies([{ name, value, url: app.url }])
    return watched(await context.newPage())
  }

  return {
    app,
    api: person.browser,
    async visit(path, options = {}) {
      const visitor = await open(options, true)
      await visitor.page.goto(app.url + path)
      return visitor
    },
    async tab({ page }, path) {
      const visitor = watched(await page.context().newPage())
      await visitor.page.goto(app.url + path)
      return visitor
    },
    stranger: (options = {}) => open(options, false),
    async close() {
      await browser.close()
      await app.close()
    },
  }
}

function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: FLAGS })
}

function watched(page: Page): Visitor {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', message => {
    // The browser itself reports every answer above 399; the tests judge those by what the page shows.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, complaints }
}

type LeadFields = { first_name: string; last_name?: string; [field: string]: unknown }

export async function makeLead(api: Client, fields: LeadFields): Promise<{ id: string }> {
  const { status, body, text } = await api.post('/api/crm/leads', fields)
  if (status !== 201) throw new Error(`The lead was not made: ${text}`)
  return body
}

export async function readLead(api: Client, id: string): Promise<Record<string, unknown>> {
  return (await api.get(`/api/crm/leads/${id}`)).body
}

export function rowOf(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name })
}

export function cell(page: Page, name: string, column: number) {
  return rowOf(page, name).getByRole('gridcell').nth(column)
}
