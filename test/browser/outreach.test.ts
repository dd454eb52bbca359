import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

let stage: Stage
let visitor: Visitor
let lead: { id: string }
let enrolment = ''
const sequence = { id: '', name: 'Spring welcome' }

beforeAll(async () => {
  stage = await startStage()
  lead = await makeLead(stage.api, {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@example.test',
    company: 'Compilers',
  })
  // Asking for them makes the first ones.
  await stage.api.get('/api/outreach/templates')
  const steps = [
    { type: 'email', delay_days: 0, template: 'intro' },
    { type: 'email', delay_days: 3, template: 'follow_up' },
  ]
  const made = await stage.api.post('/api/outreach/sequences', {
    name: sequence.name,
    steps,
    status: 'ACTIVE',
  })
  expect(made.status, made.text).toBe(201)
  sequence.id = made.body.id
  const enrolled = await stage.api.post(`/api/outreach/sequences/${sequence.id}/enrolments`, {
    lead_ids: [lead.id],
  })
  expect(enrolled.status, enrolled.text).toBe(201)
  enrolment = enrolled.body.data[0].id
  await eventually(async () => expect((await messages('status=SENT')).length).toBe(1))
  visitor = await stage.visit('/settings/sessions')
})
afterAll(() => stage.close())

test('a mail is shown as its reader sees it, and what a stranger put into it does nothing', async () => {
  const id = await makeMessage({
    subject: 'Hostile <b>subject</b>',
    text: 'The plain part',
    html: `<html><head><meta http-equiv="refresh" content="0;url=/docs"><style>h2 { color: rgb(1, 2, 3) }</style></head>
      <body style="margin:0"><h2>Written by a stranger</h2><p style="color: rgb(4, 5, 6)" onclick="top.ran = 1">A line</p>
      <script>top.ran = 1</script><img src="x" onerror="top.ran = 1"><a href="javascript:top.ran = 1">A link</a>
      <iframe src="javascript:top.ran = 1"></iframe><form action="/docs"><button>Go</button></form></body></html>`,
  })
  const { page, complaints } = await stage.visit('/outbox?show=sent')
  await page.getByRole('link', { name: 'Hostile <b>subject</b>, to grace@example.test' }).click()
  const drawer = page.getByRole('dialog', { name: 'Hostile <b>subject</b>' })
  await drawer.getByText('Rapport <rapport@example.test>').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('message')).toBe(id)

  await expect.poll(() => drawer.locator('iframe').getAttribute('sandbox')).toBe('')
  const frame = page.frames().at(-1)!
  await frame.waitForLoadState()
  expect(complaints).toEqual([])
  const mail = page.frameLocator('iframe[title^="Email"]')
  const colour = (what: string) => frame.evaluate(`getComputedStyle(document.querySelector('${what}')).color`)
  await expect.poll(() => colour('h2')).toBe('rgb(1, 2, 3)')
  await expect.poll(() => colour('p')).toBe('rgb(4, 5, 6)')
  await mail.getByText('A line').click()
  await mail.getByText('A link').click()
  await mail.getByRole('button', { name: 'Go' }).click()
  await expect
    .poll(() => mail.locator('script, meta[http-equiv], iframe, [href], [onclick], [onerror]').count())
    .toBe(0)
  expect(await page.evaluate('typeof window.ran')).toBe('undefined')
  await mail.getByText('Written by a stranger').waitFor()

  await drawer.getByText('Text', { exact: true }).click()
  await drawer.getByText('The plain part').waitFor()
})

