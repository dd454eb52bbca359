import { compile } from 'html-to-text'
import { decodeWords } from 'postal-mime'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { reportOf } from './bounce.ts'
import { fileName, fileType } from './file-names.ts'
import { fingerprintOf } from './fingerprint.ts'
import { findHeader } from './mime-headers.ts'
import { pageOfBlocks, parseMail, type Block, type ParsedMail } from './parse-mail.ts'
import { withoutQuote } from './quoted-text.ts'

const TEXT_LENGTH_MAX = 100_000
const WHOLE_LENGTH_MAX = 200_000
/** A longer page is left out: its words are in the text. */
const HTML_LENGTH_MAX = 500_000
const SUBJECT_LENGTH_MAX = 500
const ANSWERS_MAX = 50
const ID_LENGTH_MAX = 998
const NESTING_MAX = 50
const PAGE_LENGTH_MAX = 256 * 1024
/** No person's mail has more; reading a page takes the square of its depth. */
const TAGS_MAX = 5_000

/** What a mail that came in is: read from its bytes alone. `cut`: they are the beginning of a larger one. */
export function readIncoming(raw: Uint8Array, at: Date, { cut = false } = {}): IncomingMail {
  const mail = parseMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), { cut })
  const written = withoutQuote(wordsOf(mail.blocks, readAnswer))
  const whole = wordsOf(mail.blocks, readPage).trim()
  const answers = answersOf(mail)
  const report = reportOf(mail, answers)
  const files = mail.files.map(({ name, type, ...file }) => ({
    ...file,
    name: fileName(name, type),
    type: fileType(type),
  }))
  const html = pageOfBlocks(mail.blocks)
  return {
    from: mail.from?.address ?? null,
    from_name: mail.from?.name ?? null,
    to: mail.to,
    cc: mail.cc,
    subject: shortened(mail.subject.replace(/[\s\0]+/g, ' ').trim(), SUBJECT_LENGTH_MAX),
    text: withNotes(written.text, mail.notes, TEXT_LENGTH_MAX),
    whole: withNotes(whole, mail.notes, WHOLE_LENGTH_MAX),
    html: html !== null && html.length <= HTML_LENGTH_MAX ? html : null,
    files,
    message_id: idsIn(findHeader(mail.headers, 'message-id'))[0] ?? null,
    answers,
    at: at.toISOString(),
    fingerprint: fingerprintOf(mail, shortened(whole, WHOLE_LENGTH_MAX), files),
    kind: report?.kind ?? (isAutomatic(mail, { answers, quotes: written.quotes }) ? 'automatic' : 'reply'),
    bounce: report?.kind === 'bounce' ? report.bounce : null,
  }
}

/** The sentences come last, and always. */
function withNotes(text: string, notes: readonly string[], lengthMax: number): string {
  const said = notes.join(' ')
  if (!said) return shortened(text, lengthMax)
  return `${shortened(text, lengthMax - said.length - 2)}\n\n${said}`.trim()
}

/** Never half a character. */
function shortened(text: string, length: number): string {
  return (
    /[\uD800-\uDBFF]$/.test(text.slice(0, length)) ? text.slice(0, length - 1) : text.slice(0, length)
  ).toWellFormed()
}

/** The plain text, or that of the page where there is nothing else. */
function wordsOf(blocks: readonly Block[], read: (page: string) => string): string {
  let words = ''
  for (const { text, html } of blocks) {
    if (words.length > WHOLE_LENGTH_MAX) break
    words += `${words ? '\n' : ''}${text ?? pageWords(html ?? '', read)}`
  }
  return words
}

function pageWords(html: string, read: (page: string) => string): string {
  const page = html.slice(0, PAGE_LENGTH_MAX)
  const tags = page.match(/<[a-z]/gi)?.length ?? 0
  return tags <= TAGS_MAX ? read(page) : page.replace(/<[^<>]*>/g, ' ')
}

/** Without what it quotes. */
function readAnswer(page: string): string {
  return readOwn(page.split(OUTLOOK_QUOTE)[0]!)
}

