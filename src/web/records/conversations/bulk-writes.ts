import type { BulkChange, Conversation } from '#domains/conversations/contract.ts'
import { LABELS_MAX } from '#domains/conversations/values.ts'
import { api } from '../../api.ts'
import { ApiProblem, inWords } from '../../problem.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { repaint } from '../cache.ts'
import { begin, end, learn } from '../edits.ts'
import { inTurn } from '../in-turn.ts'
import { refreshConversation, refreshLists } from './refresh.ts'
import { conversations } from './store.ts'
import { conversationName, shortDayAndTime } from './words.ts'

const NAMED_MAX = 3

type Change = Omit<BulkChange, 'ids'>
type Many = readonly Conversation[]
/** The IDs of those that could not be changed. */
type Failed = string[]
type Failure = { id: string; detail: string }
type Saved = { data: Conversation[]; failed: Failure[] }

export function closeMany(all: Many): Promise<Failed> {
  return changeMany(all, { state: 'CLOSED', snoozed_until: null }, many => `${many} closed`)
}

export function reopenMany(all: Many): Promise<Failed> {
  return changeMany(all, { state: 'OPEN', snoozed_until: null }, many => `${many} reopened`)
}

export function snoozeMany(all: Many, until: string): Promise<Failed> {
  const when = shortDayAndTime(until, Date.now())
  const change = { state: 'SNOOZED', snoozed_until: until } as const
  return changeMany(all, change, many => `${many} snoozed until ${when}`)
}

export function assignMany(all: Many, assignee_id: string | null, name: string): Promise<Failed> {
  const say = (many: number) => (assignee_id ? `${many} assigned to ${name}` : `${many} assigned to nobody`)
  return changeMany(all, { assignee_id }, say)
}

/** Removes a label that all of them have, or else adds it to those that do not have it. */
export function labelMany(all: Many, label: string): Promise<Failed> {
  const without = all.filter(({ labels }) => !labels.includes(label))
  if (without.length === 0)
    return changeMany(all, { remove_labels: [label] }, many => `Label “${label}” removed from ${many}`)
  return changeMany(without, { add_labels: [label] }, many => `Label “${label}” added to ${many}`)
}

/** One change of many conversations, shown at once. Those it does not reach are named; the others can be undone. */
async function changeMany(all: Many, change: Change, say: (many: number) => string): Promise<Failed> {
  const differing = all.filter(each => !isSo(each, change))
  if (differing.length === 0) {
    toast('Nothing to change')
    return []
  }
  const { data, failed } = await save(differing, change)
  const failedIds = new Set(failed.map(({ id }) => id))
  const before = differing.filter(({ id }) => !failedIds.has(id))
  if (data.length > 0) toastWithUndo(say(data.length), () => takeBack(before, change))
  if (failed.length > 0) toastFailures(differing, failed)
  return [...failedIds]
}

/** "2 could not be changed: Ada, Bob. No such conversation." */
function toastFailures(all: Many, failed: readonly Failure[]): void {
  const names = new Map(all.map(each => [each.id, conversationName(each)]))
  const reasons = Map.groupBy(failed, ({ detail }) => detail)
  const sentences = [...reasons].map(([detail, own]) => {
    const named = own.slice(0, NAMED_MAX).map(({ id }) => names.get(id) ?? 'Unknown')
    const more = own.length - named.length
    return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ${detail}`
  })
  const detail = `${failed.length} could not be changed: ${sentences.join(' ')}`
  toastFault(new ApiProblem({ status: 409, code: 'conflict', title: detail, detail }))
}

/** Makes each what it was before. What somebody has changed since stays as it is. */
async function takeBack(before: Many, change: Change): Promise<boolean> {
  const left = before.filter(({ id }) => {
    const now = conversations.known(id)
    return now === undefined || isSo(now, change)
  })
  const failed: Failure[] = []
  for (const [back, records] of backwards(left, change)) failed.push(...(await save(records, back)).failed)
  if (failed.length > 0) toastFailures(before, failed)
  const others = before.length - left.length
  if (others > 0) toast(`${plural(others, 'conversation')} changed since, and left as it is now`)
  return failed.length + others === 0
}

/** The changes that lead back, each with those it is for. */
function backwards(before: Many, change: Change): Map<Change, Many> {
  const { add_labels, remove_labels } = change
  if (add_labels) return new Map([[{ remove_labels: add_labels }, before]])
  if (remove_labels) return new Map([[{ add_labels: remove_labels }, before]])
  const groups = Map.groupBy(before, each => JSON.stringify(backOf(each, change)))
  return new Map([...groups].map(([back, records]) => [JSON.parse(back) as Change, records]))
}

function backOf({ state, snoozed_until, assignee_id }: Conversation, change: Change): Change {
  if ('assignee_id' in change) return { assignee_id }
  const isOver = state === 'SNOOZED' && Date.parse(snoozed_until ?? '') <= Date.now()
  return isOver ? { state: 'OPEN', snoozed_until: null } : { state, snoozed_until }
}

/** Saves it after what is on its way already. If the request fails, all of them have failed. */
async function save(all: Many, change: Change): Promise<Saved> {
  const ids = all.map(({ id }) => id)
  const edits = all.map(each => begin(versioned(each), (now: Conversation) => changed(now, change)))
  repaint(...ids)
  try {
    const answer = await afterAll(ids.toSorted(), () =>
      api('POST /api/conversations/bulk', { body: { ids, ...change } }),
    )
    for (const saved of answer.data) learn(versioned(saved))
    return { ...answer, failed: answer.failed.map(({ at, detail }) => ({ id: ids[at]!, detail })) }
  } catch (error) {
    const detail = inWords(error)
    return { data: [], failed: ids.map(id => ({ id, detail })) }
  } finally {
    for (const edit of edits) end(edit)
    repaint(...ids)
    void refreshLists()
    for (const id of ids) void refreshConversation(id)
  }
}

/** In the order of the IDs, so that no two wait for each other. */
function afterAll<T>([first, ...others]: readonly string[], act: () => Promise<T>): Promise<T> {
  return first === undefined ? act() : inTurn(first, () => afterAll(others, act))
}

/** Whether it is unread is about the person. */
function versioned({ unread: _unread, ...conversation }: Conversation) {
  return conversation
}

function changed(now: Conversation, { add_labels, remove_labels, ...fields }: Change): Conversation {
  const kept = now.labels.filter(label => !remove_labels?.includes(label))
  const labels = [...new Set([...kept, ...(add_labels ?? [])])]
  return { ...now, ...fields, labels: labels.length > LABELS_MAX ? now.labels : labels }
}

/** Whether there is nothing to change. */
function isSo(now: Conversation, { add_labels = [], remove_labels = [], ...fields }: Change): boolean {
  return (
    add_labels.every(label => now.labels.includes(label)) &&
    !remove_labels.some(label => now.labels.includes(label)) &&
    Object.entries(fields).every(([field, value]) => now[field as keyof Conversation] === value)
  )
}
