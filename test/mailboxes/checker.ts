import type { Mail, Received, Written } from './evidence.ts'
import { describe } from './files.ts'
import type { Acked, Delivered, Killed } from './ledger.ts'

export type Findings = {
  compared: Record<string, number>
  lost: string[]
  doubled: string[]
  stuck: string[]
  wrong: string[]
}

/** A lease of ten seconds, and what a process takes to start, on a busy machine. */
const EXPLAINED_WITHIN_MS = 120_000

/** Each email that was delivered is in one conversation once, the right one, with its files; and nothing else is there. */
export function checkReceived(delivered: readonly Delivered[], received: Received): Findings {
  const findings = noFindings()
  const { lost, doubled, wrong, compared } = findings
  const bySubject = Map.groupBy(received.entries, ({ subject }) => subject ?? '')
  for (const mail of delivered) {
    const [entry, ...more] = bySubject.get(mail.subject) ?? []
    bySubject.delete(mail.subject)
    const name = `${mail.subject} from ${mail.from} to ${mail.mailboxes.join(' and ')}`
    if (mail.person === null) {
      if (entry) wrong.push(`${name} was taken, though nobody knows its sender and the mailbox is private`)
      continue
    }
    if (!entry) lost.push(`${name} is in no conversation`)
    else if (more.length > 0) doubled.push(`${name} is there ${more.length + 1} times`)
    else compare(mail, entry, name, findings)
  }
  for (const [subject, entries] of bySubject)
    wrong.push(`${entries.length} emails are there that nobody sent: ${subject}`)
  for (const [what, list] of [
    ['conversations', received.conversations.map(({ person }) => person)],
    ['leads', received.leads.map(({ email }) => email)],
  ] as const)
    for (const [person, { length }] of Map.groupBy(list, name => name))
      if (length > 1) doubled.push(`${person} has ${length} ${what}`)
  if (received.told !== received.entries.length)
    wrong.push(`${received.entries.length} emails came in, and it was told ${received.told} times`)
  checkFiles(received, findings)
  checkJobs(received, findings)
  compared['emails delivered'] = delivered.length
  compared['of them not to be taken'] = delivered.filter(({ person }) => person === null).length
  compared['emails in conversations'] = received.entries.length
  compared.conversations = received.conversations.length
  compared['files received'] = received.entries.reduce((sum, { files }) => sum + files.length, 0)
  return findings
}

function compare(
  mail: Delivered,
  entry: Received['entries'][number],
  name: string,
  { lost, doubled, wrong }: Findings,
): void {
  if (entry.person !== mail.person)
    wrong.push(`${name} is in the conversation of ${entry.person}, not of ${mail.person}`)
  if (entry.text.trim() !== mail.text) wrong.push(`${name} says ${JSON.stringify(entry.text.slice(0, 100))}`)
  if (describe(entry.files) !== describe(mail.files))
    wrong.push(`${name} has other files: ${describe(entry.files)} instead of ${describe(mail.files)}`)
  if (entry.wholes === 0) lost.push(`${name} has no original`)
  if (entry.wholes > 1) doubled.push(`${name} has ${entry.wholes} originals`)
  if ((entry.private_to !== null) !== mail.isPrivate)
    wrong.push(`${name} is ${mail.isPrivate ? 'not private' : 'private, though it came to a shared mailbox'}`)
}

function checkFiles({ files, strayBytes }: Received, { compared, lost, doubled, wrong }: Findings): void {
  compared['files stored'] = files.length
  for (const { id, used, parts, hasBytes } of files) {
    if (!used) wrong.push(`file ${id} is unused, and the housekeeping has left it`)
    else if (parts === 0) wrong.push(`file ${id} belongs to no message`)
    if (parts > 1) doubled.push(`file ${id} belongs to ${parts} messages`)
    if (!hasBytes) lost.push(`file ${id} has no bytes`)
  }
  for (const name of strayBytes) wrong.push(`bytes that nothing knows of are stored as ${name}`)
}

/** Each reply arrived once, or is UNKNOWN and a kill explains it; and its copy is in its mailbox once. */
export function checkWritten(
  acked: readonly Acked[],
  kills: readonly Killed[],
  { messages, arrived, copies, ...rest }: Written,
): Findings {
  const findings = noFindings()
  const { compared, lost, doubled, stuck, wrong } = findings
  const rows = Map.groupBy(messages, ({ subject }) => subject)
  const mails = Map.groupBy(arrived, ({ message_id }) => message_id)
  let unknown = 0
  let unknownArrived = 0
  for (const reply of acked) {
    const [row, ...more] = rows.get(reply.subject) ?? []
    rows.delete(reply.subject)
    const name = `${reply.subject} from ${reply.mailbox} to ${reply.to}`
    if (!row) {
      lost.push(`${name} was acknowledged and is gone`)
      continue
    }
    if (more.length > 0) doubled.push(`${name} was written ${more.length + 1} times`)
    const { status, reason, message_id } = row
    const [mail, ...again] = mails.get(message_id) ?? []
    mails.delete(message_id)
    if (again.length > 0) doubled.push(`${name} arrived ${again.length + 1} times`)
    if (status === 'SENT' && !mail) lost.push(`${name} is SENT and did not arrive`)
    if (status === 'DUE' || status === 'SENDING') stuck.push(`${name} is ${status}`)
    if (status === 'FAILED' || status === 'CANCELLED') stuck.push(`${name} is ${status}: ${reason}`)
    if (status === 'UNKNOWN') {
      unknown++
      if (mail) unknownArrived++
      if (!isExplained(row, kills)) wrong.push(`${name} is UNKNOWN and no kill explains it: ${reason}`)
    }
    if (mail) compareMail(reply, mail, `${name}, as it arrived,`, wrong)
    if (mail) compareRecipients(reply, mail, name, wrong)
    checkCopies(reply, row, copies, name, findings)
  }
  for (const [subject, { length }] of rows)
    wrong.push(`${length} replies are there that nobody wrote: ${subject}`)
  for (const [message_id, { length }] of mails)
    wrong.push(`${length} emails arrived that no reply is about: ${message_id}`)
  checkJobs(rest, findings)
  compared['replies acknowledged'] = acked.length
  compared['emails that arrived'] = arrived.length
  compared['replies UNKNOWN'] = unknown
  compared['of them arrived'] = unknownArrived
  compared['files that arrived'] = arrived.reduce((sum, { files }) => sum + files.length, 0)
  compared['copies filed'] = [...copies.values()].reduce((sum, list) => sum + (list?.length ?? 0), 0)
  return findings
}

