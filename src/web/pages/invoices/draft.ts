import type { Invoice, InvoiceChange } from '#domains/invoices/contract.ts'
import {
  createSavedDraft,
  type DraftServer,
  type DraftState as StateOf,
  type SavedDraft,
} from '../../ui/saved-draft.ts'
import { contentOf, draftFrom, problemsOf, type Content, type DraftContent } from './draft-content.ts'

export type History = {
  past: readonly DraftContent[]
  now: DraftContent
  future: readonly DraftContent[]
  /** What the last edit was about: typing on in the same place is one edit. */
  place: string | null
}

export type DraftState = StateOf<History>

/** An invoice being written. */
export type Draft = Omit<SavedDraft<Invoice, History>, 'edit'> & {
  /** `place` is the field that is typed into; null where each edit stands for itself. */
  edit: (place: string | null, change: (now: DraftContent) => DraftContent) => void
  undo: () => void
  redo: () => void
}

const DEPTH_MAX = 100

export function createDraft(invoice: Invoice, server: DraftServer<Invoice, InvoiceChange>): Draft {
  const draft = createSavedDraft<Invoice, DraftContent, History, InvoiceChange>(invoice, {
    server,
    begin: now => ({ past: [], now, future: [], place: null }),
    replaced: (history, content) => after(history, null, content),
    contentOf: (invoice, before) => draftFrom(ownContent(invoice), before?.lines),
    changesTo: (invoice, content) => changesTo(ownContent(invoice), contentOf(content)),
    hasProblems: content => problemsOf(content).length > 0,
    isSameContent,
  })
  return {
    ...draft,
    edit: (place, change) =>
      draft.edit(history => {
        const now = change(history.now)
        return now === history.now ? history : after(history, place, now)
      }),
    undo: () => draft.edit(undo),
    redo: () => draft.edit(redo),
  }
}

function undo(history: History): History {
  const { past, now, future } = history
  const before = past.at(-1)
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future], place: null } : history
}

function redo(history: History): History {
  const { past, now, future } = history
  const [next, ...rest] = future
  return next ? { past: [...past, now], now: next, future: rest, place: null } : history
}

function after(history: History, place: string | null, now: DraftContent): History {
  if (place !== null && place === history.place) return { ...history, now, future: [] }
  return { past: [...history.past, history.now].slice(-DEPTH_MAX), now, future: [], place }
}

/** What of an invoice a person writes. */
function ownContent(invoice: Invoice): Content {
  const { lead_id, account_id, opportunity_id, customer, lines, currency } = invoice
  const { due_at, leadgen_credits, note } = invoice
  return {
    lead_id,
    account_id,
    opportunity_id,
    customer,
    lines,
    currency,
    due_at,
    leadgen_credits,
    note,
  }
}

function changesTo(before: Content, change: Content): InvoiceChange {
  const keys = Object.keys(change) as (keyof InvoiceChange)[]
  return Object.fromEntries(
    keys.filter(key => !isEqual(before[key], change[key])).map(key => [key, change[key]]),
  )
}

function isSameContent(one: Invoice, other: Invoice): boolean {
  return isEqual(ownContent(one), ownContent(other))
}

/** The database gives the names of a record back in an order of its own. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
