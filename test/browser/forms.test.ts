import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FormField } from '#domains/forms/contract.ts'
import { further } from '#test/tier.ts'
import { axeFaults, faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, startStage, undo, type Stage } from './browser.ts'

/** Ahead of the real time by this much: nobody fills in a form within a second, so the clock takes a leap instead. */
let aheadMs = 0
const READING_MS = 60_000

let stage: Stage
let page: Page
let complaints: string[]
beforeAll(async () => {
  stage = await startStage({ clock: { now: () => Date.now() + aheadMs } })
  ;({ page, complaints } = await stage.visit('/forms'))
  // A draft that is still being saved asks whether to leave.
  page.on('dialog', dialog => void dialog.accept())
})
afterAll(() => stage.close())

const item = (label: string) =>
  page
    .getByRole('region', { name: 'Fields', exact: true })
    .getByRole('button', { name: new RegExp(`${label}( \\*)? `) })
const labels = () => page.getByRole('list', { name: 'All fields' }).getByRole('listitem').allInnerTexts()
const preview = () => page.frameLocator('iframe[title=Preview]')

test('a form is built by keyboard, published, filled in without a script, and makes a lead', async () => {
  await open('/leads')
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('New form')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New form' })
  await dialog.getByRole('radio', { name: 'Contact' }).press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Fair 2027')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Fair 2027', level: 1 }).waitFor()

  // One field goes, two come: one is mapped by itself, the other by hand.
  await item('Email').press('Delete')
  await page.getByText('Removed Email').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Message')
  await add('Email')
  await page.keyboard.type('Work e-mail')
  await expect.poll(() => page.url()).toContain('field=work_email')
  await item('Work e-mail').getByText('Lead field: Email').waitFor()
  await add('Text')
  await page.keyboard.type('Firm')
  await page.getByRole('combobox', { name: 'Lead field' }).press('ArrowDown')
  await page.keyboard.type('Company')
  await page.getByRole('option', { name: 'Company' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await item('Firm').getByText('Lead field: Company').waitFor()

  await item('Firm').press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  const order = ['First name', 'Last name', 'Firm', 'Message', 'Work e-mail']
  await expect
    .poll(async () => (await labels()).map(text => text.split('\n')[0]!.replace(' *', '')))
    .toEqual(order)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await labels())[3]).toContain('Firm')
  await page.keyboard.press('Control+Shift+Z')
  await expect.poll(async () => (await labels())[2]).toContain('Firm')
  await preview().getByLabel('Firm').waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Publish' }).press('Enter')
  await page
    .getByRole('dialog', { name: 'Publish Fair 2027' })
    .getByRole('button', { name: 'Publish' })
    .press('Enter')
  await page.getByText('Published Fair 2027').waitFor()
  await page.getByRole('link', { name: 'Submissions' }).press('Enter')
  await page.getByRole('heading', { name: 'No submissions yet' }).waitFor()

  const { page: hosted } = await stage.stranger({ javaScriptEnabled: false })
  await hosted.goto(`${stage.app.url}/f/fair-2027?utm_source=newsletter`)
  await hosted.getByLabel('First name').fill('Grace')
  await hosted.getByLabel('Last name').fill('Hopper')
  await hosted.getByLabel('Firm').fill('Navy')
  await hosted.getByLabel('Message').fill('<img src=x onerror=alert(1)>')
  await hosted.getByLabel('Work e-mail').fill('grace@example.test')
  aheadMs += READING_MS
  await hosted.getByRole('button', { name: 'Send message' }).click()
  await hosted.getByText('Thank you. We will get back to you soon.').waitFor()
  await hosted.context().close()

  // It appears without a reload, and leads to the person it is from.
  const row = page.getByRole('row').filter({ hasText: 'Grace' })
  await row.getByText('Received').waitFor()
  await row.getByText('newsletter').waitFor()
  await row.getByRole('button', { name: 'open submission from Grace' }).press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Submission' })
  await drawer.getByText('<img src=x onerror=alert(1)>').waitFor()
  await drawer.getByRole('link', { name: 'Grace Hopper' }).press('Enter')
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Company Navy' }).waitFor()
  const entry = page.getByRole('listitem').filter({ hasText: 'Form Fair 2027 was submitted' })
  await entry.getByText('<img src=x onerror=alert(1)>').waitFor()
  await entry.getByRole('link', { name: 'Open in Fair 2027' }).press('Enter')
  await drawer.getByText('grace@example.test').waitFor()
  expect(complaints.splice(0)).toEqual([])
})

