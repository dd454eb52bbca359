import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { checkReceived, checkThreads, type Findings } from './checker.ts'
import type { Query } from './evidence.ts'
import type { Handed } from './ledger.ts'
import { copyRow, MAILS, openTeam, UNDO_MS, type Outside, type Team } from './mailboxes.harness.ts'
import { findingsTable, isBad } from './report.ts'

let team: Team

beforeAll(async () => {
  team = await openTeam()
})
afterAll(() => team?.close())

test('what came in and what was written is there once, and the checker finds nothing', async () => {
  const { received, written } = await team.findings()
  expect(isBad(received), findingsTable(received)).toBe(false)
  expect(isBad(written), findingsTable(written)).toBe(false)
  expect(received.compared).toMatchObject({ 'emails delivered': MAILS })
  expect(received.compared['files received']).toBeGreaterThan(3)
  expect(written.compared).toMatchObject({
    'replies acknowledged': 3,
    'emails that arrived': 3,
    'copies filed': 3,
  })
})

test('the mails of a plan have all that a mail can have', () => {
  const { delivered } = team.ledger
  expect(delivered.some(({ message_id }) => message_id === null)).toBe(true)
  expect(delivered.some(({ mailboxes }) => mailboxes.length === 2)).toBe(true)
  expect(delivered.some(({ isPrivate, person }) => isPrivate && person !== null)).toBe(true)
  expect(delivered.some(({ raw }) => raw.includes('In-Reply-To'))).toBe(true)
  expect(delivered.some(({ person, from }) => person === from && from.startsWith('stranger'))).toBe(true)
})

const ENTRY = `(select id from conversation_entries where subject = $1)`

test.for<[string, keyof Findings, RegExp, string | ((query: Query, subject: string) => Promise<unknown>)]>([
  [
    'an email that is lost',
    'lost',
    /is in no conversation/,
    `delete from conversation_entries where subject = $1`,
  ],
  [
    'an email that is there twice',
    'doubled',
    /is there 2 times/,
    (query, subject) => copyRow(query, 'conversation_entries', 'source_key', subject),
  ],
  [
    'an email in the wrong conversation',
    'wrong',
    /is in the conversation of/,
    `with moved as (update conversation_entries set conversation_id =
         (select id from conversations where id <> conversation_id limit 1) where subject = $1 returning id, conversation_id)
       update conversation_files set conversation_id = moved.conversation_id from moved where part_of = moved.id`,
  ],
  [
    'another text',
    'wrong',
    /says "planted"/,
    `update conversation_entries set text = 'planted' where subject = $1`,
  ],
  [
    'an email without its original',
    'lost',
    /has no original/,
    `delete from conversation_mails where entry_id = ${ENTRY}`,
  ],
  [
    'an email without its files',
    'wrong',
    /has other files/,
    `delete from conversation_files where part_of = ${ENTRY}`,
  ],
  [
    'a file of another name',
    'wrong',
    /has other files/,
    `update files set name = 'planted' where id = (select file_id from conversation_files where part_of = ${ENTRY} limit 1)`,
  ],
  [
    'an unused file',
    'wrong',
    /is unused/,
    `insert into files (team_id, id, name, type, size, created_at)
       select team_id, '${newId()}', $1, 'text/plain', 1, now() from teams_of`,
  ],
  [
    'a file of no message',
    'wrong',
    /belongs to no message/,
    `delete from conversation_files where part_of = ${ENTRY}`,
  ],
  [
    'a public email that is private',
    'wrong',
    /private, though it came to a shared mailbox/,
    `update conversation_entries set private_to = '${newId()}' where subject = $1`,
  ],
  [
    'an email that was told of twice',
    'wrong',
    /it was told/,
    `delete from events where type = 'conversation.received' and $1 <> ''`,
  ],
  [
    'a second conversation with one person',
    'doubled',
    /has 2 conversations/,
    (query, subject) => copyRow(query, 'conversations', undefined, subject),
  ],
  [
    'a lead that is there twice',
    'doubled',
    /has 2 leads/,
    (query, subject) => copyRow(query, 'leads', undefined, subject),
  ],
  [
    'a job that was given up',
    'stuck',
    /planted was given up/,
    `insert into jobs (id, kind, run_at, state) values ('${newId()}', 'planted', now(), 'dead' || left($1, 0))`,
  ],
])('the checker finds %s', async ([, part, words, plant]) => {
  // From somebody known, to a shared mailbox, with a file.
  const { subject } = team.ledger.delivered.find(({ files, isPrivate }) => files.length > 0 && !isPrivate)!
  const { received } = await team.findings(query =>
    typeof plant === 'string'
      ? query(plant.replace('teams_of', `(select '${team.team_id}' as team_id) as own`), [subject])
      : plant(query, subject),
  )
  expect(received[part]).toContainEqual(expect.stringMatching(words))
})

test('the checker finds changed, lost and stray bytes', async () => {
  const [{ id } = { id: '' }] = await team.app.database.query<{ id: string }>(
    `select file_id as id from conversation_files join conversation_entries as e on e.id = part_of limit 1`,
  )
  const path = join(team.folder, team.team_id, id)
  const bytes = await readFile(path)
  await writeFile(path, Buffer.from(bytes).fill(1, 0, 1))
  expect((await team.findings()).received.wrong).toContainEqual(expect.stringMatching(/has other files/))
  await rm(path)
  expect((await team.findings()).received.lost).toContainEqual(expect.stringMatching(/has no bytes/))
  await writeFile(path, bytes)
  const stray = join(team.folder, team.team_id, newId())
  await writeFile(stray, bytes)
  expect((await team.findings()).received.wrong).toContainEqual(expect.stringMatching(/nothing knows of/))
  await rm(stray)
  expect(isBad((await team.findings()).received)).toBe(false)
})

