import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { rowOf, startStage, undo, type Stage } from './browser.ts'

/** A record and one field of it, such as its stage, that is changed in every place that shows it. */
type Kind = {
  path: string
  make: (name: string) => object | Promise<object>
  /** What no request could have done to it. */
  age?: (id: string) => Promise<unknown>
  nameOf: (name: string) => string
  field: string
  /** The field, as the person is asked about it. */
  label: string
  /** Another field, which somebody else changes; absent where there is none. */
  besides?: [field: string, value: unknown]
  /** As the API says it, and as people read it. With only two of them nobody can want a third. */
  values: readonly (readonly [value: string, word: string])[]
  /** What the way back is offered with. */
  said: (name: string, word: string) => RegExp
  places: Record<string, (page: Page, name: string, id: string) => Place>
}

type Place = {
  open: () => Promise<unknown>
  choose: (word: string) => Promise<unknown>
  shows: (word: string) => Promise<unknown>
}

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

for (const [one, kind] of Object.entries(others))
  further.for(Object.keys(kind.places))(
    `${one} changed in its %s: two people at once, the connection cut, and undone`,
    place => changeTogether(kind, place),
  )

test.for(Object.keys(deals.places))(
  'a deal changed in its %s: two people at once, the connection cut, and undone',
  place => changeTogether(deals, place),
)

further.for(Object.keys(leads.places))(
  'a lead changed in its %s: two people at once, the connection cut, and undone',
  place => changeTogether(leads, place),
)

