import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { startStage, undo, type Stage } from './browser.ts'
import {
  inDrawer,
  inDropdown,
  inField,
  inList,
  inMenu,
  inPlace,
  inSelect,
  inTerms,
  onBoard,
  onPage,
} from './places.ts'
import { changeTogether, writeTogether, type Kind, type Written } from './together.ts'

const DAY_MS = 86_400_000

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const deals: Kind = {
  path: '/api/crm/opportunities',
  make: name => ({ name, stage: 'prospecting' }),
  nameOf: name => name,
  field: 'stage',
  label: 'Stage',
  besides: ['amount', '1200.00'],
  said: movedTo,
  values: [
    ['prospecting', 'Prospecting'],
    ['qualification', 'Qualification'],
    ['proposal', 'Proposal'],
    ['negotiation', 'Negotiation'],
  ],
  places: {
    list: (page, name) => inList(page, name, '/opportunities'),
    board: (page, name) => onBoard(page, name, '/pipeline?of=opportunities'),
    page: (page, _name, id) => onPage(page, `/opportunities/${id}`),
  },
}

const leads: Kind = {
  path: '/api/crm/leads',
  make: last_name => ({ first_name: 'Eva', last_name }),
  nameOf: name => `Eva ${name}`,
  field: 'pipeline_stage',
  label: 'Stage',
  besides: ['company', 'Theirs AG'],
  said: movedTo,
  values: [
    ['New', 'New'],
    ['Contacted', 'Contacted'],
    ['Qualified', 'Qualified'],
    ['Won', 'Won'],
  ],
  places: {
    list: (page, name) => inList(page, name, '/leads'),
    board: (page, name) => onBoard(page, name, '/pipeline'),
    page: (page, _name, id) => onPage(page, `/leads/${id}`),
  },
}

/** Kinds whose field is a text, which has a place on their page. */
const names = ['First', 'Second', 'Third', 'Fourth'].map(word => [word, word] as const)

const nobody = { email: null, address: null, tax_id: null }
const lines = [{ description: 'Seats', quantity: '1', unit_price: '100', tax_percent: '0' }]

