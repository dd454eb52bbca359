import type { Call, Consent, NewCall } from '#domains/calls/contract.ts'
import type { NewSession, Session } from '#domains/softphone/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { refreshTimeline } from '../leads/timeline-cache.ts'
import { consentQuery } from './calls-cache.ts'
import { calls } from './store.ts'

/** Lets an agent call, now or later. Throws if refused, with the reason as the code of the problem. */
export async function startCall(body: NewSession): Promise<Session> {
  const session = await api('POST /api/softphone/sessions', { body })
  void calls.refresh()
  return session
}

/** Ends a live call or cancels a scheduled one. For a call without an agent it only records the end. */
export async function endCall({ id, kind }: Pick<Call, 'id' | 'kind'>): Promise<void> {
  if (kind === 'agent') await api('POST /api/softphone/sessions/:id/stop', { params: { id } })
  else await calls.save(id, { status: 'ENDED' })
  void calls.refresh()
}

export async function whisper(id: string, text: string): Promise<boolean> {
  try {
    await api('POST /api/softphone/sessions/:id/prompts', { params: { id }, body: { text } })
    return true
  } catch (error) {
    toastFault(error, "Couldn't whisper to the agent")
    return false
  }
}

export async function logCall(body: NewCall): Promise<Call> {
  const call = await calls.create(body)
  refreshTimeline(body.lead_id)
  return call
}

type Wish = { given: boolean; source: string; note?: string }

/** Shown immediately, and reverted if the server refuses it. */
export async function setConsent(lead_id: string, wish: Wish): Promise<void> {
  const { queryKey } = consentQuery(lead_id)
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<Consent>(queryKey)
  const { given, source, note = null } = wish
  queryClient.setQueryData<Consent>(queryKey, { lead_id, given, source, note, at: new Date().toISOString() })
  try {
    queryClient.setQueryData(
      queryKey,
      await api('PUT /api/voice/consents/:lead_id', { params: { lead_id }, body: wish }),
    )
    refreshTimeline(lead_id)
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  }
}

/** Records it, with an undo if there was a decision before. */
export async function changeConsent(lead_id: string, wish: Wish): Promise<void> {
  const before = queryClient.getQueryData<Consent>(consentQuery(lead_id).queryKey)
  await setConsent(lead_id, wish)
  const { given, source, note } = before ?? {}
  if (typeof given !== 'boolean' || !source) return
  toastWithUndo(wish.given ? 'Consent recorded' : 'Opt-out recorded', () =>
    setConsent(lead_id, { given, source, ...(note && { note }) }),
  )
}
