import {
  ById,
  Currency,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  LongText,
  Money,
  nullable,
  oneOf,
  paging,
  Phone,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEndpoints } from '#platform/record-endpoints.ts'
import { recordEvents } from '#platform/records.ts'
import { TextSettings } from './text-contract.ts'
import { GivenTool, ToolName, Tools } from './tool-contract.ts'
import {
  agentKinds,
  agentSorts,
  ATTEMPTS_MAX,
  GREETING_LENGTH_MAX,
  INSTRUCTIONS_LENGTH_MAX,
  RETRY_AFTER_MAX,
  RETRY_AFTER_MIN,
  TOOLS_MAX,
  versionedFields,
} from './values.ts'

export type { TextSettings } from './text-contract.ts'
export type { CustomTool } from './tool-contract.ts'

export const Price = t.Object({ amount: Money, currency: Currency }, { additionalProperties: false })
export type Price = Static<typeof Price>

const textUpTo = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$' })

const TimeOfDay = t.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' })
/** Who an agent may call, and when. */
export const OutboundRules = t.Object(
  {
    consent: oneOf(['required', 'not_required']),
    quiet_hours: nullable(t.Object({ from: TimeOfDay, until: TimeOfDay }, { additionalProperties: false })),
    attempts_max: t.Integer({ minimum: 1, maximum: ATTEMPTS_MAX }),
    retry_after_min: t.Integer({ minimum: RETRY_AFTER_MIN, maximum: RETRY_AFTER_MAX }),
  },
  { additionalProperties: false },
)
export type OutboundRules = Static<typeof OutboundRules>

const writable = {
  name: Text,
  kind: oneOf(agentKinds),
  description: nullable(LongText),
  instructions: textUpTo(INSTRUCTIONS_LENGTH_MAX),
  model: nullable(Text),
  voice: nullable(Text),
  greeting: nullable(textUpTo(GREETING_LENGTH_MAX)),
  tools: t.Array(t.Union([ToolName, GivenTool]), {
    maxItems: TOOLS_MAX,
    description:
      'schedule_meeting, look_up_lead, update_field, transfer and end_call in calls, hand_over in text, or a custom tool answered by your webhook',
  }),
  phone_number: nullable(Phone),
  transfer_to: nullable(Phone),
  outbound: OutboundRules,
  text: TextSettings,
  price: nullable(Price),
  listed: t.Boolean({ description: 'Whether it is listed in the public catalogue; requires a price' }),
}

export const Agent = t.Object(
  {
    id: Id,
    ...writable,
    tools: Tools,
    version: t.Integer({ description: 'Increases with every change to what the agent is or says' }),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const NewAgent = t.Object(
  { ...t.Partial(t.Object(writable)).properties, name: Text, instructions: writable.instructions },
  { additionalProperties: false },
)
export type NewAgent = Static<typeof NewAgent>
export const AgentChange = t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 })
export type AgentChange = Static<typeof AgentChange>

/** An agent as it was, from one change to the next. */
export const AgentVersion = t.Object(
  {
    version: t.Integer(),
    agent: t.Object({
      name: t.String(),
      instructions: t.String(),
      greeting: nullable(t.String()),
      model: nullable(t.String()),
      voice: nullable(t.String()),
      tools: Tools,
      transfer_to: nullable(t.String()),
      outbound: OutboundRules,
      text: TextSettings,
    }),
    changes: t.Array(oneOf(versionedFields), { description: 'Changes since the previous version' }),
    changed_by: nullable(t.String()),
    created_at: Instant,
  },
  { $id: 'AgentVersion' },
)
export type AgentVersion = Static<typeof AgentVersion>

/** Everything a model needs to act as this agent, on any platform. */
export const AgentSession = t.Object(
  {
    model: nullable(t.String()),
    voice: nullable(t.String()),
    instructions: t.String(),
    greeting: nullable(t.String()),
    tools: t.Array(
      t.Object({
        name: t.String(),
        description: t.String(),
        parameters: t.Record(t.String(), t.Unknown(), { description: 'A JSON Schema' }),
      }),
    ),
    webhooks: t.Array(t.Object({ tool: t.String(), endpoint_id: Id }), {
      description: 'The webhook endpoint that signs its custom tools',
    }),
  },
  { $id: 'AgentSession' },
)
export type AgentSession = Static<typeof AgentSession>

export const ListAgents = t.Object(
  {
    ...paging,
    sort: sortBy(agentSorts),
    q: t.Optional(t.String({ maxLength: 200, description: 'Search names' })),
    listed: t.Optional(t.Boolean()),
    trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
  },
  { additionalProperties: false },
)
export type ListAgents = Static<typeof ListAgents>

/** What strangers see of an agent that is for sale. */
export const Listing = t.Object(
  {
    id: Id,
    name: t.String(),
    kind: oneOf(agentKinds),
    description: nullable(t.String()),
    seller: t.String(),
    price: Price,
    purchase: t.String({ description: 'URL to buy it' }),
  },
  { $id: 'AgentListing' },
)
export type Listing = Static<typeof Listing>