further('what changes is told before it is published, and an older version can be used again', async () => {
  const { id } = await makeForm('Feedback', [{ key: 'text', type: 'long_text', label: 'Your words' }])
  await open(`/forms/${id}?field=text`)
  await page.getByLabel('Label', { exact: true }).fill('What do you think?')
  await page.getByText('Unpublished changes').first().waitFor()
  await expect.poll(() => page.url()).toContain('field=text')
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish Feedback' })
  await dialog.getByText('“Your words” renamed to “What do you think?”').waitFor()
  await dialog.getByRole('button', { name: 'Publish version 2' }).click()
  await page.getByText('Published Feedback').waitFor()

  await page.getByRole('button', { name: 'More actions for Feedback' }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await expect.poll(async () => (await read(id)).fields[0].label).toBe('Your words')
  await undo(page, 'Restored version 1 to the draft')
  await expect.poll(async () => (await read(id)).draft_changed).toBe(false)
  expect(complaints.splice(0)).toEqual([])
})

further('settings are checked where they are typed, and take effect at once', async () => {
  const { id } = await makeForm('Set up', [{ key: 'text', type: 'text', label: 'Text' }])
  await makeForm('Taken', [{ key: 'text', type: 'text', label: 'Text' }])
  await open(`/forms/${id}?tab=settings`)
  const slug = page.getByLabel('Page URL')
  await slug.fill('taken')
  await slug.press('Enter')
  await page
    .getByText(/taken|used|already/i)
    .first()
    .waitFor()
  await slug.fill('set-up-anew')
  await slug.press('Enter')
  await page.getByText('The page is now at /f/set-up-anew').waitFor()
  const shown = await fetch(`${stage.app.url}/f/set-up-anew`)
  expect([shown.status, (await fetch(`${stage.app.url}/f/set-up`)).status]).toEqual([200, 404])

  const webhook = page.getByLabel('Webhook URL')
  await webhook.fill('http://127.0.0.1/hook')
  await page.getByText('Submissions are only sent encrypted').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true)
  await webhook.fill('https://127.0.0.1/hook')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test failed.').waitFor()
  await page.getByRole('button', { name: 'Reveal secret of Set up' }).click()
  await expect.poll(() => page.getByTestId('webhook-secret').textContent()).toMatch(/^whsec_[\w+/]/)
  await expect.poll(async () => (await read(id)).webhook_url).toBe('https://127.0.0.1/hook')
  await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
  await expect.poll(() => page.url()).toContain(`endpoint_id=${(await read(id)).webhook_endpoint_id}`)
  expect(complaints.splice(0)).toEqual([])
})

further('fields are dragged to another place, and into another step', async () => {
  const { id } = await makeForm('Dragged', [
    { key: 'one', type: 'text', label: 'One' },
    { key: 'two', type: 'text', label: 'Two' },
    { key: 'three', type: 'text', label: 'Three', step: 1 },
  ])
  await open(`/forms/${id}`)
  const places = async () => (await read(id)).fields.map(({ key, step }: FormField) => `${step} ${key}`)
  await drag(item('Two'), item('One'), 'top')
  await expect.poll(places).toEqual(['0 two', '0 one', '1 three'])
  await drag(item('Two'), item('Three'), 'bottom')
  await expect.poll(places).toEqual(['0 one', '1 three', '1 two'])
  await page.getByRole('button', { name: 'Remove step 2, Second' }).click()
  await expect.poll(async () => (await read(id)).steps).toEqual([])
  expect(complaints.splice(0)).toEqual([])
})

further('what could not be saved waits for whoever left, and is saved when they come back', async () => {
  const { id } = await makeForm('Cut off', [{ key: 'text', type: 'text', label: 'Text' }])
  await open('/forms')
  await page.getByRole('link', { name: 'Cut off', exact: true }).click()
  const title = page.getByLabel('Title')
  await title.waitFor()
  await page.context().setOffline(true)
  await title.fill('Typed under way')
  await page.getByRole('alert').getByText("Couldn't save your last changes.").waitFor()
  await page.getByRole('link', { name: 'Forms', exact: true }).click()
  await page.getByText('Your last changes to Cut off are not saved').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect.poll(() => title.inputValue()).toBe('Typed under way')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await read(id)).title).toBe('Typed under way')
})

further('two people who change the same form both keep what they did until one decides', async () => {
  const { id } = await makeForm('Shared', [{ key: 'email', type: 'email', label: 'E-mail' }])
  // A tab that hears nothing of the other's change, as behind a proxy that cuts the stream.
  await page.route('**/api/live*', route => route.abort())
  await page.goto(`${stage.app.url}/forms/${id}`)
  const title = page.getByLabel('Title')
  await title.waitFor()
  // Another part of it: both stay.
  await stage.api.patch(`/api/crm/forms/${id}`, { description: 'Theirs' })
  await title.fill('Ours')
  await expect.poll(() => read(id)).toMatchObject({ title: 'Ours', description: 'Theirs' })
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Theirs')
  // The same.
  await stage.api.patch(`/api/crm/forms/${id}`, { title: 'Of somebody else' })
  await title.fill('Mine')
  await page.getByRole('alert').getByText('Someone else changed this form').waitFor()
  await page.getByRole('button', { name: 'Load theirs' }).click()
  await expect.poll(() => title.inputValue()).toBe('Of somebody else')
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await read(id)).title).toBe('Mine')
  await page.unroute('**/api/live*')
  await page.reload()
})

