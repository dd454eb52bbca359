import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeMessage } from '#domains/conversations/receive.ts'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, furtherScene, type Scene } from './axe.ts'
import { makeLead, QUIET, startStage, undo, type Stage } from './browser.ts'

let stage: Stage
let ada: Person
let bob: Person
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  bob = await colleagueOf(stage.app, ada, 'MEMBER')
  await stage.app.database.query(`update users set name = 'Bob Builder' where id = $1`, [bob.user_id])
})
afterAll(() => stage.close())

type Incoming = { name?: string; subject?: string; automatic?: boolean }

/** Somebody writes an email. */
function writes(
  address: string,
  text: string,
  { name, subject = 'Offer', automatic = false }: Incoming = {},
) {
  const message = {
    channel: 'email' as const,
    address,
    name: name ?? null,
    subject,
    text,
    answer_id: null,
    automatic,
  }
  return takeMessage(ada.ctx, message)
}

/** A lead of Ada who has written, and the conversation. */
async function written(first_name: string, text: string): Promise<string> {
  const email = `${first_name.toLowerCase()}@example.test`
  await makeLead(stage.api, { first_name, last_name: 'Hopper', email, owner_id: ada.user_id })
  await writes(email, text)
  return conversationOf(email)
}

async function conversationOf(email: string): Promise<string> {
  const { data } = (await stage.api.get(`/api/conversations?q=${encodeURIComponent(email)}`)).body
  return data[0].id
}

const read = async (id: string) => (await stage.api.get(`/api/conversations/${id}`)).body
const row = (page: Page, name: string) => page.getByRole('listitem').getByRole('link', { name })
const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply by Email' })
const note = (page: Page) => page.getByRole('textbox', { name: 'Note' })
const thread = (page: Page) => page.getByRole('log', { name: 'Messages' })

test('an answer appears at once, is read by opening it, and a reply is taken back into the field', async () => {
  const { page, complaints } = await stage.visit('/inbox')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  const id = await written('Grace', 'Could we <b>talk</b>? See https://example.test/a.')
  await row(page, 'Unread Email Grace Hopper').waitFor()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Inbox \d/ })
    .waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
  await thread(page).getByText('Could we <b>talk</b>?').waitFor()
  const link = thread(page).getByRole('link', { name: 'https://example.test/a' })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  await expect.poll(() => row(page, 'Unread Email Grace Hopper').count()).toBe(0)
  expect(await read(id)).toMatchObject({ unread: false })

  await page.keyboard.press('r')
  await page.keyboard.type('Yes, tomorrow.')
  await page.keyboard.press('Control+Enter')
  await thread(page).getByText('Yes, tomorrow.').waitFor()
  await expect.poll(() => reply(page).inputValue()).toBe('')
  await expect.poll(async () => (await read(id)).state).toBe('WAITING')
  await thread(page)
    .getByText(/^Sends in \d+ s$/)
    .waitFor()
  await thread(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => reply(page).inputValue()).toBe('Yes, tomorrow.')
  await thread(page).getByText('Cancelled: Re: Offer').waitFor()
  await expect.poll(async () => (await read(id)).state).toBe('OPEN')

  // What was not sent is there after a reload.
  await page.reload()
  await expect.poll(() => reply(page).inputValue()).toBe('Yes, tomorrow.')
  await row(page, 'Draft').waitFor()

  // By a key it is closed, which is taken back.
  await page.keyboard.press('e')
  await expect.poll(async () => (await read(id)).state).toBe('CLOSED')
  await undo(page, 'Closed: Grace Hopper')
  await expect.poll(async () => (await read(id)).state).toBe('OPEN')
  expect(complaints).toEqual([])
})

further('a reply is scheduled, and waits until then', async () => {
  const id = await written('Lise', 'When do we meet?')
  const { page, complaints } = await stage.visit(`/inbox/${id}`)
  await reply(page).fill('On Monday')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByRole('menuitem', { name: 'Tomorrow, 09:00' }).click()
  await thread(page).getByText('Scheduled for tomorrow 09:00').waitFor()
  await page
    .getByRole('navigation', { name: 'Views of the inbox' })
    .getByRole('link', { name: 'Waiting' })
    .click()
  await row(page, 'Lise Hopper').click()
  await thread(page).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => reply(page).inputValue()).toBe('On Monday')
  expect(complaints).toEqual([])
})

