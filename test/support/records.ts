import { createECDH } from 'node:crypto'
import { DEFAULT_LIMITS } from '#domains/agents/values.ts'
import { pngOf } from '#domains/chat/picture.harness.ts'
import { leaveMessageAsVisitor } from '#domains/chat/sessions.ts'
import { grantCredits } from '#domains/credits/service.ts'
import { connectEndpoint, deliver, findEndpointOf } from '#domains/deliveries/service.ts'
import { recount } from '#domains/leads/counts.ts'
import { correctStates } from '#domains/leads/states.ts'
import { createLead } from '#domains/leads/service.ts'
import { writeMessages } from '#domains/messages/compose.ts'
import { notify } from '#domains/notifications/service.ts'
import { hashOf } from '#platform/bearer.ts'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import type { Person, TestApp } from './app.ts'
import type { Client, Reply } from './client.ts'
import { colleagueOf } from './colleague.ts'
import { pathOf, type Operation } from './operations.ts'
import { isId, sampleOf, takes, type Schema } from './samples.ts'

/** After leads were written by SQL: their counts and states are kept by the program, and corrected by the housekeeping. */
export async function recountLeads({ runtime, database }: TestApp): Promise<void> {
  // These databases gather no statistics by themselves: the housekeeping would compare each of the leads with each state.
  await database.query('analyze leads')
  await database.query(
    `insert into lead_states select team_id, id, pipeline_stage, status, call_status, created_at, updated_at, activity_key
     from leads where deleted_at is null on conflict do nothing`,
  )
  await database.query('analyze lead_states')
  for (const { id } of await database.query<{ id: string }>('select id from teams')) {
    const ctx = systemContext(runtime).forTeam(id)
    await recount(ctx)
    await correctStates(ctx)
  }
}

/** What a team has, one record of each collection, made by the create operations of the OpenAPI document. */
export type Records = {
  person: Person
  /** Why a collection has no record; empty when everything could be made. */
  gaps: Map<string, string>
  /** The id that belongs in this field of this operation; undefined where the team has none of the kind. */
  idFor(operation: Operation, field: string): string | undefined
  /** A request that should succeed: own ids in the address and wherever the body has room for one. */
  request(operation: Operation): { path: string; body: unknown }
  /** Makes the record that the operation works on anew, for one that uses it up. */
  renew(operation: Operation): Promise<void>
  /** What `send` is answered; where an earlier request used the record up, what it is answered with a new one. */
  withRecord(operation: Operation, send: () => Promise<Reply>): Promise<Reply>
  all(): string[]
}

