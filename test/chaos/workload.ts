import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '#test/random.ts'
import type { Cluster } from './cluster.ts'
import { callerOf, type Caller } from './insist.ts'
import type { Ledger } from './ledger.ts'
import { oneOf } from './schedule.ts'
import { PRICE, type Shop } from './shop.ts'

const LEADS = '/api/crm/leads'
const CONVERSATIONS = '/api/conversations'
const INVOICES = '/api/crm/invoices'
const SEQUENCES = '/api/outreach/sequences'
/** The last digits of a number say how its simulated call goes: nobody answers, busy, voicemail, a talk. */
const ENDINGS = ['00', '01', '02', '04', '99'] as const
/** What follows after a lead was added, in turns. */
const FOLLOWS = ['write', 'bounce', 'pay', 'call', 'buy'] as const
/** How the address of the lead begins then: it says what its provider reports. */
const ADDRESSED: Partial<Record<(typeof FOLLOWS)[number], string>> = { bounce: 'bounced', call: 'talks' }
/** Of the other team, which must not notice anything. */
const OTHER_LEADS = 5

/** Records that the stories share. */
export type Props = { writing: string; bounced: string; agent: string; forSale: string }

export type WorkloadOptions = {
  cluster: Cluster
  ledger: Ledger
  seed: number
  writers: number
  /** Between two stories of one writer. */
  pauseMs: number
  /** No more than these; endless by default. */
  stories?: number
}

/** Clients and providers at work: each writer tells one story about a lead after the other. */
export type Workload = {
  props: Props
  /** How many stories were told to their end. */
  told(): number
  /** What providers have to report and is not acknowledged yet. */
  reports(): number
  /** Begins no more stories. Ends when those that were begun are told; false when nobody waits for the rest any more. */
  finish(withinMs: number): Promise<boolean>
  /** Nobody waits for any answer any more. */
  giveUp(): void
}

/** On a cluster without faults: teams, settings, sequences, a workflow and an agent. */
export async function prepare(cluster: Cluster, ledger: Ledger): Promise<Props> {
  const patience = new AbortController().signal
  const ports = () => portsOf(cluster)
  const own = callerOf({ ledger, key: cluster.keys.own, ports, gaveUp: patience, strict: true })
  const other = callerOf({ ledger, key: cluster.keys.other, ports, gaveUp: patience, strict: true })
  for (let n = 0; n < OTHER_LEADS; n++)
    await other.post(LEADS, { last_name: `Quiet ${n}`, email: `quiet${n}@other.example.test` }, `quiet ${n}`)
  // Only a signed-in user changes these; texts go out at any time of the day.
  await cluster.query(
    `insert into outreach_settings (team_id, updated_at) select team_id, now() from memberships
     join users on users.id = user_id where email = 'ada@chaos.example.test'`,
  )
  const email = { type: 'email', template: 'intro' }
  const writing = await own.post(
    SEQUENCES,
    { name: 'Writing', steps: [email, { type: 'sms', message: 'Hi {{firstName}}' }, email] },
    'writing',
  )
  const bounced = await own.post(
    SEQUENCES,
    { name: 'Bounced', steps: [email, { ...email, delay_days: 1 }] },
    'bounced',
  )
  const task = (title: string) => ({ type: 'action', action: 'create_task', title: `{{firstName}} ${title}` })
  const url = `https://localhost:${cluster.providers.ports.receiver}/hook`
  const nodes = [
    task('A'),
    { type: 'delay', delay: '2s' },
    task('B'),
    { type: 'action', action: 'call_webhook', url },
  ]
  await own.post('/api/crm/workflows', { name: 'Lab', trigger: 'lead.created', nodes }, 'workflow')
  const agent = await own.post(
    '/api/voice/agents',
    {
      name: 'Lab',
      kind: 'voice',
      instructions: 'Be kind.',
      tools: ['end_call'],
      outbound: { consent: 'not_required', quiet_hours: null, attempts_max: 1, retry_after_min: 5 },
    },
    'agent',
  )
  const price = { amount: PRICE, currency: 'USD' }
  const scout = { name: 'Scout', instructions: 'Be kind.', price, listed: true }
  const forSale = await own.post('/api/voice/agents', scout, 'agent for sale')
  return { writing: writing.id, bounced: bounced.id, agent: agent.id, forSale: forSale.id }
}

export function startWorkload(props: Props, options: WorkloadOptions): Workload {
  const { cluster, ledger, seed, writers, pauseMs, stories = Infinity } = options
  const giveUp = new AbortController()
  const caller = callerOf({
    ledger,
    key: cluster.keys.own,
    ports: () => portsOf(cluster),
    gaveUp: giveUp.signal,
  })
  const news = new Set<Promise<void>>()
  let stopping = false
  let begun = 0
  let told = 0

  // A provider reports what became of each mail. Those to leads of the second sequence come back, and those that a person
  // wrote are answered.
  cluster.providers.onMail(({ message_id, to }) => {
    if (!message_id) return
    const { type, data } = reportOf(message_id, to)
    const telling: Promise<void> = caller
      .tell('email', { eventId: `${type} ${message_id}`, type, data })
      .catch(() => {})
      .finally(() => news.delete(telling))
    news.add(telling)
  })

  async function write(): Promise<void> {
    while (!stopping && begun < stories) {
      await tellStory({ n: ++begun, seed, caller, props, ledger, shop: cluster.shop })
      told++
      await sleep(pauseMs)
    }
  }

  const writing = Promise.all(Array.from({ length: writers }, write))
  writing.catch(() => {})
  return {
    props,
    told: () => told,
    reports: () => news.size,
    async finish(withinMs) {
      stopping = true
      const late = sleep(withinMs, false, { ref: false })
      return Promise.race([late, writing.then(() => true)])
    },
    giveUp: () => giveUp.abort(),
  }
}

