import type { Context } from '#platform/context.ts'
import type { CustomField } from '#platform/custom-fields.ts'
import { Problem } from '#platform/problem.ts'
import { schemaCheck, type FaultsOf } from '#platform/schema-check.ts'
import { changeAccount, getSettings as accountSettings } from '#domains/accounts/service.ts'
import { changeLeads, recentSettings } from '#domains/leads/service.ts'
import { changeOpportunity } from '#domains/opportunities/service.ts'
import { changeTask } from '#domains/projects/tasks.ts'
import type { Done } from '../state.ts'
import { fillText } from '../texts.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed, refused, wordsOf } from './answers.ts'
import { ask, type Asked } from './asked.ts'
import {
  fieldFault,
  fieldName,
  recordSchemas,
  recordWords,
  type RecordKind as Kind,
} from './record-fields.ts'

type Field = Asked<'update_field'>
type Wanted = Request<'update_field'> & Field
type Change = Record<string, unknown>

export const perform: Perform<'update_field'> = async (ctx, requests) => {
  const wanted = await ask(ctx, requests)
  const custom = await customFields(ctx, wanted)
  const ofLeads: { request: Wanted; change: Change }[] = []
  const answers = new Map<Wanted, Done>()
  for (const request of wanted) {
    const input = given(request)
    const id = targetOf(request)
    const change = changeOf(input, custom[input.record])
    if (typeof change === 'string') answers.set(request, failed(input, change))
    else if (id === undefined) answers.set(request, absent(input))
    else if (input.record === 'lead') ofLeads.push({ request, change })
    else {
      await changers[input.record](request.ctx, id, change)
      answers.set(request, said(input, id))
    }
  }
  const leads = await changeLeads(
    ctx,
    ofLeads.map(({ request, change }) => ({ ctx: request.ctx, id: request.lead!.id, change })),
  )
  for (const [at, lead] of leads.entries()) {
    const { request } = ofLeads[at]!
    const input = given(request)
    if (!(lead instanceof Problem)) request.setLead(lead)
    answers.set(request, lead instanceof Problem ? refused(input, lead) : said(input, lead.id))
  }
  return wanted.map(request => answers.get(request)!)
}

/** A text that was left empty takes the value away; one of which nothing is left does not. */
export function given({ node, facts, values }: Field) {
  const { value } = node
  const record: Kind = node.record ?? 'lead'
  const isText = typeof value === 'string' && value !== ''
  return {
    record,
    field: fieldName(record, node.field!),
    value: isText ? fillText(value, facts, values) : value === '' || value === undefined ? null : value,
  }
}

/** What is to be changed, or why it cannot be. Only what a person may write can be written. */
export function changeOf(
  { record, field, value }: ReturnType<typeof given>,
  custom: readonly CustomField[] = [],
): Change | string {
  const fault = fieldFault(record, field)
  if (fault) return `${field}: ${fault}`
  const [first, key] = field.split('.') as [string, string | undefined]
  if (value === '') return `${field}: must not be empty`
  const kind = custom.find(candidate => candidate.key === key)?.kind
  const found = spellings(value, kind).map(value => {
    const change = key !== undefined ? { custom: { [key]: value } } : { [first]: value }
    return { change, wrong: checks[record](change) }
  })
  const right = found.find(({ wrong }) => wrong.length === 0)
  return right ? right.change : found[0]!.wrong.map(wordsOf).join('; ')
}

/** Leads are changed many at a time. */
const changers = { opportunity: changeOpportunity, task: changeTask, account: changeAccount }

const checks = Object.fromEntries(
  Object.entries(recordSchemas).map(([record, schema]) => [record, schemaCheck(schema)]),
) as Record<Kind, FaultsOf>

/** A placeholder's value is text, perhaps with several lines; a number may be given for a text field. */
function spellings(value: unknown, kind: CustomField['kind'] | undefined): unknown[] {
  if (typeof value === 'string' && kind === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value))
    return [Number(value)]
  if (typeof value === 'string' && kind === 'checkbox' && /^(?:true|yes|false|no)$/i.test(value))
    return [/^(?:true|yes)$/i.test(value)]
  if (typeof value === 'number') return [value, String(value)]
  return typeof value === 'string' ? [value, value.replace(/\p{Cc}+/gu, ' ').trim()] : [value]
}

export async function customFields(
  ctx: Context,
  wanted: readonly Pick<Wanted, 'node'>[],
): Promise<Partial<Record<Kind, CustomField[]>>> {
  const records = new Set(wanted.map(({ node }) => node.record ?? 'lead'))
  return {
    ...(records.has('lead') && { lead: (await recentSettings(ctx)).custom_fields }),
    ...(records.has('account') && { account: (await accountSettings(ctx)).custom_fields }),
  }
}

/** The record itself: the lead, what the run is about, or the account of the lead. */
function targetOf({ node, lead, run }: Wanted): string | undefined {
  const record = node.record ?? 'lead'
  if (record === 'lead') return lead?.id
  if (run.subject_kind === record && run.subject_id) return run.subject_id
  return record === 'account' ? (lead?.account_id ?? undefined) : undefined
}

function absent(input: ReturnType<typeof given>): Done {
  if (input.record === 'lead') return { ...NO_LEAD, input }
  const account = input.record === 'account'
  return failed(
    input,
    account ? 'The lead has no account.' : `The event is not about ${recordWords[input.record]}.`,
  )
}

function said(input: ReturnType<typeof given>, id: string): Done {
  const { record, field, value } = input
  return done(input, { [`${record}_id`]: id }, value === null ? `${field} cleared.` : `${field} set.`)
}
