import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_TEXT } from '#domains/agents/values.ts'
import { pngOf } from '#domains/chat/picture.harness.ts'
import { further } from '#test/tier.ts'
import { begin, chatButton, field, newWidget, panel, say, startSite, talk } from './chat-site.ts'
import { startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

/** A page of another site that shows this widget, and somebody on it. */
async function visitorOn(
  fields: object = {},
  prepare?: (widget: { id: string }) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  const site = await startSite(stage)
  const widget = await newWidget(stage, { allowed_domains: [site.host], ...fields })
  await prepare?.(widget)
  site.show(widget.id)
  const visitor = await stage.stranger(options)
  await visitor.page.goto(site.url)
  return { ...visitor, site, widget }
}

const messagesIn = async (conversation: string) =>
  (await stage.api.get(`/api/conversations/${conversation}/messages`)).body.data as {
    text: string
    files: { name: string }[]
  }[]

/** What the newest conversation is called, and where it is. */
async function newest(): Promise<{ id: string; lead_id: string | null }> {
  const { data } = (await stage.api.get('/api/conversations')).body
  return data[0]
}

const loses = (page: Page, answers: number) => {
  let left = answers
  return page.route('**/api/chat/messages', async route => {
    if (route.request().method() !== 'POST' || left-- <= 0) return route.fallback()
    // The server has it; its answer is lost.
    await route.fetch()
    return route.abort()
  })
}

test('a visitor and the team talk as it happens, and the visitor finds it again', async () => {
  const { page, complaints } = await visitorOn({ colour: '#1f56b0' })
  const team = await stage.visit('/inbox?view=open')
  await team.page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  const asked: string[] = []
  await begin(page, 'Do you inspect lifts? See https://example.test/lifts.')
  const link = talk(page).getByRole('link', { name: 'https://example.test/lifts' })
  await expect.poll(() => link.getAttribute('rel')).toBe('noopener nofollow ugc')

  const row = team.page.getByRole('listitem').getByRole('link').filter({ hasText: 'Do you inspect lifts?' })
  await row.first().click()
  await talk(team.page).getByText('Do you inspect lifts?').waitFor()
  page.on('request', request => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await field(page).pressSequentially('And')
  await expect.poll(() => asked).toContain('POST /api/chat/writing')
  const reply = team.page.getByRole('textbox', { name: 'Reply by Web chat' })
  await reply.fill('Yes, <b>every</b> month.')
  await reply.press('Control+Enter')
  await talk(page).getByText('Yes, <b>every</b> month.').waitFor()
  await talk(page)
    .getByText(/joined, \d\d:\d\d$/)
    .waitFor()
  // It came by itself: the page asked for nothing.
  expect(asked).not.toContain('GET /api/chat/messages')

  await page.reload()
  await talk(page).getByText('Yes, <b>every</b> month.').waitFor()
  await expect.poll(() => field(page).inputValue()).toBe('And')
  await field(page).press('Escape')
  await panel(page).waitFor({ state: 'hidden' })
  await reply.fill('Anything else?')
  await reply.press('Control+Enter')
  await page.getByRole('button', { name: 'Open chat, 1 new message' }).click()
  await talk(page).getByText('Anything else?').waitFor()
  expect(await page.context().cookies()).toEqual([])
  expect([...complaints, ...team.complaints]).toEqual([])
})

test('a message whose answer was lost is sent again and is one message; one that fails waits for its person', async () => {
  const { page } = await visitorOn()
  await loses(page, 1)
  await begin(page, 'Only once')
  const { id } = await expectConversation('Only once')
  await talk(page).getByText('Sending').waitFor({ state: 'hidden' })
  await say(page, 'Second')
  await expect
    .poll(async () => (await messagesIn(id)).map(({ text }) => text))
    .toEqual(['Second', 'Only once'])

  await page.route('**/api/chat/messages', route =>
    route.request().method() === 'POST' ? route.fulfill({ status: 422, json: {} }) : route.fallback(),
  )
  await say(page, 'Third')
  await talk(page).getByText('Not sent.').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  // A reload loses nothing.
  await page.reload()
  await talk(page).getByText('Third').waitFor()
  await expect
    .poll(async () => (await messagesIn(id)).map(({ text }) => text))
    .toEqual(['Third', 'Second', 'Only once'])
})

further('what is written offline is sent once the visitor is back', async () => {
  const { page } = await visitorOn()
  await begin(page, 'Before the tunnel')
  const { id } = await expectConversation('Before the tunnel')
  await page.context().setOffline(true)
  await panel(page).getByText('You’re offline.').waitFor()
  await say(page, 'In the tunnel')
  await page.context().setOffline(false)
  await expect.poll(async () => (await messagesIn(id)).length).toBe(2)
  await expect.poll(() => panel(page).getByText('You’re offline.').isVisible()).toBe(false)
})

test('questions are asked first, and their answers make a lead', async () => {
  const { page, complaints } = await visitorOn({
    questions: [
      { key: 'called', type: 'text', label: 'Your name', required: true },
      { key: 'mail', type: 'email', label: 'Work email', required: true },
      { key: 'line', type: 'phone', label: 'Phone' },
    ],
    field_mapping: { called: 'first_name', mail: 'email' },
  })
  await chatButton(page).click()
  await page.getByLabel('Work email').fill('dana@nowhere')
  await page.getByLabel('Phone').fill('call me')
  await page.getByRole('button', { name: 'Start chat' }).click()
  await panel(page).getByText('Fill in this field.').waitFor()
  await panel(page).getByText('Enter an email address, like name@example.com.').waitFor()
  await panel(page).getByText('Enter a phone number, like').waitFor()
  expect(await focused(page)).toBe('f-called')
  await page.getByLabel('Your name').fill('Dana')
  await page.getByLabel('Work email').fill('dana@example.test')
  await page.getByLabel('Phone').fill('')
  await page.getByRole('button', { name: 'Start chat' }).click()
  await say(page, 'We have 12 lifts.')
  const { lead_id } = await expectConversation('We have 12 lifts.')
  const lead = (await stage.api.get(`/api/crm/leads/${lead_id}`)).body
  expect(lead).toMatchObject({ first_name: 'Dana', email: 'dana@example.test' })
  await panel(page).getByText('Leaving? We’ll reply to dana@example.test').waitFor()
  expect(complaints).toEqual([])
})

further('files go both ways', async () => {
  const { page, complaints } = await visitorOn({ takes_files: true })
  await chatButton(page).click()
  const plan = { name: 'plän.txt', mimeType: 'text/plain', buffer: Buffer.from('lift 1') }
  const picker = panel(page).locator('input[type=file]')
  await picker.setInputFiles({ ...plan, name: 'empty.txt', buffer: Buffer.alloc(0) })
  await panel(page).getByText('empty.txt is empty.').waitFor()
  await picker.setInputFiles(plan)
  await panel(page).getByRole('progressbar').waitFor({ state: 'hidden' })
  await say(page, 'Our plan')
  const { id } = await expectConversation('Our plan')
  expect((await messagesIn(id))[0]!.files).toMatchObject([{ name: 'plän.txt' }])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    talk(page).getByRole('button', { name: 'Download plän.txt' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('plän.txt')
  expect(complaints).toEqual([])
})

test('outside office hours a visitor leaves a message, and is told when the team is back', async () => {
  // Wherever it is day, so that tomorrow does not begin meanwhile.
  const utcHour = new Date().getUTCHours()
  const timezone = utcHour > 2 && utcHour < 21 ? 'UTC' : 'Asia/Tokyo'
  const today = new Date().toLocaleDateString('sv', { timeZone: timezone })
  const tomorrow = (new Date(today).getUTCDay() % 7) + 1
  const hours = [{ day: tomorrow, from: '12:00', until: '13:00' }]
  const { page, complaints } = await visitorOn({ timezone, hours }, undefined, { timezoneId: timezone })
  await chatButton(page).click()
  await panel(page).getByText('Back tomorrow, 12:00').waitFor()
  await page.getByRole('button', { name: 'Send message' }).click()
  await panel(page).getByText('Fill in this field.').first().waitFor()
  await page.getByLabel('Email').fill('lise@example.test')
  await page.getByLabel('Message').fill('Please call me back.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await talk(page).getByText('Please call me back.').waitFor()
  await panel(page).getByText('Leaving? We’ll reply to lise@example.test').waitFor()
  await expectConversation('Please call me back.')
  expect(complaints).toEqual([])
})

test('the agent says that it is an AI, and a person is one tap away', async () => {
  const agent = await stage.api.post('/api/voice/agents', { name: 'Lifty', instructions: 'Answer kindly.' })
  expect(agent.status, agent.text).toBe(201)
  const { page } = await visitorOn({ agent_id: agent.body.id, agent_mode: 'auto' })
  await chatButton(page).click()
  await panel(page).getByRole('heading', { name: 'Lifty AI' }).waitFor()
  await talk(page).getByText('AI assistant').waitFor()
  await say(page, 'Are you human?')
  await panel(page).getByRole('button', { name: 'Talk to a person' }).click()
  await talk(page).getByText('You asked for a person.').waitFor()
  await panel(page).getByRole('button', { name: 'Talk to a person' }).waitFor({ state: 'hidden' })
  await page.getByLabel('Leaving? Enter your email').fill('marie@example.test')
  await page.getByRole('button', { name: 'Save' }).click()
  await panel(page).getByText('Leaving? We’ll reply to marie@example.test').waitFor()
})

test('the logo and what an answer is from are shown, on a site that allows no pictures', async () => {
  const agent = await stage.api.post('/api/voice/agents', {
    name: 'Planner',
    instructions: 'Answer kindly.',
    text: { ...DEFAULT_TEXT, facts: null },
  })
  await stage.api.post('/api/conversations/saved-replies', {
    name: 'Inspection plans',
    text: 'Every lift has an inspection interval of its own.',
  })
  const { page, complaints } = await visitorOn(
    { agent_id: agent.body.id, agent_mode: 'auto' },
    async ({ id }) => {
      const headers = { 'content-type': 'image/png' }
      const bytes = new Uint8Array(pngOf(120, 60, [200, 30, 60]))
      const put = await stage.api.raw('PUT', `/api/chat/widgets/${id}/logo`, bytes, headers)
      expect(put.status, put.text).toBe(200)
    },
  )
  await begin(page, 'Which inspection interval does a lift have?')
  await talk(page).getByText('From Inspection plans', { exact: true }).waitFor()
  await panel(page).locator('header canvas').waitFor()
  const drawn = await panel(page)
    .locator('header canvas')
    .evaluate((canvas: any) => [...canvas.getContext('2d').getImageData(5, 5, 1, 1).data])
  expect(drawn).toEqual([200, 30, 60, 255])
  await talk(page).locator('.sender canvas').last().waitFor()
  expect(await panel(page).locator('header .face').first().textContent()).toBe('')
  expect(complaints).toEqual([])
})

further('where something on the way holds the stream back, the page asks instead', async () => {
  const { page } = await visitorOn()
  // Neither an answer nor an error.
  await page.route('**/api/chat/live*', () => undefined)
  await begin(page, 'Behind a proxy')
  const { id } = await expectConversation('Behind a proxy')
  await stage.api.post(`/api/conversations/${id}/messages`, { kind: 'reply', text: 'It came anyway.' })
  await talk(page).getByText('It came anyway.').waitFor()
})

further('a widget that is turned off shows nothing', async () => {
  const { page, widget } = await visitorOn({ is_on: false })
  await Promise.all([page.waitForResponse(`**/api/chat/${widget.id}?*`), page.reload()])
  await page.evaluate('window.rapportChat.open()')
  expect(await page.locator('rapport-chat').count()).toBe(0)
})

const focused = (page: Page) =>
  page.evaluate(`document.querySelector('rapport-chat').shadowRoot.activeElement?.id`)

async function expectConversation(text: string) {
  await expect
    .poll(async () => {
      const { id } = ((await newest()) ?? {}) as { id?: string }
      return id ? (await messagesIn(id)).map(message => message.text) : []
    })
    .toContain(text)
  return newest()
}
