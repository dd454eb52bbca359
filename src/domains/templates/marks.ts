import { randomBytes } from 'node:crypto'

/**
 * What comes in place of a mark: a value; a value that can be clicked; an address that values are part of, as it is, as a
 * whole attribute, or in brackets.
 */
export type MarkKind = 'value' | 'link' | 'address' | 'attribute' | 'bracketed'
const letters: Record<MarkKind, string> = {
  value: 'v',
  link: 'k',
  address: 'a',
  attribute: 't',
  bracketed: 'b',
}
const kinds = Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind])) as Record<
  string,
  MarkKind
>

/**
 * Words that represent the slots of a template while it is converted to HTML and text. They are plain letters
 * and digits, so nothing on the way changes them, and random for each template, so no one can write one.
 */
export class Marks {
  private readonly token = randomBytes(12).toString('hex')
  private readonly pattern = new RegExp(`q${this.token}([a-z])(\\d+)q`)

  for(kind: MarkKind, index: number): string {
    return `q${this.token}${letters[kind]}${index}q`
  }

  /** The text between marks, and the marks. */
  split(text: string): (string | { kind: MarkKind; index: number })[] {
    const parts = text.split(this.pattern)
    const pieces: (string | { kind: MarkKind; index: number })[] = []
    for (let at = 0; at < parts.length; at += 3) {
      if (parts[at]) pieces.push(parts[at]!)
      if (at + 2 < parts.length) pieces.push({ kind: kinds[parts[at + 1]!]!, index: Number(parts[at + 2]) })
    }
    return pieces
  }

  /** A link's address becomes the whole attribute: one that cannot be followed then leaves none behind. */
  asAttributes(html: string): string {
    const attribute = new RegExp(` href="q${this.token}a(\\d+)q"`, 'g')
    return html.replace(attribute, (_, index: string) => this.for('attribute', Number(index)))
  }

  isIn(text: string): boolean {
    return text.includes(`q${this.token}`)
  }
}
