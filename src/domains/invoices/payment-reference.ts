import { randomInt } from 'node:crypto'

/** Without letters that are taken for digits, or for each other. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 12
const WRITTEN = /^RF\d\d[A-Z0-9]{1,21}$/

/** A creditor reference (ISO 11649): banks take it as it is, and its two check digits find a typing mistake. */
export function newPaymentReference(): string {
  const text = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `RF${String(98 - remainder(`${text}RF00`)).padStart(2, '0')}${text}`
}

/** As it is kept, however somebody spelt it; undefined where it is none. */
export function readPaymentReference(text: string): string | undefined {
  const reference = text.replace(/[\s-]+/g, '').toUpperCase()
  return WRITTEN.test(reference) && remainder(reference.slice(4) + reference.slice(0, 4)) === 1
    ? reference
    : undefined
}

/** ISO 7064, MOD 97-10: letters count from 10 on. */
export function remainder(text: string): number {
  let rest = 0
  for (const letter of text) {
    const value = parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
