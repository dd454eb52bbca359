import { checkConversations } from './conversations.ts'
import type { Outcome } from './faults.ts'
import type { Evidence, Findings, Fingerprint, Query } from './findings.ts'

export type { Evidence, Findings, Fingerprint, Query } from './findings.ts'

/** A process that died, slept, lost its connection or its clock: for so long after it a message may become UNKNOWN. */
const EXPLAINED_WITHIN_MS = 120_000

/** Compares what was acknowledged, what is in the database, and what providers were given. */
export async function check(evidence: Evidence): Promise<Findings> {
  const findings: Findings = {
    compared: {},
    lost: [],
    doubled: [],
    stuck: [],
    wrong: [],
    unknown: { messages: 0, arrived: 0, repeatedDeliveries: 0 },
  }
  const { ledger, restless } = evidence
  if (restless) findings.stuck.push(restless)
  for (const name of ledger.open) findings.stuck.push(`a request was never acknowledged: ${name}`)
  await checkQueue(evidence, findings)
  await checkLeads(evidence, findings)
  await checkWorkflows(evidence, findings)
  await checkEvents(evidence, findings)
  await checkMessages(evidence, findings)
  await checkEnrolments(evidence, findings)
  await checkPayments(evidence, findings)
  await checkPurchases(evidence, findings)
  await checkCalls(evidence, findings)
  await checkConversations(evidence, findings)
  await checkSums(evidence, findings)
  checkOther(evidence, findings)
  return findings
}

async function checkQueue({ query }: Evidence, { stuck }: Findings): Promise<void> {
  const jobs = await query(`select id, kind, state, attempts, lost, owner, run_at, last_error from jobs`)
  for (const { id, kind, state, attempts, lost, last_error } of jobs)
    stuck.push(`job ${id} ${kind} is ${state} after ${attempts} tries and ${lost} lost: ${last_error}`)
  const runs = await query(
    `select name, started_at from schedule_runs where outcome = 'running' and not exists (
       select from schedules where schedules.name = schedule_runs.name and owner is not null)`,
  )
  for (const { name, started_at } of runs)
    stuck.push(`the scheduled job ${name} of ${started_at.toISOString()} never ended`)
}

async function checkLeads({ query, ledger }: Evidence, { compared, lost, doubled }: Findings): Promise<void> {
  const rows = await query(
    `select id, first_name, title, (select count(*)::int from events
       where events.team_id = leads.team_id and lead_id = leads.id and type = 'lead.created') as created
     from leads where source = 'chaos'`,
  )
  const byName = Map.groupBy(rows, ({ first_name }) => first_name as string)
  compared.leads = ledger.leads.length
  for (const { id, name, title } of ledger.leads) {
    const row = byName.get(name)?.find(row => row.id === id)
    if (!row) lost.push(`lead ${id} (${name}) was acknowledged and is gone`)
    else if (row.title !== title)
      lost.push(`lead ${id} was acknowledged with “${title}” and has “${row.title}”`)
    else if (row.created === 0) lost.push(`lead ${id} has no event of its creation`)
    else if (row.created > 1) doubled.push(`lead ${id} was created ${row.created} times`)
  }
  for (const [name, list] of byName)
    if (list.length > 1) doubled.push(`${list.length} leads are called ${name}`)
}

/** One run for each lead; its tasks, and a webhook of which each copy has the same ID. */
async function checkWorkflows(
  { query, ledger }: Evidence,
  { compared, lost, doubled, stuck, unknown }: Findings,
): Promise<void> {
  const runs = await query(`select id, lead_id, status from workflow_runs`)
  const tasks = await query<{ title: string }>(`select title from tasks`)
  const deliveries = await query(`select event_id, status, attempts from webhook_deliveries`)
  const byLead = Map.groupBy(runs, ({ lead_id }) => lead_id as string)
  const titles = countOf(tasks.map(({ title }) => title))
  const received = Map.groupBy(ledger.deliveries, ({ run_id }) => run_id)
  compared.runs = runs.length
  compared.deliveries = deliveries.length
  for (const { id, name } of ledger.leads) {
    const [run, ...more] = byLead.get(id) ?? []
    if (!run) {
      lost.push(`lead ${id} (${name}) started no workflow`)
      continue
    }
    if (more.length > 0) doubled.push(`lead ${id} (${name}) started ${more.length + 1} runs`)
    if (run.status !== 'DONE') stuck.push(`run ${run.id} of lead ${id} is ${run.status}`)
    for (const title of [`${name} A`, `${name} B`]) {
      const count = titles.get(title) ?? 0
      if (count === 0) lost.push(`task “${title}” was not created`)
      if (count > 1) doubled.push(`task “${title}” was created ${count} times`)
    }
    const copies = received.get(run.id) ?? []
    if (copies.length === 0) lost.push(`the webhook of run ${run.id} did not arrive`)
    if (new Set(copies.map(({ delivery_id }) => delivery_id)).size > 1)
      doubled.push(`the webhook of run ${run.id} arrived under several IDs`)
    unknown.repeatedDeliveries += Math.max(0, copies.length - 1)
  }
  for (const { event_id, status, attempts } of deliveries)
    if (status !== 'DELIVERED') stuck.push(`webhook ${event_id} is ${status} after ${attempts} attempts`)
}