test('the checker finds a stranger in a private mailbox', async () => {
  const [mail] = team.ledger.delivered.filter(({ person }) => person !== null)
  const unwanted = team.ledger.delivered.map(each => (each === mail ? { ...each, person: null } : each))
  const { evidence } = await team.findings()
  expect(checkReceived(unwanted, evidence.received).wrong).toContainEqual(expect.stringMatching(/was taken/))
})

test('the checker finds an email that a thread shows twice, elsewhere or not at all', async () => {
  const { received } = (await team.findings()).evidence
  const threads = new Map(
    [...Map.groupBy(received.entries, ({ conversation_id }) => conversation_id)].map(([id, entries]) => [
      id,
      entries.map(({ id }) => id),
    ]),
  )
  expect(isBad(checkThreads(received, threads))).toBe(false)
  const [[first, ids], [second]] = [...threads] as [[string, string[]], [string, string[]]]
  const withThread = (id: string, shown: string[]) => new Map([...threads, [id, shown]])
  expect(checkThreads(received, withThread(first, [...ids, ids[0]!])).doubled).toHaveLength(1)
  expect(checkThreads(received, withThread(first, ids.slice(1))).lost).toHaveLength(1)
  const moved = new Map([...withThread(first, ids.slice(1)), [second, [...threads.get(second)!, ids[0]!]]])
  expect(checkThreads(received, moved).wrong).toHaveLength(1)
  expect(checkThreads(received, withThread(second, [...threads.get(second)!, 'planted'])).wrong).toHaveLength(
    1,
  )
})

test.for<[string, keyof Findings, RegExp, (handed: Handed[]) => void]>([
  ['a reply that was sent twice', 'doubled', /arrived 2 times/, handed => void handed.push(handed[0]!)],
  ['a reply that did not arrive', 'lost', /did not arrive/, handed => void handed.shift()],
  [
    'a reply whose file was changed',
    'wrong',
    /as it arrived, has other files/,
    handed => void changeFile(handed, mail => ({ ...mail, raw: withChange(mail.raw) })),
  ],
  [
    'a copy that did not go to all',
    'wrong',
    /went to .* instead of/,
    handed => void changeFile(handed, mail => ({ ...mail, to: mail.to.slice(1) })),
  ],
  [
    'an email that nobody wrote',
    'wrong',
    /no reply is about/,
    handed => void handed.push({ ...handed[0]!, raw: Buffer.from('Message-ID: <planted@x>\r\n\r\nHello') }),
  ],
])('the checker finds %s', async ([, part, words, plant]) => {
  const { written } = await team.findings((_, { handed }) => plant(handed))
  expect(written[part]).toContainEqual(expect.stringMatching(words))
})

test.for<[string, keyof Findings, RegExp, (copies: Outside['copies']) => void]>([
  [
    'a copy that was filed twice',
    'doubled',
    /was filed 2 times/,
    copies => copies[0]!.mails.push(copies[0]!.mails[0]!),
  ],
  ['a copy that was not filed', 'lost', /was not filed/, copies => void copies[0]!.mails.pop()],
  [
    'a copy in another mailbox',
    'wrong',
    /was filed in/,
    copies => void copies[1]!.mails.push(copies[0]!.mails[0]!),
  ],
])('the checker finds %s', async ([, part, words, plant]) => {
  const { written } = await team.findings((_, { copies }) => plant(copies))
  expect(written[part]).toContainEqual(expect.stringMatching(words))
})

test.for<[string, keyof Findings, RegExp, string]>([
  ['a reply that still waits', 'stuck', /is SENDING/, `status = 'SENDING'`],
  ['a reply that was given up', 'stuck', /is FAILED/, `status = 'FAILED'`],
  [
    'a reply that is UNKNOWN without a kill',
    'wrong',
    /no kill explains it/,
    `status = 'UNKNOWN', reason = 'The process stopped while sending.', trouble_at = due_at + interval '1 second'`,
  ],
])('the checker finds %s', async ([, part, words, change]) => {
  const { written } = await team.findings(query => query(`update messages set ${change}`))
  expect(written[part]).toContainEqual(expect.stringMatching(words))
})

test('a reply that is UNKNOWN is explained by a kill just before', async () => {
  const { written } = await team.findings(async (query, { kills, copies }) => {
    const [row] = await query<{ due_at: Date }>(`update messages set status = 'UNKNOWN',
      reason = 'The process stopped while sending.', trouble_at = due_at + interval '20 seconds' returning due_at`)
    const at = new Date(row!.due_at).getTime() + UNDO_MS
    kills.push({ at, moment: 'in_hand', names: ['worker-1'] })
    for (const { mails } of copies) mails.splice(0)
  })
  expect(isBad(written), findingsTable(written)).toBe(false)
  expect(written.compared).toMatchObject({ 'replies UNKNOWN': 3, 'of them arrived': 3 })
})

function changeFile(handed: Handed[], change: (mail: Handed) => Handed): void {
  handed[0] = change(handed[0]!)
}

/** One letter of what is attached. */
function withChange(raw: Buffer): Buffer {
  const text = raw.toString('latin1')
  const at = text.lastIndexOf('Content-Disposition: attachment')
  const body = text.indexOf('\r\n\r\n', at) + 4
  return Buffer.from(
    `${text.slice(0, body)}${text[body] === 'A' ? 'B' : 'A'}${text.slice(body + 1)}`,
    'latin1',
  )
}
