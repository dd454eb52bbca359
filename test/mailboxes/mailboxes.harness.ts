import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { composeCopy } from '#adapters/email/copy.ts'
import { readIncoming } from '#adapters/mailbox/incoming.ts'
import { openDisk } from '#adapters/storage/disk.ts'
import { MAILBOXES, newLogin } from '#domains/mailboxes/mailboxes.harness.ts'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { LeftMail } from '#test/mailboxes.ts'
import { testPorts } from '#test/ports.ts'
import { randomNumbers } from '#test/random.ts'
import { settle } from '#test/settle.ts'
import { checkReceived, checkWritten } from './checker.ts'
import { readReceived, readWritten, type Query } from './evidence.ts'
import { makeFile, seen } from './files.ts'
import { openLedger, type Handed, type Ledger } from './ledger.ts'
import { planMails, type Sent } from './mails.ts'

const SEED = 5
export const MAILS = 24
export const UNDO_MS = 10_000
const READ_EVERY_MS = 120_000
const DAY_MS = 86_400_000
const ADDRESSES = {
  support: 'support@team.example.test',
  sales: 'sales@team.example.test',
  ada: 'ada@team.example.test',
}
const CHOICES = {
  support: {},
  sales: { creates_leads: true },
  ada: { shared: false, visibility: 'owner' },
}
const LEADS = ['one@lead.example.test', 'two@lead.example.test', 'three@lead.example.test']

/** What can be planted in, beside the database. */
export type Outside = Pick<Ledger, 'handed' | 'kills'> & { copies: { address: string; mails: Buffer[] }[] }

/** A team that has received and sent, in one process and with nothing disturbed. */
export type Team = {
  app: TestApp
  team_id: string
  /** Where its files are kept. */
  folder: string
  ledger: Ledger
  /** What the checkers say after something was planted, which is then undone. */
  findings(plant?: (query: Query, outside: Outside) => unknown): ReturnType<typeof compare>
  close(): Promise<void>
}

