import type { FormChange, FormContent, FormWithCounts } from '#domains/forms/contract.ts'
import { createDraft, type Draft, type DraftServer } from '../../ui/draft/draft.ts'
import { isEqual } from '../../ui/equal.ts'
import { contentOf, draftFrom, type DraftContent } from './draft-content.ts'
import { problemsOf } from './draft-problems.ts'
import { applied, placeOf, type Operation } from './operations.ts'

/** A form being edited. */
export type FormDraft = Draft<FormWithCounts, DraftContent> & { act: (operation: Operation) => void }

export function createFormDraft(
  form: FormWithCounts,
  server: DraftServer<FormWithCounts, FormChange>,
): FormDraft {
  const draft = createDraft(form, {
    server,
    contentOf: (row: FormWithCounts, before?: DraftContent) => draftFrom(row, before?.fields),
    bodyOf: contentOf,
    changes,
    hasProblems: content => problemsOf(content).length > 0,
    together: [['fields', 'steps']],
  })
  return { ...draft, act: operation => draft.edit(now => applied(now, operation), placeOf(operation)) }
}

/** A mapping names fields, so the server gets both or neither. */
function changes(before: FormContent, after: FormContent): Partial<FormContent> {
  const names = (Object.keys(after) as (keyof FormContent)[]).filter(
    name => !isEqual(before[name], after[name]),
  )
  if (names.includes('fields') && !names.includes('field_mapping')) names.push('field_mapping')
  return Object.fromEntries(names.map(name => [name, after[name]]))
}
