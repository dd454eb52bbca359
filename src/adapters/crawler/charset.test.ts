import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decode } from './charset.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const cp1252 = Buffer.concat([latin('Gr'), Buffer.from([0xfc]), latin('n kostet 5 '), Buffer.from([0x80])])
const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
const utf16 = (text: string, mark = true) => Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le')
const meta = (charset: string) => latin(`<meta charset="${charset}">`)

describe('letters of a page', () => {
  test.for<[string, Buffer, string | undefined, string]>([
    ['UTF-8 without a word on it', Buffer.from('Grün 日本 €'), undefined, 'Grün 日本 €'],
    ['UTF-8 by the server', Buffer.from('Grün'), 'text/html; charset=UTF-8', 'Grün'],
    ['UTF-8 with a mark, which is not shown', Buffer.from('\uFEFFGrün'), 'text/html', 'Grün'],
    ['windows-1252 by the server', cp1252, 'text/html; charset=windows-1252', 'Grün kostet 5 €'],
    ['windows-1252 by its old name', cp1252, 'text/html; charset="ISO-8859-1"', 'Grün kostet 5 €'],
    [
      'windows-1252 by the page',
      Buffer.concat([meta('windows-1252'), cp1252]),
      'text/html',
      '<meta charset="windows-1252">Grün kostet 5 €',
    ],
    ['windows-1252 by nobody', cp1252, undefined, 'Grün kostet 5 €'],
    ['windows-1252 that the server calls UTF-8', cp1252, 'text/html; charset=utf-8', 'Grün kostet 5 €'],
    ['UTF-8 that the server calls latin', Buffer.from('Grün'), 'text/html; charset=iso-8859-1', 'Grün'],
    ['Shift JIS by the server', japanese, 'text/html; charset=Shift_JIS', '日本'],
    [
      'Shift JIS by the page',
      Buffer.concat([meta('shift_jis'), japanese]),
      undefined,
      '<meta charset="shift_jis">日本',
    ],
    [
      'Shift JIS that the server calls UTF-8',
      Buffer.concat([meta('shift_jis'), japanese]),
      'text/html; charset=utf-8',
      '<meta charset="shift_jis">日本',
    ],
    [
      'Shift JIS by the old element',
      Buffer.concat([
        latin('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'),
        japanese,
      ]),
      undefined,
      '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">日本',
    ],
    ['UTF-16 by its mark', utf16('Grün 日本'), 'text/html', 'Grün 日本'],
    ['UTF-16 by its mark, against the server', utf16('Grün'), 'text/html; charset=utf-8', 'Grün'],
    ['UTF-16 the other way round', utf16('Grün').swap16(), undefined, 'Grün'],
    ['UTF-16 by the server', utf16('Grün', false), 'text/html; charset=utf-16le', 'Grün'],
    [
      'what says of itself in one byte each that it has two',
      Buffer.concat([meta('utf-16'), Buffer.from('ü')]),
      undefined,
      '<meta charset="utf-16">ü',
    ],
    [
      'windows-1251 by XML',
      Buffer.concat([latin('<?xml version="1.0" encoding="windows-1251"?>'), Buffer.from([0xcf, 0xf0])]),
      undefined,
      '<?xml version="1.0" encoding="windows-1251"?>Пр',
    ],
    ['a name that nobody knows', Buffer.from('Grün'), 'text/html; charset=klingon', 'Grün'],
    [
      'a word in a remark',
      Buffer.from('<!-- <meta charset="shift_jis"> -->ü'),
      undefined,
      '<!-- <meta charset="shift_jis"> -->ü',
    ],
    [
      'a word that comes too late',
      Buffer.concat([latin(' '.repeat(1_024)), meta('shift_jis'), japanese]),
      undefined,
      `${' '.repeat(1_024)}<meta charset="shift_jis">“ú–{`,
    ],
  ])('%s', ([, bytes, type, text]) => expect(decode(bytes, type)).toBe(text))

  test('that are anything at all become text, and UTF-8 stays as it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, type) => {
        expect(typeof decode(bytes, `text/html; charset=${type}`)).toBe('string')
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
        expect(decode(Buffer.from(`x${text}`), undefined)).toBe(`x${text}`)
      }),
    )
  })
})
