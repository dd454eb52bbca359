import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { BankRefused, type Bank, type BankInvoice } from '#platform/ports/bank.ts'
import { freePort } from '#test/programs.ts'
import { startHttp, type Answered, type Heard } from '#test/http-server.ts'
import { openBank, type BankLimits } from './http.ts'
import { openLedger } from './ledger.ts'

const invoice: BankInvoice = {
  invoice_id: '0123456789abcdef01234567',
  number: 'INV-7',
  amount: '119.00',
  paid: '119.00',
  currency: 'EUR',
  customer: 'Żółć & Söhne',
  paid_at: '2027-03-01T09:00:00.000Z',
}
const key = invoice.invoice_id

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A bank, and the keys that it has booked. */
type Way = { bank: Bank; booked(): Promise<string[]> }

const ways: Record<string, () => Promise<Way>> = {
  ledger: async () => {
    const file = join(await temporaryFolder(), 'bank', 'ledger.jsonl')
    return { bank: openLedger({ file }), booked: async () => (await entriesOf(file)).map(({ key }) => key) }
  },
  http: async () => {
    const books = new Map<string, string>()
    const { bank } = await overHttp(({ method, headers }) => {
      if (method === 'GET') return {}
      const key = String(headers['idempotency-key'])
      if (!books.has(key)) books.set(key, `B-${books.size + 1}`)
      return { status: 201, body: { reference: books.get(key) } }
    })
    return { bank, booked: async () => [...books.keys()] }
  },
}

describe.each(Object.entries(ways))('%s', (kind, open) => {
  test('books an invoice once, however often and by how many it is told', async () => {
    const { bank, booked } = await open()
    expect(bank.kind).toBe(kind)
    await bank.check()
    const answers = await Promise.all(Array.from({ length: 10 }, () => bank.sync(invoice, key)))
    expect(new Set(answers.map(({ reference }) => reference)).size).toBe(1)
    const other = await bank.sync({ ...invoice, invoice_id: 'f'.repeat(24) }, 'f'.repeat(24))
    expect(other.reference).not.toBe(answers[0]!.reference)
    expect(await booked()).toEqual([key, 'f'.repeat(24)])
    await bank.close()
  })
})

describe('the ledger', () => {
  test('is a line for each invoice, for its owner alone, and a new process knows the lines of the old', async () => {
    const file = join(await temporaryFolder(), 'bank', 'ledger.jsonl')
    const { reference } = await openLedger({ file }).sync(invoice, key)
    expect(reference).toMatch(/^LEDGER-[0-9A-F]{12}$/)
    expect(await entriesOf(file)).toEqual([{ key, reference, told_at: expect.any(String), invoice }])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const later = openLedger({ file })
    expect(await later.sync({ ...invoice, paid: '1.00' }, key)).toEqual({ reference })
    expect(await entriesOf(file)).toHaveLength(1)
  })

  test('what a crash left half written counts for nothing and spoils nothing', async () => {
    const file = join(await temporaryFolder(), 'ledger.jsonl')
    const bank = openLedger({ file })
    await bank.sync({ ...invoice, number: 'INV-1' }, 'first')
    await appendFile(file, '{"key":"0123456789abcdef01234567","reference":"LEDG')
    const { reference } = await bank.sync(invoice, key)
    const whole = await readFile(file, 'utf8')
    const [first, torn, last, ...others] = whole.trimEnd().split('\n')
    expect(JSON.parse(first!)).toMatchObject({ key: 'first' })
    expect(torn).toMatch(/"LEDG$/)
    expect(JSON.parse(last!)).toMatchObject({ key, reference })
    expect(others).toEqual([])
    expect(await openLedger({ file }).sync(invoice, key)).toEqual({ reference })
    expect(await readFile(file, 'utf8')).toBe(whole)
  })

  test('a place that cannot be written is told, and nothing is answered', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'bank'), 'a file where the folder should be')
    const bank = openLedger({ file: join(folder, 'bank', 'ledger.jsonl') })
    await expect(bank.sync(invoice, key)).rejects.toThrow(/ENOTDIR|EEXIST/)
    await expect(bank.check()).rejects.toThrow('ENOTDIR')
  })
})

