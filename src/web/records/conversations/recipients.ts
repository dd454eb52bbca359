import { COPIES_MAX } from '#domains/conversations/values.ts'

/** Someone in To, Cc or Bcc. What was typed wrongly is one too, until it is fixed. */
export type Recipient = { address: string; name: string | null }

const EMAIL_LENGTH_MAX = 254
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text)
}

/** `"Doe, Ada" <ada@…>`, `Ada Doe <ada@…>`, or what is between commas. */
const PIECE = /\s*(?:"([^"]*)"\s*|([^<>,;\r\n\t]*))<([^<>]*)>|([^<>,;\r\n\t]+)/g

/** Addresses as people type and paste them: with commas, semicolons, spaces or line breaks between, with names or without. */
export function parseRecipients(text: string): Recipient[] {
  return [...text.matchAll(PIECE)].flatMap(([, quoted, plain, address, other]) => {
    if (address === undefined) return plainOnes(other!)
    const words = wordsOf(quoted ?? plain ?? '')
    // `bob@… Ada Doe <ada@…>`: a comma was forgotten.
    const before =
      quoted === undefined ? words.slice(0, words.findLastIndex(word => word.includes('@')) + 1) : []
    const name = words.slice(before.length).join(' ')
    return [...before.flatMap(plainOnes), { address: tidy(address), name: name || null }]
  })
}

/** Adds what is not there yet, up to the limit. */
export function withRecipients(known: readonly Recipient[], added: readonly Recipient[]): Recipient[] {
  const all = new Map(known.map(each => [keyOf(each), each]))
  for (const each of added) if (each.address && !all.has(keyOf(each))) all.set(keyOf(each), each)
  return [...all.values()].slice(0, COPIES_MAX)
}

export function without(known: readonly Recipient[], address: string): Recipient[] {
  return known.filter(each => each.address !== address)
}

/** Those whom an answer to all goes to besides the sender. */
export function othersOf(
  { to, cc }: { to: readonly Recipient[]; cc: readonly Recipient[] },
  known: readonly string[],
): Recipient[] {
  const left = new Set(known.map(address => address.toLowerCase()))
  return withRecipients([], [...to, ...cc]).filter(each => !left.has(keyOf(each)))
}

/** "Ada, Bob (+2)": the name, or the whole address. */
export function shortName({ name, address }: Recipient): string {
  return name || address
}

export function longName({ name, address }: Recipient): string {
  return name ? `${name} <${address}>` : address
}

function plainOnes(text: string): Recipient[] {
  const words = wordsOf(text)
  // Words without an address among them are one thing that was typed wrongly.
  const addresses = words.some(word => word.includes('@')) ? words : [words.join(' ')]
  return addresses.filter(Boolean).map(word => ({ address: tidy(word), name: null }))
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

function tidy(address: string): string {
  return address.trim().replace(/^mailto:/i, '')
}

function keyOf({ address }: Recipient): string {
  return address.toLowerCase()
}
