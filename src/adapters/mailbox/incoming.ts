import { compile } from 'html-to-text'
import PostalMime, { type Email } from 'postal-mime'
import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { reportOf } from './bounce.ts'
import { withoutQuote } from './quoted-text.ts'

const TEXT_LENGTH_MAX = 10_000
const SUBJECT_LENGTH_MAX = 500
const ANSWERS_MAX = 50
const NESTING_MAX = 50
const HEADERS_BYTES_MAX = 256 * 1024
const HTML_LENGTH_MAX = 256 * 1024
/** No person's mail has more; reading a page takes the square of its depth. */
const TAGS_MAX = 5_000

/** What a mail that came in is: read from its bytes alone, which may be the beginning of a longer one. */
export async function readIncoming(raw: Uint8Array, at: Date): Promise<IncomingMail> {
  const email = await PostalMime.parse(Buffer.from(raw), {
    rfc822Attachments: true,
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_BYTES_MAX,
  })
  const written = withoutQuote(wordsOf(email))
  const answers = answersOf(email)
  const report = reportOf(email, answers)
  return {
    from: email.from?.address || null,
    from_name: email.from?.name || null,
    subject: (email.subject ?? '').replace(/\s+/g, ' ').trim().slice(0, SUBJECT_LENGTH_MAX),
    text: written.text.slice(0, TEXT_LENGTH_MAX),
    message_id: idsIn(email.messageId)[0] ?? null,
    answers,
    at: at.toISOString(),
    kind: report?.kind ?? (isAutomatic(email, { answers, quotes: written.quotes }) ? 'automatic' : 'reply'),
    bounce: report?.kind === 'bounce' ? report.bounce : null,
  }
}

/** The plain text, or that of the page where there is nothing else. */
function wordsOf({ text, html }: Email): string {
  if (text?.trim()) return text
  const [written] = (html ?? '').slice(0, HTML_LENGTH_MAX).split(OUTLOOK_QUOTE)
  const tags = written!.match(/<[a-z]/gi)?.length ?? 0
  return tags <= TAGS_MAX ? readPage(written!) : written!.replace(/<[^<>]*>/g, ' ')
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
    ...QUOTES.map(selector => ({ selector, format: 'skip' })),
  ],
}
const readPage = compile(pageOptions)

/** In-Reply-To first, then References from the newest back, each once. */
function answersOf({ inReplyTo, references }: Email): string[] {
  return [...new Set([...idsIn(inReplyTo), ...idsIn(references).toReversed()])].slice(0, ANSWERS_MAX)
}

function idsIn(text: string | undefined): string[] {
  return text?.match(/<[^<>\s]+>/g)?.filter(id => /[^<]@[^>]/.test(id)) ?? []
}

/**
 * Whether a machine answered. Only what says so itself counts (RFC 3834 and the headers that came before it); a machine
 * that says nothing is taken for a person, which ends an outreach too early rather than too late.
 */
function isAutomatic(email: Email, { answers, quotes }: { answers: string[]; quotes: boolean }): boolean {
  const header = (key: string) =>
    email.headers
      .find(entry => entry.key === key)
      ?.value.trim()
      .toLowerCase()
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
  return !quotes && ABSENCE.test((email.subject ?? '').trim())
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
