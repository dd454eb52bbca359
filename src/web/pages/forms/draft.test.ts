import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FormChange, FormWithCounts } from '#domains/forms/contract.ts'
import { ApiProblem } from '../../problem.ts'
import { createFormDraft, type FormDraft } from './draft.ts'

const first = {
  title: 'Contact',
  description: null,
  fields: [{ key: 'email', type: 'email', label: 'E-mail' }],
  steps: [],
  submit_label: 'Send',
  thank_you: 'Thank you.',
  redirect_url: null,
  field_mapping: {},
  webhook_url: null,
  updated_at: '2026-01-01T00:00:00.000Z',
} as unknown as FormWithCounts

/** A server that keeps one form and refuses what does not build on it. */
function server() {
  const sent: FormChange[] = []
  const here = {
    form: first,
    sent,
    fault: undefined as Error | undefined,
    put(change: FormChange) {
      const updated_at = new Date(Date.parse(here.form.updated_at) + 1_000).toISOString()
      return (here.form = { ...here.form, ...change, updated_at })
    },
    save: async (change: FormChange, ifMatch: string) => {
      if (here.fault) throw here.fault
      if (ifMatch !== here.form.updated_at)
        throw new ApiProblem({ status: 412, code: 'changed', title: 'Changed' })
      sent.push(change)
      return here.put(change)
    },
    read: async () => here.form,
  }
  return here
}

let own: ReturnType<typeof server>
let draft: FormDraft
const saving = () => draft.state.get().saving
const title = (text: string) => draft.act({ kind: 'set', change: { title: text } })
const quiet = () => vi.advanceTimersByTimeAsync(1_000)
beforeEach(() => {
  vi.useFakeTimers()
  own = server()
  draft = createFormDraft(first, own)
})
afterEach(() => vi.useRealTimers())

describe('a draft', () => {
  test('is saved a moment after the last edit, with what changed alone', async () => {
    title('N')
    title('New')
    expect(saving()).toBe('unsaved')
    await quiet()
    expect(own.sent).toEqual([{ title: 'New' }])
    expect(saving()).toBe('saved')
    await quiet()
    expect(own.sent.length).toBe(1)
  })

  test('undone before it was saved is not sent', async () => {
    title('New')
    draft.undo()
    expect(saving()).toBe('saved')
    await quiet()
    expect(own.sent).toEqual([])
  })

  test('waits until what is wrong is fixed', async () => {
    title('')
    await quiet()
    expect(saving()).toBe('held')
    expect(await draft.save()).toBe(false)
    title('Right')
    await quiet()
    expect(own.form.title).toBe('Right')
  })

  test('that could not be saved is kept, and saved when asked again', async () => {
    own.fault = new ApiProblem({ status: 0, code: 'unreachable', title: 'Gone' })
    title('New')
    await quiet()
    expect(saving()).toBe('failed')
    own.fault = undefined
    expect(await draft.save()).toBe(true)
    expect(own.form.title).toBe('New')
  })
})

describe('when somebody else changes the form', () => {
  test('it is shown, where nothing of ours waits', () => {
    draft.seen(own.put({ title: 'Theirs' }))
    expect(draft.state.get().history.now.title).toBe('Theirs')
    draft.undo()
    expect(draft.state.get().history.now.title).toBe('Contact')
  })

  test('another part than the content is none of our business', async () => {
    title('Mine')
    own.put({ webhook_url: 'https://example.test' })
    await quiet()
    expect(own.form.title).toBe('Mine')
    expect(saving()).toBe('saved')
  })

  test('another part of the content, both stay, also when ours is undone', async () => {
    title('Mine')
    own.put({ description: 'Theirs' })
    await quiet()
    expect(saving()).toBe('saved')
    expect(own.form).toMatchObject({ title: 'Mine', description: 'Theirs' })
    draft.undo()
    await quiet()
    expect(own.form).toMatchObject({ title: 'Contact', description: 'Theirs' })
  })

  test('parts that belong together, the person decides', async () => {
    draft.act({ kind: 'add_step', title: 'Second' })
    own.put({ fields: [] })
    await quiet()
    expect(saving()).toBe('conflict')
  })

  test('to what ours says already, it is saved', async () => {
    title('Both')
    draft.seen(own.put({ title: 'Both' }))
    expect(saving()).toBe('saved')
    await quiet()
    expect(own.sent).toEqual([])
  })

  test('the same content, neither is lost: the person decides', async () => {
    title('Mine')
    own.put({ title: 'Theirs' })
    await quiet()
    expect(saving()).toBe('conflict')
    title('Mine still')
    expect(saving()).toBe('conflict')
    await quiet()
    expect([saving(), own.form.title]).toEqual(['conflict', 'Theirs'])
    expect(await draft.keepMine()).toBe(true)
    expect(own.form.title).toBe('Mine still')
  })

  test('theirs can be taken, and ours is one undo away', async () => {
    title('Mine')
    draft.seen(own.put({ title: 'Theirs' }))
    expect(saving()).toBe('conflict')
    await draft.takeTheirs()
    expect([saving(), draft.state.get().history.now.title]).toEqual(['saved', 'Theirs'])
    draft.undo()
    expect(draft.state.get().history.now.title).toBe('Mine')
  })
})
