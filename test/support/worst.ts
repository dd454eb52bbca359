import { newId } from '#platform/ids.ts'
import { isId, takes, type Schema } from './samples.ts'
import { full } from './tier.ts'

/** What is known to take readers of text long: repeated until it is as long as it may be. */
const HARD_TEXTS: Record<string, { begin?: string; again: string; end?: string }> = {
  letters: { again: 'a' },
  spaces: { begin: 'a', again: ' ', end: 'b' },
  'empty lines': { begin: 'a', again: '\n', end: 'b' },
  'line ends': { again: '\r\n \t' },
  emphasis: { again: 'a**b_c*' },
  'open brackets': { again: '[' },
  'open parentheses': { again: '(' },
  links: { again: '[a](' },
  'image links': { again: '![[a](<b' },
  references: { again: '[a]: b\n' },
  quotes: { again: '"' },
  apostrophes: { again: "'" },
  commas: { again: ',' },
  'quoted commas': { again: '","' },
  semicolons: { again: ';' },
  'nested quotations': { again: '> ' },
  lists: { again: '- a\n  ' },
  numbers: { again: '1. ' },
  tables: { begin: '|a|b|\n|-|-|\n', again: '|' },
  backticks: { again: '`a``' },
  backslashes: { again: '\\' },
  underlines: { again: 'a\n=\n' },
  'open tags': { again: '<div>' },
  'broken tags': { again: '<a href="' },
  'half tags': { again: '<' },
  attributes: { begin: '<a', again: ' b=c' },
  comments: { again: '<!--' },
  entities: { again: '&amp' },
  placeholders: { again: '{{first_name}} ' },
  'open placeholders': { again: '{{' },
  'placeholders with spaces': { begin: '{{', again: ' ', end: 'x' },
  dollars: { again: '${' },
  addresses: { again: 'a@b.c,' },
  'at signs': { again: '@' },
  'web addresses': { again: 'http://a.b ' },
  dots: { again: 'a.' },
  dashes: { again: 'a-' },
  slashes: { again: '/' },
  digits: { again: '1' },
  'telephone numbers': { again: '+1 (2) ' },
  'per cent signs': { again: '%' },
  'escaped signs': { again: '%25' },
  'encoded words': { again: '=?utf-8?q?a?= ' },
  'repeated groups': { again: 'aaaaaaaaaaaaaaaaaaaaaaaa!' },
  comparisons: { again: 'a == 1 and ' },
  accents: { begin: 'e', again: '\u0301' },
  families: { again: '👩‍👩‍👧‍👦' },
  flags: { again: '\u{1f1e9}' },
  'wide letters': { again: 'ﷺ' },
  'right to left': { again: '\u202e' },
}

export type HardText = { name: string; of(length: number): string }

export const hardTexts: readonly HardText[] = Object.entries(HARD_TEXTS).map(
  ([name, { begin = '', again, end = '' }]) => ({
    name,
    of(length) {
      const middle = Math.max(0, length - begin.length - end.length)
      return `${begin}${again.repeat(Math.floor(middle / again.length))}${end}`
    },
  }),
)

const ENTRIES_WITHOUT_END = 1_000
const LENGTH_WITHOUT_END = 100_000
/** What an entry takes besides its texts, roughly. */
const ENTRY_BYTES = 100

/**
 * The largest body that the schema takes: as many items and names as it allows, and every text as long as it may be, of this
 * kind where that is allowed. `places` says which texts were filled in; those in `spared` stay as they are in the sample.
 */
export function worstOf(
  schema: Schema,
  sample: unknown,
  text: HardText,
  { bytesMax, spared = [] }: { bytesMax: number; spared?: readonly string[] },
): { body: string; places: string[] } {
  for (let left = bytesMax; ; left /= 2) {
    const places = new Set<string>()
    const value = fill(schema, sample, '', { text, left, places, spared: new Set(spared) })
    const body = JSON.stringify(value)
    if (Buffer.byteLength(body) <= bytesMax) return { body, places: [...places] }
  }
}

type Filling = {
  text: HardText
  /** So many bytes there is still room for. */
  left: number
  places: Set<string>
  spared: ReadonlySet<string>
}

function fill(schema: Schema, sample: unknown, place: string, how: Filling): unknown {
  if (how.spared.has(place)) return sample
  if (schema.anyOf) {
    const fitting = schema.anyOf.filter(part => part.type !== 'null' && takes(part, sample))
    const part = fitting.find(({ type }) => type === 'array') ?? fitting[0]
    return part ? fill(part, sample, place, how) : sample
  }
  if (schema.allOf)
    return Object.assign(
      {},
      ...schema.allOf.map(part => {
        const own = fill(part, sample, place, how) as object
        return part.properties
          ? Object.fromEntries(Object.entries(own).filter(([name]) => name in part.properties!))
          : own
      }),
    )
  if (Array.isArray(sample) && schema.items) return fillList(schema, sample, place, how)
  if (typeof sample === 'object' && sample !== null) return fillObject(schema, sample, place, how)
  if (typeof sample === 'string' && !schema.enum && schema.const === undefined && !isId(schema)) {
    const found = longest(schema, how)
    if (found !== undefined) {
      how.places.add(place)
      return found
    }
  }
  return sample
}

