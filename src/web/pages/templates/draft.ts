import type { Template, TemplateChange } from '#domains/templates/contract.ts'
import { createDraft, type Draft, type DraftServer } from '../../ui/draft/draft.ts'
import { fieldsOf, type Fields } from './edits.ts'

const PAUSE_MS = 1_000

/** A template being written. Saving is explicit, since the next emails use what is saved. */
export type TemplateDraft = Draft<Template, Fields> & {
  write: (part: Partial<Fields>) => void
  isUnsaved: () => boolean
  /** The person leaves without saving. */
  giveUp: () => void
}

export function createTemplateDraft(
  template: Template,
  server: DraftServer<Template, TemplateChange>,
): TemplateDraft {
  let isGivenUp = false
  let lastMs = 0
  let turn = 0
  const draft = createDraft<Template, Fields, Fields>(template, {
    server,
    contentOf: fieldsOf,
    bodyOf: fields => fields,
    together: [['body', 'format']],
    autosave: false,
  })

  /** Of a long text, one undo takes back what was typed since the last pause, not all of it. */
  function write(part: Partial<Fields>): void {
    const now = Date.now()
    if (now - lastMs > PAUSE_MS) turn += 1
    lastMs = now
    draft.edit(fields => ({ ...fields, ...part }), `${Object.keys(part).join(' ')} ${turn}`)
  }

  return {
    ...draft,
    write,
    isUnsaved: () => !isGivenUp && draft.state.get().saving !== 'saved',
    giveUp: () => void (isGivenUp = true),
    leave: async () => isGivenUp || draft.leave(),
  }
}