/** Each event is stored once, recorded once, and handled. */
async function checkEvents({ query, ledger }: Evidence, { compared, lost, doubled, stuck }: Findings) {
  const rows = await query(
    `select endpoint, event_id, type, status, recorded_id,
       (select string_agg(reaction || ' ' || outcome, ', ') from inbound_effects
        where inbound_id = inbound_events.id and outcome = 'failed') as failed
     from inbound_events`,
  )
  const recorded = countOf(
    (
      await query<{ name: string }>(
        `select type || ' ' || (data ->> 'eventId') as name from events where type like 'webhook:%'`,
      )
    ).map(({ name }) => name),
  )
  const byName = new Map(rows.map(row => [`${row.endpoint} ${row.event_id}`, row]))
  compared.events = ledger.events.length
  for (const { endpoint, event_id, type } of ledger.events) {
    const row = byName.get(`${endpoint} ${event_id}`)
    if (!row) lost.push(`event ${event_id} was acknowledged and is gone`)
    else if (row.status !== 'processed')
      (row.status === 'accepted' ? lost : stuck).push(`event ${event_id} is ${row.status}`)
    else if (row.failed) stuck.push(`event ${event_id} failed: ${row.failed}`)
    const count = recorded.get(`webhook:${type} ${event_id}`) ?? 0
    if (row && count === 0) lost.push(`event ${event_id} was never recorded`)
    if (count > 1) doubled.push(`event ${event_id} was recorded ${count} times`)
  }
}

/** Each message went out once, or is marked UNKNOWN and a fault explains it. */
async function checkMessages(
  { query, ledger, outcomes }: Evidence,
  { compared, lost, doubled, stuck, wrong, unknown }: Findings,
): Promise<void> {
  const rows = await query(
    `select id, channel, address, message_id, status, reason, trouble_at from messages`,
  )
  const mails = countOf(ledger.mails.map(({ message_id }) => message_id))
  // A text message has no ID on its way; a lead gets one.
  const texts = countOf(ledger.texts.map(({ to }) => to))
  compared.messages = rows.length
  compared['mails received'] = ledger.mails.length
  compared['texts received'] = ledger.texts.length
  for (const { id, channel, address, message_id, status, reason, trouble_at } of rows) {
    const arrived = (channel === 'email' ? mails.get(message_id) : texts.get(address)) ?? 0
    const name = `${channel} ${id} to ${address}`
    if (arrived > 1) doubled.push(`${name} arrived ${arrived} times`)
    if (status === 'SENT' && arrived === 0) lost.push(`${name} is SENT and did not arrive`)
    if (status === 'DUE' || status === 'SENDING') stuck.push(`${name} is ${status}`)
    if (status === 'FAILED') stuck.push(`${name} was given up: ${reason}`)
    if (status !== 'SENT' && status !== 'UNKNOWN' && arrived > 0)
      wrong.push(`${name} is ${status} and arrived`)
    if (status === 'UNKNOWN') {
      unknown.messages++
      if (arrived > 0) unknown.arrived++
      if (!isExplained(trouble_at, reason, outcomes))
        wrong.push(`${name} is UNKNOWN and no fault explains it: ${reason}`)
    }
  }
  const written = new Set(rows.map(({ message_id }) => message_id))
  for (const { message_id, to } of ledger.mails)
    if (!written.has(message_id))
      wrong.push(`an email to ${to} arrived that no message is about: ${message_id}`)
}

