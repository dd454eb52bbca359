import { FAULTS_MAX } from '#platform/schema-check.ts'
import { placeholderNames, type Values } from './placeholders.ts'

/** A slot in a text: the placeholder's name as written, and its default. */
export type Slot = { written: string; fallback: string | null; at: number }

export type Parsed = {
  pieces: (string | Slot)[]
  /** What begins like a placeholder and is none. It stays in the text as it is. */
  broken: { at: number; text: string }[]
}

const DEFAULT_LENGTH_MAX = 200
/** A value may be long, and what is filled in many thousand times is a mail of many megabytes. */
export const PLACEHOLDERS_MAX = 200
const quoted = [
  `"((?:[^"\\\\\\n]|\\\\.)*)"`,
  `'((?:[^'\\\\\\n]|\\\\.)*)'`,
  '“([^”\\n]*)”',
  '&quot;((?:(?!&quot;)[^\\n])*)&quot;',
]
/** `{{name}}` or `{{ name | default: "…" }}`: the whole grammar. */
const PLACEHOLDER = new RegExp(
  `\\{\\{\\s{0,9}([A-Za-z]\\w{0,59}(?:\\.\\w{1,60})?)\\s{0,9}(?:\\|\\s{0,9}default\\s{0,9}:\\s{0,9}(?:${quoted.join('|')})\\s{0,9})?\\}\\}`,
  'y',
)

export function parseTemplate(text: string): Parsed {
  const pieces: Parsed['pieces'] = []
  const broken: Parsed['broken'] = []
  let done = 0
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at)) {
    // Of three braces the last two count.
    if (text[at + 2] === '{') {
      at++
      continue
    }
    PLACEHOLDER.lastIndex = at
    const [whole, written, ...given] = PLACEHOLDER.exec(text.slice(0, at + WHOLE_LENGTH_MAX)) ?? []
    const fallback = given.find(value => value !== undefined)?.replace(/\\(.)/g, '$1') ?? null
    if (!whole || !written || (fallback?.length ?? 0) > DEFAULT_LENGTH_MAX) {
      broken.push({ at, text: text.slice(at, at + SHOWN_LENGTH_MAX).split(/\}\}|\n/)[0]! })
      at += 2
      continue
    }
    if (at > done) pieces.push(text.slice(done, at))
    pieces.push({ written, fallback, at })
    at = done = at + whole.length
  }
  if (done < text.length) pieces.push(text.slice(done))
  return { pieces, broken }
}

/** What is wrong with the placeholders of a text, and where; nothing where all is well. Who knows more names says so. */
export function placeholderFaults(
  text: string,
  customKeys: readonly string[],
  alsoKnown: (written: string) => boolean = () => false,
): string[] {
  const { pieces, broken } = parseTemplate(text)
  const slots = pieces.filter(piece => typeof piece !== 'string')
  if (slots.length > PLACEHOLDERS_MAX) return [`There are more than ${PLACEHOLDERS_MAX} placeholders.`]
  const names = placeholderNames(customKeys)
  const known = [...names.keys()].map(name => ({ name, plain: plain(name) }))
  const unknown = slots.filter(({ written }) => !names.has(written) && !alsoKnown(written))
  return [
    ...broken.map(({ at, text: shown }) => ({
      at,
      say: () => `${shown}… is not a placeholder: write {{firstName}} or {{firstName | default: "there"}}.`,
    })),
    ...unknown.map(({ at, written }) => ({
      at,
      say: () => `{{${written}}} is not a known placeholder.${hint(written, known)}`,
    })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .slice(0, FAULTS_MAX)
    .map(({ at, say }) => `${placeOf(text, at)}: ${say()}`)
}

export type CompiledText = readonly (string | Bound)[]
/** A slot that knows the name of its value; undefined where the team has no such field any more. */
export type Bound = { written: string; fallback: string | null; name: string | undefined }

export function compileText(text: string, customKeys: readonly string[]): CompiledText {
  const names = placeholderNames(customKeys)
  return parseTemplate(text).pieces.map(piece => (typeof piece === 'string' ? piece : bound(piece, names)))
}

export function bound({ written, fallback }: Slot, names: ReadonlyMap<string, string>): Bound {
  return { written, fallback, name: names.get(written) }
}

/** A text for somebody: a text message, a task. Plain text in, plain text out. */
export function mergeText(compiled: CompiledText, values: Values): { text: string; missing: string[] } {
  const text = compiled.map(piece => (typeof piece === 'string' ? piece : valueFor(piece, values))).join('')
  return {
    text,
    missing: missingFrom(
      compiled.filter(piece => typeof piece !== 'string'),
      values,
    ),
  }
}

/**
 * The value for a slot: no control characters except line breaks, and nothing that reverses the text
 * direction.
 */
export function valueFor({ name, fallback }: Bound, values: Values): string {
  const value = name !== undefined && Object.hasOwn(values, name) ? cleaned(values[name]!) : ''
  return value || (fallback ?? '')
}

/** Names, as they are written, that there is neither a value nor a default for. */
export function missingFrom(slots: readonly Bound[], values: Values): string[] {
  const empty = slots.filter(slot => slot.fallback === null && valueFor(slot, values) === '')
  return empty.length === 0 ? [] : [...new Set(empty.map(({ written }) => written))]
}

const UNWANTED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u
const EVERY_UNWANTED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

function cleaned(value: string): string {
  const text = value.trim()
  if (!UNWANTED.test(text)) return text
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(EVERY_UNWANTED, character => (character === '\n' ? character : character === '\t' ? ' ' : ''))
    .trim()
}

/** What begins and never ends is looked at no further than this. */
const WHOLE_LENGTH_MAX = 1_000
const SHOWN_LENGTH_MAX = 40

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const character = at - before.lastIndexOf('\n')
  return text.includes('\n') ? `line ${line}, character ${character}` : `character ${character}`
}

const SLIPS_MAX = 2

/** The name that was probably meant: another way of writing it, or one or two letters off. */
function hint(written: string, known: readonly Known[]): string {
  const meant = plain(written)
  let nearest = { name: '', slips: SLIPS_MAX + 1 }
  for (const { name, plain } of known) {
    const slips = slipsBetween(plain, meant)
    if (slips < nearest.slips) nearest = { name, slips }
  }
  return nearest.slips <= SLIPS_MAX ? ` Did you mean {{${nearest.name}}}?` : ''
}

type Known = { name: string; plain: string }

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

/**
 * Edit distance between two names, as far as it is a typo or two. Letters further apart than that need not be
 * compared.
 */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SLIPS_MAX) return Infinity
  const distance = (at: number) => (at <= SLIPS_MAX ? at : Infinity)
  let row = Array.from({ length: b.length + 1 }, (_, at) => distance(at))
  for (let i = 1; i <= a.length; i++) {
    const next = row.slice().fill(Infinity)
    next[0] = distance(i)
    let least = next[0]
    for (let j = Math.max(1, i - SLIPS_MAX); j <= Math.min(b.length, i + SLIPS_MAX); j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, changed)
      least = Math.min(least, next[j]!)
    }
    if (least > SLIPS_MAX) return Infinity
    row = next
  }
  return row.at(-1)!
}