function compareMail(reply: Acked, mail: Mail, name: string, wrong: string[]): void {
  if (mail.author !== reply.mailbox) wrong.push(`${name} is from ${mail.author}`)
  if (mail.subject !== reply.subject) wrong.push(`${name} is about ${mail.subject}`)
  if (mail.text !== reply.text) wrong.push(`${name} says ${JSON.stringify(mail.text.slice(0, 100))}`)
  if (describe(mail.files) !== describe(reply.files))
    wrong.push(`${name} has other files: ${describe(mail.files)} instead of ${describe(reply.files)}`)
}

function compareRecipients(
  { mailbox, to, cc, bcc }: Acked,
  mail: { from: string; to: string[] },
  name: string,
  wrong: string[],
): void {
  if (mail.from !== mailbox) wrong.push(`${name} was sent as ${mail.from}`)
  const wanted = [to, ...cc, ...bcc].toSorted().join(', ')
  const got = mail.to.toSorted().join(', ')
  if (got !== wanted) wrong.push(`${name} went to ${got} instead of ${wanted}`)
}

function checkCopies(
  reply: Acked,
  { status, message_id }: Written['messages'][number],
  copies: Written['copies'],
  name: string,
  { lost, doubled, wrong }: Findings,
): void {
  for (const [address, mails] of copies) {
    if (!mails) continue
    const found = mails.filter(mail => mail.message_id === message_id)
    const wanted = status === 'SENT' && address === reply.mailbox
    if (found.length > 1) doubled.push(`${name} was filed ${found.length} times in ${address}`)
    if (wanted && found.length === 0) lost.push(`${name} is SENT and was not filed`)
    if (!wanted && found.length > 0) wrong.push(`${name} is ${status} and was filed in ${address}`)
    for (const copy of found) compareMail(reply, copy, `${name}, as it was filed,`, wrong)
  }
}

/** The server answers every email: only a process that died leaves one unknown. */
function isExplained(
  { reason, due_at, trouble_at }: Written['messages'][number],
  kills: readonly Killed[],
): boolean {
  if (!/process stopped/.test(reason ?? '') || trouble_at === null) return false
  const found = Date.parse(trouble_at)
  return kills.some(({ at }) => at >= Date.parse(due_at) && at <= found && found - at < EXPLAINED_WITHIN_MS)
}

function checkJobs({ deadJobs }: Pick<Received, 'deadJobs'>, { stuck }: Findings): void {
  for (const { kind, error } of deadJobs) stuck.push(`a job ${kind} was given up: ${error}`)
}

/** Every entry is in the thread that the API shows, once; and no other email. */
export function checkThreads(
  received: Pick<Received, 'entries'>,
  threads: ReadonlyMap<string, readonly string[]>,
): Findings {
  const findings = noFindings()
  const places = new Map<string, string[]>()
  for (const [conversation_id, ids] of threads)
    for (const id of ids) places.set(id, [...(places.get(id) ?? []), conversation_id])
  for (const { id, subject, conversation_id } of received.entries) {
    const found = places.get(id) ?? []
    places.delete(id)
    if (found.length === 0) findings.lost.push(`${subject} is in no thread`)
    else if (found.length > 1) findings.doubled.push(`${subject} is shown ${found.length} times`)
    else if (found[0] !== conversation_id) findings.wrong.push(`${subject} is shown in another conversation`)
  }
  for (const id of places.keys()) findings.wrong.push(`a thread shows ${id}, which did not come in`)
  findings.compared['emails shown in threads'] = received.entries.length
  return findings
}

export function allOf(parts: readonly Findings[]): Findings {
  const all = noFindings()
  for (const { compared, lost, doubled, stuck, wrong } of parts) {
    Object.assign(all.compared, compared)
    all.lost.push(...lost)
    all.doubled.push(...doubled)
    all.stuck.push(...stuck)
    all.wrong.push(...wrong)
  }
  return all
}

function noFindings(): Findings {
  return { compared: {}, lost: [], doubled: [], stuck: [], wrong: [] }
}
