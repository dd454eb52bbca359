import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { isProblem } from '../problem.ts'
import { queryClient } from '../query-client.ts'
import { toast, toastFault, toastWithAction, toastWithUndo } from '../ui/toast.ts'
import { known as knownBelow, knownWhole, patch, put, repaint } from './cache.ts'
import { askWhich } from './conflicts.ts'
import { begin, end, learn, truthOf } from './edits.ts'
import { inTurn } from './in-turn.ts'
import { differing, reversed, rulesOf, type Kind } from './kind.ts'
import type { Kept } from './walk.ts'

/** The toast after a change, with Undo; "plain" has no Undo, null shows no toast. */
type Say = string | { plain: string } | null

type Rest = { body?: object; ifMatch?: string; signal?: AbortSignal }

/**
 * The records of one kind, for every list, board and page that shows them. A change is shown everywhere immediately,
 * saved with the version it was made on, merged with changes by others, and can be undone.
 */
export function recordStore<T extends Kept, Change extends object>(kind: Kind<T, Change>) {
  const rules = rulesOf(kind)
  const { path, keys, one, nameOf, refresh, refreshChanged } = rules

  function known(id: string): T | undefined {
    return knownBelow<T>(id, keys)
  }

  function query(id: string) {
    return queryOptions({
      queryKey: [...keys[0], 'one', id],
      queryFn: ({ signal }) => ask<T>('GET', id, '', { signal }),
    })
  }

  async function find(id: string): Promise<T> {
    return knownWhole<T>(id) ?? (await queryClient.fetchQuery(query(id)))
  }

  /** True if it was saved. Otherwise the saved state is shown again, and the person saw why. */
  async function change(id: string, wanted: Change, say: Say): Promise<boolean> {
    try {
      return await changeOrThrow(id, wanted, say)
    } catch (error) {
      toastFault(error, "Couldn't save", () => void change(id, wanted, say))
      return false
    }
  }

  /** The same for a field that shows errors itself. False if the person chose the other version. */
  async function changeOrThrow(id: string, wanted: Change, say: Say): Promise<boolean> {
    const done = await save(id, wanted)
    if (done) tell(say, () => takeBack(id, wanted, done.before))
    return done !== undefined
  }

  /** The same without a toast. Throws if it was refused; undefined if the person chose the other version. */
  async function save(id: string, wanted: Change): Promise<{ saved: T; before: Change } | undefined> {
    const record = await find(id)
    const before = reversed(rules, record, wanted)
    const edit = lay(record, now => rules.changed(now, wanted))
    repaint(id)
    try {
      const saved = await inTurn(id, () => send(record, wanted, before))
      return saved && { saved, before }
    } finally {
      end(edit)
      repaint(id)
      void refreshChanged()
    }
  }

  /** One change of many records, shown immediately. `act` saves it in one request. */
  async function saveMany(records: readonly T[], wanted: Change, act: () => Promise<T[]>): Promise<void> {
    const ids = records.map(({ id }) => id)
    const edits = records.map(record => lay(record, now => rules.changed(now, wanted)))
    repaint(...ids)
    try {
      for (const saved of await act()) learn(rules.versioned(saved))
    } finally {
      for (const edit of edits) end(edit)
      repaint(...ids)
    }
  }

  /** The merge rule: changes of other fields are kept; for the same fields the person chooses. */
  async function send(record: T, wanted: Change, before: Change): Promise<T | undefined> {
    const { id } = record
    const body = rules.bodyOf(wanted)
    try {
      return await sent(id, body, (truthOf(id) ?? record).updated_at)
    } catch (error) {
      if (!isProblem(error, 412)) throw error
    }
    const theirs = await ask<T>('GET', id)
    put(rules.versioned(theirs))
    const contested = differing(rules, theirs, before).filter(field =>
      differing(rules, theirs, wanted).includes(field),
    )
    if (contested.length > 0 && (await which(theirs, wanted, contested)) === 'theirs') return undefined
    return sent(id, body, theirs.updated_at)
  }

  /** The next change of the record builds on the version made by this one. */
  async function sent(id: string, body: object, ifMatch: string): Promise<T> {
    const saved = await ask<T>('PATCH', id, '', { body, ifMatch })
    learn(rules.versioned(saved))
    return saved
  }

  function which(theirs: T, wanted: Change, contested: string[]) {
    return askWhich({
      one,
      name: nameOf(theirs),
      fields: contested.map(field => ({
        label: rules.labelOf(field),
        mine: rules.textOf((wanted as Record<string, unknown>)[field] ?? null, field),
        theirs: rules.textOf(rules.valueOf(theirs, field), field),
      })),
    })
  }

  /** Asks before undoing a change that someone has overwritten since. */
  async function takeBack(id: string, done: Change, before: Change): Promise<boolean> {
    // A list that nobody looks at may be older than the page.
    const now = knownWhole<T>(id)
    if (!now || differing(rules, now, done).length === 0) return change(id, before, null)
    toastWithAction(`${nameOf(now)} has changed since.`, 'Undo anyway', () => void change(id, before, null))
    return false
  }

  /** For editors that save on their own version. Lists follow through the stream. */
  async function write(id: string, call: () => Promise<T>): Promise<T> {
    return keep(await inTurn(id, call))
  }

  /** For the same editors: what someone else saved meanwhile is shown everywhere. */
  async function read(id: string): Promise<T> {
    return keep(await ask<T>('GET', id))
  }

  /** Undoes what such an editor saved; asks first if someone has overwritten it since. */
  function revert(saved: T, before: Change): Promise<boolean> {
    return takeBack(saved.id, reversed(rules, saved, before), before)
  }

  /** Any other action that returns the record. `shown` is applied until the response arrives. */
  async function act(id: string, call: () => Promise<T>, shown?: Partial<T>): Promise<T> {
    const record = shown && knownWhole<T>(id)
    const edit = record && lay(record, now => ({ ...now, ...shown }))
    if (edit) repaint(id)
    try {
      return await write(id, call)
    } finally {
      if (edit) end(edit)
      repaint(id)
      void refresh()
    }
  }

  /** Shows the record from a response everywhere. */
  function keep(record: T): T {
    const told = rules.versioned(record)
    put(told)
    queryClient.setQueryData<T>(query(record.id).queryKey, before =>
      before ? { ...before, ...told } : record,
    )
    return record
  }

  function lay(record: T, over: (now: T) => T) {
    return begin(rules.versioned(record), over)
  }

  async function create(body: object): Promise<T> {
    const made = keep(await ask<T>('POST', '', '', { body }))
    void refresh()
    return made
  }

  /** Moves the record to the trash, with Undo. */
  async function trash(
    record: Pick<T, 'id'>,
    say = `Moved ${nameOf(record as T)} to the trash`,
    undo: () => Promise<unknown> = () => bringBack(record.id),
  ): Promise<boolean> {
    const { id } = record
    try {
      await ask('DELETE', id)
      patch(id, { deleted_at: new Date().toISOString() })
      toastWithUndo(say, undo)
      return true
    } catch (error) {
      toastFault(error, "Couldn't move to trash")
      return false
    } finally {
      void refresh()
    }
  }

  async function restore(id: string): Promise<boolean> {
    try {
      toast(`Restored ${nameOf(await bringBack(id))}`)
      return true
    } catch (error) {
      toastFault(error, "Couldn't restore")
      return false
    }
  }

  async function bringBack(id: string): Promise<T> {
    const record = keep(await ask<T>('POST', id, '/restore'))
    void refresh()
    return record
  }

  async function ask<Answer>(method: string, id: string, then = '', rest: Rest = {}): Promise<Answer> {
    const endpoint = `${method} ${path}${id && '/:id'}${then}`
    return (await api(endpoint as never, { ...(id && { params: { id } }), ...rest } as never)) as Answer
  }

  return {
    query,
    known,
    find,
    change,
    changeOrThrow,
    save,
    saveMany,
    write,
    read,
    revert,
    act,
    keep,
    create,
    trash,
    restore,
    bringBack,
    refresh,
  }
}

function tell(say: Say, undo: () => Promise<boolean>): void {
  if (typeof say === 'string') toastWithUndo(say, undo)
  else if (say) toast(say.plain)
}
