import { isRefusal } from '#platform/problem.ts'
import type { NewLead } from '#domains/leads/contract.ts'
import { leadFaults, makeLead } from '#domains/conversations/newcomers.ts'
import { channelOf } from '#domains/conversations/model.ts'
import { nameOf } from '#domains/leads/model.ts'
import type { Done } from '../state.ts'
import type { Perform, Request } from './action.ts'
import { done, failed, refused, skipped, wordsOf } from './answers.ts'
import { asLine, ask, lineOf, type Asked } from './asked.ts'

export const HAS_LEAD = 'This run has a lead already.'
const SOURCE = 'Conversation'
const fields = ['first_name', 'last_name', 'email', 'phone', 'company', 'title', 'source'] as const

export const perform: Perform<'create_lead'> = async (ctx, requests) => {
  const answers: Done[] = []
  for (const request of await ask(ctx, requests)) answers.push(await create(request))
  return answers
}

/** What is not given is taken from who wrote: the address that is theirs, and the name they gave. */
export function given(asked: Asked<'create_lead'>): NewLead {
  const filled = fields.map(field => [field, lineOf(asked.node[field], asked)] as const)
  const own: NewLead = Object.fromEntries(filled.filter(([, value]) => value !== ''))
  const isNamed = asked.node.first_name !== undefined || asked.node.last_name !== undefined
  const isReached = asked.node.email !== undefined || asked.node.phone !== undefined
  const { name, address } = asked.facts.event
  return {
    ...(!isNamed && nameIn(name)),
    ...(!isReached && addressIn(address)),
    source: SOURCE,
    ...own,
    ...(own.email && { email: own.email.toLowerCase() }),
  }
}

/** Without either, two messages of one person would make two leads. */
export function faultIn(input: NewLead): string | undefined {
  if (!input.email && !input.phone) return 'There is no email address or phone number to create a lead with.'
  return leadFaults(input).map(wordsOf).join('; ') || undefined
}

export function calledBy({ first_name, last_name, email, phone }: NewLead): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email || phone || 'without a name'
}

async function create(request: Request<'create_lead'> & Asked<'create_lead'>): Promise<Done> {
  const { ctx, lead, run } = request
  const input = given(request)
  if (lead) return skipped(input, HAS_LEAD)
  const fault = faultIn(input)
  if (fault) return failed(input, fault)
  const conversation_id = run.subject_kind === 'conversation' ? run.subject_id : null
  try {
    const made = await ctx.attempt(() => makeLead(ctx, conversation_id, input))
    request.becomeLead(made.lead)
    const result = { lead_id: made.lead.id, ...(conversation_id && { conversation_id }) }
    const name = nameOf(made.lead)
    return done(
      input,
      result,
      made.isNew ? `Lead ${name} created.` : `Linked to the lead ${name}, who has this address.`,
    )
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refused(input, error)
  }
}

function nameIn(name: unknown): NewLead {
  if (typeof name !== 'string') return {}
  const [first_name, ...rest] = asLine(name).split(/\s+/)
  const last_name = rest.join(' ')
  return { ...(first_name && { first_name }), ...(last_name && { last_name }) }
}

function addressIn(address: unknown): NewLead {
  if (typeof address !== 'string' || address === '') return {}
  const channel = channelOf(address)
  if (channel === 'email') return { email: address.toLowerCase() }
  return channel === 'sms' ? { phone: address } : {}
}
