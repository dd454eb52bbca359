import { randomNumbers } from '#test/random.ts'
import { oneOf } from '../chaos/schedule.ts'
import { makeFile, seen, type TestFile } from './files.ts'
import type { Delivered } from './ledger.ts'

const FILE_BYTES_MAX = 2_000_000
const LINE_LENGTH = 76
/** Of a hundred mails. */
const SHARES = {
  lead: 50,
  colleague: 15,
  withFiles: 35,
  withoutId: 15,
  twoMailboxes: 20,
  sameId: 5,
  html: 30,
}
/** In turns, so that also a short run has one of each: the mailboxes that a mail comes to. */
const PAIRS = [
  ['support', 'sales'],
  ['ada', 'support'],
  ['sales', 'ada'],
] as const

/** An email of ours that can be answered. */
export type Sent = { lead: string; message_id: string }

type Wanted = {
  seed: number
  count: number
  leads: readonly string[]
  sent: readonly Sent[]
  /** The addresses of the mailboxes; strangers who write to `ada` alone, which is private, are not taken. */
  mailboxes: Record<'support' | 'sales' | 'ada', string>
}

/** The same seed gives the same mails: from leads, their colleagues and strangers, with and without all that a mail can have. */
export function planMails({ seed, count, leads, sent, mailboxes }: Wanted): Delivered[] {
  const random = randomNumbers(seed)
  const isOne = (percent: number) => random() * 100 < percent
  const strangers = Array.from({ length: Math.ceil(count / 8) }, (_, n) => `stranger${n}@else.example.test`)
  const planned: Delivered[] = []
  for (let n = 1; n <= count; n++) {
    const kind = isOne(SHARES.lead) ? 'lead' : isOne(2 * SHARES.colleague) ? 'colleague' : 'stranger'
    const answered =
      kind === 'colleague' || (kind === 'lead' && isOne(50)) ? oneOf(sent, random()) : undefined
    const lead = answered?.lead ?? oneOf(leads, random())
    const from =
      kind === 'lead'
        ? lead
        : kind === 'colleague'
          ? `colleague${n}@firm.example.test`
          : oneOf(strangers, random())
    const isUnwanted = kind === 'stranger' && isOne(15)
    const names = isUnwanted
      ? (['ada'] as const)
      : isOne(SHARES.twoMailboxes)
        ? oneOf(PAIRS, random())
        : ([
            kind === 'stranger' ? oneOf(['support', 'sales'] as const, random()) : oneOf(NAMES, random()),
          ] as const)
    const before = planned.findLast(({ message_id }) => message_id !== null)
    const message_id = isOne(SHARES.withoutId)
      ? null
      : before && isOne(SHARES.sameId)
        ? before.message_id
        : `<${n}.${seed}@mail.example.test>`
    const files = isOne(SHARES.withFiles)
      ? Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) =>
          makeFile(random, `${n}-${at + 1}`, FILE_BYTES_MAX),
        )
      : []
    const sender = isUnwanted ? `unknown${n}@else.example.test` : from
    const letter = {
      subject: `Mail ${n} of ${seed}`,
      from: sender,
      message_id,
      text: `What does number ${n} cost?`,
    }
    planned.push({
      ...letter,
      mailboxes: names.map(name => mailboxes[name]),
      person: isUnwanted ? null : kind === 'stranger' ? sender : lead,
      isPrivate: names.every(name => name === 'ada'),
      files: files.map(seen),
      raw: rawMail({ ...letter, answers: answered?.message_id, files, isHtml: isOne(SHARES.html) }),
    })
  }
  return planned
}

const NAMES = ['support', 'sales', 'ada'] as const

type Letter = Pick<Delivered, 'subject' | 'from' | 'message_id' | 'text'> & {
  answers: string | undefined
  files: TestFile[]
  isHtml: boolean
}

/** As a mail program writes it. */
function rawMail({ subject, from, message_id, text, answers, files, isHtml }: Letter): string {
  const words = isHtml
    ? part('multipart/alternative; boundary=words', [
        multipart('words', [
          part('text/plain; charset=utf-8', [text]),
          part('text/html; charset=utf-8', [`<p>${text}</p>`]),
        ]),
      ])
    : part('text/plain; charset=utf-8', [text])
  const body =
    files.length === 0
      ? words
      : part('multipart/mixed; boundary=parts', [multipart('parts', [words, ...files.map(filePart)])])
  const headers = [
    `From: Somebody <${from}>`,
    'To: Us <us@chaos.example.test>',
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    ...(message_id === null ? [] : [`Message-ID: ${message_id}`]),
    ...(answers === undefined ? [] : [`In-Reply-To: ${answers}`, `References: ${answers}`]),
    'MIME-Version: 1.0',
  ]
  return `${headers.join('\r\n')}\r\n${body}\r\n`
}

function part(type: string, lines: string[], headers: string[] = []): string {
  return [`Content-Type: ${type}`, ...headers, '', ...lines].join('\r\n')
}

function multipart(boundary: string, parts: string[]): string {
  return [...parts.flatMap(each => [`--${boundary}`, each]), `--${boundary}--`].join('\r\n')
}

function filePart({ name, type, bytes }: TestFile): string {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []
  const coded = `utf-8''${encodeURIComponent(name).replaceAll("'", '%27')}`
  return part(`${type}`, lines, [
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename*=${coded}`,
  ])
}
