import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page, Worker } from 'playwright-core'
import {
  newBrowser,
  startPushService,
  tell,
  type Browser,
  type PushService,
} from '#domains/notifications/notifications.harness.ts'
import type { Notice } from '#domains/notifications/service.ts'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, QUIET, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

let stage: Stage
let visitor: Visitor
let ada: Person
let service: PushService
let keys: Browser
beforeAll(async () => {
  service = await startPushService()
  keys = await newBrowser()
  stage = await startStage({ config: { outboundAllowHosts: ['localhost'] } })
  ada = await stage.app.person('ada@example.test')
  visitor = await stage.visit('/tasks')
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

const source = { kind: 'workflow', id: null, name: 'Hot leads' }
const toAda = (notice: Partial<Notice>) => tell(ada, { source, ...notice })
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const panel = (page: Page) => page.getByRole('dialog', { name: /^Notifications/ })
const count = (page: Page) => bell(page).getAttribute('aria-label')
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")')
const unread = async () => (await stage.api.get('/api/notifications/count')).body.unread

test('what a workflow tells appears at once, is read by opening it, and leads where it says', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Grace', last_name: 'Hopper' })
  const { page, complaints } = visitor
  await bell(page).press('Enter')
  await panel(page).getByRole('heading', { name: 'No notifications yet' }).waitFor()
  // As this browser is.
  await panel(page).getByText('Blocked by your browser').waitFor()
  await expect
    .poll(() => panel(page).getByRole('switch', { name: 'Browser notifications' }).isDisabled())
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Notifications')

  await toAda({ title: 'Grace <b>answered</b>', text: 'Call her', link: `/leads/${id}` })
  await expect.poll(() => count(page)).toBe('Notifications, 1 unread')
  await toasts(page).getByText('Grace <b>answered</b>').waitFor()
  // A colleague is told something else: here it is not heard of.
  const bob = await colleagueOf(stage.app, ada, 'MEMBER')
  await tell(ada, { user_ids: [bob.user_id], title: 'For Bob alone' })
  await toAda({ title: 'Nothing to open' })
  await expect.poll(() => count(page)).toBe('Notifications, 2 unread')
  await toasts(page).getByText('Nothing to open').waitFor()
  await expect.poll(() => page.getByText('For Bob alone').count()).toBe(0)

  await bell(page).click()
  await expect.poll(() => toasts(page).getByText('Nothing to open').count()).toBe(0)
  const entries = panel(page).getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(2)
  await entries.nth(1).getByText('Hot leads').waitFor()
  await entries.nth(0).getByRole('button').click()
  await expect.poll(() => count(page)).toBe('Notifications, 1 unread')
  await entries
    .nth(1)
    .getByRole('link', { name: /^Unread: Grace <b>answered/ })
    .press('Enter')
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/leads/${id}`)
  await expect.poll(() => panel(page).count()).toBe(0)
  await expect.poll(() => count(page)).toBe('Notifications')
  await expect.poll(unread).toBe(0)

  await toAda({ title: 'Look at the forms', link: '/forms' })
  await toasts(page).getByRole('button', { name: 'Open' }).click()
  await page.waitForURL('**/forms')
  await expect.poll(unread).toBe(0)
  expect(complaints).toEqual([])
})

further(
  'more than nine are 9+, older ones come page by page, and all are read at once, in every tab',
  async () => {
    for (let n = 1; n <= 22; n++) await toAda({ title: `No ${n}` })
    const first = await stage.visit('/tasks')
    const { page } = first
    await page.context().addInitScript('delete window.PushManager')
    const second = await stage.tab(first, '/tasks')
    const entry = (name: string) => panel(page).getByRole('button', { name: new RegExp(`: ${name}\\D`) })
    await bell(page).getByText('9+').waitFor()
    await expect.poll(() => count(second.page)).toBe('Notifications, 9+ unread')
    await bell(page).click()
    await entry('No 22').waitFor()
    await panel(page).getByRole('button', { name: 'Show older' }).click()
    await entry('No 1').waitFor()

    // What cannot be marked says so, and is unread again.
    await page.route('**/api/notifications/read', route => route.abort())
    await panel(page).getByRole('button', { name: 'Mark all as read' }).click()
    await toasts(page).getByText("Couldn't mark as read").waitFor()
    await expect.poll(() => count(page)).toBe('Notifications, 9+ unread')
    await entry('No 22').waitFor()
    await page.unroute('**/api/notifications/read')
    await panel(page).getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(() => panel(page).getByText('Unread:').count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2')
    for (const each of [page, second.page]) await expect.poll(() => count(each)).toBe('Notifications')
    await expect.poll(() => unread()).toBe(0)

    await bell(second.page).click()
    await second.page.getByText('Not available here').waitFor()
    expect([...first.complaints, ...second.complaints]).toEqual([])
    await page.context().close()
  },
)

test('an answer asked for while something is marked as read does not make it unread again', async () => {
  await toAda({ title: 'Marked' })
  const { page, complaints } = visitor
  await expect.poll(() => count(page)).toBe('Notifications, 1 unread')
  await bell(page).click()
  const marking = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/notifications/read', async route => {
    await marking.promise
    await route.continue()
  })
  await panel(page)
    .getByRole('button', { name: /Marked/ })
    .click()
  await page.route('**/api/notifications/count', async route => {
    const response = await route.fetch()
    asked.resolve()
    await late.promise
    await route.fulfill({ response }).catch(() => {})
  })
  await toAda({ title: 'Meanwhile' })
  await asked.promise
  await page.unroute('**/api/notifications/count')
  const marked = page.waitForResponse('**/api/notifications/read')
  const recounted = page.waitForResponse('**/api/notifications/count')
  marking.resolve()
  await marked
  late.resolve()
  await recounted
  await expect.poll(() => count(page)).toBe('Notifications, 1 unread')
  await stage.api.post('/api/notifications/read', { all: true })
  await page.unroute('**/api/notifications/read')
  expect(complaints).toEqual([])
})

test('turned on for this browser, a notification is pushed, shown, and its click leads there', async () => {
  const { page, complaints } = await stage.visit(QUIET)
  await page.addInitScript(fakePush(`${service.url}/browser`))
  await goOn(page, `${stage.app.url}/tasks`)
  const onOff = page.getByRole('switch', { name: 'Browser notifications' })
  await bell(page).click()
  await page.evaluate("localStorage.setItem('fake', JSON.stringify({ fails: true }))")
  await expect.poll(() => onOff.isEnabled()).toBe(true)
  await onOff.click({ force: true })
  await toasts(page).getByText("This browser's push service didn't respond").waitFor()
  await expect.poll(() => onOff.isChecked()).toBe(false)
  await page.evaluate("localStorage.removeItem('fake')")
  await expect.poll(() => onOff.isEnabled()).toBe(true)
  await onOff.check({ force: true })
  await page.getByText('Shown even when Rapport is closed').waitFor()
  await expect.poll(known).toEqual([`${service.url}/browser`])

  await toAda({ title: 'Grace answered', text: 'Call her', link: '/forms?q=Grace' })
  await eventually(() => expect(service.to('/browser')).toHaveLength(1))
  const message = (await keys.open(service.to('/browser')[0]!.body)).toString()
  const worker = page.context().serviceWorkers()[0]!
  expect(await push(worker, message)).toEqual(['Grace answered', 'Call her'])
  expect(await push(worker, 'no JSON')).toEqual(['Rapport', 'You have a new notification.'])
  await page.keyboard.press('Escape')
  // The page has counted anew before the click is known to the server: it is told to count once more.
  await worker.evaluate(HELD_FETCH)
  await page.evaluate(LISTEN)
  const counted = page.waitForResponse('**/api/notifications/count')
  const clicked = click(worker, message)
  await counted
  await worker.evaluate('letGo()')
  await clicked
  expect(await page.evaluate('heard')).toBe('read')
  await page.waitForURL('**/forms?q=Grace')
  await expect.poll(unread).toBe(0)
  await expect.poll(() => count(page)).toBe('Notifications')

  // The browser has lost its subscription, and the server has noticed: the next visit makes it anew without being asked.
  await page.evaluate("localStorage.removeItem('fake')")
  const { subscriptions } = (await stage.api.get('/api/notifications/push')).body
  await stage.api.delete(`/api/notifications/push/${subscriptions[0].id}`)
  await page.reload()
  await expect.poll(known).toEqual([`${service.url}/browser`])
  await bell(page).click()
  await expect.poll(() => onOff.isChecked()).toBe(true)
  await expect.poll(() => onOff.isEnabled()).toBe(true)
  await onOff.uncheck({ force: true })
  await expect.poll(known).toEqual([])
  expect(complaints).toEqual([])
})

further('who signs out takes the browser along: nobody after them is shown what was theirs', async () => {
  const { page } = await stage.stranger()
  await page.goto(await stage.app.signIn('zoe@example.test'))
  await page.addInitScript(fakePush(`${service.url}/zoe`))
  await page.getByRole('button').click()
  await bell(page).click()
  const onOff = page.getByRole('switch', { name: 'Browser notifications' })
  await expect.poll(() => onOff.isEnabled()).toBe(true)
  await onOff.check({ force: true })
  await page.getByText('Shown even when Rapport is closed').waitFor()
  const browsers = () =>
    stage.app.database.query('select from push_subscriptions where endpoint = $1', [`${service.url}/zoe`])
  await expect.poll(browsers).toHaveLength(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Zoe/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/signin')
  await expect.poll(browsers).toEqual([])
  await expect
    .poll(() => page.evaluate("[localStorage.getItem('fake'), localStorage.getItem('rapport.push')]"))
    .toEqual(['{}', null])
})

further('bell and list are fit for everybody, in light and dark and on a phone', async () => {
  await toAda({ title: 'Katherine called', text: 'Call her\n'.repeat(5), link: '/forms' })
  await toAda({ title: 'x'.repeat(200), text: 'y'.repeat(300) })
  const open = async (page: Page) => {
    await bell(page).click()
    await panel(page).getByText('Katherine called').waitFor()
  }
  const scenes: Scene[] = [['/tasks', open]]
  expect(await faultsInEveryLook(stage, 'h1', scenes)).toEqual([])
})

async function known(): Promise<string[]> {
  const { subscriptions } = (await stage.api.get('/api/notifications/push')).body
  return subscriptions.map(({ endpoint }: { endpoint: string }) => endpoint)
}

/** A browser without a push service of its own gets one: what the page asks for is answered as a browser would. */
function fakePush(endpoint: string): string {
  const json = JSON.stringify({ endpoint, expirationTime: null, keys: keys.keys })
  return `{
    const read = () => JSON.parse(localStorage.getItem('fake') ?? '{}')
    const write = state => localStorage.setItem('fake', JSON.stringify(state))
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0)).buffer
    const made = key => ({
      endpoint: ${JSON.stringify(endpoint)},
      options: { applicationServerKey: bytes(key) },
      toJSON: () => (${json}),
      unsubscribe: async () => (write({}), true),
    })
    PushManager.prototype.getSubscription = async () => (read().key ? made(read().key) : null)
    PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
      if (read().fails) throw new DOMException('Registration failed', 'AbortError')
      write({ key })
      return made(key)
    }
  }`
}

/** What the worker shows for a message. */
async function push(worker: Worker, message: string): Promise<unknown> {
  return worker.evaluate(`new Promise(resolve => {
    registration.showNotification = async (title, { body }) => resolve([title, body])
    const data = { json: () => JSON.parse(${JSON.stringify(message)}) }
    dispatchEvent(Object.assign(new Event('push'), { data, waitUntil: () => {} }))
  })`)
}

const LISTEN = `void (self.heard = new Promise(done => {
  new BroadcastChannel('rapport.notifications').onmessage = ({ data }) => done(data)
}))`

const HELD_FETCH = `{
  const { fetch } = self
  self.fetch = (...words) => new Promise(go => (self.letGo = go)).then(() => fetch(...words))
}`

async function click(worker: Worker, message: string): Promise<void> {
  await worker.evaluate(`new Promise((waitUntil) => {
    const notification = { data: ${message}, close: () => {} }
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
  })`)
}
