import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { witnesses } from '#test/witnesses.ts'

/** A machine that runs everything at once is slow: what comes at all, comes within this. */
export const WAIT_MS = 20_000
const LOOK_AGAIN_MS = [20, 50, 100]
const REFUSED_KEPT = 20
const SHOWN_KEPT = 4_000

const USUAL = {
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
} as const

export type Visitor = {
  page: Page
  /** What the page complained about: scripts that failed, things the content policy refused. */
  complaints: string[]
}

/** Windows that a test has left, each as good as new. */
const left: Page[] = []

/**
 * A window of nobody. It serves one test after the other, since the app starts in half the time where the browser has read
 * its scripts before; one with options of its own, other than size and colours, serves one test alone.
 */
export async function takeWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const { viewport = USUAL.viewport, colorScheme = null, ...others } = options
  if (Object.keys(others).length > 0) return (await newContext(browser, options)).newPage()
  const page = left.pop() ?? (await newWindow(browser))
  if (page.context().browser()?.isConnected() === false) return takeWindow(browser, options)
  await page.setViewportSize(viewport!)
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce' })
  return page
}

async function newWindow(browser: Browser): Promise<Page> {
  const context = await newContext(browser, {})
  const page = await context.newPage()
  lasting.add(page)
  noteWhatLasts(page)
  return page
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ ...USUAL, ...options })
  context.setDefaultTimeout(WAIT_MS)
  return context
}

/** Those that can serve another test. */
const lasting = new WeakSet<Page>()

/** What cannot be taken back, such as another clock, makes a window one for this test alone. */
function noteWhatLasts(page: Page): void {
  const context = page.context()
  const changes = [
    [page, 'addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders'],
    [context, 'addInitScript', 'exposeFunction', 'exposeBinding', 'grantPermissions', 'setExtraHTTPHeaders'],
    [page.clock, 'install', 'setFixedTime', 'setSystemTime'],
  ] as const
  for (const [target, ...names] of changes) {
    const methods = target as unknown as Record<string, (...words: unknown[]) => unknown>
    for (const name of names) {
      const change = methods[name]!.bind(target)
      methods[name] = (...words) => {
        lasting.delete(page)
        return change(...words)
      }
    }
  }
}

const LISTENED = [
  'pageerror',
  'dialog',
  'console',
  'request',
  'response',
  'requestfinished',
  'requestfailed',
  'download',
  'popup',
]

/** Empties the window for another test; where that is not possible, it is closed. */
export async function leaveWindow(page: Page, quiet: string): Promise<void> {
  dismissals.get(page)?.()
  try {
    if (page.isClosed() || !lasting.has(page)) return await page.context().close()
    await empty(page, quiet)
    left.push(page)
  } catch {
    await page.context().close()
  }
}

async function empty(page: Page, quiet: string): Promise<void> {
  const context = page.context()
  for (const event of LISTENED) page.removeAllListeners(event)
  // A page with something unsaved asks whether to leave.
  page.on('dialog', dialog => void dialog.accept())
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  for (const other of context.pages()) if (other !== page) await other.close()
  // An answer of the same origin keeps the process of the page, and with it the scripts it has read.
  await page.goto(quiet)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.mouse.move(-1, -1)
  await context.clearCookies()
  page.removeAllListeners('dialog')
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
  const frame = insideOf(page)?.mainFrame()
  const frames = frame && (Object.getPrototypeOf(frame) as Frame)
  if (!frames?.retryWithProgressAndTimeouts) return
  frames.retryWithProgressAndBackoff = function (this: Frame, progress: unknown, action: unknown) {
    return this.retryWithProgressAndTimeouts!(progress, LOOK_AGAIN_MS, action)
  }
}

/** An address that nothing asks for. */
const NOWHERE = 'https://nowhere.invalid/'

/**
 * With the last route taken away the browser stops asking Playwright, and with the next one it begins again, but a moment
 * later: what is clicked in that moment goes to the server. So it asks until the window is left.
 */
function keepAsking(page: Page): void {
  if (asking.has(page)) return
  asking.add(page)
  const route = page.route.bind(page)
  page.route = async (...words) => {
    await route(NOWHERE, held => held.fallback())
    return route(...words)
  }
}

const asking = new WeakSet<Page>()

type Session = { send(method: string, words?: { cacheDisabled?: boolean }): Promise<unknown> }
type Network = { _sessions?: Map<Session, unknown> }

/**
 * Where a test holds a request back, Playwright lets the browser fetch everything anew, also the scripts of the app, which
 * takes twice as long to load then. The server says itself what may be kept, and a kept answer is held back all the same.
 */
function keepScripts(page: Page): void {
  const network = insideOf(page)?.delegate?._networkManager
  for (const session of network?._sessions?.keys() ?? []) {
    if (keeping.has(session)) continue
    keeping.add(session)
    const send = session.send.bind(session)
    session.send = (method, words) =>
      send(method, method === 'Network.setCacheDisabled' ? { cacheDisabled: false } : words)
  }
}

const keeping = new WeakSet<Session>()

type Inside = { mainFrame(): Frame; delegate?: { _networkManager?: Network } }

function insideOf(page: Page): Inside | undefined {
  const { _connection } = page as unknown as {
    _connection?: { toImpl?: (page: unknown) => Inside }
  }
  return _connection?.toImpl?.(page)
}

/** Listens to what the page says and is refused. */
export function watched(page: Page): Visitor {
  lookOften(page)
  keepScripts(page)
  keepAsking(page)
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
    const focus = await page.evaluate<string>(
      `(e => e.tagName + ' ' + (e.getAttribute('aria-label') ?? e.id))(document.activeElement ?? document.body)`,
    )
    return [`A window at ${page.url()} with the focus on ${focus} shows: ${text}`, ...refused]
  }
  const dismiss = () => witnesses.delete(tell)
  witnesses.add(tell)
  page.once('close', dismiss)
  dismissals.set(page, dismiss)
}

const dismissals = new WeakMap<Page, () => void>()
