import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { further, shareOf } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, QUIET, startStage, type Stage, type Visitor } from './browser.ts'
import { arrives, composer, OURS, party, reply, sentAtOnce, textFile, thread, written } from './inbox-mail.ts'

let stage: Stage
let visitor: Visitor
let ada: Person
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  visitor = await stage.visit('/settings/sessions')
})
afterAll(() => stage.close())

const section = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true })
const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' })
const first = (page: Page) => page.getByRole('textbox', { name: 'First message by Email' })

async function read(id: string) {
  const { body } = await stage.api.get(`/api/conversations/${id}`)
  return body as { lead_id: string; unread: boolean; state: string; subject: string | null }
}

async function attach(page: Page, name: string, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await composer(page).getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles([textFile(name, text)])
  await composer(page)
    .getByRole('button', { name: `Remove ${name}` })
    .waitFor()
  await expect.poll(() => composer(page).getByRole('progressbar').count()).toBe(0)
}

test('an email that came in is answered on the page of the lead, with a file', async () => {
  const id = await written(ada, 'Grace', { subject: 'Offer', text: 'Could you send the offer?' })
  const { lead_id } = await read(id)
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/leads/${lead_id}`)
  await thread(page).getByText('Could you send the offer?').waitFor()
  await section(page)
    .getByText(/^Waiting for you since/)
    .waitFor()
  await expect.poll(async () => (await read(id)).unread).toBe(false)
  // The timeline says that it came, and leaves the text to the conversation.
  await timeline(page).getByRole('link', { name: 'Offer' }).waitFor()
  expect(await timeline(page).getByText('Could you send the offer?').count()).toBe(0)

  await page.keyboard.press('r')
  await page.keyboard.type('Here it is.')
  await attach(page, 'Offer.txt', 'Our offer')
  // What is written here is the draft in the inbox too.
  await reply(page).blur()
  await page.keyboard.press('i')
  await page.waitForURL(`**/inbox/${id}*`)
  await expect.poll(() => reply(page).inputValue()).toBe('Here it is.')
  await page.goBack()
  await section(page).waitFor()
  await expect.poll(() => reply(page).inputValue()).toBe('Here it is.')

  await reply(page).press('Control+Enter')
  await thread(page)
    .getByText(/^Sends in \d+ s$/)
    .waitFor()
  await section(page).getByText('Waiting for reply').waitFor()
  await expect.poll(() => reply(page).inputValue()).toBe('')
  await thread(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => reply(page).inputValue()).toBe('Here it is.')
  await composer(page).getByRole('button', { name: 'Remove Offer.txt' }).waitFor()
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
  const mail = await sentAtOnce(stage, 'grace@example.test', 'Here it is.')
  expect(mail.subject).toBe('Re: Offer')
  expect(mail.attachments?.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
    ['Offer.txt', 'Our offer'],
  ])

  // Notes are written in the conversation too, and nowhere else on the page.
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  await page.keyboard.type('She knows our prices')
  await page.keyboard.press('Control+Enter')
  await thread(page).getByText('She knows our prices').waitFor()
  expect(await page.getByLabel('Write a note').count()).toBe(0)
  await timeline(page).getByText('Notes', { exact: true }).click()
  await timeline(page)
    .getByText(/wrote a note in/)
    .waitFor()

  await arrives(ada, { from: 'grace@example.test', subject: 'Re: Offer', text: 'Thank you!' })
  await thread(page).getByText('Thank you!').waitFor()
  await section(page)
    .getByText(/^Waiting for you since/)
    .waitFor()
  expect(complaints.splice(0)).toEqual([])
})

test('the first message to a lead begins the conversation, and stays while something is missing', async () => {
  const { id: lead_id } = await makeLead(stage.api, { first_name: 'Emmy', email: 'emmy@example.test' })
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/leads/${lead_id}`)
  await composer(page).getByText('to emmy@example.test').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Hello Emmy')
  await attach(page, 'Plan.txt', 'Our plan')
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
  await composer(page).getByText('Enter a subject').waitFor()
  // It survives a reload.
  await page.reload()
  await expect.poll(() => first(page).inputValue()).toBe('Hello Emmy')
  await composer(page).getByLabel('Subject').fill('A plan')
  await page.keyboard.press('Control+Enter')
  await thread(page).getByText('Hello Emmy').waitFor()
  await thread(page)
    .getByText(/^Sends in \d+ s$/)
    .waitFor()
  // Whoever wrote the first can write the next.
  await expect
    .poll(() => reply(page).evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('Reply by Email')
  const mail = await sentAtOnce(stage, 'emmy@example.test', 'Hello Emmy')
  expect(mail.subject).toBe('A plan')
  expect(mail.attachments?.map(({ name }) => name)).toEqual(['Plan.txt'])
  const { data } = (await stage.api.get(`/api/conversations?lead_id=${lead_id}`)).body
  expect(data).toMatchObject([{ lead_id, state: 'WAITING', subject: 'A plan' }])
  expect(complaints.splice(0)).toEqual([])
})

/** How far things move without anybody doing anything, as browsers count it. */
const MOVED_MAX = 0.02
const WATCH_MOVES = `
  window.moved = 0
  new PerformanceObserver(list => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.moved += value
  }).observe({ type: 'layout-shift', buffered: true })`

