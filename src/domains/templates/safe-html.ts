import { escape } from '#platform/html.ts'
import { isFollowed, isShown, tidyAddress, type Address } from './address.ts'
import type { Marks } from './marks.ts'

/** Deeper than any mail is, and far from where a program that shows it would give up. */
const DEPTH_MAX = 100

export type Slots = { marks: Marks; isLink: (slot: number) => boolean }
export type SafeHtml = { html: string; addresses: Address[] }

/**
 * HTML that is safe in an email. It is not the input with bad parts removed, but rebuilt from what is known
 * to be good: elements, attributes and styles on the lists below, and text. So it does not matter how
 * cleverly the rest was written. Slots stay in it as marks; where they are part of a URL, the whole URL is
 * one.
 */
export function safeHtml(source: string, slots: Slots): SafeHtml {
  const writer = new Writer(slots)
  for (let at = 0; at < source.length;) at = next(source, at, writer)
  return writer.finish()
}

const elements = new Set(
  `a abbr b blockquote br caption center code col colgroup dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li
   mark ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul`.split(/\s+/),
)
const empty = new Set(['br', 'col', 'hr', 'img'])
/** These go together with what they hold. */
const unread = new Set(
  `script style iframe title textarea select noscript noembed noframes template svg math object applet audio video canvas
   xmp plaintext`.split(/\s+/),
)