further(
  'what waits is cancelled, and what may have arrived is sent again only by somebody who knows',
  async () => {
    const due = await makeMessage({ subject: 'Not yet', status: 'DUE', due_at: inDays(1) })
    const lost = await makeMessage({ subject: 'Perhaps', status: 'UNKNOWN', reason: 'The line broke' })
    const { page } = await stage.visit(`/outbox?message=${due}`)
    await page.getByRole('button', { name: 'Cancel sending' }).click()
    await confirm(page, 'Cancel message')
    await page.getByText('Cancelled before it was sent.').waitFor()
    await expect.poll(async () => (await readMessage(due)).status).toBe('CANCELLED')

    await goOn(page, `${stage.app.url}/outbox?show=unknown`)
    await page.getByRole('link', { name: 'Perhaps, to grace@example.test' }).click()
    await page.getByRole('button', { name: 'Resend…' }).click()
    await page.getByText('If so, it will arrive twice.').waitFor()
    await expect.poll(async () => (await readMessage(lost)).status).toBe('UNKNOWN')
    await confirm(page, 'Resend message')
    await page.getByText('Resending message').waitFor()
    await expect.poll(async () => (await readMessage(lost)).status).not.toBe('UNKNOWN')
  },
)

further(
  'what is held says why and what to do; everything can be resumed; nobody is told mails arrive that do not',
  async () => {
    await stage.app.database.query(`update enrolments set held = 'no_template' where id = $1`, [enrolment])
    await stage.api.post('/api/outreach/pause')
    const { page } = await stage.visit('/outbox')
    await page.getByText('Emails are not delivered').waitFor()
    await page.getByRole('button', { name: 'Resume all outreach' }).click()
    await page.getByText('Outreach resumed').waitFor()
    await expect.poll(async () => (await stage.api.get('/api/outreach/settings')).body.paused_at).toBeNull()

    await stage.app.database.query(`update enrolments set held = 'no_template' where id = $1`, [enrolment])
    await page.reload()
    const held = page.getByRole('region', { name: 'Held' }).getByRole('listitem')
    await held.getByText('Template does not exist').waitFor()
    await held.getByText('Create a template with that name').waitFor()
    await page.getByRole('button', { name: `More actions for Grace Hopper in ${sequence.name}` }).click()
    await page.getByRole('menuitem', { name: 'Reschedule next step…' }).click()
    await page.getByLabel('Date and time').fill('2030-05-06T10:00')
    await page.getByRole('button', { name: 'Reschedule' }).click()
    await expect.poll(async () => (await readEnrolment()).next_step_at).toBe('2030-05-06T08:00:00.000Z')
  },
)