/** Collections without a create operation get their record from here. */
const seeds: Record<string, (app: TestApp, person: Person, operation?: Operation) => Promise<string>> = {
  '/api/jobs/dead': async (app, { team_id }) => {
    const id = newId()
    await app.database.query(
      `insert into jobs (id, kind, team_id, run_at, attempts, state, last_error, failed_at)
       values ($1, 'test.broken', $2, now(), 10, 'dead', 'it broke', now())`,
      [id, team_id],
    )
    return id
  },
  '/api/auth/sessions': async (app, { user_id, team_id }) => {
    const id = newId()
    await app.database.query(
      `insert into sessions (id, user_id, team_id, created_at, last_seen_at, expires_at)
       values ($1, $2, $3, now(), now(), now() + interval '300 years')`,
      [id, user_id, team_id],
    )
    return id
  },
  '/api/crm/imports': async (_, { browser }) => {
    const reply = await browser.post('/api/crm/imports', fileFor('text/csv'))
    return reply.body.id as string
  },
  '/api/files': async (_, { browser }) =>
    (await browser.post('/api/files', fileFor('*/*'))).body.id as string,
  '/api/webhooks/inbox': async (app, { team_id }) => {
    const id = newId()
    await app.database.query(
      `insert into inbound_events (id, endpoint, event_id, type, team_id, body, status, received_at)
       values ($1, 'voice', $1, 'call_ended', $2, '{}', 'waiting', now())`,
      [id, team_id],
    )
    return id
  },
  '/api/webhooks/endpoints': async (_, { ctx }) => {
    const owner = { kind: 'form' as const, id: newId() }
    const to = { name: 'Contact', url: 'https://receiver.example.test/' }
    await ctx.transaction(ctx => connectEndpoint(ctx, owner, to))
    return (await findEndpointOf(ctx, owner))!.id
  },
  '/api/webhooks/deliveries': async (_, { ctx }) => {
    const owner = { kind: 'form' as const, id: newId() }
    const to = { name: 'Contact', url: 'https://receiver.example.test/' }
    return ctx.transaction(async ctx => {
      await connectEndpoint(ctx, owner, to)
      return (await deliver(ctx, owner, { event_id: newId(), type: 'form.submitted', data: {} }))!
    })
  },
  '/api/crm/notes': async (_, { browser }) => {
    const lead = await browser.post('/api/crm/leads', { email: `noted${newId()}@example.test` })
    const note = await browser.post(`/api/crm/leads/${lead.body.id}/notes`, { text: 'Called back' })
    return note.body.id as string
  },
  // With everything below it: a version and a submission.
  '/api/crm/forms': async (_, { browser }) => (await formWithSubmission(browser)).form_id,
  '/api/crm/submissions': async (_, { browser }) => (await formWithSubmission(browser)).submission_id,
  // One whose first step is far away, with an icebreaker for it.
  '/api/outreach/sequences': async (_, { browser }) => (await enrolledLead(browser)).sequence_id,
  '/api/outreach/enrolments': async (app, { browser, team_id }) => {
    const { id } = await enrolledLead(browser)
    await app.database.query(
      `insert into icebreakers (team_id, enrolment_id, step_index, text, prompt, model, tokens_in, tokens_out, created_at)
       values ($1, $2, 0, 'Hello', 'Write', 'rules-1', 0, 0, now())`,
      [team_id, id],
    )
    return id
  },
  // One that failed can be sent again, one that waits can be given up.
  '/api/outreach/messages': async (app, { ctx }, operation) => {
    const id = newId()
    const address = `to${id}@example.test`
    const content = { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', thread: [], meeting_url: null }
    await ctx.transaction(async ctx => {
      const lead = await createLead(ctx, { email: address })
      const origin = { source_kind: 'person' as const, source_id: null, source_name: null }
      const track = { opens: true, clicks: true }
      writeMessages(ctx, { emails: [{ id, lead_id: lead.id, address, ...content, track, origin }] })
    })
    const status = operation?.path.endsWith('/cancel') ? 'DUE' : 'FAILED'
    await app.database.query('update messages set status = $2 where id = $1', [id, status])
    return id
  },
  // With a run, as it takes a workflow time to have one.
  '/api/crm/workflows': async (app, person) => (await workflowWithRun(app, person, 'DONE')).workflow_id,
  // With a web chat, a reply that can still be cancelled, and a message that an agent was asked to answer.
  '/api/conversations': async (app, { browser, ctx, team_id }) => {
    const to = `c${newId()}@example.test`
    const widget = await browser.post('/api/chat/widgets', CHAT_WIDGET)
    await leaveMessageAsVisitor(ctx, widget.body, { mail: to }, 'Hello')
    const { body } = await browser.post('/api/conversations', { ...LETTER, channel: 'email', to })
    await app.database.query(
      `insert into conversation_agent_turns (team_id, id, conversation_id, entry_id, agent_id, agent_name, mode, outcome, asked,
         sources, tools, tokens_in, tokens_out, created_at)
       values ($1, $2, $3, $2, $2, 'Ava', 'draft', 'nothing', 'Hello', '[]', '[]', 0, 0, now())`,
      [team_id, newId(), body.id],
    )
    return body.id as string
  },
  '/api/chat': async (_, { browser }) => (await browser.post('/api/chat/widgets', CHAT_WIDGET)).body.id,
  '/api/conversations/messages': async (app, { team_id }) => {
    const [reply] = await app.database.query<{ message_id: string }>(
      'select message_id from conversation_replies where team_id = $1 order by message_id desc limit 1',
      [team_id],
    )
    return reply!.message_id
  },
  // Each operation on a run needs one that stands where it can be done.
  '/api/crm/workflows/runs': async (app, person, operation) => {
    const statuses = { pause: 'RUNNING', resume: 'PAUSED', retry: 'FAILED', cancel: 'RUNNING' }
    const doing = operation?.path.split('/').at(-1) as keyof typeof statuses
    return (await workflowWithRun(app, person, statuses[doing] ?? 'DONE')).run_id
  },
  '/api/notifications': async (_, { ctx, user_id }) => {
    const source = { kind: 'workflow', id: null, name: null }
    const [id] = await ctx.transaction(ctx => notify(ctx, { user_ids: [user_id], title: 'Look', source }))
    return id!
  },
  // One that is sold and waits to be claimed; its key follows from its seller.
  '/api/agents/deployments': async (app, { team_id }) => {
    const id = newId()
    await app.database.query(
      `with settlement as (insert into settlements (id, network, tx_hash, team_id, purpose, subject_id, challenge_id, payer,
         recipient, token, asked, amount, block_number, block_hash, block_time, state, checked_at, created_at, updated_at)
         values ($1, 'eip155:31337', '0x' || $3 || repeat('0', 40), $2, 'agent', $3, 'c', '0x1', '0x2', '0x3', 1, 1, 1, '0x4',
           now(), 'FINAL', now(), now(), now()) returning id)
       insert into deployments (id, settlement_id, agent_id, seller_team_id, payer, key_hash, agent, limits, created_at)
       select $3, id, $3, $2, '0x1', $4, $5, $6, now() from settlement`,
      [newId(), team_id, id, hashOf(deploymentKey(team_id)), DEPLOYED, DEFAULT_LIMITS],
    )
    return id
  },
  // A draft, or where the operation needs it an open one; with a payment about which somebody has to decide.
  '/api/crm/invoices': async (app, { browser, team_id }, operation) => {
    const draft = await browser.post('/api/crm/invoices', { lines: INVOICE_LINES, customer: CUSTOMER })
    const id = draft.body.id as string
    if (/\/(?:void|payments|resolution)$/.test(operation?.path ?? ''))
      await browser.post(`/api/crm/invoices/${id}/open`)
    // What is sent can be paid somehow.
    if (operation?.path.endsWith('/send')) await browser.patch('/api/crm/invoices/settings', { bank: BANK })
    await app.database.query(
      `insert into invoice_payments (team_id, id, invoice_id, method, reference, amount, currency, applied, issue,
         received_at, created_at)
       values ($1, $2, $3, 'manual', 'seed', 5, 'EUR', 0, 'wrong_currency', now(), now())
       on conflict (team_id, id) do update set invoice_id = excluded.invoice_id, resolution = null`,
      [team_id, paymentIdOf(team_id), id],
    )
    return id
  },
  '/api/crm/invoices/payments': async (_, { team_id }) => paymentIdOf(team_id),
  // One that goes on, and to which nobody here attends.
  '/api/softphone/sessions': async (app, { team_id }) => {
    const id = newId()
    await app.database.query(
      `with call as (insert into calls (team_id, id, kind, direction, status, started_at, connected_at, created_at, updated_at)
         values ($1, $2, 'agent', 'outbound', 'CONNECTED', now(), now(), now(), now()))
       insert into attended_calls (call_id, team_id, provider, provider_call_id, brief, owner, lease_until, created_at)
       values ($2, $1, 'simulator', $2, '{}', 'nobody', now() + interval '300 years', now())`,
      [team_id, id],
    )
    return id
  },
  // One that was read long ago, so that it can be read again and converted; and each time credits for more.
  '/api/crm/candidates': async (app, { browser, ctx }) => {
    await grantCredits(ctx, { amount: 1_000, reference: newId(), note: null })
    const { body } = await browser.post('/api/crm/candidates', { address: `c${newId()}.example.test` })
    await app.database.query(
      `update candidates set status = 'CRAWLED', name = 'Acme', crawled_at = '2020-01-01T00:00:00Z' where id = $1`,
      [body.id],
    )
    return body.id as string
  },
  '/api/team/erasures': async (app, { team_id }) => {
    const id = newId()
    await app.database.query(
      `insert into erasures (team_id, id, lead_id, status, counts, created_at, erased_at)
       values ($1, $2, $3, 'DONE', '{"leads": 1}', now(), now())`,
      [team_id, id, newId()],
    )
    return id
  },
  '/api/team/members': async (app, person) => (await colleagueOf(app, person, 'MEMBER')).user_id,
  '/api/oauth/grants': async (app, { user_id, team_id }) => {
    const [id, client_id] = [newId(), newId()]
    await app.database.query(
      `with client as (insert into oauth_clients (id, source, name, redirect_uris, scopes, created_at, updated_at)
         values ($2, 'operator', 'Zap', '{https://a.example/cb}', '{leads:read}', now(), now()))
       insert into oauth_grants (id, client_id, user_id, team_id, role, scopes, created_at, updated_at)
       select $1, $2, user_id, team_id, role, '{leads:read}', now(), now() from memberships
       where user_id = $3 and team_id = $4`,
      [id, client_id, user_id, team_id],
    )
    return id
  },
}

/** An agent may be in the trash by now. */
const NO_AGENT = { agent_id: null, agent_mode: 'off' }
const OWN_MAILBOX = { visibility: 'team', is_default: false, creates_leads: false, ...NO_AGENT }

/** Bodies that a schema alone cannot say. */
const corrections: Record<
  string,
  (body: Record<string, unknown>, person: Person) => Record<string, unknown>
> = {
  // How long it took is told of a call that is over.
  'POST /api/voice/calls': body => ({ ...body, status: 'ENDED' }),
  'PATCH /api/voice/calls/{id}': body => ({ ...body, status: 'ENDED' }),
  // For a later time, and to a number of nobody's: the lead may be on a call, or on the list of those not to be called.
  'POST /api/softphone/sessions': ({ lead_id: _, ...body }) => ({
    ...body,
    number: newNumber(),
    scheduled_at: LATER.due_at,
  }),
  // Either a change or a move to the trash, not both.
  'POST /api/crm/leads/bulk': ({ trashed: _, ...body }) => body,
  'POST /api/crm/leads/bulk-changes': ({ trashed: _, ...body }) => body,
  // Whoever erases somebody names them.
  'POST /api/crm/leads/{id}/erase': () => ({ confirm: 'ada@example.test' }),
  // A domain belongs to one account.
  'POST /api/crm/accounts': body => ({ ...body, domain: `d${newId()}.example.test` }),
  'PATCH /api/crm/accounts/{id}': body => ({ ...body, domain: `d${newId()}.example.test` }),
  // A project comes of a won deal, and of each only one.
  'POST /api/crm/projects': ({ opportunity_id: _, ...body }) => ({ ...body, columns: COLUMNS }),
  'PATCH /api/crm/projects/{id}': ({ opportunity_id: _, ...body }) => ({ ...body, columns: COLUMNS }),
  // What is overdue changes by itself.
  'POST /api/crm/tasks': body => ({ ...body, ...LATER, column: COLUMNS[0]!.key }),
  'PATCH /api/crm/tasks/{id}': body => ({ ...body, ...LATER, column: COLUMNS[0]!.key }),
  'POST /api/crm/tasks/{id}/move': body => ({ ...body, column: COLUMNS[0]!.key }),
  // A price is of a currency, what is listed is there for every team, and a number belongs to one agent.
  'POST /api/voice/agents': body => ({ ...body, ...AGENT, phone_number: newNumber() }),
  'PATCH /api/voice/agents/{id}': body => ({ ...body, ...AGENT, phone_number: newNumber() }),
  'POST /api/agents/deployments/{id}/claim': (_, { team_id }) => ({ key: deploymentKey(team_id) }),
  // An invoice adds up to something, its customer can be written to, and numbers only go up.
  'POST /api/crm/invoices': ({ opportunity_id: _, ...body }) => ({
    ...body,
    lines: INVOICE_LINES,
    customer: CUSTOMER,
  }),
  'PATCH /api/crm/invoices/{id}': ({ opportunity_id: _, ...body }) => ({
    ...body,
    lines: INVOICE_LINES,
    customer: CUSTOMER,
  }),
  'POST /api/crm/invoices/{id}/payments': () => ({ method: 'manual', amount: '5' }),
  'PATCH /api/crm/invoices/settings': ({ next_number: _, ...body }) => ({ ...body, bank: BANK }),
  // A time has an end.
  'POST /api/webhooks/deliveries/replay': body => ({ ...body, until: '2999-01-01T00:00:00Z' }),
  'POST /api/webhooks/inbox/replay': body => ({ ...body, until: '2999-01-01T00:00:00Z' }),
  // Each meeting has a time of its own, what became of it is not known yet, and an address is one person's.
  'POST /api/crm/meetings': newTime,
  'PATCH /api/crm/meetings/{id}': newTime,
  'POST /api/outreach/{lead_id}/meeting': newTime,
  'PATCH /api/meetings/availability': body => ({ ...body, ...AVAILABILITY, slug: `meet-${newId()}` }),
  // Each form has an address of its own, and maps only fields that it has.
  'POST /api/crm/forms': body => ({ ...body, ...FORM, slug: `form-${newId()}` }),
  'PATCH /api/crm/forms/{id}': body => ({ ...body, ...FORM, slug: `form-${newId()}` }),
  'POST /api/crm/forms/preview': body => ({ ...body, field_mapping: {} }),
  'POST /api/crm/forms/{id}/webhook-test': () => ({ webhook_url: FORM.webhook_url }),
  // An address has one mailbox, and what only shared ones can be is for admins.
  'POST /api/mailboxes': body => ({
    ...body,
    ...OWN_MAILBOX,
    address: `m${newId()}@example.test`,
    shared: false,
  }),
  'PATCH /api/mailboxes/{id}': body => ({ ...body, ...OWN_MAILBOX, hours: AVAILABILITY.hours }),
  // One is written to a lead or to an address, and only an address that is nobody's yet is linked to a lead.
  'POST /api/conversations': () => ({ ...LETTER, channel: 'email', to: `c${newId()}@example.test` }),
  'PATCH /api/conversations/{id}': ({ lead_id: _, snoozed_until: _s, ...body }) => ({
    ...body,
    ...NO_AGENT,
    state: 'CLOSED',
  }),
  'POST /api/conversations/bulk': ({ snoozed_until: _, ...body }) => ({ ...body, state: 'CLOSED' }),
  'POST /api/conversations/{id}/messages': () => ({ kind: 'note', text: LETTER.text }),
  'POST /api/conversations/saved-replies': body => ({ ...body, name: `r${newId()}` }),
  'PATCH /api/conversations/saved-replies/{id}': body => ({ ...body, name: `r${newId()}` }),
  'POST /api/conversations/whatsapp-templates': () => ({
    name: `t${newId()}`,
    language: 'en',
    body: 'Hello {{1}}',
  }),
  // A widget maps only what it asks.
  'POST /api/chat/widgets': body => ({ ...body, ...CHAT_WIDGET, hours: AVAILABILITY.hours }),
  'PATCH /api/chat/widgets/{id}': body => ({ ...body, ...CHAT_WIDGET, hours: AVAILABILITY.hours }),
  'PATCH /api/conversations/settings': body => ({ ...body, ...NO_AGENT, hours: AVAILABILITY.hours }),
  // A template has a name of its own.
  'POST /api/outreach/templates': body => ({ ...body, name: `t${newId()}` }),
  'PATCH /api/outreach/templates/{id}': body => ({ ...body, name: `t${newId()}` }),
  // A sequence has a name of its own, and steps that can be done.
  'POST /api/outreach/sequences': body => ({ ...body, ...SEQUENCE, sequence_id: `s${newId()}` }),
  'PATCH /api/outreach/sequences/{id}': body => ({ ...body, ...SEQUENCE }),
  'POST /api/outreach/enrolments/{id}/reschedule': () => ({ next_step_at: '2999-01-01T00:00:00Z' }),
  // A workflow has a trigger that there is, and nodes that can be done.
  'POST /api/crm/workflows': body => ({ ...body, ...WORKFLOW }),
  'PATCH /api/crm/workflows/{id}': body => ({ ...body, ...WORKFLOW }),
  'PUT /api/crm/workflows/{id}/draft': body => ({ ...body, ...WORKFLOW, status: undefined }),
  // Each browser has an address of its own, and a key that is a point of the curve.
  'POST /api/notifications/push': body => ({
    ...body,
    endpoint: `https://push.example.test/${newId()}`,
    keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
  }),
  // The file has one column.
  'PATCH /api/crm/imports/{id}': body => ({ ...body, mapping: ['email'], duplicate_key: 'email' }),
  // Each candidate has a domain of its own; it comes of a lead or of an address.
  'POST /api/crm/candidates': () => ({ address: `c${newId()}.example.test` }),
  // An address is invited once.
  'POST /api/team/invitations': body => ({
    ...body,
    email: `invited${newId()}@example.test`,
    role: 'MEMBER',
  }),
  'PATCH /api/team/members/{id}': () => ({ role: 'VIEWER' }),
  'POST /api/oauth/clients': body => ({ ...body, redirect_uris: REDIRECT_URIS, confidential: true }),
  'PATCH /api/oauth/clients/{id}': body => ({ ...body, redirect_uris: REDIRECT_URIS }),
}

const AVAILABILITY = {
  hours: [{ day: 1, from: '09:00', until: '17:00' }],
  exceptions: [{ day: '2026-12-24', hours: [{ from: '10:00', until: '11:00' }] }],
}

let meetings = 0
function newTime({ ends_at: _, duration_min: _d, status: _s, ...body }: Record<string, unknown>) {
  return { ...body, starts_at: new Date(Date.UTC(2090, 0, 1) + ++meetings * 86_400_000).toISOString() }
}

const LATER = { due_at: '2999-01-01T00:00:00Z', remind_at: '2999-01-01T00:00:00Z' }

const AGENT = {
  price: { amount: '25.00', currency: 'USD' },
  listed: false,
  outbound: {
    consent: 'not_required',
    quiet_hours: { from: '20:00', until: '08:00' },
    attempts_max: 3,
    retry_after_min: 240,
  },
  text: {
    answers_max: 5,
    hours: { timezone: 'Europe/Berlin', spans: [{ day: 1, from: '09:00', until: '17:00' }] },
    topics: ['prices'],
    confidence_min: 0.6,
    facts: null,
    says_it_is_ai: true,
  },
}
const newNumber = () => `+49${Number.parseInt(newId().slice(-10), 16)}`

const DEPLOYED = {
  name: 'Front desk',
  kind: 'voice',
  description: null,
  instructions: 'Answer kindly.',
  model: null,
  voice: null,
  tools: [],
}

const deploymentKey = (team_id: string) => `rpd_${team_id}`

const INVOICE_LINES = [{ description: 'Work', quantity: '1', unit_price: '10', tax_percent: '19' }]
const BANK = { account_holder: 'Grace', iban: 'DE89370400440532013000', bic: null, bank_name: null }
const CUSTOMER = { name: 'Grace', email: 'grace@example.test', address: null, tax_id: null }

/** One for each team: it belongs to the newest invoice. */
const paymentIdOf = (team_id: string) => team_id.replace(/^./, 'e')

const CHAT_WIDGET = {
  name: 'Shop',
  questions: [{ key: 'mail', type: 'email', label: 'Email' }],
  field_mapping: { mail: 'email' },
}

const LETTER = { subject: 'Hello', text: 'Hello' }

const FORM = { field_mapping: {}, webhook_url: 'https://receiver.example.test/' }

const SEQUENCE = {
  steps: [{ type: 'task', delay_days: 365, description: 'Call' }],
  status: 'ACTIVE',
  settings: {
    window: { days: [1], from: '09:00', until: '17:00' },
    timezone: 'Europe/Berlin',
    daily_cap: 10,
    stop_rules: { reply: true, meeting_booked: true },
  },
}

const WORKFLOW = {
  trigger: 'meeting.booked',
  filters: [{ field: 'title', op: 'in', value: ['Intro'] }],
  nodes: [{ type: 'delay', delay: '1d' }],
  status: 'ACTIVE',
}

const COLUMNS = [{ key: 'todo', name: 'To do', status: 'TODO' }]

const REDIRECT_URIS = ['https://app.example.test/callback']

/** Words in addresses that a schema alone cannot say. */
const words: Record<string, string> = { job: 'housekeeping', step_index: '0', version: '1' }

/** How an operation answers when its record is gone, or no longer stands where this can be done. */
const USED_UP = [404, 409, 422]

/** Fields that name a person of the team. */
const PEOPLE = new Set(['owner', 'host', 'user', 'assignee', 'member', 'created_by'])

export async function fillTeam(
  app: TestApp,
  operations: readonly Operation[],
  person: Person,
): Promise<Records> {
  const creators = new Map(operations.filter(creates).map(operation => [operation.path, operation]))
  const made = new Map<string, string>()
  const gaps = new Map<string, string>()
  const collections = [...Object.keys(seeds), ...creators.keys()].toSorted((a, b) => a.length - b.length)

  function collectionOf(path: string): string | undefined {
    return collections.filter(collection => path === collection || path.startsWith(`${collection}/`)).at(-1)
  }

  const named = Map.groupBy(collections, singular)

  /** What is beneath the record of the operation has the name, else the shortest. */
  function collectionNamed({ path }: Operation, field: string): string | undefined {
    const all = named.get(nounOf(field))
    return all?.find(collection => path.startsWith(`${parentOf(collection)}/{`)) ?? all?.[0]
  }

  function idFor(operation: Operation, field: string): string | undefined {
    const noun = nounOf(field)
    if (PEOPLE.has(noun)) return person.user_id
    if (noun === 'team') return person.team_id
    const named = collectionNamed(operation, field)
    const own = noun === 'id' || noun === 'ids' ? collectionOf(operation.path) : undefined
    return made.get(named ?? own ?? '')
  }

  function request(operation: Operation) {
    const ids = (field: string) => idFor(operation, field)
    const correct = corrections[operation.name] ?? (body => body)
    const wordFor = (name: string, schema: Schema) => words[name] ?? sampleOf(schema, ids, name)
    const params = Object.entries(operation.params).map(([name, schema]) => [name, wordFor(name, schema)])
    return {
      path: pathOf(operation, Object.fromEntries(params) as Record<string, string>),
      body: operation.upload
        ? fileFor(operation.upload)
        : operation.body && correct(sampleOf(operation.body, ids) as Record<string, unknown>, person),
    }
  }

  async function create(creator: Operation): Promise<Reply | string> {
    const { path, body } = request(creator)
    if (!takes(creator.body!, body))
      return `no body could be made for ${creator.name}: ${JSON.stringify(body)}`
    const reply = await person.browser.post(path, body)
    if (reply.status === 201) return reply
    // What it points at went to the trash meanwhile: with a new one in its place it can be made.
    const stale = faultsOf(reply).find(field => made.has(collectionNamed(creator, field) ?? ''))
    if (!stale) return `${creator.name} answered ${reply.status} ${reply.text}`
    const gap = await make(collectionNamed(creator, stale)!)
    return gap ?? create(creator)
  }

  async function make(collection: string, operation?: Operation): Promise<string | undefined> {
    const seed = seeds[collection]
    if (seed) return void made.set(collection, await seed(app, person, operation))
    const creator = creators.get(collection)!
    const reply = await create(creator)
    if (typeof reply === 'string') return reply
    made.set(collection, reply.body.id as string)
    return undefined
  }

  // A record may need one of another collection first: go round until nothing more can be made.
  for (let before = -1; before < made.size;) {
    before = made.size
    for (const collection of collections) {
      if (made.has(collection)) continue
      const gap = await make(collection)
      if (gap) gaps.set(collection, gap)
      else gaps.delete(collection)
    }
  }

  async function renew(operation: Operation): Promise<void> {
    const collection = collectionOf(operation.path)
    const gap = collection && (await make(collection, operation))
    if (gap) throw new Error(gap)
    const beneath = collections.filter(
      other => parentOf(other) === collection && made.has(other) && seeds[other],
    )
    for (const other of beneath) await make(other, operation)
  }

  return {
    person,
    gaps,
    idFor,
    request,
    renew,
    async withRecord(operation, send) {
      const reply = await send()
      if (!USED_UP.includes(reply.status)) return reply
      // What it points at may be gone as well: a body says so by its fields, an address says nothing.
      const named = [...Object.keys(operation.params), ...faultsOf(reply).map(innermost)].map(field =>
        collectionNamed(operation, field),
      )
      for (const collection of new Set(named)) if (collection && made.has(collection)) await make(collection)
      await renew(operation)
      return send()
    },
    all: () => [...made.values(), person.user_id, person.team_id],
  }
}

async function enrolledLead(browser: Client): Promise<{ id: string; sequence_id: string }> {
  const sequence = await browser.post('/api/outreach/sequences', { ...SEQUENCE, name: 'Spring' })
  const lead = await browser.post('/api/crm/leads', { email: `in${newId()}@example.test` })
  const path = `/api/outreach/sequences/${sequence.body.id}/enrolments`
  const enrolled = await browser.post(path, { lead_ids: [lead.body.id] })
  return { id: enrolled.body.data[0].id, sequence_id: sequence.body.id }
}

async function workflowWithRun(app: TestApp, { browser, team_id }: Person, status: string) {
  const workflow_id = (await browser.post('/api/crm/workflows', { name: 'Spring', ...WORKFLOW })).body
    .id as string
  const run_id = newId()
  const state = { threads: [{ id: 1, frames: [{ list: 'nodes', at: 0 }] }], made: 1, steps: 1 }
  await app.database.query(
    `insert into workflow_runs (team_id, id, workflow_id, version, status, event_key, event, state, chain, parts,
       failed_path, created_at, updated_at) values ($1, $2, $3, 1, $4, $2, '{}', $5, 0, 0, 'nodes[0]', now(), now())`,
    [team_id, run_id, workflow_id, status, JSON.stringify(state)],
  )
  return { workflow_id, run_id }
}

async function formWithSubmission(browser: Client) {
  const form = await browser.post('/api/crm/forms', { name: 'Contact', published: true })
  const form_id = form.body.id as string
  const answers = { first_name: 'Ada', email: `sent${newId()}@example.test` }
  const reply = await browser.post(`/api/forms/${form_id}/submissions`, answers)
  return { form_id, submission_id: reply.body.id as string }
}

/** Where any type will do, a picture: some uploads take nothing else. */
function fileFor(type: string): Blob {
  if (type === '*/*') return new Blob([new Uint8Array(pngOf(2, 2))], { type })
  return new Blob(['email\nada@example.test\n'], { type })
}

/** An operation that makes a record which other operations can name. */
function creates({ method, path, success, body }: Operation): boolean {
  return (
    method === 'POST' &&
    success.status === 201 &&
    !path.includes('{') &&
    Boolean(body && answersId(success.schema))
  )
}

function answersId(schema: Schema | undefined): boolean {
  const id = schema?.properties?.id
  return id ? isId(id) : (schema?.allOf ?? []).some(answersId)
}

/** Fields of the body that were refused. */
function faultsOf({ status, body }: Reply): string[] {
  return status === 422 ? (body.errors ?? []).map(({ path }: { path: string }) => path) : []
}

/** `lines[0].product_id` is about a `product_id`. */
function innermost(path: string): string {
  return path
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!
}

function nounOf(field: string): string {
  return field.replace(/(_ids?|Ids?)$/, '')
}

function parentOf(collection: string): string {
  return collection.slice(0, collection.lastIndexOf('/'))
}

function singular(collection: string): string {
  return collection.split('/').at(-1)!.replace(/ies$/, 'y').replace(/s$/, '')
}
