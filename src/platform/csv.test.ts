import { describe, expect, test } from 'vitest'
import { csvLine } from './csv.ts'

describe('a line of CSV', () => {
  test('quotes what needs it', () => {
    expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', ' edge ', null, 7, -7, true])).toBe(
      'plain,"a,b","say ""hi""","two\nlines"," edge ",,7,-7,true\r\n',
    )
  })

  test.for([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\0=1',
    '  =1',
    '\r=1',
    '＝1',
    '\u00a0=1',
    '\u0001=1',
    '\tx',
    '\0x',
    ' \0x',
  ])('%j is no formula any more', text => expect(csvLine([text])).toMatch(/^"'/))
})
