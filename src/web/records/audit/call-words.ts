import { fieldsIn, is, quoted, whole, type Data, type Known } from './sentence.ts'

/** Calls and call consent in the audit log. */
export const callTypes: Record<string, Known> = {
  'call.started': is('Calls', 'Call started or scheduled', ({ status, direction, kind }) => {
    if (status === 'SCHEDULED') return 'scheduled a call'
    if (kind === 'manual') return 'logged a call'
    return direction === 'inbound' ? 'received a call' : 'started a call'
  }),
  'call.connected': is('Calls', 'Call answered', () => 'reported that a call was answered'),
  'call.ended': is('Calls', 'Call ended', data =>
    data.kind === 'manual' ? 'logged a call' : `reported that a call ${endOf(data)}`,
  ),
  'call.changed': is('Calls', 'Call changed', ({ after }) => `changed ${fieldsIn(after)} of a call`),
  'call.tool_used': is(
    'Calls',
    'Tool used in a call',
    ({ tool, ok }) => `${ok === false ? 'tried' : 'used'} the tool ${quoted(tool)} in a call`,
  ),
  'call_consent.changed': is('Calls', 'Call consent changed', ({ given, source }) => {
    const what = given === true ? 'may call a lead' : 'may not call a lead'
    return `recorded that agents ${what}${source ? `, source: ${quoted(source)}` : ''}`
  }),
}

const ends: Record<string, string> = {
  NO_ANSWER: 'was not answered',
  VOICEMAIL: 'reached voicemail',
  FAILED: 'failed',
  CANCELLED: 'was cancelled',
}

function endOf({ status, durationSec }: Data): string {
  return ends[String(status)] ?? `ended${Number(durationSec) > 0 ? ` after ${whole(durationSec)} s` : ''}`
}
