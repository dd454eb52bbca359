import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Invoice } from '#domains/invoices/contract.ts'
import { ApiProblem } from '../../problem.ts'
import { createInvoiceDraft } from './draft.ts'
import { contentOf, draftFrom, lineAmount, newLine, problemsOf, sumsOf } from './draft-content.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const line = { description: 'Design', quantity: '2.5', unit_price: '99.99', tax_percent: '19' }
const invoice = {
  id: '1'.repeat(24),
  updated_at: '2026-05-01T10:00:00.000Z',
  lead_id: null,
  account_id: null,
  opportunity_id: null,
  customer: { name: 'Acme', email: null, address: null, tax_id: null },
  lines: [line],
  currency: 'EUR',
  due_at: null,
  leadgen_credits: 0,
  note: null,
} as unknown as Invoice

function theirServer() {
  const saved: unknown[] = []
  let row = invoice
  return {
    saved,
    change: (fields: Partial<Invoice>) => (row = { ...row, ...fields, updated_at: `${row.updated_at}.` }),
    save: async (change: object, ifMatch: string) => {
      if (ifMatch !== row.updated_at) throw new ApiProblem({ status: 412, code: 'moved_on', title: '' })
      saved.push(change)
      return (row = { ...row, ...change, updated_at: `${row.updated_at}.` } as Invoice)
    },
    read: async () => row,
  }
}

test('lines are added up by the rules of the server, each rounded by itself', () => {
  const draft = draftFrom(invoice)
  expect(lineAmount(draft.lines[0]!, 'EUR')).toBe('249.98')
  expect(sumsOf(draft)).toEqual({ subtotal: '249.98', tax: '47.50', amount: '297.48' })
  expect(sumsOf({ ...draft, currency: 'JPY' })).toEqual({ subtotal: '250', tax: '48', amount: '298' })
})

test('a line nobody wrote into is none; one that is half written must be fixed', () => {
  const draft = draftFrom(invoice)
  const more = { ...draft, lines: [...draft.lines, newLine()] }
  expect(problemsOf(more)).toEqual([])
  expect(contentOf(more).lines).toEqual([line])
  const half = { ...draft, lines: [{ ...newLine(), description: 'Print', unit_price: 'much' }] }
  expect(problemsOf(half).map(({ words }) => words)).toEqual(['Enter an amount, like 1,250.50'])
  expect(problemsOf({ ...draft, lines: [newLine()] }).map(({ place }) => place)).toEqual(['lines'])
})

test('typing is saved once it stops, only what changed, and is undone as one edit', async () => {
  const server = theirServer()
  const draft = createInvoiceDraft(invoice, server)
  for (const note of ['T', 'Th', 'Thanks']) draft.edit(now => ({ ...now, note }), 'note')
  expect(draft.state.get().saving).toBe('unsaved')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved).toEqual([{ note: 'Thanks' }])
  expect(draft.state.get().saving).toBe('saved')
  draft.undo()
  expect(await draft.save()).toBe(true)
  expect(server.saved).toEqual([{ note: 'Thanks' }, { note: null }])
})

test('what cannot be read is kept here and not saved', async () => {
  const server = theirServer()
  const draft = createInvoiceDraft(invoice, server)
  draft.edit(now => ({ ...now, lines: [{ ...now.lines[0]!, unit_price: '1O0' }] }), 'price')
  expect(await draft.save()).toBe(false)
  expect(draft.state.get().saving).toBe('held')
  expect(draft.state.get().history.now.lines[0]?.unit_price).toBe('1O0')
  expect(server.saved).toEqual([])
})

test('what cannot be read is not saved, also where leaving it out would change nothing', async () => {
  const draft = createInvoiceDraft(invoice, theirServer())
  draft.edit(now => ({ ...now, leadgen_credits: 'many' }))
  expect(draft.state.get().saving).toBe('unsaved')
  expect(await draft.save()).toBe(false)
  expect(draft.state.get().saving).toBe('held')
})

test('where two wrote at once, one of them decides; nobody overwrites without knowing', async () => {
  const server = theirServer()
  const draft = createInvoiceDraft(invoice, server)
  draft.edit(now => ({ ...now, note: 'Mine' }), 'note')
  server.change({ note: 'Theirs' })
  expect(await draft.save()).toBe(false)
  expect(draft.state.get().saving).toBe('conflict')
  expect(await draft.keepMine()).toBe(true)
  expect(server.saved).toEqual([{ note: 'Mine' }])
})

test('who keeps their own overwrites what both wrote, and nothing else of the other', async () => {
  const server = theirServer()
  const draft = createInvoiceDraft(invoice, server)
  draft.edit(now => ({ ...now, note: 'Mine' }), 'note')
  server.change({ note: 'Theirs', due_at: '2026-06-01T23:59:59.000Z' })
  expect(await draft.save()).toBe(false)
  expect(await draft.keepMine()).toBe(true)
  expect(server.saved).toEqual([{ note: 'Mine' }])
  expect(await server.read()).toMatchObject({ note: 'Mine', due_at: '2026-06-01T23:59:59.000Z' })
  expect(draft.state.get().history.now.due_at).toBe('2026-06-01T23:59:59.000Z')
})

test('lines of one and a note of the other are no conflict, however a number was typed and where a line is gone', async () => {
  const server = theirServer()
  const draft = createInvoiceDraft(
    server.change({ lines: [line, { ...line, description: 'Print' }] }),
    server,
  )
  draft.edit(now => ({ ...now, lines: [{ ...now.lines[0]!, unit_price: '1,000' }, now.lines[1]!] }))
  expect(await draft.save()).toBe(true)
  draft.edit(now => ({ ...now, lines: now.lines.slice(1) }))
  server.change({ note: 'Theirs' })
  expect(await draft.save()).toBe(true)
  expect(await server.read()).toMatchObject({ note: 'Theirs', lines: [{ description: 'Print' }] })
  draft.edit(now => ({ ...now, note: 'Mine' }))
  server.change({ lines: [line] })
  expect(await draft.save()).toBe(true)
  expect(await server.read()).toMatchObject({ note: 'Mine', lines: [line] })
})

test('what else changed of the invoice is no conflict', async () => {
  const server = theirServer()
  const draft = createInvoiceDraft(invoice, server)
  draft.edit(now => ({ ...now, note: 'Mine' }), 'note')
  server.change({ sent_at: '2026-05-02T00:00:00.000Z' })
  expect(await draft.save()).toBe(true)
  expect(server.saved).toEqual([{ note: 'Mine' }])
})
