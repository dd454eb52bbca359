import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Agent } from '#domains/agents/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { isProblem, type FieldFault } from '../../problem.ts'
import { toast, toastFault, toastWithAction, toastWithUndo } from '../../ui/toast.ts'
import { changeOf, faultsOf, fieldsOf, placedHere, tabOf, type AgentFields } from './agent-fields.ts'
import { saveAgent } from './agent-writes.ts'
import type { AgentTab } from '../../records/agents/search.ts'
import { agents } from '../../records/agents/store.ts'

type Typed = { base: Agent; fields: AgentFields }

/** What was not saved when its page was left; whoever comes back goes on with it. */
const unsaved = new Map<string, Typed>()

export type AgentDraft = {
  fields: AgentFields
  set: (change: Partial<AgentFields>) => void
  /** What is wrong with a field, in words. */
  fault: (path: string) => string | undefined
  isChanged: boolean
  isBusy: boolean
  save: () => Promise<void>
  discard: () => void
}

/** An agent as it is typed, in whichever part of its page; it is saved when one says so, as one version. */
export function useAgentDraft(agent: Agent, show: (tab: AgentTab) => void): AgentDraft {
  const { id, name } = agent
  const navigate = useNavigate()
  const [{ base, fields }, put] = useState<Typed>(() => unsaved.get(id) ?? fresh(agent))
  const [faults, setFaults] = useState<FieldFault[]>([])
  const [isBusy, setBusy] = useState(false)
  const change = changeOf(base, fields)
  const isChanged = change !== undefined

  if (agent !== base && !isBusy) {
    // Somebody else saved it: who has typed nothing goes on with theirs, and what is not typed here is in nobody's way.
    // Where theirs is what stands here, each line stays the one it is, with what is open in it.
    if (!changeOf(agent, fields)) put({ base: agent, fields })
    else if (!isChanged) put(fresh(agent))
    else if (!changeOf(agent, fieldsOf(base))) put({ base: agent, fields })
  }

  const leave = useEffectEvent(() => {
    unsaved.delete(id)
    if (!isChanged) return
    unsaved.set(id, { base, fields })
    toastWithAction(`The changes to ${name} are not saved`, 'Go back', () => {
      void navigate({ to: patterns.agent, params: { id }, search: {} })
    })
  })
  useEffect(() => () => leave(), [])
  useEffect(() => {
    if (!isChanged) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])

  function refuse(wrong: FieldFault[]): void {
    setFaults(wrong)
    if (wrong[0]) show(tabOf(wrong[0]))
  }

  async function save(): Promise<void> {
    if (!change || isBusy) return
    const wrong = faultsOf(fields)
    if (wrong.length > 0) return refuse(wrong)
    setFaults([])
    setBusy(true)
    try {
      const before = base
      const saved = await saveAgent(id, change, base.updated_at)
      // What was typed meanwhile stays, and so do lines that were saved as they stand.
      put(now =>
        now.fields === fields && changeOf(saved, fields) ? fresh(saved) : { base: saved, fields: now.fields },
      )
      const back = changeOf(saved, fieldsOf(before))
      toastWithUndo(`Saved ${saved.name}`, async () => back && saveAgent(id, back))
    } catch (error) {
      if (isProblem(error, 412)) await meet()
      else {
        toastFault(error, 'Not saved')
        if (isProblem(error)) refuse(placedHere(error.errors, fields))
      }
    }
    setBusy(false)
  }

  /** What is saved next builds on theirs. */
  async function meet(): Promise<void> {
    const theirs = await api('GET /api/voice/agents/:id', { params: { id } })
    agents.keep(theirs)
    put({ base: theirs, fields })
    toast('Somebody changed this agent meanwhile. Save again to keep yours.')
  }

  return {
    fields,
    set(changed) {
      put({ base, fields: { ...fields, ...changed } })
      setFaults(faults.filter(({ path }) => !changes(changed, path)))
    },
    fault: path => faults.find(each => each.path === path)?.message,
    isChanged,
    isBusy,
    save,
    discard() {
      put(fresh(agent))
      setFaults([])
    },
  }
}

/** Whether what was wrong there may be right by now. */
function changes(changed: Partial<AgentFields>, path: string): boolean {
  const [field = ''] = path.split(/[.[]/)
  return field in changed || (field === 'quiet_hours' && 'outbound' in changed)
}

function fresh(agent: Agent): Typed {
  return { base: agent, fields: fieldsOf(agent) }
}
