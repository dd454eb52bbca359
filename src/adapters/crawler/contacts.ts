import { domainToASCII } from 'node:url'
import { readPhone } from '#platform/phone.ts'
import type { FactSheet } from './fact.ts'
import type { Block, Page } from './page.ts'

const MAIL_LENGTH_MAX = 254
const LOCAL_LENGTH_MAX = 64
const DIGITS_MIN = 6
const DIGITS_MAX = 15
const ADDRESS_LENGTH_MAX = 200
/** What follows a dot and looks like the end of a domain: logo@2x.png is a picture. */
const FILE_ENDINGS = new Set(
  'png jpg jpeg gif svg webp avif ico bmp tif tiff css scss js mjs ts tsx jsx json map html htm php woff ttf mp4 webm pdf'.split(
    ' ',
  ),
)
/** Of forms that show how a mail looks, and of programs that report their own faults. */
const NOBODYS_DOMAINS =
  /(?:^|\.)(?:example\.(?:com|org|net)|(?:your|my)?-?(?:domain|company|email|website|site)\.(?:com|de|org|tld)|sentry\.io|wixpress\.com)$/

/** In text and in links, the site's own addresses first: those of its agency come after. */
export function findMails(page: Page, host: string, sheet: FactSheet): void {
  const found: string[] = []
  for (const { href } of page.anchors) if (/^mailto:/i.test(href)) found.push(...mailsInLink(href))
  for (const hidden of page.hiddenMails) found.push(...mailsIn(unhidden(hidden)))
  for (const { text } of page.blocks) if (MAY_HOLD_MAIL.test(text)) found.push(...mailsIn(plainly(text)))
  const own = host.replace(/^www\./, '')
  const isOwn = (mail: string) => mail.endsWith(`@${own}`) || mail.endsWith(`.${own}`)
  for (const mail of found.filter(isOwn)) sheet.add('email', mail)
  for (const mail of found.filter(mail => !isOwn(mail))) sheet.add('email', mail)
}

/** Every mail address in a text, in small letters. */
export function mailsIn(text: string): string[] {
  const mails: string[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = /[\w.%+-]+$/.exec(text.slice(Math.max(0, at - LOCAL_LENGTH_MAX - 1), at))?.[0] ?? ''
    const host = /^[\p{L}\d](?:[\p{L}\d.-]*[\p{L}\d])?/u.exec(text.slice(at + 1, at + 256))?.[0] ?? ''
    const mail = mailOf(local.replace(/^[.%+-]+|[.]+$/g, ''), host)
    if (mail) mails.push(mail)
  }
  return mails
}

/** As links and text have them: by tel:, beside a word for it, or with the country's code. */
export function findPhones(page: Page, sheet: FactSheet): void {
  for (const { href, text } of page.anchors) {
    const link = /^(tel|fax|callto):(.*)$/i.exec(href)
    if (link) addPhone(sheet, unescaped(link[2]!), /fax/i.test(link[1]! + text))
    const chat = /^https?:\/\/(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)\+?(\d{7,15})\b/i.exec(href)
    if (chat) addPhone(sheet, `+${chat[1]}`, false)
  }
  let before = ''
  for (const { text } of page.blocks) {
    if (/\d[\d\s()./–-]{4}/.test(text)) {
      for (const { digits, isFax } of numbersIn(text, before)) addPhone(sheet, digits, isFax)
    }
    before = text
  }
}

export function addPhone(sheet: FactSheet, text: string, isFax: boolean): void {
  const read = readPhone(text.replace(/[;,].*$/s, ''))
  const digits = text.replace(/\D/g, '').length
  if (!('value' in read) && (digits < DIGITS_MIN || digits > DIGITS_MAX || /[\p{L}@]/u.test(text))) return
  sheet.add('phone', 'value' in read ? read.value : text.trim(), isFax ? 'fax' : null)
}

/** Where a letter would arrive: as the page marks it, or a street with its number above a town with its code. */
export function findAddresses(page: Page, sheet: FactSheet): void {
  for (const text of page.addresses) {
    const line = text.replace(/\s*(?:tel|phone|fon|fax|e-?mail|mobil)\b.*$/is, '').trim()
    if (line.length <= ADDRESS_LENGTH_MAX && STREET.test(line)) sheet.add('address', line)
  }
  page.blocks.forEach(({ text }, at) => {
    if (text.length > ADDRESS_LENGTH_MAX || !STREET.test(text) || !/\d/.test(text)) return
    const whole = WHOLE_ADDRESS.exec(text)?.[0]
    if (whole) return sheet.add('address', withoutTail(whole))
    const next = townBelow(page.blocks, at)
    if (next !== undefined && text.length <= ADDRESS_LENGTH_MAX / 2) sheet.add('address', `${text}, ${next}`)
  })
}

/** People obfuscate addresses so that machines do not find them, but still want to be contacted. */
const MAY_HOLD_MAIL = /@|[[({<]\s*(?:at|ät|arroba)\s*[\])}>]| AT \S+ DOT /i
const PHONE_WORD =
  '(?:tele(?:f[oó]no?|phone|fone)|t[eé]l[eé]phone|tel|phone|fon|call(?: us)?|mobile?|handy|cell|hotline|whatsapp|(?:tele)?fax|電話|电话|전화|тел|τηλ)'
