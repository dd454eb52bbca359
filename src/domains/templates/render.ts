import { Marked } from 'marked'
import { escape } from '#platform/html.ts'
import { Problem } from '#platform/problem.ts'
import { addressWith, isFollowed, type Address } from './address.ts'
import type { Rendered, Template } from './contract.ts'
import { Marks, type MarkKind } from './marks.ts'
import {
  bound,
  compileText,
  missingFrom,
  parseTemplate,
  valueFor,
  type Bound,
  type CompiledText,
} from './merge.ts'
import { isLink, placeholderNames, type Values } from './placeholders.ts'
import { safeHtml } from './safe-html.ts'
import { textOf } from './text-part.ts'
import { SUBJECT_LENGTH_MAX } from './values.ts'

type Piece = string | { kind: MarkKind; index: number }

/** A template made ready: what is the same for everybody is done, and values only go between its pieces. */
export type Compiled = {
  subject: CompiledText
  html: readonly Piece[]
  text: readonly Piece[]
  slots: readonly Bound[]
  addresses: readonly Address[]
  /** The values it asks for. */
  names: ReadonlySet<string>
}

export type Source = Pick<Template, 'subject' | 'body' | 'format'>

/** A part of a mail, both ways: HTML that is safe already, and text. */
export type Part = { html: string; text: string }

/** Once per text, however many read it. Only for a text that is known to be short: see `compileAny`. */
export function compile(template: Source, customKeys: readonly string[]): Compiled {
  const key = JSON.stringify([template.format, template.subject, template.body, customKeys])
  const known = compiled.get(key)
  if (known) return known
  const made = compiledAnew(template, customKeys)
  if (compiled.size >= COMPILED_MAX) compiled.delete(compiled.keys().next().value!)
  compiled.set(key, made)
  return made
}

/** The whole mail for somebody; `around` is what follows every mail of the team. */
export function render(
  template: Compiled,
  values: Values,
  around: Around = {},
): Rendered & { isBlank: boolean } {
  const subject = subjectFor(template, values)
  const body = renderBody(template, values)
  return {
    subject,
    html: wrap({
      title: subject,
      body: body.html,
      signature: around.signature?.html,
      foot: around.foot?.html,
    }),
    text: wrapText({ body: body.text, signature: around.signature?.text, foot: around.foot?.text }),
    missing: missingIn(template, values),
    isBlank: body.html.trim() === '',
  }
}

export type Around = { signature?: Part | undefined; foot?: Part | undefined }

/** Only the body, to be put into something else: a signature is a template without a subject. */
export function renderBody(template: Compiled, values: Values): Part {
  const filled = template.slots.map(slot => valueFor(slot, values))
  const addressAt = (index: number) => addressWith(template.addresses[index]!, slot => filled[slot]!)
  let html = ''
  for (const piece of template.html)
    html += typeof piece === 'string' ? piece : inHtml(piece, filled, addressAt)
  let text = ''
  for (const piece of template.text)
    text += typeof piece === 'string' ? piece : inText(piece, filled, addressAt)
  // A paragraph whose only word is missing is no paragraph.
  return {
    html: html.replaceAll('<p></p>', ''),
    text: text
      .split(/\n(?:[ \t]*\n){2,}/)
      .map(paragraph => paragraph.trimEnd())
      .join('\n\n')
      .trim(),
  }
}

/** What somebody would miss in it. */
export function missingIn({ subject, slots }: Compiled, values: Values): string[] {
  return missingFrom([...subject.filter(piece => typeof piece !== 'string'), ...slots], values)
}

type Parts = { title?: string; body: string; signature?: string | undefined; foot?: string | undefined }