function reportOf(message_id: string, to: string): { type: string; data: object } {
  if (to.startsWith('bounced-')) {
    const bounce = { type: 'Permanent', message: 'gone' }
    return { type: 'email.bounced', data: { messageId: message_id, bounce } }
  }
  if (!to.startsWith('talks-')) return { type: 'email.delivered', data: { messageId: message_id } }
  const answer = { from: to, subject: 'Re: Hello', text: 'Yes', message_id: `<answer.${message_id.slice(1)}` }
  return { type: 'email.received', data: { ...answer, in_reply_to: message_id } }
}

type Story = { n: number; seed: number; caller: Caller; props: Props; ledger: Ledger; shop: Shop | string }

/** A lead is added and changed twice; then one of five things follows, by the number of the story and the seed. */
async function tellStory({ n, seed, caller, props, ledger, shop }: Story): Promise<void> {
  const random = randomNumbers(seed * 1_000_003 + n)
  const follow = FOLLOWS[(seed + n) % FOLLOWS.length]!
  const name = `c${seed}-${n}`
  const email = `${ADDRESSED[follow] ?? 'lead'}-${name}@leads.example.test`
  const phone = `+1415${String(n).padStart(5, '0')}${oneOf(ENDINGS, random())}`
  const made = await caller.post(LEADS, { first_name: name, email, phone, source: 'chaos' }, `${name} lead`)
  const lead = { id: made.id as string, name, title: null as string | null }
  ledger.leads.push(lead)
  // First of all, because it waits ten seconds before it goes.
  if (follow === 'call') {
    const letter = { channel: 'email', lead_id: lead.id, subject: 'Hello', text: 'May we call you?' }
    const { id } = await caller.post(CONVERSATIONS, letter, `${name} letter`)
    ledger.conversations.push({ id, lead_id: lead.id })
  }
  for (const title of [`${name} first`, `${name} second`]) {
    await caller.patch(`${LEADS}/${lead.id}`, { title }, title)
    lead.title = title
  }
  await caller.tell('voice', {
    eventId: `${name} call`,
    type: 'call_ended',
    data: { leadId: lead.id, durationSec: 1 + Math.floor(random() * 600) },
  })
  if (follow === 'write' || follow === 'bounce') {
    const sequence = follow === 'write' ? props.writing : props.bounced
    const path = `${SEQUENCES}/${sequence}/enrolments`
    const { data } = await caller.post(path, { lead_ids: [lead.id] }, `${name} enrol`)
    const kind = follow === 'write' ? ('writing' as const) : ('bounced' as const)
    ledger.enrolments.push({ id: data[0]?.id ?? '', lead_id: lead.id, email, phone, sequence: kind })
  }
  if (follow === 'pay') await pay(name, lead.id, caller, ledger, random)
  if (follow === 'buy' && typeof shop !== 'string') await buy(name, props.forSale, caller, ledger, shop)
  if (follow === 'call') {
    const call = await caller.post(
      '/api/softphone/sessions',
      { lead_id: lead.id, agent_id: props.agent },
      `${name} session`,
    )
    ledger.calls.push({ id: call.id, lead_id: lead.id })
  }
}

/** An invoice whose provider tells of its payment by both of its names, in either order. */
async function pay(
  name: string,
  lead_id: string,
  caller: Caller,
  ledger: Ledger,
  random: () => number,
): Promise<void> {
  const amount = `${1 + Math.floor(random() * 900)}.50`
  const lines = [{ description: 'Work', quantity: '1', unit_price: amount, tax_percent: '0' }]
  const draft = await caller.post(INVOICES, { lead_id, lines, currency: 'EUR' }, `${name} invoice`)
  await caller.post(`${INVOICES}/${draft.id}/open`, {}, `${name} open`)
  const txHash = `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`
  const types = ['payment.confirmed', 'payment.succeeded']
  for (const type of random() < 0.5 ? types : types.toReversed()) {
    const data = { invoiceId: draft.id, amount, currency: 'EUR', txHash }
    await caller.tell('payment', { eventId: `${name} ${type}`, type, data })
  }
  ledger.invoices.push({ id: draft.id, amount, payments: 1 })
}

/** Somebody without an account buys an agent: a 402, a payment on the chain, and the proof until the agent is handed over. */
async function buy(
  name: string,
  agent_id: string,
  caller: Caller,
  ledger: Ledger,
  shop: Shop,
): Promise<void> {
  const path = `/api/v1/agent/purchase/${agent_id}`
  const { hash, authorization } = await caller.get(path, {}, `${name} offer`, async response =>
    response.status === 402 ? shop.pay(response, agent_id) : undefined,
  )
  ledger.payments.push(hash)
  await caller.get(path, { authorization }, `${name} proof`, async ({ ok }) => ok || undefined)
  ledger.purchases.push({ tx_hash: hash, agent_id })
}

function portsOf({ members }: Cluster): number[] {
  return members.filter(({ role }) => role === 'api').map(({ wires }) => wires.api.port)
}