/** Outlook marks where its quote begins, the others what it is in. */
const OUTLOOK_QUOTE = /<[^<>]*\bid=["']?(?:appendonsend|divRplyFwdMsg)\b/i
const QUOTES = ['blockquote', '.gmail_quote', '.yahoo_quoted']

const pageOptions = {
  wordwrap: false as const,
  formatters: {},
  limits: { maxDepth: NESTING_MAX },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
  ],
}
const readPage = compile(pageOptions)
const readOwn = compile({
  ...pageOptions,
  selectors: [...pageOptions.selectors, ...QUOTES.map(selector => ({ selector, format: 'skip' }))],
})

/** In-Reply-To first, then References from the newest back, each once. */
function answersOf({ headers }: ParsedMail): string[] {
  const inReplyTo = idsIn(findHeader(headers, 'in-reply-to'))
  const references = idsIn(findHeader(headers, 'references'))
  return [...new Set([...inReplyTo, ...references.toReversed()])].slice(0, ANSWERS_MAX)
}

/** Also ids that lost their brackets, or that were broken by a fold. */
function idsIn(value: string | undefined): string[] {
  const text = decodeWords(value ?? '')
  const ids = text.match(/<[^<>\s]+>/g) ?? text.replace(/\s+/g, '').match(/<[^<>]+>/g) ?? bareIds(text)
  return ids.filter(id => id.length <= ID_LENGTH_MAX && /[^<]@[^>]/.test(id)).map(id => id.toWellFormed())
}

/** Not those of In-Reply-To as it once was: "Your message of Monday". */
function bareIds(text: string): string[] {
  const words = text.split(/[\s<>,;]+/).filter(word => word !== '')
  return words.every(word => word.includes('@')) ? words.map(word => `<${word}>`) : []
}

/**
 * Whether a machine answered. Only what says so itself counts (RFC 3834 and the headers that came before it); a machine
 * that says nothing is taken for a person, which ends an outreach too early rather than too late.
 */
function isAutomatic(mail: ParsedMail, { answers, quotes }: { answers: string[]; quotes: boolean }): boolean {
  const header = (key: string) => findHeader(mail.headers, key)?.toLowerCase()
  const submitted = header('auto-submitted')
  if (submitted !== undefined && !/^no\b/.test(submitted)) return true
  if (MACHINE_HEADERS.some(key => header(key) !== undefined)) return true
  const precedence = header('precedence') ?? ''
  if (['bulk', 'junk', 'auto_reply', 'auto-reply'].includes(precedence)) return true
  // The answer to nobody in particular of a list is its own; an answer to us may have come by way of one.
  const list = precedence === 'list' || header('list-id') !== undefined
  if (list && answers.length === 0) return true
  if (/^<\s*>$/.test(header('return-path') ?? '')) return true
  // The words alone are a guess: a person quotes what they answer, or begins with "Re:".
  return !quotes && ABSENCE.test(mail.subject.trim())
}

const MACHINE_HEADERS = [
  'x-auto-response-suppress',
  'x-autoreply',
  'x-auto-reply',
  'x-autorespond',
  'x-autoresponse',
  'x-autoreply-from',
  'x-mail-autoreply',
]

const ABSENCE = new RegExp(
  `^(?:${[
    'auto(?:matic)?[- ]?(?:reply|response|answer)',
    'out of (?:the )?office',
    'automatische antwort',
    'abwesenheitsnotiz',
    'abwesenheitsassistent',
    'réponse automatique',
    'absence du bureau',
    'respuesta automática',
    'fuera de (?:la )?oficina',
    'risposta automatica',
    'fuori sede',
    'resposta automática',
    'automatisch antwoord',
    'afwezigheidsbericht',
    'automatiskt svar',
    'autosvar',
    'automatisk svar',
    'automaattinen vastaus',
    'automatyczna odpowiedź',
    'automatická odpověď',
    'автоматический ответ',
    'otomatik yanıt',
    '自动回复',
    '自動回覆',
    '自動応答',
    '자동 회신',
  ].join('|')})(?:[\\s:：\\-–—]|$)`,
  'iu',
)
