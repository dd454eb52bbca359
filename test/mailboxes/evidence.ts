import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { digestOf, seen } from './files.ts'
import type { Handed, Seen } from './ledger.ts'

export type Query = <Row = Record<string, any>>(text: string, values?: unknown[]) => Promise<Row[]>

/** An email in a conversation, with its files as they can be read. */
export type Entry = {
  id: string
  conversation_id: string
  /** Whose conversation it is: the lead's address, or that of nobody known. */
  person: string
  subject: string | null
  text: string
  private_to: string | null
  /** How often its whole is there. */
  wholes: number
  files: Seen[]
}

export type Received = {
  entries: Entry[]
  conversations: { id: string; person: string }[]
  /** How often it was told that something came in. */
  told: number
  leads: { email: string }[]
  files: { id: string; used: boolean; parts: number; hasBytes: boolean }[]
  /** Bytes that no row of a file knows, and drafts. */
  strayBytes: string[]
  deadJobs: { kind: string; error: string | null }[]
}

/** What came in, as it is in the database and where files are kept. */
export async function readReceived(query: Query, folder: string, team_id: string): Promise<Received> {
  const entries = await query(
    `select e.id, e.conversation_id, coalesce(l.email, c.address) as person, e.subject, e.text, e.private_to,
       (select count(*)::int from conversation_mails as m where m.team_id = e.team_id and m.entry_id = e.id) as wholes,
       (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size) order by position), '[]')
          from conversation_files as p left join files as f on f.team_id = p.team_id and f.id = p.file_id
          where p.team_id = e.team_id and p.part_of = e.id and p.conversation_id = e.conversation_id) as files
     from conversation_entries as e
     join conversations as c on c.team_id = e.team_id and c.id = e.conversation_id
     left join leads as l on l.team_id = c.team_id and l.id = c.lead_id
     where e.team_id = $1 and e.kind = 'message' order by e.id`,
    [team_id],
  )
  const files = await query(
    `select id, used_at is not null as used, (select count(*)::int from conversation_files as p
       where p.team_id = files.team_id and p.file_id = files.id) as parts
     from files where team_id = $1 order by id`,
    [team_id],
  )
  const stored = new Set(await namesIn(join(folder, team_id)))
  const known = new Set(files.map(({ id }) => id as string))
  return {
    entries: await Promise.all(
      entries.map(async ({ files, ...entry }) => ({
        ...(entry as Omit<Entry, 'files'>),
        files: await Promise.all(
          (files as { id: string | null; name: string; size: number }[]).map(async ({ id, name, size }) => {
            const bytes =
              id !== null && stored.has(id) ? await readFile(join(folder, team_id, id)) : undefined
            return { name, size: Number(size), digest: bytes ? digestOf(bytes) : 'gone' }
          }),
        ),
      })),
    ),
    conversations: await query(
      `select c.id, coalesce(l.email, c.address) as person from conversations as c
       left join leads as l on l.team_id = c.team_id and l.id = c.lead_id
       where c.team_id = $1 and c.merged_into is null`,
      [team_id],
    ),
    told: (
      await query(
        `select count(*)::int as count from events where team_id = $1 and type = 'conversation.received'`,
        [team_id],
      )
    )[0]!.count,
    leads: await query(`select lower(email) as email from leads where team_id = $1`, [team_id]),
    files: files.map(({ id, used, parts }) => ({ id, used, parts, hasBytes: stored.has(id) })),
    strayBytes: [
      ...[...stored].filter(name => !known.has(name)),
      ...(await namesIn(join(folder, 'drafts'))).map(name => `drafts/${name}`),
    ],
    deadJobs: await readDeadJobs(query),
  }
}

/** An email as a mail program shows it. */
export type Mail = { message_id: string; author: string; subject: string; text: string; files: Seen[] }
export type Arrived = Mail & Pick<Handed, 'from' | 'to'>

export type Written = {
  messages: {
    id: string
    subject: string
    message_id: string
    status: string
    reason: string | null
    due_at: string
    trouble_at: string | null
  }[]
  arrived: Arrived[]
  /** By the address of the mailbox; undefined where no copies are kept. */
  copies: Map<string, Mail[] | undefined>
  deadJobs: { kind: string; error: string | null }[]
}

/** What was written, as it is in the database, as it arrived, and as mailboxes keep it. */
export async function readWritten(
  query: Query,
  team_id: string,
  handed: readonly Handed[],
  boxes: readonly { address: string; sent(): Buffer[] | undefined }[],
): Promise<Written> {
  const copies = new Map<string, Mail[] | undefined>()
  for (const { address, sent } of boxes) {
    const mails = sent()
    copies.set(address, mails && (await Promise.all(mails.map(readMail))))
  }
  return {
    messages: await query(
      `select id, subject, message_id, status, reason, to_json(due_at) #>> '{}' as due_at,
         to_json(trouble_at) #>> '{}' as trouble_at from messages
       where team_id = $1 and source_kind = 'person' order by id`,
      [team_id],
    ),
    arrived: await Promise.all(
      handed.map(async ({ from, to, raw }) => ({ ...(await readMail(raw)), from, to })),
    ),
    copies,
    deadJobs: await readDeadJobs(query),
  }
}

async function readMail(raw: Buffer): Promise<Mail> {
  const { messageId = '', from, subject = '', text = '', attachments } = await PostalMime.parse(raw)
  return {
    message_id: messageId,
    author: from?.address ?? '',
    subject,
    text: text.trim(),
    files: attachments.map(({ filename, content }) =>
      seen({ name: filename ?? '', bytes: new Uint8Array(content as ArrayBuffer) }),
    ),
  }
}

async function readDeadJobs(query: Query): Promise<Written['deadJobs']> {
  return query(`select kind, left(last_error, 300) as error from jobs where state = 'dead'`)
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
