import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { startApp, type AppOptions, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { witnesses } from '#test/witnesses.ts'
import { findChromium } from '../../scripts/chromium.mjs'

/** A machine that runs everything at once is slow: what comes at all, comes within this. */
const WAIT_MS = 20_000
const LOOK_AGAIN_MS = [20, 50, 100]
const REFUSED_KEPT = 20
const SHOWN_KEPT = 4_000
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
  const browser = await sharedBrowser()
  const contexts = new Set<BrowserContext>()
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
    contexts.add(context)
    context.on('close', () => contexts.delete(context))
    // A window that stays open follows all that later tests do. What is opened for all of them, before the first, stays.
    if (TestRunner.getCurrentTest()) onTestFinished(() => context.close())
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
      await Promise.all([...contexts].map(context => context.close()))
      await app.close()
    },
  }
}

/**
 * To another page of the app as a link leads there, without loading the app anew; where that is not possible, by its
 * address.
 */
export async function goOn(page: Page, address: string, waitMs = WAIT_MS): Promise<void> {
  const { pathname, search } = new URL(address)
  const isElsewhere = pathname !== new URL(page.url()).pathname
  if (!isElsewhere || !(await leadsInside(page, address))) return void (await page.goto(address))
  await page.evaluate(`
    for (const part of document.querySelectorAll('#main > *')) part.dataset.before = 'yes'
    history.pushState(null, '', ${JSON.stringify(pathname + search)})`)
  await page.locator('#main > [data-before]').first().waitFor({ state: 'detached', timeout: waitMs })
}

/** Whether a link could lead from this page to that one without loading the app anew. */
export async function leadsInside(page: Page, address: string): Promise<boolean> {
  if (SERVED.test(new URL(address).pathname)) return false
  return page.evaluate(`Boolean(document.querySelector('#main > *'))`)
}

/** Takes back what a notice tells, by the button beside its words. */
export async function undo(page: Page, told: string | RegExp): Promise<void> {
  const notices = page.getByRole('region', { name: 'Notifications' }).locator('[data-tone]')
  await notices.filter({ hasText: told }).last().getByRole('button', { name: 'Undo' }).click()
}

/** Pages that the server makes. */
const SERVED = /^\/(?:f|docs|signin|api)(?:\/|$)/

let launched: Promise<Browser> | undefined

/** One for all files of a process: starting it takes longer than many a test. Windows share nothing with each other. */
async function sharedBrowser(): Promise<Browser> {
  const browser = await (launched ??= launch())
  if (browser.isConnected()) return browser
  return (launched = launch())
}

function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath)
    throw new Error('There is no Chromium: node scripts/chromium.mjs finds or installs one.')
  return chromium.launch({ executablePath, args: FLAGS })
}

type Frame = {
  retryWithProgressAndBackoff: unknown
  retryWithProgressAndTimeouts?(progress: unknown, pausesMs: number[], action: unknown): Promise<unknown>
}

/**
 * Playwright looks for what is not there yet ever more rarely, in the end each half a second, which these tests then sit
 * out. There is no setting for it, so its own method gets other pauses, where it has one of that name.
 */
function lookOften(page: Page): void {
  const inside = page as unknown as { _connection?: { toImpl?: (page: unknown) => { mainFrame(): Frame } } }
  const frame = inside._connection?.toImpl?.(page).mainFrame()
  const frames = frame && (Object.getPrototypeOf(frame) as Frame)
  if (!frames?.retryWithProgressAndTimeouts) return
  frames.retryWithProgressAndBackoff = function (this: Frame, progress: unknown, action: unknown) {
    return this.retryWithProgressAndTimeouts!(progress, LOOK_AGAIN_MS, action)
  }
}

function watched(page: Page): Visitor {
  lookOften(page)
  witness(page)
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

/** What a window shows and what it was refused, told when a test fails while it is open. */
function witness(page: Page): void {
  const refused: string[] = []
  page.on('response', answer => {
    if (answer.status() < 400) return
    refused.push(`  ${answer.request().method()} ${answer.url()} was answered ${answer.status()}`)
    if (refused.length > REFUSED_KEPT) refused.shift()
  })
  page.on('requestfailed', request => {
    refused.push(`  ${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`)
    if (refused.length > REFUSED_KEPT) refused.shift()
  })
  async function tell(): Promise<string[]> {
    const shown = await page.locator('body').innerText({ timeout: 1_000 })
    const text = shown.replaceAll(/\s*\n\s*/g, ' | ').slice(0, SHOWN_KEPT)
    return [`A window at ${page.url()} shows: ${text}`, ...refused]
  }
  witnesses.add(tell)
  page.on('close', () => witnesses.delete(tell))
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
