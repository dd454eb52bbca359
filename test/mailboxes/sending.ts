import { randomNumbers } from '#test/random.ts'
import { oneOf } from '../chaos/schedule.ts'
import { checkWritten, type Findings } from './checker.ts'
import { readWritten } from './evidence.ts'
import { makeFile, seen, type TestFile } from './files.ts'
import { planKills, sendingMoments } from './kills.ts'
import { boxNames, type Laboratory, type OwnBox } from './laboratory.ts'
import { killsByMoment } from './report.ts'
import { whenQuiet } from './quiet.ts'

const BUYERS = 8
const FILE_BYTES_MAX = 500_000
/** Of a hundred replies. */
const WITH_FILES = 30
const WITH_CC = 30
const WITH_BCC = 20
/** A reply waits ten seconds before it goes: of many turns, what is killed in one was written some turns before. */
const TURNS_PER_TURN_AHEAD = 12

export type SendingOptions = { replies: number; kills: number }

/** People reply from their mailboxes while the processes that send are killed. */
export async function send(laboratory: Laboratory, { replies, kills }: SendingOptions): Promise<Findings> {
  const { seed, ledger, killer, boxes, browser, say } = laboratory
  const buyers: Lead[] = []
  for (let n = 1; n <= BUYERS; n++) {
    const lead = { last_name: `Buyer ${n}`, email: `buyer${n}@buyer.example.test` }
    buyers.push(await browser.post('/api/crm/leads', lead, `buyer ${n}`))
  }
  const random = randomNumbers(seed)
  const killsBefore = ledger.kills.length
  const ackedBefore = ledger.acked.length
  let written = 0

  async function writeUntil(wanted: number): Promise<void> {
    while (written < Math.min(wanted, replies)) {
      const n = ++written
      const isOne = (percent: number) => random() * 100 < percent
      const files = isOne(WITH_FILES)
        ? Array.from({ length: 1 + Math.floor(random() * 2) }, (_, at) =>
            makeFile(random, `reply ${n}-${at + 1}`, FILE_BYTES_MAX),
          )
        : []
      await writeReply(laboratory, {
        lead: oneOf(buyers, random()),
        subject: `Reply ${n}`,
        box: boxes[oneOf(boxNames, random())],
        cc: isOne(WITH_CC) ? [`cc${n}@copy.example.test`, 'boss@copy.example.test'] : [],
        bcc: isOne(WITH_BCC) ? [`bcc${n}@copy.example.test`] : [],
        files,
      })
    }
  }

  const plan = planKills({ seed, kills, moments: sendingMoments })
  const ahead = Math.floor(kills / TURNS_PER_TURN_AHEAD)
  for (const [at, kill] of plan.entries()) {
    const killed = killer.kill(kill)
    const [{ moment, names }] = await Promise.all([
      killed,
      writeUntil(Math.ceil(((at + 1 + ahead) * replies) / kills)),
    ])
    say(`kill ${kill.n} of ${kills}, ${moment}: ${names.join(' and ')}`)
  }
  await writeUntil(replies)
  const restless = await whenQuiet(laboratory)
  const findings = await concludeSending(laboratory)
  findings.compared['replies written meanwhile'] = ledger.acked.length - ackedBefore
  Object.assign(findings.compared, killsByMoment('sending', ledger.kills.slice(killsBefore)))
  if (restless) findings.stuck.push(restless)
  return findings
}

export async function concludeSending({ cluster, ledger, team_id, boxes }: Laboratory): Promise<Findings> {
  const written = await readWritten(cluster.query, team_id, ledger.handed, Object.values(boxes))
  return checkWritten(ledger.acked, ledger.kills, written)
}

type Lead = { id: string; email: string }
type Reply = {
  lead: Lead
  subject: string
  box: OwnBox
  cc: string[]
  bcc: string[]
  files: TestFile[]
}

/** Asks until it is acknowledged. */
export async function writeReply({ browser, ledger }: Laboratory, reply: Reply): Promise<void> {
  const { lead, subject, box, cc, bcc, files } = reply
  const uploaded: string[] = []
  for (const file of files) uploaded.push((await browser.upload(file)).id)
  const text = `This is ${subject}, at your service.`
  const wanted = {
    channel: 'email',
    lead_id: lead.id,
    mailbox_id: box.id,
    subject,
    text,
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    ...(uploaded.length > 0 && { file_ids: uploaded }),
  }
  await browser.post('/api/conversations', wanted, subject)
  ledger.acked.push({ subject, text, mailbox: box.address, to: lead.email, cc, bcc, files: files.map(seen) })
}
