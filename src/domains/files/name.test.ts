import { describe, expect, test } from 'vitest'
import { hostileTexts } from '#test/hostile.ts'
import { isStorable } from '#platform/storable.ts'
import { cleanName, cleanType, dispositionOf, nameIn } from './name.ts'
import { FILE_NAME_LENGTH_MAX, FILE_TYPE_LENGTH_MAX } from './values.ts'

describe('the name of an upload', () => {
  test.each([
    [undefined, 'file'],
    ['', 'file'],
    ['attachment', 'file'],
    ['attachment; filename=""', 'file'],
    ['attachment; filename=offer.pdf', 'offer.pdf'],
    ['attachment; filename="offer 7.pdf"', 'offer 7.pdf'],
    ['ATTACHMENT; FileName = "offer.pdf" ; size=7', 'offer.pdf'],
    ['attachment; filename="a \\"b\\" c.pdf"', 'a "b" c.pdf'],
    ['attachment; filename="a; filename=b.pdf"', 'a; filename=b.pdf'],
    ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'na%C3%AFve%20%E2%82%AC.pdf', 'naïve €.pdf'],
    ["attachment; filename*=utf-8'de'gr%C3%BC%C3%9Fe.txt; filename=plain.txt", 'grüße.txt'],
    ["attachment; filename*=ISO-8859-1''gr%FC%DFe.txt", 'grüße.txt'],
    // Bytes of no text, a character set of nobody's, and no form of RFC 5987: the plain name serves.
    ["attachment; filename*=UTF-8''%FF.pdf; filename=plain.pdf", 'plain.pdf'],
    ["attachment; filename*=KOI8-R''%C1; filename=plain.pdf", 'plain.pdf'],
    ['attachment; filename*=x.pdf; filename=plain.pdf', 'plain.pdf'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    // As a header brings UTF-8 and Latin-1.
    [`attachment; filename="${Buffer.from('grüße.txt').toString('latin1')}"`, 'grüße.txt'],
    ['attachment; filename="gr\u00fc\u00dfe.txt"', 'grüße.txt'],
  ])('in %j is %j', (disposition, name) => {
    expect(nameIn(disposition)).toBe(name)
  })
})

describe('a clean name', () => {
  test.each([
    ['C:\\Users\\Ada\\offer.pdf', 'offer.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['/', 'file'],
    ['..', 'file'],
    ['.', 'file'],
    ['.profile', '.profile'],
    ['a\0b\r\nc\t.pdf', 'a b c .pdf'],
    ['exe\u202efdp.txt', 'exefdp.txt'],
    ['\ud800.pdf', '\ufffd.pdf'],
    ['  offer.pdf  ', 'offer.pdf'],
  ])('of %j is %j', (text, name) => {
    expect(cleanName(text)).toBe(name)
  })

  test(`has ${FILE_NAME_LENGTH_MAX} characters at most, and keeps its ending and whole characters`, () => {
    const atTheLimit = `${'x'.repeat(FILE_NAME_LENGTH_MAX - 4)}.pdf`
    expect(cleanName(atTheLimit)).toBe(atTheLimit)
    expect(cleanName(`x${atTheLimit}`)).toBe(atTheLimit)
    expect(cleanName('x'.repeat(500))).toBe('x'.repeat(FILE_NAME_LENGTH_MAX))
    expect(cleanName(`.${'x'.repeat(500)}`)).toHaveLength(FILE_NAME_LENGTH_MAX)
    const emoji = cleanName(`${'x'.repeat(FILE_NAME_LENGTH_MAX - 5)}😀.pdf`)
    expect(emoji).toBe(`${'x'.repeat(FILE_NAME_LENGTH_MAX - 5)}.pdf`)
  })

  test('comes of any text, can be stored, and is one header again', () => {
    for (const text of hostileTexts) {
      const name = cleanName(text)
      expect(name).not.toMatch(/[/\\\p{Cc}]/u)
      expect(name.length).toBeGreaterThan(0)
      expect(isStorable(name)).toBe(true)
      expect(dispositionOf(name)).toMatch(/^attachment; filename="[ -~]*"; filename\*=UTF-8''[!-~]*$/)
      expect(nameIn(dispositionOf(name))).toBe(name)
    }
  })
})

test('a download is named in letters that every program knows, and as it is', () => {
  expect(dispositionOf('offer.pdf')).toBe(`attachment; filename="offer.pdf"; filename*=UTF-8''offer.pdf`)
  expect(dispositionOf(`naïve "€" (1)'.pdf`)).toBe(
    `attachment; filename="na_ve ___ (1)'.pdf"; filename*=UTF-8''na%C3%AFve%20%22%E2%82%AC%22%20%281%29%27.pdf`,
  )
})

test.each([
  ['application/pdf', 'application/pdf'],
  ['Text/CSV; charset=utf-8', 'text/csv'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined],
  ['image/svg+xml', 'image/svg+xml'],
  [`a/${'x'.repeat(FILE_TYPE_LENGTH_MAX - 2)}`, undefined],
  [`a/${'x'.repeat(FILE_TYPE_LENGTH_MAX - 1)}`, 'application/octet-stream'],
  ['*/*', 'application/octet-stream'],
  ['nonsense', 'application/octet-stream'],
  ['text/html\r\nx: y', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('the type %j is kept as %j', (type, kept = type) => {
  expect(cleanType(type)).toBe(kept)
})