function fillList(schema: Schema & { maxItems?: number }, sample: unknown[], place: string, how: Filling) {
  if (sample.length === 0) return sample
  how.places.add(place)
  const items: unknown[] = []
  const max = Math.min(schema.maxItems ?? ENTRIES_WITHOUT_END, ENTRIES_WITHOUT_END)
  for (let at = 0; at < max && (at === 0 || how.left > 0); at++, how.left -= ENTRY_BYTES)
    items.push(
      at > 0 && isId(schema.items!)
        ? newId()
        : renamed(fill(schema.items!, sample[0], `${place}[]`, how), at),
    )
  return items
}

/** Items that must not be alike differ in their keys. */
function renamed(item: unknown, at: number): unknown {
  if (at === 0 || typeof item !== 'object' || item === null || !('key' in item)) return item
  return { ...item, key: `k${at}` }
}

function fillObject(
  schema: Schema & { maxProperties?: number },
  sample: object,
  place: string,
  how: Filling,
): object {
  const join = (name: string) => (place ? `${place}.${name}` : name)
  const own = Object.entries(sample).map(([name, value]) => {
    const property = schema.properties?.[name]
    return [name, property ? fill(property, value, join(name), how) : value] as [string, unknown]
  })
  const [pattern, property] = Object.entries(schema.patternProperties ?? {})[0] ?? []
  if (!pattern || !property) return Object.fromEntries(own)
  how.places.add(place)
  const max = Math.min(schema.maxProperties ?? ENTRIES_WITHOUT_END, ENTRIES_WITHOUT_END)
  for (let at = 0; at < max && how.left > 0; at++, how.left -= ENTRY_BYTES)
    own.push([nameOf(at), longest(property, how) ?? 'x'])
  return Object.fromEntries(own)
}

/** Of small letters alone. */
function nameOf(at: number): string {
  return `n${at.toString().replace(/\d/g, digit => 'abcdefghij'[Number(digit)]!)}`
}

/** Fields that take only addresses or names get a long one. */
const LONG_ONES: ((length: number) => string)[] = [
  length => `https://example.test/${'a/'.repeat(length / 2)}`,
  length => `${'a.'.repeat(length / 2)}a@example.test`,
  length => `a@${'a.'.repeat(length / 2)}test`,
  length => `${'a'.repeat(length)}`,
  length => `${'a-'.repeat(length / 2)}a`,
  length => `a${'_'.repeat(length)}`,
]

function longest(schema: Schema, how: Filling): string | undefined {
  const { text, left } = how
  const max = Math.min(schema.maxLength ?? schema.anyOf?.[0]?.maxLength ?? LENGTH_WITHOUT_END, left)
  const key = `${text.name} ${max}`
  const known = found.get(schema) ?? new Map<string, string | undefined>()
  if (!known.has(key)) found.set(schema, known.set(key, search(schema, text, max)))
  const longest = known.get(key)
  if (longest !== undefined) how.left -= Buffer.byteLength(JSON.stringify(longest))
  return longest
}

/** A list asks for the same text for each of its items. */
const found = new WeakMap<Schema, Map<string, string | undefined>>()

function search(schema: Schema, text: HardText, max: number): string | undefined {
  const ways = [text.of.bind(text), ...LONG_ONES]
  const tries = ways.flatMap(way => [0, 22, 40].map(shorter => () => way(Math.max(1, max - shorter))))
  for (const make of tries) {
    const made = make()
    if (takes(schema, made)) return made
  }
  return undefined
}

const FILE_BYTES = full ? 4_000_000 : 600_000
const again = (text: string, bytes = FILE_BYTES) => text.repeat(Math.floor(bytes / text.length))

/** CSV files that are hard to read. */
export const hardFiles: readonly (readonly [what: string, text: string])[] = [
  ['one long field', `email\n"${again('a')}"`],
  ['a row of commas', `email\n${again(',')}`],
  ['a heading of commas', `${again(',', 600_000)}\na`],
  ['a heading of columns', `${again('a,', 400_000)}\na`],
  ['rows of commas', `email\n${again(`${','.repeat(1_000)}\n`)}`],
  ['quotes that are not closed', `email\n${again('"a,')}`],
  ['quotes', `email\n${again('"')}`],
  ['quoted quotes', `email\n${again('""",')}`],
  ['empty rows', `email\n${again('\n')}`],
  ['carriage returns', `email\r${again('\r')}`],
  ['short rows', `email\n${again('a@b.example\n')}`],
  [
    'wide rows',
    `${Array.from({ length: 200 }, (_, at) => `c${at}`).join()}\n${again(`${'a,'.repeat(199)}a\n`)}`,
  ],
  ['byte order marks', again('\ufeff', FILE_BYTES / 3)],
  ['no telling what separates', again(`${'"",;\t|'.repeat(10_000)}\n`)],
  ...hardTexts.map(
    text =>
      [
        `rows of ${text.name}`,
        `email,first_name\n${again(`${text.of(50_000).replaceAll('\n', ' ')}\n`, FILE_BYTES / 4)}`,
      ] as const,
  ),
]
