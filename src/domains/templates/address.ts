/** An address in a template: what its author wrote, and the slots in between, by their index. */
export type Address = readonly (string | number)[]

/** Mail programs follow these; whatever else an address begins with, it is none. */
const FOLLOWED = /^(?:https?:\/\/[^\s/?#]|mailto:[^\s]|tel:[^\s])/i
const SHOWN = /^https?:\/\/[^\s/?#]/i

export function isFollowed(url: string): boolean {
  return FOLLOWED.test(url) && URL.canParse(url)
}

/** Of a picture: nobody but the author says where it comes from. */
export function isShown(url: string): boolean {
  return SHOWN.test(url) && URL.canParse(url)
}

/** Characters that belong into no address are written as an address writes them. */
export function tidyAddress(url: string): string {
  return url.replace(/[\s"<>\\^`{|}]/g, encodeURIComponent)
}

/** With its values in it; undefined where that is no address one may follow. */
export function addressWith(address: Address, valueOf: (slot: number) => string): string | undefined {
  let url = ''
  for (const part of address) url += typeof part === 'string' ? part : within(url, valueOf(part))
  return isFollowed(url) ? tidyAddress(url) : undefined
}

/** A value may be the whole beginning of an address; anywhere else it is one piece of it and cannot become another. */
function within(url: string, value: string): string {
  if (url === '') return value
  if (/^mailto:/i.test(url)) return encodeURIComponent(value).replaceAll('%40', '@')
  if (/^tel:/i.test(url)) return encodeURIComponent(value).replaceAll('%2B', '+')
  const host = /^https?:\/\/([^/?#]*)$/i.exec(url)?.[1]
  if (host === undefined) return encodeURIComponent(value)
  // The author's own host cannot be lengthened into somebody else's.
  return value.replace(host === '' ? /[^\p{L}\p{N}.-]/gu : /[^\p{L}\p{N}-]/gu, '')
}
