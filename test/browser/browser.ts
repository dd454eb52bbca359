import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { startApp, type AppOptions, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { findChromium } from '../../scripts/chromium.mjs'
import { leaveWindow, takeWindow, WAIT_MS, watched, type Visitor } from './window.ts'

export type { Visitor } from './window.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

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

/** An address that loads nothing: for whoever has something to do before the first page. */
export const QUIET = '/healthz'

type StageOptions = AppOptions & {
  /** Before anybody signs in. */
  prepare?(app: TestApp): Promise<unknown>
  /** Who signs in. */
  email?: string
}

/** The product with its built web app, a person who is signed in, and a real browser. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const { prepare, email = 'ada@example.test', ...rest } = options
  const app = await startAtUsualPort({ web: true, ...rest })
  await prepare?.(app)
  const browser = await sharedBrowser()
  const open = new Set<Page>()
  const person = await app.person(email)
  const [name = '', value = ''] = person.browser.headers.cookie!.split(/=(.*)/s)

  async function openWindow(options: BrowserContextOptions): Promise<Page> {
    const page = await takeWindow(browser, options)
    open.add(page)
    // A window that stays open follows all that later tests do. What is opened for all of them, before the first, stays.
    if (TestRunner.getCurrentTest()) onTestFinished(() => leave(page))
    return page
  }

  async function leave(page: Page): Promise<void> {
    open.delete(page)
    await leaveWindow(page, app.url + QUIET)
  }

  return {
    app,
    api: person.browser,
    async visit(path, options = {}) {
      const page = await openWindow(options)
      await page.context().addCookies([{ name, value, url: app.url }])
      const visitor = watched(page)
      await page.goto(app.url + path)
      return visitor
    },
    async tab({ page }, path) {
      const visitor = watched(await page.context().newPage())
      await visitor.page.goto(app.url + path)
      return visitor
    },
    stranger: async (options = {}) => watched(await openWindow(options)),
    async close() {
      for (const page of open) await leave(page)
      await app.close()
    },
  }
}

let usualPort = 0

/** One address for all files of a process: the browser knows the scripts of the app already. */
async function startAtUsualPort(options: AppOptions): Promise<TestApp> {
  try {
    const app = await startApp({ ...options, config: { port: usualPort, ...options.config } })
    usualPort ||= Number(new URL(app.url).port)
    return app
  } catch (error) {
    // Between two stages the port is free for anybody.
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    if (cause?.code !== 'EADDRINUSE') throw error
    return startApp(options)
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

type LeadFields = { first_name: string; last_name?: string; [field: string]: unknown }

export async function makeLead(api: Client, fields: LeadFields): Promise<{ id: string }> {
  const { status, body, text } = await api.post('/api/crm/leads', fields)
  if (status !== 201) throw new Error(`The lead was not made: ${text}`)
  return body
}

export async function readLead(api: Client, id: string): Promise<Record<string, unknown>> {
  return (await api.get(`/api/crm/leads/${id}`)).body
}

/** Adds a filter to the list of this page, and chooses its values. */
export async function addFilter(page: Page, label: string, ...values: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
  for (const value of values) await page.getByRole('option', { name: value, exact: true }).click()
  if (values.length > 0) await page.keyboard.press('Escape')
}

export function rowOf(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name })
}

export function cell(page: Page, name: string, column: number) {
  return rowOf(page, name).getByRole('gridcell').nth(column)
}
