import type { FormChange, FormContent, FormWithCounts } from '#domains/forms/contract.ts'
import {
  createSavedDraft,
  type DraftServer,
  type DraftState as StateOf,
  type SavedDraft,
} from '../../ui/saved-draft.ts'
import { contentOf, draftFrom } from './draft-content.ts'
import { problemsOf } from './draft-problems.ts'
import { act, begin, redo, undo, type History, type Operation } from './operations.ts'

export type DraftState = StateOf<History>

/** A form being worked on. */
export type Draft = Omit<SavedDraft<FormWithCounts, History>, 'edit'> & {
  act: (operation: Operation) => void
  undo: () => void
  redo: () => void
}

export function createDraft(form: FormWithCounts, server: DraftServer<FormWithCounts, FormChange>): Draft {
  const { edit, ...draft } = createSavedDraft(form, {
    server,
    begin,
    replaced: (history, content) => act(history, { kind: 'replace', content }),
    contentOf: (form, before) => draftFrom(ownContent(form), before?.fields),
    changesTo: (form, content) => changesTo(ownContent(form), contentOf(content)),
    hasProblems: content => problemsOf(content).length > 0,
    isSameContent,
  })
  return {
    ...draft,
    act: operation => edit(history => act(history, operation)),
    undo: () => edit(undo),
    redo: () => edit(redo),
  }
}

export function ownContent(form: FormContent): FormContent {
  const { title, description, fields, steps, submit_label, thank_you, redirect_url, field_mapping } = form
  return { title, description, fields, steps, submit_label, thank_you, redirect_url, field_mapping }
}

function changesTo(before: FormContent, after: FormContent): Partial<FormContent> {
  const keys = Object.keys(after) as (keyof FormContent)[]
  const changed = keys.filter(key => !isEqual(before[key], after[key]))
  // A mapping names fields, so the two are judged together.
  if (changed.includes('fields') && !changed.includes('field_mapping')) changed.push('field_mapping')
  return Object.fromEntries(changed.map(key => [key, after[key]]))
}

function isSameContent(one: FormContent, other: FormContent): boolean {
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
      .filter(([, each]) => each !== undefined && each !== null && each !== false)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