/** The same in every place: two people at once, of other fields and of the same, a wire that is cut, and the way back. */
async function changeTogether(kind: Kind, where: string): Promise<void> {
  const { body } = await stage.api.post(kind.path, await kind.make(`Of ${where}`))
  const { id } = body
  const name = kind.nameOf(`Of ${where}`)
  const [first, second, third, fourth] = kind.values as [string, string][] as [Pair, Pair, Pair?, Pair?]
  const read = async () => (await stage.api.get(`${kind.path}/${id}`)).body
  const theirs = (fields: object) => stage.api.patch(`${kind.path}/${id}`, fields)
  await kind.age?.(id)
  // What is made of something else has no say in it.
  if (body[kind.field] !== first[0]) await theirs({ [kind.field]: first[0] })
  const { page, complaints } = await stage.visit('/settings/sessions')
  // Whoever hears nothing of the others is told when it saves.
  await page.route('**/api/live*', route => route.abort())
  /** In the moment in which ours is on its way. */
  const meanwhile = (fields: object) =>
    page.route(
      `**${kind.path}/${id}`,
      async (route, request) => {
        if (request.method() === 'PATCH') await theirs(fields)
        await route.fallback()
      },
      { times: 1 },
    )
  const place = kind.places[where]!(page, name, id)
  await place.open()
  await place.shows(first[1])

  // Somebody changes another field: both changes stay.
  const besides = kind.besides ? { [kind.besides[0]]: kind.besides[1] } : {}
  if (kind.besides) await meanwhile(besides)
  await place.choose(second[1])
  await expect.poll(async () => (await read())[kind.field]).toBe(second[0])
  expect(await read()).toMatchObject(besides)
  await place.shows(second[1])

  // It is taken back where it was made.
  await undo(page, kind.said(name, second[1]))
  await expect.poll(async () => (await read())[kind.field]).toBe(first[0])
  await place.shows(first[1])

  // Somebody changes the same: the person sees both and chooses.
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this too' })
  let last = first
  for (const [button, choice] of [
    ['Keep theirs', 'theirs'],
    ['Save mine', 'mine'],
  ] as const) {
    if (!third || !fourth) break
    const kept = choice === 'theirs' ? third : second
    await meanwhile({ [kind.field]: third[0] })
    await place.choose(second[1])
    await dialog.getByRole('row', { name: `${kind.label} ${second[1]} ${third[1]}` }).waitFor()
    await dialog.getByRole('button', { name: button }).click()
    await expect.poll(async () => (await read())[kind.field]).toBe(kept[0])
    await place.shows(kept[1])
    // Back to a stage that neither of them chose.
    await place.choose(fourth[1])
    await expect.poll(async () => (await read())[kind.field]).toBe(fourth[0])
    await place.shows(fourth[1])
    last = fourth
  }

  // The wire is cut: it shows what is saved, and says so.
  await page.route(`**${kind.path}/${id}`, (route, request) =>
    request.method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await place.choose(second[1])
  await page
    .getByRole('alert')
    .filter({ hasText: /Couldn't (save|move)|Not (saved|moved)/ })
    .waitFor()
  await place.shows(last[1])
  expect((await read())[kind.field]).toBe(last[0])
  expect(complaints.filter(each => !/ERR_FAILED|412|Failed to load/.test(each))).toEqual([])
}

type Pair = [value: string, word: string]

function movedTo(name: string, word: string): RegExp {
  return new RegExp(`^(Changed stage of ${name}|Moved ${name} to ${word})`)
}

async function someLead(): Promise<string> {
  return (await stage.api.post('/api/crm/leads', { first_name: 'Ida' })).body.id
}

/** A field of the page that saves itself when it is left. */
function inField(page: Page, path: string, label: string): Place {
  const field = page.getByRole('textbox', { name: label, exact: true })
  return {
    open: () => page.goto(stage.app.url + path),
    async choose(word) {
      await field.fill(word)
      await field.blur()
    },
    async shows(word) {
      await expect.poll(() => field.inputValue()).toBe(word)
    },
  }
}

/** A value of the page that becomes a field when it is clicked. */
function inPlace(page: Page, path: string, label: string): Place {
  return {
    open: () => page.goto(stage.app.url + path),
    async choose(word) {
      await page.getByRole('button', { name: new RegExp(`^${label} `) }).click()
      await page.getByRole('textbox', { name: label, exact: true }).fill(word)
      await page.keyboard.press('Enter')
    },
    shows: word => page.getByRole('button', { name: `${label} ${word}`, exact: true }).waitFor(),
  }
}

/** A list that drops down, and saves what is chosen. */
function inDropdown(page: Page, path: string, label: string): Place {
  const field = page.getByRole('dialog').getByRole('combobox', { name: label, exact: true })
  return {
    open: () => page.goto(stage.app.url + path),
    async choose(word) {
      await field.click()
      await page.getByRole('option', { name: word, exact: true }).click()
    },
    async shows(word) {
      await expect.poll(() => field.inputValue()).toBe(word)
    },
  }
}

/** An outcome that a button sets. */
function inDrawer(page: Page, path: string): Place {
  const drawer = page.getByRole('dialog')
  return {
    open: () => page.goto(stage.app.url + path),
    choose: word => drawer.getByRole('button', { name: word, exact: true }).click(),
    shows: word => drawer.getByRole('region', { name: 'Status' }).getByText(word, { exact: true }).waitFor(),
  }
}

function inSelect(page: Page, path: string, label: string): Place {
  const field = page.getByRole('combobox', { name: label })
  return {
    open: () => page.goto(stage.app.url + path),
    choose: word => field.selectOption({ label: word }),
    async shows(word) {
      await expect.poll(() => field.locator('option:checked').textContent()).toBe(word)
    },
  }
}

/** Paused and resumed from the menu of a row or a page. */
function inMenu(page: Page, name: string, path: string): Place {
  return {
    open: () => page.goto(stage.app.url + path),
    async choose(word) {
      await page.getByRole('button', { name: `More actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: word === 'Paused' ? 'Pause' : 'Resume', exact: true }).click()
    },
    // On its page with its version.
    shows: word =>
      page
        .getByRole('main')
        .getByText(new RegExp(`^${word}( v\\d+)?$`))
        .first()
        .waitFor(),
  }
}

function inList(page: Page, name: string, path: string): Place {
  const cell = (word: string) => rowOf(page, name).getByRole('gridcell').filter({ hasText: word }).first()
  let shown = ''
  return {
    open: () => page.goto(stage.app.url + path),
    async choose(word) {
      // A cell that is chosen already would open at once.
      await rowOf(page, name).getByRole('gridcell').nth(1).click()
      await cell(shown).click()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: word, exact: true }).click()
    },
    async shows(word) {
      shown = word
      await cell(word).waitFor()
    },
  }
}

function onBoard(page: Page, name: string, path: string): Place {
  const column = (word: string) =>
    page
      .locator('section[data-column]')
      .filter({ has: page.getByRole('heading', { name: word, exact: true }) })
  return {
    open: () => page.goto(stage.app.url + path),
    async choose(word) {
      await page.locator('[data-main]').filter({ hasText: name }).focus()
      await page.keyboard.press('m')
      await page.getByRole('menuitem', { name: word, exact: true }).click()
    },
    shows: word => column(word).locator('[data-card]').filter({ hasText: name }).waitFor(),
  }
}

function onPage(page: Page, path: string): Place {
  const step = (word: string) =>
    page.getByRole('group', { name: 'Stage' }).getByRole('button', { name: word, exact: true })
  return {
    open: () => page.goto(stage.app.url + path),
    choose: word => step(word).click(),
    shows: word => step(word).and(page.locator('[aria-current=step]')).waitFor(),
  }
}
