const TEXT_LENGTH_MAX = 200_000
/** Longer than this is a paragraph, never the sign of a quote. */
const SIGN_LENGTH_MAX = 500
/** A mail program breaks its introduction of a quote into this many lines at most. */
const INTRODUCTION_LINES_MAX = 3

/** What somebody wrote in answer, without the mail they answer; `quotes` tells whether there was one. */
export function withoutQuote(text: string): { text: string; quotes: boolean } {
  const whole = text
    .slice(0, TEXT_LENGTH_MAX)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(line => line.trimEnd())
  const lines = whole.map(line => line.slice(0, SIGN_LENGTH_MAX))
  const kept: string[] = []
  let quotes = false
  for (let at = 0; at < lines.length; at++) {
    if (isSeparator(lines, at)) {
      quotes = true
      break
    }
    if (isQuoted(lines[at]!)) {
      quotes = true
      continue
    }
    const introduction = introductionLength(lines, at)
    if (introduction === 0) {
      kept.push(whole[at]!)
      continue
    }
    quotes = true
    const next = wordsFrom(lines, at + introduction)
    // With quote marks the end of the quote is visible, and a reply may follow it; without, everything below
    // is quoted.
    if (next === undefined || !isQuoted(next)) break
    at += introduction - 1
  }
  return { text: tidied(kept), quotes }
}

/** The next line that has any. */
function wordsFrom(lines: readonly string[], start: number): string | undefined {
  for (let at = start; at < lines.length; at++) if (lines[at]!.trim() !== '') return lines[at]
  return undefined
}

function isQuoted(line: string): boolean {
  return /^\s?>/.test(line)
}

/** "-----Original Message-----" and its kin, and the block of headers that Outlook sets above what it quotes. */
function isSeparator(lines: readonly string[], at: number): boolean {
  const line = lines[at]!.trim()
  if (ORIGINAL.test(line)) return true
  if (!headers.from.test(line)) return false
  const block = lines.slice(at + 1, at + 6).map(next => next.trim())
  return block.some(next => headers.sent.test(next)) && block.some(next => headers.subject.test(next))
}

const ORIGINAL =
  /^[-_]{2,}\s*(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Message d'origine|Message original|Mensaje original|Messaggio originale|Mensagem original|Oorspronkelijk bericht|Oprindelig meddelelse|Ursprungligt meddelande|Wiadomość oryginalna)\s*[-_]{2,}$/i

const headers = {
  from: /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od)\s?:\*?\s/i,
  sent: /^\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Inviato|Data|Fecha|Verzonden|Skickat|Sendt|Wysłano)\s?:\*?\s/i,
  subject: /^\*?(?:Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Ämne|Emne|Temat)\s?:\*?/i,
}

/** "On Monday, Ada wrote:", which may go over several lines; the number of them, or none. */
function introductionLength(lines: readonly string[], at: number): number {
  const first = lines[at]!.trim()
  const opener = introductions.find(({ begins }) => begins.test(first))
  if (!opener) return 0
  for (let length = 1; length <= INTRODUCTION_LINES_MAX; length++) {
    const text = lines
      .slice(at, at + length)
      .map(line => line.trim())
      .join(' ')
    if (!text.endsWith(':')) continue
    // A date or an address tells it from a sentence of the answer itself.
    if (opener.ends.test(text.replace(/<[^<>]*>/g, ''))) return /\d|@/.test(text) ? length : 0
  }
  return 0
}

const introductions = [
  { begins: /^On\s/i, ends: /\bwrote\s?:$/i },
  { begins: /^Am\s/i, ends: /\bschrieb\b[^:]{0,200}:$/i },
  { begins: /^Le\s/i, ends: /\ba écrit\s?:$/i },
  { begins: /^El\s/i, ends: /\bescribió\s?:$/i },
  { begins: /^Il\s/i, ends: /\bha scritto\s?:$/i },
  { begins: /^(?:Em|A)\s/i, ends: /\bescreveu\s?:$/i },
  { begins: /^Op\s/i, ends: /\bschreef\b[^:]{0,200}:$/i },
  { begins: /^(?:Den|På|Le)\s/i, ends: /\b(?:skrev|skrev følgende)\b[^:]{0,200}:$/i },
] as const

function tidied(lines: readonly string[]): string {
  return (
    lines
      .join('\n')
      // The rule that Outlook draws above the headers of what it quotes.
      .replace(/\n_{10,}\s*$/, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}