const LABELLED_NUMBER = new RegExp(
  `(?<![\\p{L}\\d])(${PHONE_WORD})[\\s.:：/-]{0,4}(?:n[or]\\.?|number|nummer)?[\\s.:：]{0,3}(\\+?\\(?\\d[\\d\\s()./–-]{4,24}\\d)`,
  'giu',
)
const ONLY_WORD = new RegExp(`^(${PHONE_WORD})[\\s.:：]*$`, 'iu')
const NUMBER_ALONE = /^\+?\(?\d[\d\s()./–-]{4,24}\d$/
const WITH_COUNTRY = /(?<![\p{L}\d+])\+[1-9][\d\s()./–-]{5,24}\d/gu

const STREET =
  /(?:\p{L}(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|gatan|vej|veien)|(?<!\p{L})(?:str(?:aße|\.)|street|st\.?|road|rd\.?|avenue|ave\.?|lane|ln\.?|drive|boulevard|blvd\.?|square|suite|court|highway|rue|via|viale|piazza|calle|plaza|avenida|rua|ulica|ul\.))(?!\p{L})/iu
const TOWN =
  /^(?:[A-Z]{1,2}[-– ])?(?:\d{3,5}[- ]?\d{0,3}(?: [A-Z]{2})?)\s+\p{Lu}[\p{L}.'’() -]{1,60}|^\p{Lu}[\p{L}.'’ -]{1,60},?\s+(?:[A-Z]{2}\s+\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2})/u
const WHOLE_ADDRESS =
  /[^,|·•:;]{0,80}\d[^|·•:;]{0,60}?[,|·•]\s*(?:(?:[A-Z]{1,2}[-– ])?\d{4,5}(?: [A-Z]{2})?\s+\p{Lu}[\p{L}.'’ -]{1,50}(?:,\s*\p{Lu}[\p{L} ]{2,30})?|\p{Lu}[\p{L}.'’ -]{1,50},\s*(?:[A-Z]{2}\s+\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2})(?:,\s*\p{Lu}[\p{L} ]{1,30})?)/u

function mailsInLink(href: string): string[] {
  const [addresses = ''] = href.slice('mailto:'.length).split('?')
  return mailsIn(plainly(unescaped(addresses)))
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function plainly(text: string): string {
  return text
    .replace(/\s?[[({<]\s?(?:at|ät|arroba|@)\s?[\])}>]\s?/gi, '@')
    .replace(/\s?[[({<]\s?(?:dot|punkt|point|punto|\.)\s?[\])}>]\s?/gi, '.')
    .replace(
      /([\w.+-]{1,64}) AT ([\w-]{1,63})((?: DOT [\w-]{1,63}){1,4})/gi,
      (_, local, host, rest) => `${local}@${host}${(rest as string).replace(/ DOT /gi, '.')}`,
    )
}

/** The first byte is what all others are mixed with. */
function unhidden(hex: string): string {
  const [key = 0, ...bytes] = Buffer.from(hex.slice(0, 2 * MAIL_LENGTH_MAX), 'hex')
  return Buffer.from(bytes.map(byte => byte ^ key)).toString()
}

function mailOf(local: string, host: string): string | undefined {
  const domain = domainToASCII(host.toLowerCase())
  const ending = domain.split('.').pop() ?? ''
  if (!local || local.length > LOCAL_LENGTH_MAX || local.includes('..') || /^[0-9a-f]{24,}$/i.test(local))
    return
  if (!domain.includes('.') || !/^(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})$/.test(ending)) return
  if (FILE_ENDINGS.has(ending) || NOBODYS_DOMAINS.test(domain)) return
  const mail = `${local}@${domain}`.toLowerCase()
  return mail.length > MAIL_LENGTH_MAX ? undefined : mail
}

type PhoneNumber = { digits: string; isFax: boolean }

function numbersIn(text: string, before: string): PhoneNumber[] {
  const numbers: PhoneNumber[] = []
  for (const [, word, digits] of text.matchAll(LABELLED_NUMBER))
    numbers.push({ digits: digits!, isFax: /fax/i.test(word!) })
  const word = NUMBER_ALONE.test(text) ? ONLY_WORD.exec(before)?.[1] : undefined
  if (word) numbers.push({ digits: text, isFax: /fax/i.test(word) })
  // One that was found beside its word is not taken a second time for want of it.
  const known = new Set(numbers.map(({ digits }) => digits.trim()))
  for (const [digits] of text.matchAll(WITH_COUNTRY))
    if (!known.has(digits.trim())) numbers.push({ digits, isFax: false })
  return numbers
}

function townBelow(blocks: readonly Block[], at: number): string | undefined {
  const text = blocks[at + 1]?.text
  return text !== undefined && text.length <= ADDRESS_LENGTH_MAX / 2 ? TOWN.exec(text)?.[0] : undefined
}

function withoutTail(address: string): string {
  return address.replace(/\s+(?:tel|phone|fon|fax|e-?mail|mobil)\b.*$/is, '').trim()
}