const SIZE = /^\d{1,4}%?$/
const NUMBER = /^\d{1,4}$/
const NAME = /^[#\w-]{1,40}$/
const attributes: Record<string, Record<string, RegExp>> = {
  '*': { align: NAME, dir: NAME, lang: NAME },
  img: { width: SIZE, height: SIZE },
  table: { width: SIZE, border: NUMBER, cellpadding: NUMBER, cellspacing: NUMBER, bgcolor: NAME, role: NAME },
  td: { width: SIZE, height: SIZE, colspan: NUMBER, rowspan: NUMBER, valign: NAME, bgcolor: NAME },
  th: {
    width: SIZE,
    height: SIZE,
    colspan: NUMBER,
    rowspan: NUMBER,
    valign: NAME,
    bgcolor: NAME,
    scope: NAME,
  },
  tr: { valign: NAME, bgcolor: NAME },
  col: { width: SIZE, span: NUMBER },
  ol: { start: NUMBER, type: NAME },
  font: { color: NAME, size: NAME },
}
const styles =
  /^(?:(?:background-)?color|background|font(?:-[a-z]+)?|text-(?:align|decoration|transform|indent)|line-height|letter-spacing|(?:margin|padding|border)(?:-[a-z]+)*|(?:max-|min-)?(?:width|height)|display|vertical-align|white-space|list-style-type|word-break|overflow-wrap|opacity)$/
/** Nothing that could load from elsewhere or leave the declaration. */
const STYLE_VALUE =
  /^(?!.*(?:url|image|src|set|expression|attr|var|env|element)\s*\()[\w\s#%.,/()'"!+-]{1,200}$/is

class Writer {
  private readonly slots: Slots
  private readonly open: string[] = []
  private readonly addresses: Address[] = []
  private html = ''

  constructor(slots: Slots) {
    this.slots = slots
  }

  text(source: string): void {
    const { marks, isLink } = this.slots
    for (const piece of marks.split(source)) {
      if (typeof piece === 'string') this.html += plain(piece)
      else
        this.html += marks.for(
          isLink(piece.index) && !this.open.includes('a') ? 'link' : 'value',
          piece.index,
        )
    }
  }

  start(name: string, given: ReadonlyMap<string, string>): void {
    if (!elements.has(name) || this.open.length >= DEPTH_MAX) return
    const image = name === 'img' ? this.address('src', given.get('src'), isShown) : ''
    if (name === 'img' && !image) return this.text(given.get('alt') ?? '')
    const link = name === 'a' ? this.address('href', given.get('href'), isFollowed) : ''
    this.html += `<${name}${link}${image}${this.attributes(name, given)}>`
    if (!empty.has(name)) this.open.push(name)
  }

  /** Whatever was left open within it ends with it. */
  end(name: string): void {
    const at = this.open.lastIndexOf(name)
    if (at < 0) return
    while (this.open.length > at) this.html += `</${this.open.pop()}>`
  }

  finish(): SafeHtml {
    while (this.open.length > 0) this.html += `</${this.open.pop()}>`
    return { html: this.html, addresses: this.addresses }
  }

  private attributes(name: string, given: ReadonlyMap<string, string>): string {
    let text = ''
    for (const [attribute, value] of given) {
      const allowed = attributes[name]?.[attribute] ?? attributes['*']![attribute]
      if (allowed?.test(value) && !this.slots.marks.isIn(value)) text += ` ${attribute}="${value}"`
      else if (attribute === 'style') text += this.style(value)
      else if (attribute === 'title' || (attribute === 'alt' && name === 'img'))
        text += ` ${attribute}="${plain(value)}"`
    }
    return text
  }

  private style(value: string): string {
    const kept = decoded(value)
      .split(';')
      .map(declaration => declaration.split(':').map(part => part.trim()))
      .filter(
        ([property = '', said = '', ...more]) =>
          more.length === 0 &&
          styles.test(property.toLowerCase()) &&
          STYLE_VALUE.test(said) &&
          !this.slots.marks.isIn(said),
      )
      .map(([property, said]) => `${property!.toLowerCase()}:${said}`)
    return kept.length > 0 ? ` style="${escape(kept.join(';'))}"` : ''
  }

  /** Without slots it is judged here, with slots where the values are known; a picture's beginning has none. */
  private address(attribute: string, value: string | undefined, isGood: (url: string) => boolean): string {
    if (value === undefined) return ''
    const { marks } = this.slots
    const pieces = marks.split(decoded(value).trim())
    if (pieces.every(piece => typeof piece === 'string')) {
      const url = tidyAddress(pieces.join(''))
      return isGood(url) ? ` ${attribute}="${escape(url)}"` : ''
    }
    const [first] = pieces
    if (typeof first === 'string' ? !/^(?:https?:\/\/|mailto:|tel:)/i.test(first) : attribute === 'src')
      return ''
    if (attribute === 'src' && !/^https?:\/\/[^/?#]+[/?#]/i.test(first as string)) return ''
    this.addresses.push(pieces.map(piece => (typeof piece === 'string' ? piece : piece.index)))
    return ` ${attribute}="${marks.for('address', this.addresses.length - 1)}"`
  }
}

/** Reads what begins here, hands it over, and answers where the next begins. */
function next(source: string, at: number, writer: Writer): number {
  if (source[at] !== '<') {
    const end = source.indexOf('<', at)
    writer.text(source.slice(at, end < 0 ? undefined : end))
    return end < 0 ? source.length : end
  }
  if (source.startsWith('<!--', at)) return after(source, '-->', at + 4)
  if (/[!?]/.test(source[at + 1] ?? '')) return after(source, '>', at)
  TAG.lastIndex = at
  const [tag, closing, written] = TAG.exec(source) ?? []
  if (!tag || !written) {
    writer.text('<')
    return at + 1
  }
  const name = written.toLowerCase()
  const { given, end } = attributesAt(source, at + tag.length)
  if (closing) writer.end(name)
  else if (unread.has(name)) return afterElement(source, name, end)
  else writer.start(name, given)
  return end
}

const TAG = /<(\/?)([a-zA-Z][^\s/>]*)/y
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y

/** Of two with the same name the first counts, as everywhere. */
function attributesAt(source: string, start: number): { given: Map<string, string>; end: number } {
  const given = new Map<string, string>()
  let at = start
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const found = ATTRIBUTE.exec(source)
    if (!found) break
    const [whole, name, double, single, bare] = found
    const key = name!.toLowerCase()
    if (!given.has(key)) given.set(key, double ?? single ?? bare ?? '')
    at += whole.length
  }
  return { given, end: after(source, '>', at) }
}

function after(source: string, text: string, at: number): number {
  const found = source.indexOf(text, at)
  return found < 0 ? source.length : found + text.length
}

function afterElement(source: string, name: string, at: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = at
  const found = closing.exec(source)
  return found ? after(source, '>', found.index) : source.length
}

const ENTITY = /&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)/g

/** Text of the source, whose character references stay what they are. */
function plain(text: string): string {
  return text
    .replace(ENTITY, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** What an attribute says. A reference that is not known here stays as it is written, and so means nothing. */
function decoded(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
      if (name) return named[name as string] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
}