async function moved(path: string, width: number, shown: (page: Page) => Locator): Promise<number> {
  const { page } = await stage.visit(QUIET, { viewport: { width, height: 800 } })
  await page.addInitScript(WATCH_MOVES)
  await page.goto(stage.app.url + path)
  await shown(page).waitFor()
  await timeline(page).getByText('created this lead').waitFor()
  await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0)
  return page.evaluate('window.moved')
}

test('nothing moves while the page of a lead is loaded', async () => {
  const { lead_id } = await read(await written(ada, 'Maria', { text: 'How long does it take?' }))
  const shown = (page: Page) => thread(page).getByText('How long does it take?')
  for (const width of shareOf([1280, 390], 0, 2))
    expect(await moved(`/leads/${lead_id}`, width, shown), `${width} px`).toBeLessThan(MOVED_MAX)
})

further('nor without a conversation', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Vera', email: 'vera@example.test' })
  for (const width of [1280, 390])
    expect(await moved(`/leads/${id}`, width, first), `${width} px`).toBeLessThan(MOVED_MAX)
})

further('what was begun becomes the answer when they write first', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Lise', email: 'lise@example.test' })
  const { page } = await stage.visit(`/leads/${id}`)
  await first(page).fill('Are you coming')
  await arrives(ada, { from: 'lise@example.test', text: 'May I come?' })
  await thread(page).getByText('May I come?').waitFor()
  await expect.poll(() => reply(page).inputValue()).toBe('Are you coming')
})

further('what is long is cut off, and the rest is loaded when it is asked for', async () => {
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line + 1}`).join('\n')
  // Of nobody: forty notifications are another matter.
  const { id: lead_id } = await makeLead(stage.api, { first_name: 'Hedy', email: 'hedy@example.test' })
  for (let at = 0; at <= 36; at++) await arrives(ada, { from: 'hedy@example.test', text: `Message ${at}` })
  await arrives(ada, { from: 'hedy@example.test', text: long })
  const { page } = await stage.visit(`/leads/${lead_id}`)
  await thread(page).getByText('Message 36', { exact: true }).waitFor()
  expect(await thread(page).getByRole('article').count()).toBe(5)
  const whole = thread(page).getByRole('button', { name: 'Show whole message' })
  expect(await whole.count()).toBe(1)
  await whole.click()
  expect(await whole.count()).toBe(0)
  const earlier = thread(page).getByRole('button', { name: 'Show earlier' })
  for (const count of [15, 25, 35, 38]) {
    await earlier.click()
    await expect.poll(() => thread(page).getByRole('article').count()).toBe(count)
  }
  await thread(page).getByText('Message 0', { exact: true }).waitFor()
  expect(await earlier.count()).toBe(0)
})

further('without an address nothing is offered, and who only reads sees no composer', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Nobody' })
  const { page } = await stage.visit(`/leads/${id}`)
  await section(page)
    .getByText('No messages yet. Add an email address or a phone number to write to this lead.')
    .waitFor()
  await page.getByRole('button', { name: /^Email/ }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.test')
  await page.keyboard.press('Enter')
  await first(page).waitFor()

  const conversation = await written(ada, 'Mary', { text: 'Only read this' })
  const viewer = await colleagueOf(stage.app, ada, 'VIEWER')
  const [name = '', value = ''] = viewer.browser.headers.cookie!.split(/=(.*)/s)
  const { page: theirs } = await stage.stranger()
  await theirs.context().addCookies([{ name, value, url: stage.app.url }])
  await theirs.goto(`${stage.app.url}/leads/${(await read(conversation)).lead_id}`)
  await thread(theirs).getByText('Only read this').waitFor()
  expect(await composer(theirs).count()).toBe(0)
  await theirs.goto(`${stage.app.url}/leads/${id}`)
  await section(theirs).getByText('No messages yet.', { exact: true }).waitFor()
})

further('the timeline can be narrowed at every width', async () => {
  const { id } = await makeLead(stage.api, { first_name: 'Wide' })
  for (const width of [390, 1280]) {
    const { page } = await stage.visit(`/leads/${id}`, { viewport: { width, height: 800 } })
    const kinds = timeline(page).getByRole('group', { name: 'Show' })
    const last = await kinds.getByText('Lifecycle').boundingBox()
    expect(last!.x + last!.width).toBeLessThan(width)
    await kinds.getByText('Lifecycle').click()
    expect(await kinds.getByRole('radio', { name: 'Lifecycle' }).isChecked()).toBe(true)
  }
})

further(
  'axe finds nothing in a conversation on the page of a lead, in any look',
  async () => {
    const id = await written(ada, 'Katherine', {
      to: [party(OURS), party('otto@example.test', 'Otto Hahn')],
      text: Array.from({ length: 60 }, (_, line) => `Number ${line}`).join('\n'),
      files: [{ name: 'Numbers.pdf', type: 'application/pdf', bytes: Buffer.from('x'), content_id: null }],
    })
    await stage.api.post(`/api/conversations/${id}/messages`, { kind: 'note', text: 'Between us' })
    const { lead_id } = await read(id)
    const { id: begun } = await makeLead(stage.api, {
      first_name: 'New',
      email: 'new@example.test',
      phone: '+4930123456',
    })
    const scenes: Scene[] = [
      [`/leads/${lead_id}`, page => thread(page).getByText('Between us').waitFor()],
      [`/leads/${begun}`, page => composer(page).getByRole('button', { name: 'Cc Bcc' }).click()],
    ]
    expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
  },
  300_000,
)