const others: Record<string, Kind> = {
  'a form': {
    path: '/api/crm/forms',
    make: () => ({ name: 'First' }),
    nameOf: () => 'First',
    field: 'name',
    label: 'Name',
    besides: ['thank_you', 'Theirs'],
    values: names,
    said: (_name, word) => new RegExp(`^Renamed to ${word}`),
    places: { page: (page, _name, id) => inField(page, `/forms/${id}?tab=settings`, 'Name') },
  },
  'a sequence': {
    path: '/api/outreach/sequences',
    make: () => ({ name: 'First', steps: [], status: 'DRAFT' }),
    nameOf: () => 'First',
    field: 'name',
    label: 'Name',
    besides: ['settings', { daily_cap: 7 }],
    values: names,
    said: (_name, word) => new RegExp(`^Renamed to ${word}`),
    places: { page: (page, _name, id) => inField(page, `/sequences/${id}?tab=settings`, 'Name') },
  },
  'an agent': {
    path: '/api/voice/agents',
    make: name => ({ name, instructions: 'Answer.', description: 'First' }),
    nameOf: name => name,
    field: 'description',
    label: 'Description',
    besides: ['greeting', 'Good day'],
    values: names,
    said: name => new RegExp(`^Updated the description of ${name}`),
    places: { page: (page, _name, id) => inField(page, `/agents/${id}?tab=sale`, 'Description') },
  },
  'an account': {
    path: '/api/crm/accounts',
    make: name => ({ name, industry: 'First' }),
    nameOf: name => name,
    field: 'industry',
    label: 'Industry',
    besides: ['website', 'https://theirs.example'],
    values: names,
    said: name => new RegExp(`^Changed industry of ${name}`),
    places: { page: (page, _name, id) => inPlace(page, `/accounts/${id}`, 'Industry') },
  },
  'a candidate': {
    path: '/api/crm/candidates',
    make: () => ({ address: 'records.test' }),
    nameOf: () => 'records.test',
    field: 'name',
    label: 'Name',
    values: names,
    said: (_name, word) => new RegExp(`^Renamed to ${word}`),
    places: { page: (page, _name, id) => inPlace(page, `/candidates/${id}`, 'Name') },
  },
  'a task': {
    path: '/api/crm/tasks',
    make: title => ({ title, status: 'TODO' }),
    nameOf: name => name,
    field: 'status',
    label: 'Status',
    besides: ['description', 'Theirs'],
    values: [
      ['TODO', 'To do'],
      ['DOING', 'In progress'],
    ],
    said: name => new RegExp(`^Changed status of ${name}`),
    places: {
      panel: (page, _name, id) => inDropdown(page, `/tasks?task=${id}`, 'Status'),
    },
  },
  'a meeting': {
    path: '/api/crm/meetings',
    make: async () => ({ lead_id: await someLead(), starts_at: new Date(Date.now() + DAY_MS).toISOString() }),
    age: id =>
      stage.app.database.query(
        `update meetings set starts_at = now() - interval '20 minutes', ends_at = now() + interval '10 minutes' where id = $1`,
        [id],
      ),
    nameOf: () => 'Ida',
    field: 'status',
    label: 'Status',
    besides: ['title', 'Theirs'],
    values: [
      ['BOOKED', 'Booked'],
      ['HELD', 'Held'],
    ],
    said: () => /marked as held/,
    places: { drawer: (page, _name, id) => inDrawer(page, `/meetings?meeting=${id}`) },
  },
  'a call': {
    path: '/api/voice/calls',
    make: async () => ({ kind: 'manual', lead_id: await someLead(), outcome: 'First' }),
    nameOf: () => 'The call',
    field: 'outcome',
    label: 'Outcome',
    besides: ['summary', 'Theirs'],
    values: names,
    said: () => /^Outcome saved/,
    places: { page: (page, _name, id) => inField(page, `/calls/${id}`, 'Outcome') },
  },
  'a project': {
    path: '/api/crm/projects',
    make: name => ({ name }),
    nameOf: name => name,
    field: 'status',
    label: 'Status',
    besides: ['name', 'Renamed'],
    values: [
      ['ACTIVE', 'Active'],
      ['ON_HOLD', 'On hold'],
    ],
    said: (_name, word) => new RegExp(`is now ${word.toLowerCase()}`),
    places: {
      page: (page, _name, id) => inSelect(page, `/projects/${id}`, 'Project status'),
    },
  },
  'a finalized invoice': {
    path: '/api/crm/invoices',
    make: name => ({ customer: { ...nobody, name }, lines, due_at: endOf('2031-05-12') }),
    age: id => stage.api.post(`/api/crm/invoices/${id}/open`),
    nameOf: name => name,
    field: 'due_at',
    label: 'Due date',
    besides: ['note', 'Theirs'],
    values: [
      [endOf('2031-05-12'), '12 May 2031'],
      [endOf('2031-05-13'), '13 May 2031'],
      [endOf('2031-05-14'), '14 May 2031'],
      [endOf('2031-05-15'), '15 May 2031'],
    ],
    said: () => /^Updated INV-/,
    refused: page => page.getByRole('dialog').getByText("Couldn't reach the server"),
    places: { page: (page, _name, id) => inTerms(page, `/invoices/${id}`) },
  },
  'a workflow': {
    path: '/api/crm/workflows',
    make: name => ({ name, trigger: 'lead.created', nodes: [{ type: 'delay', delay: '1d' }] }),
    nameOf: name => name,
    field: 'status',
    label: 'Status',
    besides: ['once_per_lead', true],
    values: [
      ['ACTIVE', 'Active'],
      ['PAUSED', 'Paused'],
    ],
    said: name => new RegExp(`^Paused ${name}`),
    places: {
      list: (page, name) => inMenu(page, name, '/workflows'),
      page: (page, name, id) => inMenu(page, name, `/workflows/${id}`),
    },
  },
}

/** Kinds with an editor of their own, which says what somebody else changed. */
const written: Record<string, Written> = {
  'a template': {
    path: '/api/outreach/templates',
    list: '/templates',
    listName: 'Templates',
    noun: 'template',
    make: subject => ({ name: 'Of two', subject, body: 'Hello' }),
    textOf: ({ subject }) => subject,
    change: subject => ({ subject }),
    field: page => page.getByRole('textbox', { name: 'Subject', exact: true }),
    besides: {
      change: { body: 'Theirs' },
      field: page => page.getByRole('textbox', { name: 'Text', exact: true }),
      text: 'Theirs',
    },
    save: page => page.getByRole('button', { name: 'Save', exact: true }).click(),
    takeBack: page => undo(page, 'Saved Of two'),
    stay: page =>
      page
        .getByRole('dialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Cancel' })
        .click(),
  },
  'the draft of an invoice': {
    path: '/api/crm/invoices',
    list: '/invoices',
    listName: 'Invoices',
    noun: 'invoice',
    make: name => ({ customer: { ...nobody, name }, lines }),
    textOf: ({ customer }) => customer.name,
    change: name => ({ customer: { ...nobody, name } }),
    field: page =>
      page.getByRole('region', { name: 'Customer' }).getByRole('textbox', { name: 'Name', exact: true }),
    besides: {
      change: { note: 'Theirs' },
      field: page => page.getByRole('textbox', { name: 'Note', exact: true }),
      text: 'Theirs',
    },
    titled: name => `Draft for ${name}`,
    takeBack: page => page.keyboard.press('Control+z'),
    async stay(page) {
      await page.getByText('Your last changes to Draft for Dogwood are not saved').waitFor()
      await page.getByRole('button', { name: 'Go back' }).click()
    },
  },
}