/** A self-contained page for any email client, in light and dark. */
export function wrap({ title = '', body, signature, foot }: Parts): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(title)}</title></head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"><div style="max-width:600px;overflow-wrap:break-word">
${body.trim()}
${signature ? `<div>${signature.trim()}</div>\n` : ''}${foot ? `<div style="margin-top:32px;font-size:13px;opacity:.75">${foot.trim()}</div>\n` : ''}</div></body></html>
`
}

export function wrapText({ body, signature, foot }: Omit<Parts, 'title'>): string {
  return [body, signature && `-- \n${signature}`, foot].filter(Boolean).join('\n\n')
}

/** Who writes, and how to hear no more. */
export function footOf({
  postalAddress,
  unsubscribeLink,
}: {
  postalAddress?: string | null
  unsubscribeLink: string
}): Part {
  const lines = (postalAddress ?? '')
    .split(/\r\n|[\r\n]/)
    .map(line => line.trim())
    .filter(Boolean)
  return {
    html: `<p>${[...lines.map(escape), `<a href="${escape(unsubscribeLink)}" style="color:inherit">Unsubscribe</a>`].join('<br>')}</p>`,
    text: [...lines, `Unsubscribe: ${unsubscribeLink}`].join('\n'),
  }
}

const COMPILED_MAX = 300
const compiled = new Map<string, Compiled>()
const markdown = new Marked({ gfm: true, breaks: true })

function compiledAnew({ subject, body, format }: Source, customKeys: readonly string[]): Compiled {
  const names = placeholderNames(customKeys)
  const marks = new Marks()
  const slots: Bound[] = []
  const marked = parseTemplate(body)
    .pieces.map(piece =>
      typeof piece === 'string' ? piece : marks.for('value', slots.push(bound(piece, names)) - 1),
    )
    .join('')
  const { html, addresses } = safeHtml(format === 'markdown' ? htmlOf(marked) : marked, {
    marks,
    isLink: slot => isLink(slots[slot]!.name ?? ''),
  })
  const ofSubject = compileText(subject, customKeys)
  const asked = [...slots, ...ofSubject.filter(piece => typeof piece !== 'string')]
  return {
    subject: ofSubject,
    html: marks.split(marks.asAttributes(html.trim())),
    text: marks.split(textOf(html, { marks, addresses, nameOf: slot => slots[slot]!.name ?? '' })),
    slots,
    addresses,
    names: new Set(asked.flatMap(({ name }) => name ?? [])),
  }
}

function htmlOf(text: string): string {
  refuseDeepNests(text)
  return markdown.parse(withoutLongGaps(text), { async: false })
}

/**
 * At each space of a line the reader looks whether the line ends with spaces, so that a line of nothing else would take it
 * seconds. Outside code all of them are one anyway.
 */
function withoutLongGaps(text: string): string {
  return text.replace(/ {2,}/g, gap => gap.slice(0, SPACES_MAX))
}

export const SPACES_MAX = 200

export function refuseDeepNests(text: string): void {
  const nested = [...text.matchAll(NESTED)].some(([run]) => /[>\d]/.test(run))
  if (nested)
    throw new Problem('invalid', `Quotes and lists are nested more than ${NESTED_MAX} deep.`, {
      code: 'nested_too_deep',
    })
}

const NESTED_MAX = 20
/** Reading these takes the longer the deeper they are. Dashes alone are a line across the page. */
const NESTED = new RegExp(`^(?:[ \\t]{0,9}(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))){${NESTED_MAX + 1},}`, 'gm')

type AddressAt = (index: number) => string | undefined

function inHtml(
  { kind, index }: Exclude<Piece, string>,
  filled: readonly string[],
  addressAt: AddressAt,
): string {
  if (kind === 'value') return escape(filled[index]!)
  if (kind === 'link') return clickable(filled[index]!)
  const address = escape(addressAt(index) ?? '')
  return kind === 'attribute' ? address && ` href="${address}"` : address
}

function inText(
  { kind, index }: Exclude<Piece, string>,
  filled: readonly string[],
  addressAt: AddressAt,
): string {
  if (kind === 'value' || kind === 'link') return filled[index]!
  const address = addressAt(index)
  return address === undefined ? '' : kind === 'bracketed' ? ` (${address})` : address
}

function clickable(url: string): string {
  const text = escape(url)
  return isFollowed(url) ? `<a href="${text}">${text}</a>` : text
}

function subjectFor({ subject }: Compiled, values: Values): string {
  const line = subject.map(piece => (typeof piece === 'string' ? piece : valueFor(piece, values))).join('')
  return line
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, SUBJECT_LENGTH_MAX)
    .toWellFormed()
    .trim()
}