test('a template is written beside its preview, with faults at their place, and leaving asks about what is unsaved', async () => {
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/templates`)
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByLabel('Name').fill('Spring')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Spring' }).waitFor()
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.fill('Dear {{fristName}},')
  await page.getByText('{{fristName}} is not a known placeholder. Did you mean {{firstName}}?').waitFor()
  await page.getByRole('button', { name: 'Character 6' }).click()
  await page.keyboard.type('{{firstName}}')
  await expect.poll(() => text.inputValue()).toBe('Dear {{firstName}},')

  await text.press('End')
  await page.getByRole('button', { name: 'Insert placeholder' }).click()
  await page.getByRole('dialog', { name: 'Insert placeholder' }).getByRole('combobox').fill('website')
  await page.keyboard.press('Enter')
  await expect.poll(() => text.inputValue()).toBe('Dear {{firstName}},{{website}}')

  await page.getByRole('button', { name: 'For sample data' }).click()
  await page.getByRole('option', { name: /Grace Hopper/ }).click()
  const mail = page.frameLocator('iframe[title="Email preview"]')
  await mail.getByText('Dear Grace,').waitFor()
  await page.getByText('Grace Hopper has no value for').waitFor()
  await page.getByText('Re: previous email').waitFor()

  await page.getByRole('link', { name: 'Outbox' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved Spring').waitFor()
  const saved = (await stage.api.get('/api/outreach/templates?q=Spring')).body.data
  expect(saved[0]).toMatchObject({ name: 'Spring', body: 'Dear {{firstName}},{{website}}' })

  // Somebody else is faster: nothing of theirs is lost without being asked.
  await text.fill('Mine')
  await stage.api.patch(`/api/outreach/templates/${saved[0].id}`, { body: 'Theirs' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else changed this template').waitFor()
  await page.getByRole('button', { name: 'Load theirs' }).click()
  await expect.poll(() => text.inputValue()).toBe('Theirs')
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'More actions for Spring' }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await undo(page, 'Moved Spring to the trash')
  await page.getByRole('link', { name: 'Spring' }).waitFor()
  expect(complaints.splice(0)).toEqual([])
})

further('who is not to be written to is added, found, lifted by name, imported and exported', async () => {
  const { page } = await stage.visit('/suppressions')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const adding = page.getByRole('dialog', { name: 'Add to suppression list' })
  await adding.getByLabel('Email or phone').fill('nonsense')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a valid email address').waitFor()
  await adding.getByLabel('Email or phone').fill('Stop@Example.test')
  await adding.getByLabel('Note').fill('Asked on the phone')
  await page.keyboard.press('Enter')
  await page.getByText('Added stop@example.test to the suppression list').waitFor()

  await page.getByRole('button', { name: 'Import and export' }).click()
  await page.getByRole('menuitem', { name: 'Import CSV' }).click()
  const file = 'email,note\nstop@example.test,again\nnew@example.test,from a fair\nbroken,\n'
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'out.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  const report = page.getByRole('dialog').getByRole('status')
  await expect.poll(() => report.innerText()).toMatch(/1\s+added\s+1\s+already on the list\s+1\s+invalid row/)
  await report.getByText('Row 4').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Import and export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export CSV' }).click()
  const exported = await readFile(await (await download).path(), 'utf8')
  expect(exported).toContain('new@example.test')

  await page.getByRole('searchbox', { name: 'Search email or phone' }).fill('stop@')
  const rows = page.getByRole('list', { name: 'Suppression list' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: 'Remove stop@example.test' }).click()
  await page.getByText('Note: Asked on the phone').waitFor()
  await confirm(page, 'Remove stop@example.test')
  await page.getByRole('heading', { name: 'No entries match these filters' }).waitFor()
  await page.getByRole('button', { name: 'Removed' }).click()
  await page.getByRole('list', { name: 'Removed entries' }).getByText('stop@example.test').waitFor()
})

further(
  'administrators say who writes and stop everything; members read it, viewers see none of it',
  async () => {
    const { page } = await stage.visit('/settings/outreach')
    await page.getByText('SMTP_URL').waitFor()
    await page.getByLabel('Sender name').fill('Ada of Engines')
    await page.getByLabel('Reply-to address').fill('no address')
    await page.getByRole('textbox', { name: 'Signature' }).fill('**Ada**, engineer')
    await page.frameLocator('iframe[title^="Signature"]').getByText('Ada', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must be an email address').waitFor()
    await page.getByLabel('Reply-to address').fill('ada@example.test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved sender settings').waitFor()
    await expect
      .poll(async () => (await stage.api.get('/api/outreach/settings')).body)
      .toMatchObject({
        from_name: 'Ada of Engines',
        reply_to: 'ada@example.test',
        signature: '**Ada**, engineer',
      })
    await page.getByRole('button', { name: 'Pause everything' }).click()
    await confirm(page, 'Pause everything')
    await page.getByRole('heading', { name: 'All outreach is paused' }).waitFor()
    await page.getByRole('button', { name: 'Resume all outreach' }).click()
    await page.getByRole('heading', { name: 'Outreach is running' }).waitFor()

    await stage.app.database.query(`update memberships set role = 'MEMBER'`)
    await page.reload()
    await page.getByText('Only admins can change these settings.').waitFor()
    await expect.poll(() => page.getByLabel('Sender name').isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await stage.app.database.query(`update memberships set role = 'VIEWER'`)
    await page.reload()
    for (const path of ['/outbox', '/templates', '/suppressions', '/settings/outreach']) {
      await goOn(page, stage.app.url + path)
      await page.getByRole('heading', { name: 'Your role does not include outreach' }).waitFor()
    }
    await goOn(page, `${stage.app.url}/leads/${lead.id}`)
    await page.getByText('enrolled this lead in').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Outreach' }).count()).toBe(0)
    await stage.app.database.query(`update memberships set role = 'SUPER_ADMIN'`)
  },
)

test('the page of a lead tells what was sent and why, and stops its sequence', async () => {
  const [message] = await messages('status=SENT')
  await stage.app.database.query(
    `insert into events (team_id, id, type, subject_kind, subject_id, lead_id, actor_kind, data, at)
     select team_id, $1, 'email.replied', 'message', $2, lead_id, 'system', $3, now() from messages where id = $2`,
    [
      newId(),
      message!.id,
      JSON.stringify({ message_id: message!.id, subject: 'Hello', text: 'Yes <b>please</b>' }),
    ],
  )
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  const panel = page.getByRole('list', { name: "This lead's sequences" })
  await panel.getByText('Step 2 is next').waitFor()
  await page.getByRole('button', { name: `Why: ${sequence.name}` }).click()
  await page.getByRole('list', { name: 'Decisions' }).getByText('Enrolled', { exact: true }).waitFor()

  await page.getByText('Outreach', { exact: true }).last().click()
  await page.getByText('received a reply to').waitFor()
  await page.getByText('Yes <b>please</b>').waitFor()
  await page.getByRole('button', { name: `More actions for Grace Hopper in ${sequence.name}` }).click()
  await page.getByRole('menuitem', { name: 'Stop for this lead…' }).click()
  await confirm(page, 'Stop for Grace Hopper')
  await panel.getByText('Stopped manually').waitFor()
  await page.getByText(`for this lead: stopped manually`).waitFor()
  await expect.poll(async () => (await readEnrolment()).stop_reason).toBe('stopped')
  expect(complaints.splice(0)).toEqual([])
})

further('axe finds nothing on the pages of outreach, in any look', async () => {
  const [message] = await messages('status=SENT')
  await makeMessage({ subject: 'Tomorrow', status: 'DUE', due_at: inDays(1) })
  const [template] = (await stage.api.get('/api/outreach/templates')).body.data
  await stage.app.database.query(`update enrolments set ended_at = null, held = 'unknown' where id = $1`, [
    enrolment,
  ])
  const scenes: Scene[] = [
    ['/outbox'],
    ['/templates'],
    [`/templates/${template.id}?lead=${lead.id}`],
    ['/suppressions'],
    ['/settings/outreach'],
    [`/leads/${lead.id}`],
    [`/outbox?show=all&message=${message!.id}`, page => page.getByText('As the recipient sees it').waitFor()],
  ]
  expect(await faultsInEveryLook(stage, 'h1', scenes)).toEqual([])
})

type Row = {
  subject: string
  status?: string
  text?: string
  html?: string
  reason?: string
  due_at?: string
}

/** A message that no sequence wrote, in whatever state. */
async function makeMessage({
  subject,
  status = 'SENT',
  text = 'Hello',
  html,
  reason,
  due_at,
}: Row): Promise<string> {
  const id = newId()
  await stage.app.database.query(
    `with message as (insert into messages (team_id, id, channel, lead_id, address, subject, links, thread, status, reason,
         source_kind, due_at, created_at, sent_at, trouble_at)
       select team_id, $1, 'email', id, email, $2, '[]', '[]', $5, $6, 'person', coalesce($7::timestamptz, now()),
         now(), case when $5 = 'SENT' then now() end, case when $5 in ('FAILED', 'UNKNOWN') then now() end
       from leads where id = $8 returning team_id, id)
     insert into message_contents select team_id, id, $3, $4 from message`,
    [id, subject, text, html ?? null, status, reason ?? null, due_at ?? null, lead.id],
  )
  return id
}

let made = 0

function newId(): string {
  return `${Math.floor(Date.now() / 1000).toString(16)}${(++made).toString(16).padStart(16, '0')}`
}

async function confirm(page: Page, verb: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click()
}

async function messages(query: string): Promise<{ id: string; status: string }[]> {
  return (await stage.api.get(`/api/outreach/messages?${query}`)).body.data
}

async function readMessage(id: string): Promise<{ status: string }> {
  return (await stage.api.get(`/api/outreach/messages/${id}`)).body
}

async function readEnrolment() {
  return (await stage.api.get(`/api/outreach/enrolments/${enrolment}`)).body
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
