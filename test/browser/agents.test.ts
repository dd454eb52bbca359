import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryChain } from '#test/memory-chain.ts'
import { buyer } from '#domains/agents/agents.harness.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook } from './axe.ts'
import { goOn, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

const chain = memoryChain()
let stage: Stage
let visitor: Visitor
let agent: { id: string }
beforeAll(async () => {
  stage = await startStage({ ports: { chain } })
  visitor = await stage.visit('/agents')
})
afterAll(() => stage.close())

test('an agent is made, priced and listed, and strangers find it in the catalogue', async () => {
  const { page } = visitor
  await page.getByRole('heading', { name: 'No agents yet' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'New agent' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'New agent' })
  await dialog.getByLabel('Name').fill('Front desk')
  await dialog.getByRole('button', { name: 'Create agent' }).click()
  await dialog.getByText('Enter instructions').waitFor()
  await dialog.getByLabel('Instructions').fill('You are the front desk of a dental practice.')
  await dialog.getByRole('button', { name: 'Create agent' }).click()
  await heading(page, 'Front desk').waitFor()
  agent = { id: page.url().split('/').at(-1)! }

  await part(page, 'For sale')
  const listed = page.getByRole('checkbox', { name: 'Listed in the catalogue' })
  await expect.poll(() => listed.isDisabled()).toBe(true)
  await save(page, 'Description', 'Books appointments', 'Control+Enter')
  await save(page, 'Price', '25', 'Enter')
  await expect.poll(() => listed.isEnabled()).toBe(true)
  await listed.click()
  await expect.poll(() => listed.isChecked()).toBe(true)
  await page.getByText(`curl -i ${stage.app.url}/api/v1/agent/purchase/${agent.id}`).waitFor()
  const found = async () => (await stage.api.get('/api/v1/agents')).body.data
  await expect.poll(found).toMatchObject([{ name: 'Front desk', price: { amount: '25', currency: 'USD' } }])

  const stranger = await stage.stranger()
  await goOn(stranger.page, `${stage.app.url}/agents/catalogue`)
  await stranger.page.getByRole('heading', { name: 'Front desk' }).waitFor()
  await stranger.page.getByText('Books appointments').waitFor()
})

test('what is typed in its parts is saved as one version, said to be wrong where it is, and can be taken back', async () => {
  const { page } = visitor
  await part(page, 'Conversation')
  await page.getByLabel('Greeting').fill('Good morning!')
  await part(page, 'Phone')
  await page.getByLabel('Phone number').fill('call me')
  await part(page, 'Tools')
  await page.getByRole('switch', { name: 'Transfer to a person' }).check()
  await page.getByText('No number set yet.').waitFor()
  await saveAll(page)
  // It goes to where something is wrong.
  await page.getByText('Include the country code, like +4930123456').waitFor()
  await page.getByText('Enter a number to transfer to').waitFor()
  await page.getByLabel('Phone number').fill('+49 30 123456')
  await page.getByLabel('Transfer calls to').fill('+49 30 999999')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved Front desk').waitFor()
  await expect
    .poll(() => read())
    .toMatchObject({
      greeting: 'Good morning!',
      phone_number: '+4930123456',
      transfer_to: '+4930999999',
      tools: ['schedule_meeting', 'look_up_lead', 'end_call', 'hand_over', 'transfer'],
      version: 2,
    })
  await undo(page, 'Saved Front desk')
  await expect.poll(async () => (await read()).greeting).toBe(null)
  await expect.poll(async () => (await read()).version).toBe(3)
})

further('what is taken back is what was typed here, and nothing of somebody else', async () => {
  const { page } = visitor
  const change = (fields: object) => stage.api.patch(`/api/voice/agents/${agent.id}`, fields)
  await part(page, 'Conversation')
  const greeting = page.getByLabel('Greeting')
  const address = `**/api/voice/agents/${agent.id}`
  let isFirst = true
  await page.route(address, async (route, request) => {
    if (isFirst && request.method() === 'PATCH') {
      isFirst = false
      await change({ phone_number: '+4930111111' })
    }
    await route.fallback()
  })
  await greeting.fill('Good evening!')
  await saveAll(page)
  await undo(page, 'Saved Front desk')
  await expect.poll(() => read()).toMatchObject({ greeting: null, phone_number: '+4930111111' })
  await expect.poll(() => greeting.inputValue()).toBe('')
  await page.unroute(address)

  await greeting.fill('Good night!')
  await saveAll(page)
  await expect.poll(async () => (await read()).greeting).toBe('Good night!')
  await change({ greeting: 'Theirs', phone_number: null })
  await expect.poll(() => greeting.inputValue()).toBe('Theirs')
  await undo(page, 'Saved Front desk')
  await page.getByText('Front desk has changed since.').waitFor()
  expect((await read()).greeting).toBe('Theirs')
  await change({ greeting: null })
  await expect.poll(() => greeting.inputValue()).toBe('')
})

test('a number that another agent answers is refused where it was typed', async () => {
  const { page } = visitor
  const other = { name: 'Night desk', instructions: 'Answer.', phone_number: '+4930777777' }
  const { body } = await stage.api.post('/api/voice/agents', other)
  await part(page, 'Phone')
  await page.getByLabel('Phone number').fill('+4930777777')
  await saveAll(page)
  await page.getByText('Is used by another agent', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByLabel('Phone number').inputValue()).toBe('')
  await stage.api.delete(`/api/voice/agents/${body.id}`)
})

test('a tool of the team is added with what it needs to know, and has a secret once it is saved', async () => {
  const { page } = visitor
  await part(page, 'Tools')
  await page.getByRole('button', { name: 'Add tool' }).click()
  // The name is typed at once, as a person would write it.
  await page.keyboard.type('Look up order')
  const card = page.getByRole('group', { name: 'look_up_order' })
  await card.getByLabel('URL').fill('http://shop.example.com/')
  await saveAll(page)
  await card.getByText('Enter a URL that starts with https://').waitFor()
  await card.getByText('Describe when to use it').waitFor()
  await card.getByLabel('URL').fill('https://shop.example.com/orders')
  await card.getByLabel('Description').fill('Says where an order is.')
  await card.getByRole('button', { name: 'Add parameter' }).click()
  await card.getByLabel('Parameter name').fill('order number')
  // Others may hear that it is saved before the answer is here.
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/voice/agents/*', async (route, request) => {
    if (request.method() !== 'PATCH') return route.fallback()
    const response = await route.fetch()
    await answered.promise
    return route.fulfill({ response })
  })
  await saveAll(page)
  await card.getByRole('button', { name: 'Reveal secret of look_up_order' }).click()
  await card.getByText(/^whsec_[\w+/]/).waitFor()
  answered.resolve()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
  await card.getByText(/^whsec_[\w+/]/).waitFor()
  await page.unroute('**/api/voice/agents/*')
  await expect
    .poll(async () => (await read()).tools.at(-1))
    .toEqual({
      name: 'look_up_order',
      description: 'Says where an order is.',
      parameters: [{ name: 'order_number', type: 'string', required: true }],
      url: 'https://shop.example.com/orders',
    })
})

test('whom it calls and when is said in words', async () => {
  const { page } = visitor
  await part(page, 'Outbound calls')
  const rules = page.getByText(/^Calls /)
  await expect
    .poll(() => rules.textContent())
    .toBe(
      "Calls only leads who gave consent, between 08:00 and 20:00 in the lead's local time. " +
        'If no one answers, it retries after 4 hours, up to 3 attempts in total.',
    )
  await page.getByLabel('Quiet from').fill('18:30')
  await page.getByRole('checkbox', { name: 'Require consent' }).uncheck()
  await expect.poll(() => rules.textContent()).toContain('Calls any lead, between 08:00 and 18:30')
  await saveAll(page)
  await expect
    .poll(async () => (await read()).outbound)
    .toMatchObject({ consent: 'not_required', quiet_hours: { from: '18:30', until: '08:00' } })
})

test('it goes back to what it was, and from there again', async () => {
  const { page } = visitor
  const before = await read()
  await part(page, 'Versions')
  await page.getByText('Tools: added look_up_order').waitFor()
  await page.getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByText('Restored Front desk to version 2').waitFor()
  await expect.poll(() => read()).toMatchObject({ greeting: 'Good morning!', version: before.version + 1 })
  await undo(page, 'Restored Front desk to version 2')
  await expect.poll(async () => (await read()).version).toBe(before.version + 2)
  await expect
    .poll(() => read())
    .toMatchObject({ tools: before.tools, outbound: before.outbound, greeting: null })
})

test('what is not saved is kept for whoever comes back', async () => {
  const { page } = visitor
  await part(page, 'Conversation')
  await page.getByLabel('Greeting').fill('Half a')
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
  await page.getByText('Your last changes to Front desk are not saved').waitFor()
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect.poll(() => page.getByLabel('Greeting').inputValue()).toBe('Half a')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByLabel('Greeting').inputValue()).toBe('')
})

test('without a price it is not for sale, and that can be taken back', async () => {
  const { page } = visitor
  await part(page, 'For sale')
  await save(page, 'Price', '', 'Enter')
  await expect.poll(async () => (await read()).listed).toBe(false)
  await undo(page, 'Front desk is no longer for sale')
  await expect.poll(async () => (await read()).listed).toBe(true)
})

test('what somebody buys is told as sold, and claimed by its address and its key alone', async () => {
  const { page } = visitor
  const { reply, hash } = await buyer(stage.app, chain).buy(agent)
  expect(reply.status, reply.text).toBe(200)
  await goOn(page, stage.app.url + '/tasks')
  await goOn(page, stage.app.url + '/agents?tab=sales')
  const sold = page.getByRole('row').filter({ hasText: 'Front desk' })
  await sold.getByText('Not claimed yet').waitFor()
  await sold.getByTitle(hash).waitFor()

  await page.getByRole('button', { name: 'Claim', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Claim a purchased agent' })
  await dialog.getByRole('button', { name: 'Claim agent' }).click()
  await dialog.getByText('Paste the URL or ID of the purchased agent').waitFor()
  await dialog.getByLabel('URL').fill(reply.body.resource)
  await dialog.getByLabel('Key').fill(`rpd_${'x'.repeat(43)}`)
  await page.keyboard.press('Enter')
  await dialog.getByText('No such deployment, or the key does not match.').waitFor()
  await dialog.getByLabel('Key').fill(reply.headers.get('payment-receipt')!)
  await page.keyboard.press('Enter')
  await page.getByText('Claimed Front desk').waitFor()
  await heading(page, 'Front desk').waitFor()
  expect(page.url()).not.toContain(agent.id)
  await goOn(page, stage.app.url + '/agents?tab=claimed')
  await page.getByRole('row').filter({ hasText: 'Front desk' }).waitFor()
})

further('nothing is wrong with it in any look', async () => {
  const faults = await faultsInEveryLook(stage, 'main h1', [
    ['/agents'],
    [`/agents/${agent.id}`],
    [`/agents/${agent.id}?tab=tools`],
    [`/agents/${agent.id}?tab=calling`],
    [`/agents/${agent.id}?tab=versions`],
    ['/agents?tab=sales'],
    ['/agents?tab=claimed'],
    ['/agents', page => page.getByRole('button', { name: 'Claim', exact: true }).click()],
  ])
  expect(faults).toEqual([])
})

further('who only reads sees the agents and no button that writes', async () => {
  const { page, complaints } = visitor
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  await page.reload()
  await goOn(page, `${stage.app.url}/agents`)
  await page.getByRole('main').getByRole('link', { name: 'Front desk' }).first().click()
  await heading(page, 'Front desk').waitFor()
  await expect.poll(() => page.getByLabel('Instructions').isDisabled()).toBe(true)
  await part(page, 'Tools')
  await expect.poll(() => page.getByRole('switch', { name: 'Hang up' }).isDisabled()).toBe(true)
  await part(page, 'Versions')
  await page.getByRole('heading', { name: /^Version 1\b/ }).waitFor()
  for (const name of ['Move to trash', 'New agent', 'Claim', 'Save', 'Restore', 'Add tool'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0)
  await part(page, 'For sale')
  await expect.poll(() => page.getByLabel('Price').getAttribute('readonly')).not.toBe(null)
  await expect
    .poll(() => page.getByRole('checkbox', { name: 'Listed in the catalogue' }).isDisabled())
    .toBe(true)
  expect(complaints).toEqual([])
})

/** Opens a part of the agent, when it is there. */
async function part(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Agent sections' })
    .getByRole('link', { name, exact: true })
    .click()
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
}

const saveAll = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function save(page: Page, label: string, text: string, key: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text)
  await page.keyboard.press(key)
}

async function read(): Promise<any> {
  return (await stage.api.get(`/api/voice/agents/${agent.id}`)).body
}
