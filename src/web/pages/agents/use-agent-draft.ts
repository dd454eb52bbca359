import { useNavigate } from '@tanstack/react-router'
import type { Agent, AgentChange } from '#domains/agents/contract.ts'
import { patterns } from '../../paths.ts'
import { isProblem, type FieldFault } from '../../problem.ts'
import { agents } from '../../records/agents/store.ts'
import type { AgentTab } from '../../records/agents/search.ts'
import { createDraft, differing, type Draft } from '../../ui/draft/draft.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { createStore, type Store } from '../../ui/store.ts'
import { toastWithUndo } from '../../ui/toast.ts'
import { bodyOf, faultsOf, fieldsOf, placedHere, tabOf, type AgentFields } from './agent-fields.ts'
import { saveAgent } from './agent-writes.ts'

type Own = Draft<Agent, AgentFields> & { faults: Store<readonly FieldFault[]> }

export type AgentDraft = {
  draft: Own
  fields: AgentFields
  set: (change: Partial<AgentFields>) => void
  /** What is wrong with a field, in words. */
  fault: (path: string) => string | undefined
  /** The fields say why it was not saved. */
  isExplained: boolean
  isChanged: boolean
  isBusy: boolean
  save: () => Promise<void>
  discard: () => void
}

/** The edits of an agent across all tabs; saved on request, as one version. */
export function useAgentDraft(agent: Agent, show: (tab: AgentTab) => void): AgentDraft {
  const { id } = agent
  const navigate = useNavigate()
  const draft = useDraft(agent, newDraft, () => {
    void navigate({ to: patterns.agent, params: { id }, search: {} })
  })
  const { history, saving } = draft.state.use(state => state)
  const faults = draft.faults.use(all => all)

  function refuse(wrong: readonly FieldFault[]): void {
    draft.faults.set(wrong)
    if (wrong[0]) show(tabOf(wrong[0]))
  }

  async function save(): Promise<void> {
    const { history, saved } = draft.state.get()
    if (saving === 'saved' || saving === 'saving') return
    const wrong = faultsOf(history.now)
    if (wrong.length > 0) return refuse(wrong)
    draft.faults.set([])
    // Of our edits alone: someone else's may be saved with them.
    const before: AgentChange = differing(bodyOf(history.now), bodyOf(saved))
    if (await draft.save()) {
      const { base } = draft.state.get()
      toastWithUndo(`Saved ${base.name}`, () => agents.revert(base, before))
      return
    }
    const { error } = draft.state.get()
    if (isProblem(error)) refuse(placedHere(error.errors, history.now))
  }

  return {
    draft,
    fields: history.now,
    set(changed) {
      draft.edit(fields => ({ ...fields, ...changed }), Object.keys(changed).join(' '))
      draft.faults.set(all => all.filter(({ path }) => !changes(changed, path)))
    },
    fault: path => faults.find(each => each.path === path)?.message,
    isExplained: faults.length > 0,
    isChanged: saving !== 'saved',
    isBusy: saving === 'saving',
    save,
    discard() {
      draft.discard()
      draft.faults.set([])
    },
  }
}

function newDraft(agent: Agent): Own {
  const { id } = agent
  const draft = createDraft(agent, {
    server: {
      save: (body, ifMatch) => saveAgent(id, body, ifMatch),
      read: () => agents.read(id),
    },
    contentOf: fieldsOf,
    bodyOf,
    together: [['named', 'own', 'transfer_to']],
    autosave: false,
  })
  return { ...draft, faults: createStore<readonly FieldFault[]>([]) }
}

/** Whether the change may have fixed an error at this path. */
function changes(changed: Partial<AgentFields>, path: string): boolean {
  const [field = ''] = path.split(/[.[]/)
  return field in changed || (field === 'quiet_hours' && 'outbound' in changed)
}