further(
  'a suspicion is released, a form comes back from the trash, and a viewer is offered nothing to change',
  async () => {
    const { id } = await makeForm('Spammed', [{ key: 'text', type: 'text', label: 'Text' }])
    const links = 'http://a.test http://b.test http://c.test http://d.test'
    expect((await stage.api.post(`/api/forms/${id}/submissions`, { text: links })).status).toBe(201)
    await open('/forms')
    const row = page.getByRole('row').filter({ hasText: 'Spammed' })
    await row.getByRole('link', { name: '1', exact: true }).click()
    await page.getByRole('button', { name: /open submission from/ }).click()
    await page.getByText('Contains many links').waitFor()
    await page.getByRole('button', { name: 'Release' }).click()
    await expect.poll(async () => (await read(id)).submissions).toMatchObject({ received: 1, quarantined: 0 })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete submission' }).click()
    await expect.poll(async () => (await read(id)).submissions.received).toBe(0)

    await page.getByRole('button', { name: 'More actions for Spammed' }).click()
    await page.getByRole('menuitem', { name: 'Move to trash' }).click()
    await page.getByRole('button', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore Spammed' }).click()
    await page.getByText('Restored Spammed').waitFor()

    await stage.app.database.query(`update memberships set role = 'VIEWER'`)
    await open('/forms')
    await row.waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New form' }).count()).toBe(0)
    await row.getByRole('link', { name: 'Spammed', exact: true }).click()
    await item('Text').click()
    await expect.poll(() => page.getByLabel('Label', { exact: true }).isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: /^(Publish|Add field|Undo)$/ }).count()).toBe(0)
    await stage.app.database.query(`update memberships set role = 'SUPER_ADMIN'`)
    await page.reload()
    expect(complaints.splice(0)).toEqual([])
  },
)

further(
  'axe finds nothing on any page of the forms, in any look',
  async () => {
    const { id, slug } = await makeForm('Seen', [
      { key: 'email', type: 'email', label: 'E-mail', required: true, help: 'At work' },
      { key: 'plan', type: 'choice', label: 'Plan', options: ['Small', 'Large'], step: 1 },
    ])
    await stage.api.patch(`/api/crm/forms/${id}`, {
      webhook_url: 'https://www.example.com/hook',
      auto_reply: { enabled: true, subject: 'Hello', body: 'Thank you' },
      notify: ['ada@example.test'],
      title: 'Seen by many',
    })
    const sent = await stage.api.post(`/api/forms/${id}/submissions`, {
      email: 'a@example.test',
      plan: 'Small',
    })
    const scenes: Scene[] = [
      ['/forms', page => page.getByRole('button', { name: 'New form' }).click()],
      [`/forms/${id}`, page => page.getByRole('button', { name: 'Add field' }).click()],
      [`/forms/${id}?field=plan`, page => page.getByLabel('Options').waitFor()],
      [`/forms/${id}?tab=settings`, page => page.getByText('Signing secret').waitFor()],
      [`/forms/${id}?tab=share`, page => page.getByText('Allowed domains').waitFor()],
      [
        `/forms/${id}?tab=submissions&submission=${sent.body.id}`,
        page => page.getByText('IP address').waitFor(),
      ],
    ]
    expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
    expect(await hostedFaults(`/f/${slug}`)).toEqual([])
  },
  120_000,
)

/** The page of strangers knows no switch of ours: it takes its colours from the browser. */
async function hostedFaults(path: string): Promise<string[]> {
  const faults: string[] = []
  for (const [width, colorScheme] of [[1280, 'light'] as const, [390, 'dark'] as const]) {
    const { page, complaints } = await stage.stranger({ colorScheme, viewport: { width, height: 800 } })
    await goOn(page, stage.app.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    faults.push(...(await axeFaults(page)), ...complaints)
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) faults.push('too wide')
    await page.context().close()
  }
  return faults
}

/** By keyboard: the menu, its entry, and then one is in the label of the new field. */
async function add(type: string): Promise<void> {
  await page.getByRole('button', { name: 'Add field' }).press('Enter')
  await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.selectionEnd > 0')).toBe(true)
}

/** With the mouse, as a hand would: not in one leap. */
async function drag(from: Locator, to: Locator, edge: 'top' | 'bottom'): Promise<void> {
  await from.waitFor()
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
  await page.mouse.move(start.x + 30, start.y + 14)
  await page.mouse.down()
  await page.mouse.move(start.x + 36, start.y + 20, { steps: 3 })
  const y = edge === 'top' ? end.y + 4 : end.y + end.height - 4
  await page.mouse.move(end.x + 40, y, { steps: 6 })
  await page.mouse.move(end.x + 42, y, { steps: 2 })
  await page.mouse.up()
}

async function makeForm(
  name: string,
  fields: Record<string, unknown>[],
): Promise<{ id: string; slug: string }> {
  const steps = fields.some(({ step }) => step) ? ['First', 'Second'] : []
  const { status, body, text } = await stage.api.post('/api/crm/forms', {
    name,
    fields,
    steps,
    published: true,
  })
  if (status !== 201) throw new Error(`The form was not made: ${text}`)
  return body
}

function open(path: string) {
  return goOn(page, stage.app.url + path)
}

async function read(id: string) {
  return (await stage.api.get(`/api/crm/forms/${id}`)).body
}
