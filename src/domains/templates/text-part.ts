import { compile, type Builder, type Node } from 'html-to-text'
import type { Address } from './address.ts'
import type { Marks } from './marks.ts'

type Known = { marks: Marks; addresses: readonly Address[]; nameOf: (slot: number) => string }

/** A mail's HTML as text, for those who read it so. Marks stay in it; an address with slots is a mark in brackets. */
export function textOf(html: string, known: Known): string {
  return compile({
    wordwrap: false,
    formatters: {
      link: (element, walk, builder) => link(element, walk, builder, known),
      picture: (element, _, builder) => builder.addInline(element.attribs?.alt ?? ''),
    },
    selectors: [
      { selector: 'a', format: 'link' },
      { selector: 'img', format: 'picture' },
      { selector: 'ul', options: { itemPrefix: ' - ' } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
    ],
  })(html)
}

/** `Book a time (https://…)`; an address that says itself is said once. */
function link(
  element: Node,
  walk: (nodes: Node[] | undefined, builder: Builder) => void,
  builder: Builder,
  { marks, addresses, nameOf }: Known,
): void {
  const href = element.attribs?.href
  if (href === undefined) return walk(element.children, builder)
  const [mark] = marks.split(href)
  const isMark = typeof mark === 'object'
  const source = isMark ? named(addresses[mark.index]!, nameOf) : href
  const said = named(
    marks.split(saidIn(element).trim()).map(piece => (typeof piece === 'string' ? piece : piece.index)),
    nameOf,
  )
  const isSaid = [source, source.replace(/^(?:mailto:|tel:|https?:\/\/)/i, '')].includes(said)
  if (isSaid && isMark) return builder.addInline(href, { noWordTransform: true })
  walk(element.children, builder)
  if (isSaid) return
  const shown = isMark ? marks.for('bracketed', mark.index) : said === '' ? href : ` (${href})`
  builder.addInline(shown, { noWordTransform: true })
}

function saidIn({ data, children = [] }: Node): string {
  return (data ?? '') + children.map(saidIn).join('')
}

function named(address: Address, nameOf: (slot: number) => string): string {
  return address.map(part => (typeof part === 'string' ? part : `{{${nameOf(part)}}}`)).join('')
}
