import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { goOn, QUIET, rowOf, undo, type Stage } from './browser.ts'
import type { Place } from './places.ts'

/** A record and one field of it, such as its stage, that is changed in every place that shows it. */
export type Kind = {
  path: string
  make: (name: string) => object | Promise<object>
  /** What happened to it before anybody looks. */
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
  /** Where it says that it could not be saved, if not in a notice. */
  refused?: (page: Page) => Locator
  places: Record<string, (page: Page, name: string, id: string) => Place>
}

const NOT_DONE = /Couldn't (save|move)|Not (saved|moved)/

/** The same in every place: two people at once, of other fields and of the same, a wire that is cut, and the way back. */
export async function changeTogether(stage: Stage, kind: Kind, where: string): Promise<void> {
  const { body } = await stage.api.post(kind.path, await kind.make(`Of ${where}`))
  const { id } = body
  const name = kind.nameOf(`Of ${where}`)
  const [first, second, third, fourth] = kind.values as [string, string][] as [Pair, Pair, Pair?, Pair?]
  const read = async () => (await stage.api.get(`${kind.path}/${id}`)).body
  const theirs = (fields: object) => stage.api.patch(`${kind.path}/${id}`, fields)
  await kind.age?.(id)
  // What is made of something else has no say in it.
  if (body[kind.field] !== first[0]) await theirs({ [kind.field]: first[0] })
  const { page, complaints } = await stage.visit(QUIET)
  // Whoever hears nothing of the others is told when it saves.
  await page.route('**/api/live*', route => route.abort())
  const wire = await wireTo(page, `**${kind.path}/${id}`, theirs)
  const place = kind.places[where]!(page, name, id)
  await place.open()
  await place.shows(first[1])

  // Somebody changes another field: both changes stay.
  const besides = kind.besides ? { [kind.besides[0]]: kind.besides[1] } : {}
  if (kind.besides) wire.before(besides)
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
    wire.before({ [kind.field]: third[0] })
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
  wire.cut()
  await place.choose(second[1])
  const refused = kind.refused ?? (page => page.getByRole('alert').filter({ hasText: NOT_DONE }))
  await refused(page).waitFor()
  await place.shows(last[1])
  expect((await read())[kind.field]).toBe(last[0])
  expect(complaints.filter(each => !/ERR_FAILED|412|Failed to load/.test(each))).toEqual([])
}

type Pair = [value: string, word: string]

/** A record that is written in an editor of its own, and one text of it. */
export type Written = {
  path: string
  /** The page of the list, below which the record has its own, and its name in the navigation. */
  list: string
  listName: string
  noun: string
  make: (text: string) => object
  textOf: (record: any) => string
  change: (text: string) => object
  field: (page: Page) => Locator
  /** Another part, which somebody else changes. */
  besides: { change: object; field: (page: Page) => Locator; text: string }
  /** What its page is called, where that follows from the text. */
  titled?: (text: string) => string
  /** Absent where it is saved a moment after the last key. */
  save?: (page: Page) => Promise<unknown>
  takeBack: (page: Page) => Promise<unknown>
  /** From what is said to a person who leaves what is not saved, back to it. */
  stay: (page: Page) => Promise<unknown>
}

/** Two people write the same record, the wire is cut, and what was written is undone: nothing is lost in silence. */
export async function writeTogether(stage: Stage, kind: Written): Promise<void> {
  const [first, second, third, fourth, last] = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'] as const
  const made = await stage.api.post(kind.path, kind.make(first))
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  const read = async () => (await stage.api.get(`${kind.path}/${id}`)).body
  const saved = async () => kind.textOf(await read())
  const theirs = (fields: object) => stage.api.patch(`${kind.path}/${id}`, fields)
  // Somebody who has it open, and hears of everything.
  const other = await stage.visit(`${kind.list}/${id}`)
  // Somebody who has seen the list, and hears of the others only when something is saved.
  const { page, complaints } = await stage.visit(QUIET)
  await page.route('**/api/live*', route => route.abort())
  await page.goto(stage.app.url + kind.list)
  await rowOf(page, first).waitFor()
  await goOn(page, `${stage.app.url}${kind.list}/${id}`)
  const mine = kind.field(page)
  const shows = (text: string) => expect.poll(() => mine.inputValue()).toBe(text)
  const write = async (text: string) => {
    await mine.fill(text)
    await kind.save?.(page)
  }
  const wire = await wireTo(page, `**${kind.path}/${id}`, theirs)
  const everywhere = async (text: string) => {
    await expect.poll(saved).toBe(text)
    await shows(text)
    await expect.poll(() => kind.field(other.page).inputValue()).toBe(text)
    if (kind.titled)
      for (const each of [page, other.page])
        await each.getByRole('heading', { level: 1, name: kind.titled(text), exact: true }).waitFor()
  }
  await everywhere(first)

  // Somebody changes another part: both changes stay, also when ours is undone.
  const { besides } = kind
  wire.before(besides.change)
  await write(second)
  await everywhere(second)
  await expect.poll(() => besides.field(page).inputValue()).toBe(besides.text)
  await kind.takeBack(page)
  await everywhere(first)
  expect(await read()).toMatchObject(besides.change)
  await expect.poll(() => besides.field(page).inputValue()).toBe(besides.text)

  // Somebody changes the same: it is told, neither is lost, and the person chooses.
  const notice = page.getByRole('alert').filter({ hasText: `Someone else changed this ${kind.noun}` })
  const meet = async (text: string) => {
    wire.before(kind.change(third))
    await write(text)
    await notice.waitFor()
    await shows(text)
    expect(await saved()).toBe(third)
  }
  await meet(second)
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await notice.waitFor({ state: 'hidden' })
  await kind.save?.(page)
  await everywhere(second)
  await meet(fourth)
  await notice.getByRole('button', { name: 'Load theirs' }).click()
  await everywhere(third)
  await mine.press('Control+z')
  await shows(fourth)
  await kind.save?.(page)
  await everywhere(fourth)

  // The wire is cut: what was typed is kept, whoever leaves is told, and it is saved when the wire is back.
  wire.cut()
  await write(last)
  const failed = page.getByRole('alert').filter({ hasText: "Couldn't save your last changes" })
  await failed.waitFor()
  expect(await saved()).toBe(fourth)
  await page.getByRole('link', { name: kind.listName, exact: true }).first().click()
  await kind.stay(page)
  await shows(last)
  wire.restore()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await everywhere(last)

  // The list says the same as the page, for both of them.
  for (const each of [page, other.page]) {
    await each.getByRole('link', { name: kind.listName, exact: true }).first().click()
    await rowOf(each, last).waitFor()
    await expect.poll(() => rowOf(each, fourth).count()).toBe(0)
  }
  expect(complaints.filter(each => !/ERR_FAILED|412|Failed to load/.test(each))).toEqual([])
  expect(other.complaints).toEqual([])
}

/** What happens to our changes on their way. */
async function wireTo(page: Page, address: string, theirs: (fields: object) => Promise<unknown>) {
  let first: object | undefined
  let isCut = false
  await page.route(address, async (route, request) => {
    if (request.method() !== 'PATCH') return route.fallback()
    if (isCut) return route.abort()
    if (first) await theirs(first)
    first = undefined
    return route.fallback()
  })
  return {
    /** Somebody else's arrives before the next of ours. */
    before: (fields: object) => void (first = fields),
    cut: () => void (isCut = true),
    restore: () => void (isCut = false),
  }
}