export async function openTeam(): Promise<Team> {
  const clock = new FakeClock('2026-03-02T09:00:00.000Z')
  const folder = await mkdtemp(join(tmpdir(), 'rapport-mailboxes-'))
  const ports = { ...testPorts({ clock }), storage: openDisk({ folder }) }
  const app = await startApp({ clock, ports })
  const ada = await app.person()
  const { team_id } = ada
  const ledger = openLedger()
  const props: Props = { app, ada, clock, ports, ledger }
  const boxes: Record<string, string> = {}
  for (const name of ['support', 'sales', 'ada'] as const) {
    const { id } = await post(ada, MAILBOXES, newLogin(ADDRESSES[name], CHOICES[name]))
    boxes[ADDRESSES[name]] = id
  }
  await settle(app)
  const copies = await writeReplies(props, boxes)
  await deliverMails(props)
  await sweepLater(props)
  return {
    app,
    team_id,
    folder,
    ledger,
    findings: plant => compare({ app, team_id, folder, ledger, copies }, plant),
    async close() {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Props = {
  app: TestApp
  ada: Person
  clock: FakeClock
  ports: ReturnType<typeof testPorts>
  ledger: Ledger
}

async function writeReplies(
  { app, ada, clock, ports, ledger }: Props,
  boxes: Record<string, string>,
): Promise<Outside['copies']> {
  const random = randomNumbers(SEED)
  for (const [at, email] of LEADS.entries()) {
    const lead = await post(ada, '/api/crm/leads', { last_name: `Lead ${at}`, email })
    const mailbox = Object.keys(boxes)[at]!
    const file = makeFile(random, `reply ${at}`, 20_000)
    const { body } = await ada.browser.raw('POST', '/api/files', new Uint8Array(file.bytes), {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=utf-8''${encodeURIComponent(file.name)}`,
    })
    const written = {
      subject: `Reply ${at}`,
      text: `This is ${at}.`,
      cc: ['c@copy.test'],
      bcc: ['b@copy.test'],
    }
    const beside = { channel: 'email', lead_id: lead.id, mailbox_id: boxes[mailbox], file_ids: [body.id] }
    await post(ada, '/api/conversations', { ...written, ...beside })
    ledger.acked.push({ ...written, mailbox, to: email, files: [seen(file)] })
  }
  await settle(app)
  clock.advance(UNDO_MS)
  app.runtime.wakeWorker()
  await settle(app)
  const accounts = Object.keys(boxes).map(address => ({ address, ...ports.mailboxServers.at(address) }))
  for (const { sent } of accounts) ledger.handed.push(...(await Promise.all(sent.map(asHanded))))
  const copyOf = ({ sender, mail }: LeftMail) => composeCopy(mail, sender)
  return Promise.all(
    accounts.map(async ({ address, filed }) => ({ address, mails: await Promise.all(filed.map(copyOf)) })),
  )
}

async function asHanded({ sender, mail }: LeftMail): Promise<Handed> {
  const to = [mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])]
  return { message_id: mail.message_id, from: sender.address, to, raw: await composeCopy(mail, sender) }
}

async function deliverMails({ app, clock, ports, ledger }: Props): Promise<void> {
  const sent: Sent[] = ledger.handed.map(({ message_id, to }) => ({ message_id, lead: to[0]! }))
  const planned = planMails({ seed: SEED, count: MAILS, leads: LEADS, sent, mailboxes: ADDRESSES })
  for (const mail of planned) {
    const read = readIncoming(Buffer.from(mail.raw), new Date(clock.now()))
    for (const address of mail.mailboxes) ports.mailboxServers.deliver(address, read)
    ledger.delivered.push(mail)
    // Those that come later find what is there.
    await settle(app)
  }
  clock.advance(READ_EVERY_MS)
  app.runtime.wakeWorker()
  await settle(app)
}

/** An email that two mailboxes bring at once leaves files that nobody uses, for a day. */
async function sweepLater({ app, ada, clock }: Props): Promise<void> {
  clock.advance(DAY_MS)
  await settle(app)
  const { run } = app.runtime.registry.sweeps.find(({ name }) => name === 'unused_files')!
  await run(systemContext(app.runtime, ada.team_id))
}

async function post({ browser }: Person, path: string, body: object): Promise<any> {
  const reply = await browser.post(path, body)
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.body
}

type Compared = Pick<Team, 'app' | 'team_id' | 'folder' | 'ledger'> & Pick<Outside, 'copies'>

async function compare(
  { app, team_id, folder, ledger, copies }: Compared,
  plant: (query: Query, outside: Outside) => unknown = () => {},
) {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  const query: Query = async (text, values = []) => (await client.query(text, values)).rows
  const outside: Outside = {
    handed: [...ledger.handed],
    kills: [...ledger.kills],
    copies: copies.map(({ address, mails }) => ({ address, mails: [...mails] })),
  }
  try {
    await query('begin')
    // Keys between tables are no part of what is planted.
    await query(`set local session_replication_role = 'replica'`)
    await plant(query, outside)
    const boxes = outside.copies.map(({ address, mails }) => ({ address, sent: () => mails }))
    const evidence = {
      received: await readReceived(query, folder, team_id),
      written: await readWritten(query, team_id, outside.handed, boxes),
    }
    return {
      evidence,
      received: checkReceived(ledger.delivered, evidence.received),
      written: checkWritten(ledger.acked, outside.kills, evidence.written),
    }
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

/** Writes the row of that email, or of its conversation or lead, once more, without what makes it unique. */
export async function copyRow(
  query: Query,
  table: string,
  unique: string | undefined,
  subject: string,
): Promise<void> {
  const columns = await query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass
       and attnum > 0 and attgenerated = '' and not attisdropped and attname <> 'id'`,
    [table],
  )
  const names = columns.map(({ name }) => name)
  const values = names.map(name => (name === unique ? 'null' : name))
  if (table === 'conversations') await query(`drop index ${(await uniqueIndexes(query, table)).join(', ')}`)
  const id = {
    conversation_entries: 'id',
    conversations: 'conversation_id',
    leads: '(select lead_id from conversations where id = conversation_id)',
  }[table]
  await query(
    `insert into ${table} (id, ${names.join(', ')}) select '${newId()}', ${values.join(', ')} from ${table}
     where id = (select ${id} from conversation_entries where subject = $1)`,
    [subject],
  )
}

async function uniqueIndexes(query: Query, table: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = $1::regclass and indisunique and not indisprimary`,
    [table],
  )
  return rows.map(({ name }) => name)
}
