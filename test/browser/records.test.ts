import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { rowOf, startStage, undo, type Stage } from './browser.ts'

/** A record that is listed, stands on a board and has a page: its stage is changed in each of them. */
type Kind = {
  path: string
  make: (name: string) => object
  nameOf: (name: string) => string
  stage: string
  /** Another field, which somebody else changes. */
  besides: [field: string, value: string]
  /** As the API says it, and as people read it. */
  stages: readonly (readonly [value: string, word: string])[]
  places: Record<string, (page: Page, name: string, id: string) => Place>
}

type Place = {
  open: () => Promise<unknown>
  choose: (word: string) => Promise<unknown>
  shows: (word: string) => Promise<unknown>
}

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const deals: Kind = {
  path: '/api/crm/opportunities',
  make: name => ({ name, stage: 'prospecting' }),
  nameOf: name => name,
  stage: 'stage',
  besides: ['amount', '1200.00'],
  stages: [
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
  stage: 'pipeline_stage',
  besides: ['company', 'Theirs AG'],
  stages: [
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
  const { id } = (await stage.api.post(kind.path, kind.make(`Of ${where}`))).body
  const name = kind.nameOf(`Of ${where}`)
  const [first, second, third, fourth] = kind.stages as [string, string][] as [Pair, Pair, Pair, Pair]
  const read = async () => (await stage.api.get(`${kind.path}/${id}`)).body
  const theirs = (fields: object) => stage.api.patch(`${kind.path}/${id}`, fields)
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
  await meanwhile({ [kind.besides[0]]: kind.besides[1] })
  await place.choose(second[1])
  await expect.poll(async () => (await read())[kind.stage]).toBe(second[0])
  expect((await read())[kind.besides[0]]).toBe(kind.besides[1])
  await place.shows(second[1])

  // It is taken back where it was made.
  await undo(page, new RegExp(`^(Changed stage of ${name}|${name} is now in ${second[1]})`))
  await expect.poll(async () => (await read())[kind.stage]).toBe(first[0])
  await place.shows(first[1])

  // Somebody changes the same: the person sees both and chooses.
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this too' })
  for (const [button, kept] of [
    ['Keep theirs', third],
    ['Save mine', second],
  ] as const) {
    await meanwhile({ [kind.stage]: third[0] })
    await place.choose(second[1])
    await dialog.getByRole('row', { name: `Stage ${second[1]} ${third[1]}` }).waitFor()
    await dialog.getByRole('button', { name: button }).click()
    await expect.poll(async () => (await read())[kind.stage]).toBe(kept[0])
    await place.shows(kept[1])
    // Back to a stage that neither of them chose.
    await place.choose(fourth[1])
    await expect.poll(async () => (await read())[kind.stage]).toBe(fourth[0])
    await place.shows(fourth[1])
  }

  // The wire is cut: it shows what is saved, and says so.
  await page.route(`**${kind.path}/${id}`, (route, request) =>
    request.method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await place.choose(second[1])
  await page
    .getByRole('alert')
    .filter({ hasText: /Not (saved|moved)/ })
    .waitFor()
  await place.shows(fourth[1])
  expect((await read())[kind.stage]).toBe(fourth[0])
  expect(complaints.filter(each => !/ERR_FAILED|412|Failed to load/.test(each))).toEqual([])
}

type Pair = [value: string, word: string]

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
