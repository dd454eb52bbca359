import { describe, expect, test } from 'vitest'
import { watchLoop } from '#test/loop.ts'
import { csvLine } from './csv.ts'
import { CSV_ROW_CHARACTERS_MAX, readCsv } from './csv-read.ts'

/** In pieces of that many bytes, as a line brings them. */
async function rowsOf(file: string | Buffer, pieceBytes = Infinity): Promise<string[][]> {
  const bytes = Buffer.from(file as string)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  return collected(pieces())
}

async function collected(bytes: AsyncIterable<Buffer>): Promise<string[][]> {
  const rows: string[][] = []
  for await (const { cells } of readCsv('me', bytes)) rows.push(cells)
  return rows
}

async function numbersOf(file: string): Promise<number[]> {
  const numbers: number[] = []
  async function* bytes() {
    yield Buffer.from(file)
  }
  for await (const { row } of readCsv('me', bytes())) numbers.push(row)
  return numbers
}

describe('a CSV file', () => {
  test.for([',', ';', '\t', '|'])('is read with the delimiter it was written with: %j', async delimiter => {
    const file = [
      ['name', 'note', 'place'],
      ['Ada', '"a, b; c | d"', 'London'],
      ['Grace', '', 'New York'],
    ]
    const rows = await rowsOf(file.map(cells => cells.join(delimiter)).join('\r\n'))
    expect(rows).toEqual([
      ['name', 'note', 'place'],
      ['Ada', 'a, b; c | d', 'London'],
      ['Grace', '', 'New York'],
    ])
  })

  test('may say its delimiter in the first line, and may have one column', async () => {
    expect(await rowsOf('sep=;\na,b;c\n1;2')).toEqual([
      ['a,b', 'c'],
      ['1', '2'],
    ])
    expect(await rowsOf('email\nada@example.test\n')).toEqual([['email'], ['ada@example.test']])
  })

  test('may hold quotes, line breaks and half-quoted cells', async () => {
    expect(await rowsOf('a,b\n"say ""hi""","two\r\nlines"\n5" pipe,x\n')).toEqual([
      ['a', 'b'],
      ['say "hi"', 'two\r\nlines'],
      ['5" pipe', 'x'],
    ])
  })

  test('has its empty rows left out, and the others as long as they are', async () => {
    expect(await rowsOf('a,b\n\n,\n1\n\r\n1,2,3\n')).toEqual([['a', 'b'], ['1'], ['1', '2', '3']])
  })

  test('numbers its rows as a spreadsheet does: empty ones count, and a cell of two lines is one row', async () => {
    expect(await numbersOf('a,b\n1,2\n\n3,4\n')).toEqual([1, 2, 4])
    expect(await numbersOf('a,b\r\n"two\r\nlines",2\r\n,\r\n  ,\r\n3,4')).toEqual([1, 2, 5])
    expect(await numbersOf('\n\na,b\n"",""\n1,2\n')).toEqual([3, 5])
    expect(await numbersOf('sep=;\na;b\n\n1;2\n')).toEqual([1, 3])
  })

  const words = 'näme;Straße\nJürgen;Łódź €\n'
  test.for([
    ['UTF-8', Buffer.from(words), words],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${words}`), words],
    ['UTF-16', Buffer.from(`\ufeff${words}`, 'utf16le'), words],
    ['UTF-16 the other way round', Buffer.from(`\ufeff${words}`, 'utf16le').swap16(), words],
    ['Windows-1252', Buffer.from('n\xe4me;b\nJ\xfcrgen;5 \x80\n', 'latin1'), 'näme;b\nJürgen;5 €\n'],
  ] as const)('is read as %s where it is that, in pieces of any size', async ([, bytes, text]) => {
    const expected = text
      .trim()
      .split('\n')
      .map(line => line.split(';'))
    for (const size of [Infinity, 1, 2, 3, 5]) expect(await rowsOf(bytes, size)).toEqual(expected)
  })

  test('may show only late that it is not UTF-8', async () => {
    const plain = 'a,b\n'.repeat(100_000)
    const late = Buffer.concat([Buffer.from(plain), Buffer.from('J\xfcrgen,b\n', 'latin1')])
    expect((await rowsOf(late, 65_536)).at(-1)).toEqual(['Jürgen', 'b'])
  })

  test('that begins as UTF-8 and goes on as something else is refused', async () => {
    const mixed = Buffer.concat([
      Buffer.from(`ä,b\n${'a,b\n'.repeat(100_000)}`),
      Buffer.from([0xfc, 0x2c, 0x62]),
    ])
    await expect(rowsOf(mixed, 65_536)).rejects.toThrow('Save it as UTF-8')
  })

  test('with a quote that is never closed is refused, before it fills the memory', async () => {
    await expect(rowsOf('a,b\n"1,2\n3,4\n')).rejects.toThrow('never closed')
    await expect(rowsOf(`a\n"${'x\n'.repeat(CSV_ROW_CHARACTERS_MAX)}`, 65_536)).rejects.toThrow('longer than')
  })

  test('of our own comes back as it was, with cells that look like formulas', async () => {
    const cells = ['=1+1', '+49', '-5', '@x', '\t=1', "'quoted'", 'plain', ' =x']
    expect(await rowsOf(csvLine(['a', ...cells]) + csvLine(['b', ...cells]))).toEqual([
      ['a', ...cells],
      ['b', ...cells],
    ])
  })

  test('keeps every character, wherever it is cut while it is read', async () => {
    const cell = `${'a'.repeat(16 * 1024 - 5)}${'👍'.repeat(20_000)}`
    expect(await rowsOf(`a\n${cell}\n`)).toEqual([['a'], [cell]])
  })

  test('of nothing but commas holds up nobody', async () => {
    const loop = watchLoop()
    await rowsOf(`a\n${','.repeat(400_000)}`)
    loop.stop()
    expect(loop.worst()).toBeLessThan(200)
  })

  test('that fails while it comes in tells why', async () => {
    async function* torn(): AsyncGenerator<Buffer> {
      yield Buffer.from('a,b\n1,2\n')
      throw new Error('torn')
    }
    await expect(collected(torn())).rejects.toThrow('torn')
  })
})
