import autocannon from 'autocannon'
import type pg from 'pg'
import { newId } from '#platform/ids.ts'
import { signedHeaders, type signingKey } from '#platform/signature.ts'
import { steady } from './steady.ts'

type Key = ReturnType<typeof signingKey>

const PATH = '/api/voice/engage/webhook'
const CONNECTIONS = 64
const STAGES = ['New', 'Contacted', 'Engage_AI', 'Engage_Human', 'Qualified']

/** A condition that holds, a task and a field of the lead. */
export async function addCallWorkflow(url: string, apiKey: string): Promise<void> {
  const nodes = [
    { type: 'condition', field: 'durationSec', op: '>', value: 120 },
    { type: 'action', action: 'create_task', due: '2d', title: 'Follow up with {{fullName}}' },
    { type: 'action', action: 'update_field', field: 'pipeline_stage', value: '{{event.stage}}' },
  ]
  const response = await fetch(`${url}/api/crm/workflows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', trigger: 'webhook:call_ended', nodes, status: 'ACTIVE' }),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

/** Exactly so many, as fast as they are taken. */
export async function sendCalls(url: string, key: Key, leads: readonly string[], amount: number) {
  const result = await autocannon({
    url: url + PATH,
    method: 'POST',
    connections: CONNECTIONS,
    amount,
    requests: [
      { method: 'POST', path: PATH, setupRequest: request => ({ ...request, ...callEnded(key, leads) }) },
    ],
  })
  const wrong = result.non2xx + result.errors
  if (wrong > 0) throw new Error(`${wrong} requests failed`)
}

/** One after the other at an even pace, as they come in life. */
export async function sendCallsEvenly(
  url: string,
  key: Key,
  leads: readonly string[],
  pace: { perSecond: number; seconds: number },
) {
  await steady(url, pace, () => ({ method: 'POST', path: PATH, ...callEnded(key, leads) }))
}

/** Whether anything is due now or soon, asked of the indexes: counting what sleeps would take the time that is measured. */
export async function isBusy(db: pg.Client): Promise<boolean> {
  const due = (lane: string) =>
    `exists (select from jobs where state = 'ready' and ${lane} and run_at < now() + interval '1 hour')`
  return (await db.query(`select ${due('not outgoing')} or ${due('outgoing')} as busy`)).rows[0].busy
}

function callEnded(key: Key, leads: readonly string[]) {
  const eventId = newId()
  const leadId = leads[Math.floor(Math.random() * leads.length)]
  const stage = STAGES[Math.floor(Math.random() * STAGES.length)]
  const data = { callId: eventId, leadId, durationSec: 200, outcome: 'completed', stage }
  const body = JSON.stringify({ eventId, type: 'call_ended', data })
  const signature = signedHeaders([key], eventId, Date.now(), body)
  return { body, headers: { 'content-type': 'application/json', ...signature } }
}