/** Providers that take something and say nothing are faults of their own, which the reason names. */
function isExplained(at: Date | string | null, reason: string | null, outcomes: readonly Outcome[]): boolean {
  if (
    /did not confirm|no response|did not respond|closed the connection|socket|connection/i.test(reason ?? '')
  )
    return true
  const times = outcomes.flatMap(({ at, done, fault }) =>
    done === undefined ? [] : [{ from: at, until: at + fault.lasts_ms + EXPLAINED_WITHIN_MS, fault }],
  )
  const ms = at ? new Date(at).getTime() : 0
  return times.some(
    ({ from, until, fault }) =>
      // A worker whose clock was off wrote down its own time.
      (ms >= from && ms <= until) || fault.kind === 'shift_clock',
  )
}

async function checkEnrolments(
  { query, ledger }: Evidence,
  { compared, lost, doubled, stuck, wrong }: Findings,
): Promise<void> {
  const rows = await query(
    `select id, lead_id, status, held, stop_reason, ended_at, (select count(*)::int from messages
       where messages.team_id = enrolments.team_id and enrolment_id = enrolments.id) as messages,
       (select count(*)::int from messages where messages.team_id = enrolments.team_id
         and enrolment_id = enrolments.id and messages.status = 'UNKNOWN') as unknown
     from enrolments`,
  )
  const byId = new Map(rows.map(row => [row.id as string, row]))
  const byLead = Map.groupBy(rows, ({ lead_id }) => lead_id as string)
  const mailsTo = countOf(ledger.mails.map(({ to }) => to))
  compared.enrolments = ledger.enrolments.length
  for (const { id, lead_id, email, sequence } of ledger.enrolments) {
    const row = byId.get(id)
    if (!row) {
      lost.push(`enrolment ${id} of lead ${lead_id} was acknowledged and is gone`)
      continue
    }
    const count = byLead.get(lead_id)!.length
    if (count > 1) doubled.push(`lead ${lead_id} is enrolled ${count} times`)
    const mails = mailsTo.get(email) ?? 0
    if (sequence === 'bounced') {
      if (mails > 1) wrong.push(`${email} bounced and got ${mails} emails`)
      if (row.stop_reason !== 'bounced' && row.held !== 'unknown')
        stuck.push(`enrolment ${id} of a bounced lead: ${row.stop_reason ?? row.held ?? row.status}`)
    } else if (row.stop_reason !== 'finished' && !(row.held === 'unknown' && row.unknown > 0))
      stuck.push(`enrolment ${id}: ${row.stop_reason ?? row.held ?? row.status}, ${row.messages} messages`)
  }
}

async function checkPayments({ query, ledger }: Evidence, { compared, lost, doubled }: Findings) {
  const rows = await query(
    `select id, status, paid, (select count(*)::int from invoice_payments
       where invoice_payments.team_id = invoices.team_id and invoice_id = invoices.id) as payments
     from invoices`,
  )
  const byId = new Map(rows.map(row => [row.id as string, row]))
  compared.invoices = ledger.invoices.length
  for (const { id, amount, payments } of ledger.invoices) {
    const row = byId.get(id)
    if (!row) lost.push(`invoice ${id} was acknowledged and is gone`)
    else if (row.payments > payments) doubled.push(`invoice ${id} has ${row.payments} payments`)
    else if (row.status !== 'PAID' || Number(row.paid) !== Number(amount))
      lost.push(`invoice ${id} of ${amount} is ${row.status} with ${row.paid}`)
  }
  const numbers = await query(
    `select number, count(*) from invoices where number is not null group by team_id, number having count(*) > 1`,
  )
  for (const { number, count } of numbers) doubled.push(`${count} invoices have the number ${number}`)
}

/** Each payment on the chain that was acknowledged bought one agent, with one invoice. */
async function checkPurchases({ query, ledger }: Evidence, { compared, lost, doubled, wrong }: Findings) {
  const rows = await query(
    `select tx_hash, state, deployments.id, invoice_id from settlements
     left join deployments on settlement_id = settlements.id
     where purpose = 'agent'`,
  )
  const invoices = new Map(
    (
      await query(
        `select id, status, (select count(*)::int from invoice_payments
           where invoice_payments.team_id = invoices.team_id and invoice_id = invoices.id) as payments
         from invoices`,
      )
    ).map(row => [row.id as string, row]),
  )
  const byHash = Map.groupBy(rows, ({ tx_hash }) => tx_hash as string)
  compared.purchases = ledger.purchases.length
  for (const { tx_hash } of ledger.purchases) {
    const [row, ...more] = byHash.get(tx_hash) ?? []
    const invoice = invoices.get(row?.invoice_id)
    if (!row) lost.push(`purchase ${tx_hash} was acknowledged and is gone`)
    else if (row.id === null) lost.push(`purchase ${tx_hash} handed over no agent`)
    else if (more.length > 0) doubled.push(`purchase ${tx_hash} handed over ${more.length + 1} agents`)
    else if (row.state === 'REORGED')
      wrong.push(`purchase ${tx_hash} is taken for one that the chain took back`)
    else if (invoice?.status !== 'PAID' || invoice.payments !== 1)
      wrong.push(`purchase ${tx_hash} has an invoice ${invoice?.status} with ${invoice?.payments} payments`)
  }
  const paid = new Set(ledger.payments)
  for (const tx_hash of byHash.keys())
    if (!paid.has(tx_hash)) wrong.push(`purchase ${tx_hash} was never paid`)
}

