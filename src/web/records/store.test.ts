import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../query-client.ts'
import { toasts } from '../ui/toast.ts'
import { put } from './cache.ts'
import { conflicts } from './conflicts.ts'
import { recordStore } from './store.ts'
import type { Kept } from './walk.ts'

type Deal = Kept & { name: string; stage: string; note: string | null; deleted_at: string | null }

const refresh = vi.fn()
const deals = recordStore<Deal, Partial<Deal>>({
  path: '/api/deals',
  keys: [['deals']],
  one: 'deal',
  nameOf: ({ name }) => name,
  refresh,
})

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const deal = (second: number, fields: Partial<Deal> = {}): Deal => ({
  id,
  name: 'Roof',
  stage: 'new',
  note: null,
  deleted_at: null,
  updated_at: at(second),
  ...fields,
})

let count = 0

/** The server as far as these tests need it: one deal, its version, and what it was asked for. */
let id: string
let kept: Deal
let second: number
let asked: string[]
let hold: Promise<unknown> | undefined
let broken: boolean

beforeEach(() => {
  // What is known of a record outlasts a test.
  id = `deal ${(count += 1)}`
  kept = deal(1)
  second = 1
  asked = []
  hold = undefined
  broken = false
  queryClient.clear()
  toasts.set([])
  put(kept)
  refresh.mockClear()
  vi.stubGlobal('fetch', serve)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function serve(address: string, init: RequestInit): Promise<Response> {
  const { method = 'GET' } = init
  asked.push(`${method} ${address}`)
  await hold
  if (broken) throw new TypeError('fetch failed')
  const version = new Headers(init.headers).get('if-match')
  if (version && version !== `"${Date.parse(kept.updated_at).toString(36)}"`)
    return Response.json({ code: 'changed', title: 'It was changed', status: 412 }, { status: 412 })
  if (method === 'PATCH') theirs(JSON.parse(String(init.body)))
  if (method === 'DELETE') {
    theirs({ deleted_at: at(second) })
    return new Response(null, { status: 204 })
  }
  if (address.endsWith('/restore')) theirs({ deleted_at: null })
  return Response.json(kept)
}

/** A change on the server, by us or by somebody else. */
function theirs(fields: Partial<Deal>): void {
  kept = { ...kept, ...fields, updated_at: at((second += 1)) }
}

/** The deal in a list, on a board and on its page, each kept in its own way. */
function show(shown = kept): void {
  queryClient.setQueryData(['deals', 'list', ''], {
    pages: [{ data: [shown], next_cursor: null }],
    pageParams: [''],
  })
  queryClient.setQueryData(['deals', 'board'], {
    columns: [{ stage: shown.stage, cards: [{ deal: shown }] }],
  })
  queryClient.setQueryData(deals.query(id).queryKey, shown)
}

/** What each of the three says of it; all alike, or the test would tell. */
function shown(): Deal {
  const list = queryClient.getQueryData<{ pages: { data: Deal[] }[] }>(['deals', 'list', ''])!.pages[0]!
    .data[0]!
  const board = queryClient.getQueryData<{ columns: { cards: { deal: Deal }[] }[] }>(['deals', 'board'])!
  const page = queryClient.getQueryData(deals.query(id).queryKey)!
  expect(board.columns[0]!.cards[0]!.deal).toEqual(list)
  expect(page).toEqual(list)
  return list
}

const told = () => toasts.get().map(({ message, title }) => title ?? message)
const undo = () => toasts.get().at(-1)!.action!.act()

test('a change is shown everywhere before it is saved, and as the server has it afterwards', async () => {
  show()
  const free = Promise.withResolvers<void>()
  hold = free.promise
  const done = deals.change(id, { stage: 'won' }, 'Roof is won')
  await vi.waitFor(() => expect(shown().stage).toBe('won'))
  expect(kept.stage).toBe('new')
  free.resolve()
  expect(await done).toBe(true)
  expect(shown()).toEqual(deal(2, { stage: 'won' }))
  expect(told()).toEqual(['Roof is won'])
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('it is taken back by its way back, everywhere', async () => {
  show()
  await deals.change(id, { stage: 'won', note: 'signed' }, 'Roof is won')
  undo()
  await vi.waitFor(() => expect(told()).toContain('Undone'))
  expect(kept).toMatchObject({ stage: 'new', note: null })
  expect(shown()).toEqual(kept)
})

test('what somebody has changed again since is not taken back without asking', async () => {
  show()
  await deals.change(id, { stage: 'won' }, 'Roof is won')
  theirs({ stage: 'lost' })
  put(kept)
  undo()
  await vi.waitFor(() => expect(told()).toContain('Roof has changed since.'))
  expect(kept.stage).toBe('lost')
  undo()
  await vi.waitFor(() => expect(kept.stage).toBe('new'))
})

test('nor where only one of those that show it has heard of that', async () => {
  show()
  await deals.change(id, { stage: 'won' }, 'Roof is won')
  theirs({ stage: 'lost' })
  queryClient.setQueryData(deals.query(id).queryKey, kept)
  undo()
  await vi.waitFor(() => expect(told()).toContain('Roof has changed since.'))
  expect(kept.stage).toBe('lost')
})

test('what the server refuses is shown as it was, and why is told', async () => {
  show()
  broken = true
  expect(await deals.change(id, { stage: 'won' }, 'Roof is won')).toBe(false)
  expect(shown()).toEqual(deal(1))
  expect(told()).toEqual(["Couldn't save"])
})

test('what a lost connection kept from being saved can be tried again', async () => {
  show()
  broken = true
  await deals.change(id, { stage: 'won' }, 'Roof is won')
  broken = false
  expect(toasts.get().at(-1)!.action!.label).toBe('Try again')
  undo()
  await vi.waitFor(() => expect(kept.stage).toBe('won'))
  await vi.waitFor(() => expect(told()).toEqual(['Roof is won']))
})

test('a change of another field by somebody else is kept beside ours', async () => {
  show()
  theirs({ note: 'theirs' })
  expect(await deals.change(id, { stage: 'won' }, null)).toBe(true)
  expect(kept).toMatchObject({ stage: 'won', note: 'theirs' })
  expect(shown()).toEqual(kept)
  expect(conflicts.get()).toEqual([])
})

test('a change of the same field to the same value is no conflict', async () => {
  show()
  theirs({ stage: 'won' })
  expect(await deals.change(id, { stage: 'won' }, null)).toBe(true)
  expect(conflicts.get()).toEqual([])
})

test.for([
  ['mine', true, 'won'],
  ['theirs', false, 'lost'],
] as const)('of the same field the person chooses: %s', async ([which, saved, stage]) => {
  show()
  theirs({ stage: 'lost' })
  const done = deals.change(id, { stage: 'won' }, 'Roof is won')
  await vi.waitFor(() => expect(conflicts.get()).toHaveLength(1))
  expect(conflicts.get()[0]).toMatchObject({
    one: 'deal',
    name: 'Roof',
    fields: [{ label: 'Stage', mine: 'won', theirs: 'lost' }],
  })
  conflicts.get()[0]!.choose(which)
  expect(await done).toBe(saved)
  expect(kept.stage).toBe(stage)
  expect(shown()).toEqual(kept)
  expect(told()).toEqual(saved ? ['Roof is won'] : [])
})

test('two quick changes meet neither each other nor an answer from before them', async () => {
  show()
  const late = queryClient.fetchQuery({
    queryKey: ['deals', 'late'],
    queryFn: async () => (await hold, deal(1)),
  })
  const free = Promise.withResolvers<void>()
  hold = free.promise
  const both = [deals.change(id, { stage: 'won' }, null), deals.change(id, { note: 'quick' }, null)]
  await vi.waitFor(() => expect(shown()).toMatchObject({ stage: 'won', note: 'quick' }))
  free.resolve()
  expect(await Promise.all(both)).toEqual([true, true])
  await late
  expect(shown()).toEqual(deal(3, { stage: 'won', note: 'quick' }))
  expect(queryClient.getQueryData(['deals', 'late'])).toEqual(shown())
  expect(asked.filter(each => each.startsWith('GET'))).toEqual([])
})

test('one that is refused leaves the other', async () => {
  show()
  const first = deals.change(id, { stage: 'won' }, null)
  await first
  broken = true
  const second = deals.change(id, { note: 'lost on the way' }, null)
  await second
  expect(shown()).toMatchObject({ stage: 'won', note: null })
})

test('what is to be read again still is, after it was shown anew', async () => {
  show()
  await queryClient.invalidateQueries({ queryKey: ['deals', 'board'], refetchType: 'none' })
  await deals.change(id, { stage: 'won' }, null)
  expect(queryClient.getQueryState(['deals', 'board'])!.isInvalidated).toBe(true)
  expect(queryClient.getQueryState(['deals', 'list', ''])!.isInvalidated).toBe(false)
})

test('a list that holds less than the page loses nothing of it', async () => {
  const { note: _note, ...less } = kept
  queryClient.setQueryData(['deals', 'list', ''], { pages: [{ data: [less] }], pageParams: [''] })
  queryClient.setQueryData(deals.query(id).queryKey, { ...kept, note: 'long' })
  broken = true
  await deals.change(id, { note: 'longer' }, null)
  expect(queryClient.getQueryData(deals.query(id).queryKey)!.note).toBe('long')
})

test('what else is done to it is shown until it is answered, and taken back when it is refused', async () => {
  show()
  const free = Promise.withResolvers<void>()
  const done = deals.act(id, async () => (await free.promise, (kept = deal(5, { stage: 'held' }))), {
    stage: 'held',
  })
  await vi.waitFor(() => expect(shown().stage).toBe('held'))
  free.resolve()
  await done
  expect(shown()).toEqual(kept)
  const refused = deals.act(id, () => Promise.reject(new Error('no')), { stage: 'lost' })
  await expect(refused).rejects.toThrow('no')
  expect(shown()).toEqual(kept)
})

test('what an editor saves is shown everywhere', async () => {
  show()
  await deals.write(id, async () => deal(6, { note: 'written' }))
  expect(shown().note).toBe('written')
})

test('what an editor reads of others is shown everywhere', async () => {
  show()
  theirs({ note: 'theirs' })
  expect(await deals.read(id)).toEqual(kept)
  expect(shown()).toEqual(kept)
})

test('what an editor saved is taken back, and not without asking where somebody has changed it since', async () => {
  show()
  const write = () => deals.write(id, async () => (theirs({ note: 'written' }), kept))
  expect(await deals.revert(await write(), { note: null })).toBe(true)
  expect(kept.note).toBeNull()
  expect(shown()).toEqual(kept)

  const saved = await write()
  theirs({ note: 'theirs' })
  put(kept)
  expect(await deals.revert(saved, { note: null })).toBe(false)
  expect(told().at(-1)).toBe('Roof has changed since.')
  expect(kept.note).toBe('theirs')
})

test('into the trash and back', async () => {
  show()
  expect(await deals.trash(kept)).toBe(true)
  expect(shown().deleted_at).not.toBeNull()
  expect(told()).toEqual(['Moved Roof to the trash'])
  undo()
  await vi.waitFor(() => expect(told()).toContain('Undone'))
  expect(shown()).toEqual(kept)
  await deals.trash(kept)
  await deals.restore(id)
  expect(told().at(-1)).toBe('Restored Roof')
  expect(kept.deleted_at).toBeNull()
})
