import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allOf, checkReceived, checkThreads, type Findings } from './checker.ts'
import { readReceived } from './evidence.ts'
import { planKills, receivingMoments } from './kills.ts'
import { boxNames, type Laboratory } from './laboratory.ts'
import { planMails, type Sent } from './mails.ts'
import { writeReply } from './sending.ts'
import { killsByMoment } from './report.ts'
import { whenQuiet } from './quiet.ts'

const DAY_MS = 86_400_000
const LEADS = 12
/** What is unused is removed after a day, and drafts of bytes after an hour. */
const LATER_MS = DAY_MS + 60_000
/** Nothing new for so long: longer than a lease of a watch, and than the wait for the next regular reading. */
const STILL_MS = 150_000
const LOOK_MS = 250

export type ReceivingOptions = { mails: number; kills: number }

/** Mails come into the mailboxes while the processes that read them are killed. */
export async function receive(laboratory: Laboratory, { mails, kills }: ReceivingOptions): Promise<Findings> {
  const { seed, ledger, killer, boxes, browser, say } = laboratory
  const leads = await addLeads(laboratory)
  const sent = await writeFirst(laboratory, leads)
  const addresses = Object.fromEntries(boxNames.map(name => [name, boxes[name].address]))
  const planned = planMails({
    seed,
    count: mails,
    leads: leads.map(({ email }) => email),
    sent,
    mailboxes: addresses as never,
  })
  const killsBefore = ledger.kills.length
  const plan = planKills({ seed, kills, moments: receivingMoments })
  for (const [at, kill] of plan.entries()) {
    const share = planned.slice((at * mails) / kills, ((at + 1) * mails) / kills)
    const killed = killer.kill(kill)
    await Promise.all(share.map(mail => deliver(laboratory, mail)))
    // Now and then somebody asks for it; what nobody asks for comes as well, later.
    if (kill.target < 0.5)
      for (const { id } of Object.values(boxes))
        void browser.post(`/api/mailboxes/${id}/check`, {}).catch(() => {})
    const { moment, names } = await killed
    say(`kill ${kill.n} of ${kills}, ${moment}: ${names.join(' and ')}`)
  }
  const wanted = planned.filter(({ person }) => person !== null).length
  const restless = await untilTaken(laboratory, wanted)
  await whenQuiet(laboratory)
  const findings = await concludeReceiving(laboratory)
  Object.assign(findings.compared, killsByMoment('receiving', ledger.kills.slice(killsBefore)))
  if (restless) findings.stuck.push(restless)
  return findings
}

/** Compares, once the housekeeping of later days is done. */
export async function concludeReceiving(laboratory: Laboratory): Promise<Findings> {
  const { cluster, ledger, browser, team_id } = laboratory
  await laboratory.tidyUp(LATER_MS)
  const received = await readReceived(cluster.query, join(cluster.folder, 'data', 'files'), team_id)
  const threads = new Map<string, string[]>()
  const files: { id: string; size: number }[] = []
  for (const { id } of received.conversations) {
    const entries = await all(browser, `/api/conversations/${id}/messages`)
    const incoming = entries.filter(({ kind, direction }) => kind === 'message' && direction === 'in')
    threads.set(
      id,
      incoming.map(entry => entry.id),
    )
    files.push(...incoming.flatMap(entry => entry.files))
  }
  const findings = allOf([checkReceived(ledger.delivered, received), checkThreads(received, threads)])
  for (const { id, size } of files) {
    const { length } = await browser.download(id)
    if (length !== size)
      findings.wrong.push(`file ${id} has ${size} bytes, and ${length} when it is downloaded`)
  }
  return findings
}

async function deliver(
  { ledger, boxes }: Laboratory,
  mail: ReturnType<typeof planMails>[number],
): Promise<void> {
  ledger.delivered.push(mail)
  const places = Object.values(boxes).filter(({ address }) => mail.mailboxes.includes(address))
  // Each server adds a line of its own.
  await Promise.all(places.map(box => box.deliver(`Delivered-To: ${box.address}\r\n${mail.raw}`)))
}

type Lead = { id: string; email: string }

async function addLeads({ browser }: Laboratory): Promise<Lead[]> {
  const leads: Lead[] = []
  for (let n = 1; n <= LEADS; n++)
    leads.push(
      await browser.post(
        '/api/crm/leads',
        { last_name: `Lead ${n}`, email: `lead${n}@lead.example.test` },
        `lead ${n}`,
      ),
    )
  return leads
}

/** Each lead gets an email that can be answered. */
async function writeFirst(laboratory: Laboratory, leads: readonly Lead[]): Promise<Sent[]> {
  const { boxes, ledger } = laboratory
  for (const [at, lead] of leads.entries())
    await writeReply(laboratory, {
      lead,
      subject: `Letter ${at + 1}`,
      box: boxes[boxNames[at % boxNames.length]!],
      cc: [],
      bcc: [],
      files: [],
    })
  const withinMs = performance.now() + STILL_MS
  while (ledger.handed.length < leads.length) {
    if (performance.now() > withinMs) throw new Error('the first emails were not sent')
    await sleep(LOOK_MS)
  }
  return ledger.handed.map(({ message_id, to }) => ({ message_id, lead: to[0]! }))
}

/** Why it was given up, if it was. */
async function untilTaken(
  { cluster, team_id, say }: Laboratory,
  wanted: number,
): Promise<string | undefined> {
  let before = -1
  let movedAt = performance.now()
  for (;;) {
    const [row] = await cluster.query<{ count: number }>(
      `select count(*)::int from conversation_entries where team_id = $1 and kind = 'message'`,
      [team_id],
    )
    const { count } = row!
    if (count >= wanted) return undefined
    if (count !== before) {
      before = count
      movedAt = performance.now()
      say(`${count} of ${wanted} emails are taken`)
    }
    if (performance.now() - movedAt > STILL_MS) return `only ${count} of ${wanted} emails were taken`
    await sleep(LOOK_MS)
  }
}

async function all(browser: Laboratory['browser'], path: string): Promise<any[]> {
  const found: any[] = []
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor } = await browser.get(
      cursor ? `${path}?cursor=${encodeURIComponent(cursor)}` : path,
    )
    found.push(...data)
    if (!next_cursor) return found
    cursor = next_cursor
  }
}