describe('over HTTP', () => {
  test('one call says who we are, which invoice it is and under which key', async () => {
    const { bank, heard } = await overHttp(() => ({ status: 201, body: { reference: 'B-1' } }), {}, '/v1/')
    expect(await bank.sync(invoice, key)).toEqual({ reference: 'B-1' })
    expect(heard).toHaveLength(1)
    expect(heard[0]).toMatchObject({
      method: 'POST',
      url: '/v1/invoices',
      headers: {
        authorization: 'Bearer canary',
        'idempotency-key': key,
        'content-type': 'application/json',
      },
    })
    expect(JSON.parse(heard[0]!.body)).toEqual(invoice)
  })

  test.each([400, 402, 410, 422])('a no to the invoice (%i) is for good', async status => {
    const { bank } = await overHttp(() => ({ status, body: { message: 'unknown customer' } }))
    const refused = bank.sync(invoice, key)
    await expect(refused).rejects.toBeInstanceOf(BankRefused)
    await expect(refused).rejects.toThrow(`The bank answered ${status}: unknown customer`)
  })

  test.each([301, 401, 403, 404, 408, 409, 429, 500, 502, 503])(
    'a no to us or to this moment (%i) is not',
    async status => {
      const { bank } = await overHttp(() => ({ status, body: 'later' }))
      const failed = bank.sync(invoice, key)
      await expect(failed).rejects.toThrow(`The bank answered ${status}: no reason given`)
      await expect(failed).rejects.not.toBeInstanceOf(BankRefused)
    },
  )

  test.each([{}, { reference: '' }, { reference: 7 }, { reference: 'x'.repeat(201) }, 'booked'])(
    'a yes without a reference is none: %j',
    async body => {
      const { bank } = await overHttp(() => ({ status: 200, body }))
      await expect(bank.sync(invoice, key)).rejects.toThrow('The bank answered 200 without a reference')
    },
  )

  test('one that is slow, cuts the line or is down is told again later, and no error holds the token', async () => {
    const slow = await overHttp(() => undefined, { timeoutMs: 50 })
    await expect(slow.bank.sync(invoice, key)).rejects.toThrow('The bank did not answer within 0.05 seconds')
    const cut = await overHttp((_, response) => void response.destroy())
    await expect(cut.bank.sync(invoice, key)).rejects.toThrow(/^The bank did not answer: (?!.*canary)/)
    const down = openBank({ url: `http://127.0.0.1:${await freePort()}`, token: 'canary' })
    await expect(down.sync(invoice, key)).rejects.toThrow(/^The bank did not answer: .*ECONNREFUSED/)
  })

  test('an answer without an end is cut off', async () => {
    const { bank } = await overHttp(() => ({ body: 'x'.repeat(70_000) }))
    await expect(bank.sync(invoice, key)).rejects.toThrow('more than 65536 bytes')
  })

  test.each([
    [200, undefined],
    [404, undefined],
    [405, undefined],
    [401, 'The bank rejected the token'],
    [403, 'The bank rejected the token'],
    [503, 'The bank is unavailable (503)'],
  ])('asked how it is, %i means %s', async (status, trouble) => {
    const { bank, heard } = await overHttp(() => ({ status }))
    const checked = bank.check().catch((error: Error) => error.message)
    expect(await checked).toBe(trouble)
    expect(heard[0]).toMatchObject({ method: 'GET', url: '/invoices' })
  })
})

async function overHttp(
  answer: (heard: Heard, response: ServerResponse) => Answered,
  limits: BankLimits = {},
  path = '',
) {
  const { url, heard, close } = await startHttp(answer)
  closing.push(close)
  return { bank: openBank({ url: url + path, token: 'canary' }, limits), heard }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-bank-'))
  closing.push(() => rm(folder, { recursive: true }))
  return folder
}

async function entriesOf(file: string): Promise<{ key: string }[]> {
  const text = await readFile(file, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { key: string })
}
