import { invalid, type Fault } from '#platform/problem.ts'
import type { NewEntry } from './contract.ts'
import { templateFaults } from './whatsapp-templates.ts'

const NOT_FOR_NOTES = [
  'to',
  'message_id',
  'channel',
  'subject',
  'html',
  'mailbox_id',
  'cc',
  'bcc',
  'send_at',
  'send_anyway',
] as const

/** What only a reply can have. */
export function refuseForNotes(input: NewEntry): void {
  const message = 'is only for replies'
  const faults: Fault[] = NOT_FOR_NOTES.filter(path => input[path] !== undefined).map(path => ({
    path,
    message,
  }))
  if (input.template) faults.push(...templateFaults(input.template, message))
  if (faults.length > 0) throw invalid(faults)
}
