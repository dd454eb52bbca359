import { describe, expect, test } from 'vitest'
import { csvLine } from './csv.ts'

describe('a line of CSV', () => {
  test('keeps a cell together where semicolons or tabs part cells', () => {
    expect(csvLine(['x;=1+1', 'x\t=1+1', 'a; b'])).toBe('"x;=1+1","x\t=1+1","a; b"\r\n')
  })

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
    ';=1+1',
    ' ; =1+1',
    '\u200b=1+1',
    '\ufeff=1+1',
    '\u202e@SUM(A1)',
  ])('%j is no formula any more', text => expect(csvLine([text])).toMatch(/^"'/))
})