/** The spec's four fields and nothing else. */
export const PaymentChallenge = t.Object(
  { recipient: t.String(), amount: t.String(), network: t.String(), token: t.String() },
  { $id: 'PaymentChallenge' },
)
export const Purchase = t.Object({ success: t.Literal(true), resource: t.String() }, { $id: 'AgentPurchase' })

export const Deployment = t.Object(
  {
    id: Id,
    agent_id: Id,
    agent: t.Object({
      name: t.String(),
      kind: oneOf(agentKinds),
      description: nullable(t.String()),
      instructions: t.String(),
      model: nullable(t.String()),
      voice: nullable(t.String()),
      greeting: nullable(t.String()),
      tools: t.Array(t.String(), { description: 'Excludes custom tools answered by the seller' }),
      outbound: OutboundRules,
    }),
    limits: t.Object({ requests_per_minute: t.Integer(), concurrent_calls: t.Integer() }),
    payer: t.String(),
    network: t.String(),
    tx_hash: t.String(),
    amount: t.String(),
    state: t.String({ description: 'Payment state: WATCHED, FINAL or REORGED' }),
    invoice_id: nullable(Id),
    claimed: t.Boolean(),
    claimed_agent_id: nullable(Id),
    created_at: Instant,
  },
  { $id: 'Deployment' },
)
export type Deployment = Static<typeof Deployment>

const DeploymentKey = t.String({
  pattern: '^rpd_[A-Za-z0-9_-]{24,60}$',
  description: 'The externalId of the Payment-Receipt',
})

const read = { scope: 'voice:read' } as const
const write = { scope: 'voice:write' } as const

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Agent',
    many: 'Agents',
    path: '/api/voice/agents',
    read,
    write,
    query: ListAgents,
    listed: Agent,
    whole: Agent,
    create: NewAgent,
    change: AgentChange,
    summaries: {
      list: "List the team's agents",
      change: 'Update an agent, its price and its catalogue listing',
      trash: 'Move an agent to the trash for 30 days; it is no longer for sale',
      restore: 'Restore an agent from the trash, unlisted',
    },
  }),
  readAgentSession: {
    method: 'GET',
    path: '/api/voice/agents/:id/session',
    summary: "Get the agent's model session: instructions, voice, and tools as JSON Schemas",
    auth: read,
    params: ById,
    output: AgentSession,
  },
  listAgentVersions: {
    method: 'GET',
    path: '/api/voice/agents/:id/versions',
    summary: "List an agent's versions, newest first, with what each one changed",
    auth: read,
    params: ById,
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(AgentVersion),
  },
  restoreAgentVersion: {
    method: 'POST',
    path: '/api/voice/agents/:id/versions/:version/restore',
    summary: 'Restore an earlier version of an agent as a new version',
    auth: write,
    params: t.Object({
      id: Id,
      version: t.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'A version number' }),
    }),
    output: Agent,
    status: 200,
    etag: true,
  },
  listListings: {
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'List agents for sale',
    auth: 'open',
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Listing),
    protocol: 'HTTP 402 Payment',
  },
  showCatalogue: {
    method: 'GET',
    path: '/agents/catalogue',
    summary: 'Catalogue page of agents for sale',
    auth: 'open',
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  purchaseAgent: {
    method: 'GET',
    path: '/api/v1/agent/purchase/:agent_id',
    summary: 'Buy an agent: the 402 response says what to pay, Authorization: Payment proves it',
    auth: 'open',
    params: t.Object({ agent_id: t.String() }),
    output: Purchase,
    lean: true,
    besides: {
      402: { description: 'What to pay; WWW-Authenticate carries the challenge', schema: PaymentChallenge },
    },
    protocol: 'HTTP 402 Payment',
  },
  listSales: {
    method: 'GET',
    path: '/api/agents/sales',
    summary: 'List deployments of agents the team has sold, newest first',
    auth: { scope: 'billing:read' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Deployment),
  },
  listDeployments: {
    method: 'GET',
    path: '/api/agents/deployments',
    summary: 'List deployments claimed into the team, newest first',
    auth: read,
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Deployment),
  },
  readDeployment: {
    method: 'GET',
    path: '/api/agents/deployments/:id',
    summary: 'Get a purchased agent with its receipt or key',
    auth: 'open',
    params: t.Object({ id: t.String() }),
    output: Deployment,
    protocol: 'HTTP 402 Payment',
  },
  claimDeployment: {
    method: 'POST',
    path: '/api/agents/deployments/:id/claim',
    summary: 'Claim a purchased agent into the team with its key',
    auth: write,
    params: ById,
    body: t.Object({ key: DeploymentKey }, { additionalProperties: false }),
    output: Deployment,
    status: 200,
  },
})

export const agentEvents = {
  ...recordEvents('agent', 'voice:read'),
  sold: defineEvent(
    'agent.sold',
    t.Object({ name: t.String(), deployment_id: Id, amount: t.String(), tx_hash: t.String() }),
    { live: 'billing:read' },
  ),
  version_restored: defineEvent(
    'agent.version_restored',
    t.Object({ name: t.String(), from: t.Integer(), version: t.Integer() }),
    { live: 'voice:read' },
  ),
  claimed: defineEvent('agent.claimed', t.Object({ name: t.String(), deployment_id: Id }), {
    live: 'voice:read',
  }),
}