async function checkCalls({ query, ledger }: Evidence, { compared, lost, doubled, stuck }: Findings) {
  const rows = await query(
    `select id, status, (select count(*)::int from events where events.team_id = calls.team_id
       and subject_id = calls.id and type = 'call.ended') as ended
     from calls where kind = 'agent' and direction = 'outbound' and agent_id is not null`,
  )
  const byId = new Map(rows.map(row => [row.id as string, row]))
  compared.calls = ledger.calls.length
  for (const { id } of ledger.calls) {
    const row = byId.get(id)
    if (!row) lost.push(`call ${id} was acknowledged and is gone`)
    else if (['SCHEDULED', 'DIALING', 'CONNECTED'].includes(row.status))
      stuck.push(`call ${id} is ${row.status}`)
    else if (row.ended > 1) doubled.push(`call ${id} ended ${row.ended} times`)
  }
}

/** What is kept beside the rows themselves. */
async function checkSums({ query, correctedCounts }: Evidence, { wrong }: Findings): Promise<void> {
  if (correctedCounts) wrong.push('a process found that the counts of leads were off')
  const counts = await query(
    `select team_id, pipeline_stage, status, call_status, owner_id, sum(n) as off from (
       select team_id, pipeline_stage, status, call_status, coalesce(owner_id, '') as owner_id, 1 as n
       from leads where deleted_at is null
       union all select team_id, pipeline_stage, status, call_status, owner_id, -n from lead_counts
       union all select team_id, pipeline_stage, status, call_status, owner_id, -n from lead_count_changes) as every
     group by 1, 2, 3, 4, 5 having sum(n) <> 0`,
  )
  for (const { pipeline_stage, status, off } of counts)
    wrong.push(`the count of leads in ${pipeline_stage}, ${status} is off by ${off}`)
  const credits = await query(
    `select accounts.team_id, monthly + purchased as kept, coalesce(sum(amount), 0) as summed
     from credit_accounts as accounts left join credit_entries as entries on entries.team_id = accounts.team_id
     group by accounts.team_id, monthly, purchased having monthly + purchased <> coalesce(sum(amount), 0)`,
  )
  for (const { team_id, kept, summed } of credits)
    wrong.push(`team ${team_id} has ${kept} credits, and its entries add up to ${summed}`)
  const paid = await query(
    `select invoices.id, paid, coalesce(sum(applied), 0) as summed from invoices
     left join invoice_payments as payments on payments.team_id = invoices.team_id and invoice_id = invoices.id
     group by invoices.team_id, invoices.id, paid having paid <> coalesce(sum(applied), 0)`,
  )
  for (const { id, paid: kept, summed } of paid)
    wrong.push(`invoice ${id} has ${kept} paid, and its payments add up to ${summed}`)
}

function checkOther({ other: { before, after } }: Evidence, { wrong }: Findings): void {
  for (const name of new Set([...before.keys(), ...after.keys()]))
    if (before.get(name) !== after.get(name)) wrong.push(`rows of another team changed in ${name}`)
}

/** What changes on its own as time goes by: grants of credits, saved answers that are forgotten. */
const ON_THEIR_OWN = [
  'credit_accounts',
  'credit_entries',
  'idempotency_keys',
  'jobs',
  'changes',
  'lead_count_changes',
]
const OF_KEYS = ['api_keys', 'events', 'lead_counts']

/** A digest of all rows of a team, by table. */
export async function fingerprintOf(query: Query, team_id: string): Promise<Fingerprint> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'team_id'
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not (relname = any($1)) order by 1`,
    [[...ON_THEIR_OWN, ...OF_KEYS]],
  )
  const prints: Fingerprint = new Map()
  for (const { name } of tables) {
    const [row] = await query<{ print: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print
       from "${name}" as t where team_id = $1`,
      [team_id],
    )
    prints.set(name, row!.print)
  }
  return prints
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