for (const [one, kind] of Object.entries(written))
  further(`${one} written by two people at once, with the connection cut, and undone`, () =>
    writeTogether(stage, kind),
  )

further(
  'a suppression added and removed by two people at once, with the connection cut, and brought back',
  async () => {
    const path = '/api/outreach/suppressions'
    const email = 'both@example.test'
    const other = await stage.visit('/suppressions')
    const { page, complaints } = await stage.visit('/settings/sessions')
    await page.route('**/api/live*', route => route.abort())
    await page.goto(stage.app.url + '/suppressions')
    const dialog = page.getByRole('dialog')
    const unreachable = "Couldn't reach the server"
    const listed = async (count: number, text = email) => {
      for (const each of [page, other.page]) {
        const entries = each.getByRole('list', { name: 'Suppression list' }).getByRole('listitem')
        await expect.poll(() => entries.filter({ hasText: text }).count()).toBe(count)
      }
    }
    const add = async (note: string) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.getByLabel('Email or phone').fill(email)
      await dialog.getByLabel('Note').fill(note)
      await dialog.getByRole('button', { name: 'Add to list' }).click()
    }
    const remove = () => page.getByRole('button', { name: `Remove ${email}`, exact: true }).click()
    const confirm = () => dialog.getByRole('button', { name: `Remove ${email}`, exact: true }).click()

    // Somebody adds the same: their entry stays, and the person is told.
    await page.route(`**${path}`, async route => {
      await stage.api.post(path, { email, note: 'Theirs' })
      await route.fallback()
    })
    await add('Mine')
    await page.getByText(`${email} was already on the suppression list. Your note is not saved.`).waitFor()
    await listed(1, 'Theirs')
    await page.unroute(`**${path}`)

    // Somebody removes the same: it is removed once.
    await remove()
    const [entry] = (await stage.api.get(`${path}?q=${email}`)).body.data
    await stage.api.delete(`${path}/${entry.id}`)
    await confirm()
    await page.getByText(`Removed ${email} from the suppression list`).waitFor()
    await listed(0)
    expect((await stage.api.get(`${path}?q=${email}&lifted=true`)).body.data).toHaveLength(1)

    // The wire is cut: nothing is said to be done, and what was typed is kept until it is.
    await page.route(`**${path}`, route => route.abort())
    await add('Mine')
    await dialog.getByText(unreachable).waitFor()
    await page.unroute(`**${path}`)
    await dialog.getByRole('button', { name: 'Add to list' }).click()
    await listed(1, 'Mine')
    await page.route(`**${path}/*`, route => route.abort())
    await remove()
    await confirm()
    await page.getByRole('alert').filter({ hasText: unreachable }).waitFor()
    await page.unroute(`**${path}/*`)
    await listed(1)
    await confirm()
    await listed(0)

    await add('Again')
    await listed(1, 'Again')
    expect(complaints.filter(each => !/ERR_FAILED|Failed to load/.test(each))).toEqual([])
  },
)

for (const [one, kind] of Object.entries(others))
  further.for(Object.keys(kind.places))(
    `${one} changed in its %s: two people at once, the connection cut, and undone`,
    place => changeTogether(stage, kind, place),
  )

test('a deal changed in its board: two people at once, the connection cut, and undone', () =>
  changeTogether(stage, deals, 'board'))

/** A list and a page change it by the same store. */
further.for(['list', 'page'])(
  'a deal changed in its %s: two people at once, the connection cut, and undone',
  place => changeTogether(stage, deals, place),
)

further.for(Object.keys(leads.places))(
  'a lead changed in its %s: two people at once, the connection cut, and undone',
  place => changeTogether(stage, leads, place),
)

function movedTo(name: string, word: string): RegExp {
  return new RegExp(`^(Changed stage of ${name}|Moved ${name} to ${word})`)
}

/** A due date is a day, whatever the zone. */
function endOf(day: string): string {
  return `${day}T23:59:59.000Z`
}

async function someLead(): Promise<string> {
  return (await stage.api.post('/api/crm/leads', { first_name: 'Ida' })).body.id
}
