import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '#domains/chat/picture.harness.ts'
import { client, type Client } from '#test/client.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

const PATH = '/settings/web-chat'

let stage: Stage
let visitor: Visitor
let agent_id = ''
beforeAll(async () => {
  stage = await startStage()
  agent_id = (await stage.api.post('/api/voice/agents', { name: 'Mia', instructions: 'Answer.' })).body.id
  visitor = await stage.visit(PATH)
})
afterAll(() => stage.close())

const widgets = async () => (await stage.api.get('/api/chat/widgets')).body.data
const thread = (page: Page) => page.getByRole('log', { name: 'Messages' })

test('a chat widget is created, and its settings are saved together, with errors at their lines', async () => {
  const { page, complaints } = visitor
  await page.getByRole('heading', { name: 'No web chat yet' }).waitFor()
  await page.getByRole('button', { name: 'New chat widget' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Website')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Website' }).waitFor()
  const [{ id }] = await widgets()
  expect(new URL(page.url()).pathname).toBe(`${PATH}/${id}`)
  const snippet = `<script src="${stage.app.url}/chat.js" data-widget="${id}" async></script>`
  await page.getByText(snippet, { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Open its page' }).getAttribute('href')).toBe(`/chat/${id}`)

  const preview = page.getByRole('group', { name: 'Preview' })
  await page.getByLabel('Colour', { exact: true }).fill('#FFC629')
  await preview.getByText(/^Adjusted for contrast: links are darkened to #[0-9a-f]{6}\.$/).waitFor()
  await page.getByLabel('Colour', { exact: true }).fill('#1f56b0')
  await preview
    .getByText(/^Adjusted for contrast: links are lightened to #[0-9a-f]{6} in dark mode\.$/)
    .waitFor()
  await page.getByLabel('Greeting').fill('Questions about lifts?')
  await preview.getByText('Questions about lifts?').first().waitFor()

  await page.getByRole('button', { name: 'Add site' }).click()
  await page.getByLabel('Site 1', { exact: true }).fill('https://www.Example.com/contact')
  await page.getByRole('button', { name: 'Add site' }).click()
  await expect.poll(() => page.getByLabel('Site 1', { exact: true }).inputValue()).toBe('www.example.com')
  await page.getByLabel('Site 2', { exact: true }).fill('not a site')
  await addQuestion(page, 'Email')
  await page.getByLabel('Required: Email').check()
  await addQuestion(page, 'Other question')
  await save(page)
  const secondSite = page.getByRole('listitem').filter({ has: page.getByLabel('Site 2', { exact: true }) })
  await secondSite.getByText('Must be a site like www.example.com').waitFor()
  await page.getByText('Is required', { exact: true }).waitFor()
  expect(await widgets()).toMatchObject([{ allowed_domains: [], questions: [] }])

  await page.getByLabel('Site 2', { exact: true }).fill('*.example.com')
  await page.getByLabel('Question', { exact: true }).nth(1).fill('Which site?')
  await page.getByLabel('Lead field for Which site?').selectOption({ label: 'Company' })
  await page.getByLabel('Only at certain hours').check()
  await page.getByRole('combobox', { name: 'Agent', exact: true }).click()
  await page.getByRole('option', { name: 'Mia' }).click()
  await page.getByLabel('Answers on its own').check()
  await save(page)
  await page.getByText('Saved Website').waitFor()
  const [saved] = await widgets()
  expect(saved).toMatchObject({
    colour: '#1f56b0',
    greeting: 'Questions about lifts?',
    allowed_domains: ['www.example.com', '*.example.com'],
    questions: [
      { key: 'email', type: 'email', label: 'Email', required: true },
      { key: 'which_site', type: 'text', label: 'Which site?', required: false },
    ],
    field_mapping: { email: 'email', which_site: 'company' },
    agent_id,
    agent_mode: 'auto',
  })
  expect(saved.hours).toHaveLength(5)

  // A logo is there at once, whatever else is not saved yet.
  const logo = page.getByRole('group', { name: 'Logo' })
  const choose = (name: string, bytes: Buffer) =>
    logo.getByLabel('Logo file').setInputFiles({ name, mimeType: 'image/png', buffer: bytes })
  await choose('logo.svg', Buffer.from('<svg/>'))
  await logo.getByRole('alert').getByText('Upload a PNG, JPEG or WebP image.').waitFor()
  await choose('logo.png', pngOf(64, 64))
  await logo.getByRole('img', { name: 'Current logo' }).waitFor()
  expect(await logo.getByRole('alert').count()).toBe(0)
  const path = await logo.getByRole('img').getAttribute('src')
  await expect.poll(async () => (await widgets())[0].logo_url).toBe(path)
  await logo.getByRole('button', { name: 'Remove' }).click()
  await logo.getByRole('img').waitFor({ state: 'hidden' })
  expect(await widgets()).toMatchObject([{ logo_url: null }])

  // What others change is seen without a reload.
  await stage.api.patch(`/api/chat/widgets/${id}`, { name: 'Northgate', is_on: false })
  await page.getByRole('heading', { level: 1, name: 'Northgate' }).waitFor()
  expect(await page.getByLabel('Show this chat').isChecked()).toBe(false)
  expect(complaints).toEqual([])
})

test('a chat is answered in the inbox: who is there, how they came, and what they have seen', async () => {
  const outside = await begin()
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/inbox?view=unassigned`)
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await outside.say('Do you repair lifts?')
  await page.getByRole('listitem').getByRole('link', { name: 'Unread Web chat Visitor' }).click()
  await thread(page).getByText('Do you repair lifts?').waitFor()
  const head = page.locator('header').filter({ has: page.getByRole('heading', { name: 'Visitor' }) })
  await head.getByText('Here now').waitFor()
  await page.getByText('This visitor is not a lead yet.').waitFor()
  const visit = page.getByRole('region', { name: 'Visit', exact: true })
  await visit.getByRole('link', { name: 'www.example.com/repairs' }).waitFor()
  await visit.getByText('newsletter / spring').waitFor()

  await outside.post('/api/chat/writing')
  await page.getByText('Visitor is writing…').waitFor()
  await outside.say('Urgent!')
  await thread(page).getByText('Urgent!').waitFor()
  // What they were writing is there.
  expect(await page.getByText('Visitor is writing…').count()).toBe(0)

  const reply = page.getByRole('textbox', { name: 'Reply by Web chat' })
  await reply.fill('We do.')
  expect(await page.getByRole('button', { name: 'Send later' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = thread(page).getByRole('article').filter({ hasText: 'We do.' })
  await answer.getByText('Ada').waitFor()
  await expect.poll(() => reply.inputValue()).toBe('')
  expect((await outside.read()).at(-1)).toMatchObject({ by: 'person', text: 'We do.' })

  // The second is sent after it was looked at: only the first is seen.
  expect(await thread(page).getByText('Seen', { exact: true }).count()).toBe(0)
  await outside.see()
  await thread(page).getByText('Seen', { exact: true }).waitFor()
  await reply.fill('Shall we call?')
  await page.keyboard.press('Control+Enter')
  await thread(page).getByText('Shall we call?').waitFor()
  const entries = thread(page).locator('[data-direction=out]')
  await expect.poll(() => entries.first().getByText('Seen', { exact: true }).count()).toBe(1)
  expect(await entries.last().getByText('Seen', { exact: true }).count()).toBe(0)

  await outside.leaves()
  await page.reload()
  await head.getByText('Not here now').waitFor()
  await page.getByText('They will see it when they come back.').waitFor()
  const answers = { email: 'vera@example.test', name: 'Vera' }
  expect((await outside.patch('/api/chat/session', { answers })).status).toBe(200)
  await outside.leaves()
  await page.reload()
  await page.getByText('It is emailed to vera@example.test if they do not see it.').waitFor()
  await visit.getByText('vera@example.test').waitFor()
  expect(complaints).toEqual([])
})

test('a person chooses the agent of a conversation, and sees what others choose', async () => {
  const [{ id }] = (await stage.api.get('/api/conversations?channel=chat')).body.data
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/inbox/${id}?view=waiting&channel=chat`)
  const agent = page.getByRole('region', { name: 'AI agent' })
  await agent.getByLabel('Agent', { exact: true }).selectOption({ label: 'Mia' })
  await agent.getByText('Mia drafts answers. Nothing is sent until a person sends it.').waitFor()
  await agent.getByText('Answers', { exact: true }).click()
  await agent.getByText('Mia answers on its own.').waitFor()
  await page.getByText('AI answers', { exact: true }).waitFor()
  const agentOf = async () => (await stage.api.get(`/api/conversations/${id}`)).body
  await expect.poll(agentOf).toMatchObject({ agent_id, agent_mode: 'auto' })

  await stage.api.patch(`/api/conversations/${id}`, { agent_mode: 'off' })
  await agent.getByText('Mia does nothing here.').waitFor()
  await page.getByText('AI answers', { exact: true }).waitFor({ state: 'detached' })
  await agent.getByLabel('Agent', { exact: true }).selectOption({ label: 'None' })
  await expect.poll(agentOf).toMatchObject({ agent_id: null, agent_mode: 'off' })
  expect(complaints).toEqual([])
})

further('everybody can read and use it, in every look', async () => {
  const [{ id }] = (await stage.api.get('/api/conversations?channel=chat')).body.data
  const [widget] = await widgets()
  const scenes: Scene[] = [
    [PATH],
    [`${PATH}/${widget.id}`, page => page.getByLabel('Greeting').waitFor()],
    [`/inbox/${id}?view=waiting`, page => thread(page).getByText('We do.').waitFor()],
  ]
  expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
})

test('a widget is deleted, and its conversations stay', async () => {
  const { page, complaints } = visitor
  await goOn(page, stage.app.url + PATH)
  await page.getByRole('link', { name: 'Northgate' }).click()
  await page.getByRole('button', { name: 'More actions for Northgate' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete chat widget' }).click()
  await page.getByText('Deleted Northgate').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Web chat' }).waitFor()
  expect(await page.getByRole('link', { name: 'Northgate' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

/** Somebody who chats, as their page does it. */
async function begin() {
  const { body: widget } = await stage.api.post('/api/chat/widgets', { name: 'Repairs', is_on: true })
  const outside = client(stage.app.url, { origin: stage.app.url })
  const { body } = await outside.post(`/api/chat/${widget.id}/sessions`, {
    page: 'https://www.example.com/repairs?x=1',
    utm: { utm_source: 'newsletter', utm_campaign: 'spring' },
  })
  const { post, get, patch }: Client = client(stage.app.url, {
    origin: stage.app.url,
    authorization: `Bearer ${body.token}`,
  })
  let count = 0
  const read = async () => (await get('/api/chat/messages')).body.data
  return {
    post,
    patch,
    read,
    async say(text: string) {
      expect((await post('/api/chat/messages', { key: `message-${++count}`, text })).status).toBe(201)
    },
    async see() {
      await post('/api/chat/seen', { until: (await read()).at(-1).at })
    },
    /** Their page was closed a while ago. */
    leaves: () => stage.app.database.query(`update chat_sessions set here_at = now() - interval '1 hour'`),
  }
}

async function addQuestion(page: Page, name: string): Promise<void> {
  const questions = page.locator('[data-question]')
  const before = await questions.count()
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByRole('menuitem', { name }).click()
  await expect.poll(() => questions.count()).toBe(before + 1)
}

function save(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Save', exact: true }).click()
}