test('two people answer at once: the first one is sent, the other keeps what was written and sees why', async () => {
  const id = await written('Emmy', 'Which one is it?')
  const { page, complaints } = await stage.visit(QUIET)
  // It hears nothing of the other.
  await page.route('**/api/live*', route => route.abort())
  await page.goto(`${stage.app.url}/inbox/${id}`)
  await thread(page).getByText('Which one is it?').waitFor()
  await reply(page).fill('The blue one')
  const theirs = await bob.browser.post(`/api/conversations/${id}/messages`, {
    kind: 'reply',
    text: 'The red one',
  })
  expect(theirs.status, theirs.text).toBe(201)

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'Not sent: someone else wrote' }).waitFor()
  await thread(page).getByText('The red one').waitFor()
  await expect.poll(() => reply(page).inputValue()).toBe('The blue one')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await thread(page).getByText('The blue one').waitFor()
  expect(complaints.filter(each => !/ERR_FAILED|412/.test(each))).toEqual([])
})

further('a colleague is seen writing, and is told of a note', async () => {
  const id = await written('Marie', 'A question')
  const { page, complaints } = await stage.visit(`/inbox/${id}`)
  await thread(page).getByText('A question').waitFor()
  await eventually(async () => {
    await bob.browser.post(`/api/conversations/${id}/writing`)
    await page.getByText('Bob Builder is writing…').waitFor({ timeout: 500 })
  })
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('n')
  await note(page).pressSequentially('Please answer, @bui')
  await page.getByRole('option', { name: 'Bob Builder' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => note(page).inputValue()).toBe('Please answer, @Bob Builder ')
  await page.keyboard.press('Control+Enter')
  await thread(page).getByText('note, team only').waitFor()
  await expect.poll(() => note(page).inputValue()).toBe('')
  const { data } = (await bob.browser.get('/api/notifications')).body
  expect(data[0]).toMatchObject({ link: `/inbox/${id}`, text: 'Please answer, @Bob Builder' })
  // A note is for the team: nothing was answered by it.
  expect(await read(id)).toMatchObject({ state: 'OPEN' })
  expect(complaints).toEqual([])
})

test('an unknown sender becomes a lead in one click', async () => {
  await writes('vera@example.test', 'Do you work abroad?', { name: 'Vera Rubin' })
  const { page, complaints } = await stage.visit('/inbox?view=unassigned')
  await row(page, 'Vera Rubin').click()
  await page.getByText('vera@example.test is not a lead yet.').waitFor()
  await page.getByRole('button', { name: 'Create lead' }).click()
  await page.getByRole('link', { name: 'Open Vera Rubin' }).waitFor()
  await expect.poll(() => page.getByText('is not a lead yet').count()).toBe(0)
  const { lead_id } = await read(await conversationOf('vera@example.test'))
  const lead = (await stage.api.get(`/api/crm/leads/${lead_id}`)).body
  expect(lead).toMatchObject({ first_name: 'Vera', email: 'vera@example.test', source: 'Conversation' })
  expect(complaints).toEqual([])
})

further('by keyboard a conversation is closed, reopened, snoozed and given to somebody', async () => {
  const id = await written('Rosalind', 'All clear')
  const { page, complaints } = await stage.visit(`/inbox/${id}?view=open`)
  await thread(page).getByText('All clear').waitFor()
  await row(page, 'Rosalind Hopper').waitFor()
  await page.keyboard.press('e')
  await expect.poll(async () => (await read(id)).state).toBe('CLOSED')
  await expect.poll(() => page.url()).not.toContain(id)
  await undo(page, 'Closed: Rosalind Hopper')
  await expect.poll(async () => (await read(id)).state).toBe('OPEN')

  await page.goto(`${stage.app.url}/inbox/${id}?view=open`)
  await page.getByRole('heading', { level: 1, name: 'Rosalind Hopper' }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('option', { name: 'Bob Builder' }).click()
  await expect.poll(async () => (await read(id)).assignee_id).toBe(bob.user_id)
  await page.keyboard.press('l')
  await page.getByRole('combobox', { name: 'Find or add a label' }).fill('Urgent')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read(id)).labels).toEqual(['Urgent'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await page.getByRole('option', { name: /^Tomorrow/ }).click()
  await expect.poll(async () => (await read(id)).state).toBe('SNOOZED')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  expect(complaints).toEqual([])
})

further('a new message to an address opens its conversation', async () => {
  const { page, complaints } = await stage.visit('/inbox')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await dialog.getByText('Another address').click()
  await dialog.getByLabel('Email address or phone number').fill('ida@example.test')
  await dialog.getByLabel('Message').fill('Hello Ida')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('Enter a subject').waitFor()
  await dialog.getByLabel('Subject').fill('Our offer')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await thread(page).getByText('Hello Ida').waitFor()
  await expect.poll(() => page.url()).toMatch(/\/inbox\/[0-9a-f]{24}/)
  expect(complaints).toEqual([])
})

further('a viewer reads everything and is offered nothing that would be refused', async () => {
  const id = await written('Hedy', 'Only to read')
  await stage.app.database.query(`update memberships set role = 'VIEWER' where user_id = $1`, [ada.user_id])
  try {
    const { page, complaints } = await stage.visit(`/inbox/${id}`)
    await thread(page).getByText('Only to read').waitFor()
    for (const name of ['Close', 'New message', 'Snooze', 'Send'])
      expect(await page.getByRole('button', { name, exact: false }).count(), name).toBe(0)
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(complaints).toEqual([])
  } finally {
    await stage.app.database.query(`update memberships set role = 'SUPER_ADMIN' where user_id = $1`, [
      ada.user_id,
    ])
  }
})

further('a saved reply is written once and inserted with a click; answer times are saved', async () => {
  const { page, complaints } = await stage.visit('/settings/conversations')
  await page.getByRole('button', { name: 'Add saved reply' }).click()
  const dialog = page.getByRole('dialog', { name: 'New saved reply' })
  await dialog.getByLabel('Name').fill('Terms')
  await dialog.getByLabel('Text').fill('Here are {{nonsense}} terms.')
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await dialog.getByText('{{nonsense}} is not').waitFor()
  await dialog.getByLabel('Text').fill('Here are our terms.')
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await page.getByRole('list', { name: 'Saved replies' }).getByText('Terms', { exact: true }).waitFor()
  await page.getByLabel('First answer within (minutes)').fill('45')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved answer times').waitFor()
  expect((await stage.api.get('/api/conversations/settings')).body).toMatchObject({ first_answer_min: 45 })

  const id = await written('Barbara', 'What are your terms?')
  await page.goto(`${stage.app.url}/inbox/${id}`)
  await page.getByText(/^Answer due/).waitFor()
  await page.getByRole('button', { name: 'Saved replies' }).click()
  await page.getByRole('option', { name: 'Terms' }).click()
  await expect.poll(() => reply(page).inputValue()).toBe('Here are our terms.')
  await stage.api.patch('/api/conversations/settings', { first_answer_min: null })
  expect(complaints).toEqual([])
})

further('a search looks at every conversation, and leaves open what is open', async () => {
  const id = await written('Ada', 'Stays open')
  await written('Sophie', 'To be found')
  const sophie = await conversationOf('sophie@example.test')
  await stage.api.patch(`/api/conversations/${sophie}`, { state: 'CLOSED', labels: ['Found'] })
  const { page, complaints } = await stage.visit(`/inbox/${id}`)
  await thread(page).getByText('Stays open').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('sophie')
  await row(page, 'Sophie Hopper').waitFor()
  await expect.poll(() => row(page, 'Ada Hopper').count()).toBe(0)
  await page.keyboard.type(' hop')
  await expect.poll(() => page.getByLabel('Search all conversations').inputValue()).toBe('sophie hop')
  await thread(page).getByText('Stays open').waitFor()
  await page.goto(`${stage.app.url}/inbox?view=closed&label=Found&channel=email`)
  await row(page, 'Sophie Hopper').waitFor()
  await page.goto(`${stage.app.url}/inbox?view=closed&label=Lost`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row(page, 'Sophie Hopper').waitFor()
  expect(complaints).toEqual([])
})

further(
  'an unknown address is linked to a lead whose conversation it joins, and its old link leads there',
  async () => {
    const known = await written('Dorothy', 'From work')
    await writes('dorothy.private@example.test', 'From home')
    const stray = await conversationOf('dorothy.private@example.test')
    const { page, complaints } = await stage.visit(`/inbox/${stray}`)
    await page.getByRole('button', { name: 'Link to a lead' }).click()
    await page.getByRole('combobox', { name: 'Find a lead' }).fill('dorothy')
    await page.getByRole('option', { name: 'Dorothy Hopper' }).click()
    await thread(page).getByText('From work').waitFor()
    await thread(page).getByText('From home').waitFor()
    await expect.poll(() => page.url()).toContain(known)
    await page.goto(`${stage.app.url}/inbox/${stray}`)
    await thread(page).getByText('From work').waitFor()
    await expect.poll(() => page.url()).toContain(known)
    expect(complaints).toEqual([])
  },
)

further('on a phone, list and conversation are two pages', async () => {
  const id = await written('Chien', 'From a phone')
  const { page, complaints } = await stage.visit('/inbox', { viewport: { width: 390, height: 844 } })
  await row(page, 'Chien Hopper').click()
  await page.getByRole('heading', { level: 1, name: 'Chien Hopper' }).waitFor()
  await expect.poll(() => row(page, 'Chien Hopper').count()).toBe(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Assign' }).click()
  await page.getByRole('option', { name: 'Nobody' }).click()
  await expect.poll(async () => (await read(id)).assignee_id).toBe(null)
  await page.getByRole('button', { name: 'Back to inbox' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  expect(complaints).toEqual([])
})

further(
  'axe finds nothing in the inbox, in any look',
  async () => {
    const id = await written('Katherine', 'Numbers: https://example.test')
    await writes('katherine@example.test', 'I am away', { automatic: true })
    await stage.api.post(`/api/conversations/${id}/messages`, { kind: 'note', text: 'Mind the gap' })
    await stage.api.post(`/api/conversations/${id}/messages`, {
      kind: 'reply',
      text: 'Thank you',
      send_at: '2099-01-01T00:00:00.000Z',
    })
    await stage.api.patch(`/api/conversations/${id}`, { labels: ['Urgent'], state: 'OPEN' })
    await writes('nobody@example.test', 'Hello?')
    const stranger = await conversationOf('nobody@example.test')
    const shown: Scene[1] = page => thread(page).getByText('Mind the gap').waitFor()
    const scenes: Scene[] = [
      ['/inbox?view=open', page => row(page, 'Katherine Hopper').waitFor()],
      [`/inbox/${id}`, shown],
      [
        `/inbox/${id}`,
        async page => {
          await shown(page)
          await page.keyboard.press('n')
          await note(page).pressSequentially('@bo')
          await page.getByRole('option').waitFor()
        },
      ],
      ...furtherScene(`/inbox/${stranger}`, page => page.getByText('is not a lead yet').waitFor()),
      ...furtherScene('/settings/conversations', page =>
        page.getByRole('form', { name: 'Answer times' }).waitFor(),
      ),
      ...furtherScene('/inbox?view=closed&channel=sms', page =>
        page.getByRole('heading', { name: 'No matches' }).waitFor(),
      ),
      ...furtherScene('/inbox', page =>
        page.keyboard.press('c').then(() => page.getByRole('dialog').waitFor()),
      ),
      ...furtherScene(`/inbox/${id}`, page => shown(page).then(() => page.keyboard.press('s'))),
      ...furtherScene('/inbox/ffffffffffffffffffffffff', page =>
        page.getByRole('heading', { name: 'Conversation not found' }).waitFor(),
      ),
    ]
    expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
  },
  300_000,
)
