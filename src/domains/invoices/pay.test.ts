import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Challenge, Credential } from 'mppx'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashOf } from '#platform/bearer.ts'
import { FakeClock } from '#platform/clock.ts'
import { ChainUnavailable } from '#platform/ports/chain.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { hostileTexts } from '#test/hostile.ts'
import { memoryChain } from '#test/memory-chain.ts'
import { textOfRows } from '#test/rows.ts'
import type { Invoice } from './contract.ts'
import { assets } from './pay-assets.ts'
import { pdfPages } from './pdf.harness.ts'
import type { PayState } from './public-contract.ts'

const PAYER = `0x${'ab'.repeat(20)}`
const DAY_MS = 86_400_000
const PAGE_BYTES_MAX = 40_000

const clock = new FakeClock(Date.parse('2027-03-01T09:00:00Z'))
const chain = memoryChain()
let app: TestApp
let ada: Person
let stranger: Client
beforeAll(async () => {
  app = await startApp({ clock, ports: { chain } })
  ada = await app.person()
  stranger = client(app.url, {})
  const seller = { name: 'Acme GmbH', email: 'billing@acme.test', address: null, tax_id: null }
  await ada.browser.patch('/api/crm/invoices/settings', { seller, currency: 'USD' })
})
afterAll(() => app.close())
beforeEach(() => void chain.faults.splice(0))

const grace = { name: 'Grace Hopper', email: null, address: 'Arlington', tax_id: null }
const lines = [{ description: 'Advice', quantity: '2', unit_price: '50.00', tax_percent: '0' }]

type Opened = Invoice & { token: string; page: string; api: string }

async function opened(fields: object = {}): Promise<Opened> {
  const draft = await ada.browser.post('/api/crm/invoices', { customer: grace, lines, ...fields })
  const { body } = await ada.browser.post(`/api/crm/invoices/${draft.body.id}/open`)
  const token = new URL(body.pay_url).pathname.split('/').at(-1)!
  return { ...body, token, page: `/i/${token}`, api: `/api/pay/${token}` }
}
test('bank details and the reference to quote are shown while something is due', async () => {
  const settings = '/api/crm/invoices/settings'
  const written = {
    account_holder: 'Acme',
    iban: 'de89 3704 0044 0532 0130 00',
    bic: ' cobadeff ',
    bank_name: null,
  }
  const bank = { ...written, iban: 'DE89370400440532013000', bic: 'COBADEFF' }
  expect((await ada.browser.patch(settings, { bank: written })).body).toMatchObject({ bank })
  // In another currency than the token's, the wallet is no way to pay.
  const invoice = await opened({ currency: 'EUR' })
  expect(invoice.payment_reference).toMatch(/^RF\d\d[A-Z2-9]{12}$/)
  expect(await stateOf(invoice)).toMatchObject({
    bank,
    chain: null,
    payment_reference: invoice.payment_reference,
  })
  const shown = (await stranger.get(invoice.page)).text
  for (const text of ['Pay by bank transfer', 'DE89 3704 0044 0532 0130 00', 'EUR 100.00'])
    expect(shown).toContain(text)
  expect(shown).toContain(invoice.payment_reference!.replace(/.{4}(?=.)/g, '$& '))
  await ada.browser.post(`/api/crm/invoices/${invoice.id}/payments`, { method: 'manual', amount: '100' })
  expect(await stateOf(invoice)).toMatchObject({ status: 'PAID', bank: null })
  expect((await stranger.get(invoice.page)).text).not.toContain('Pay by bank transfer')
  for (const wrong of ['DE88370400440532013000', 'DE8937040044053201300', 'X', 'DE89-3704'])
    expect(await ada.browser.patch(settings, { bank: { ...bank, iban: wrong } })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'bank.iban' }] },
    })
  expect(await ada.browser.patch(settings, { bank: { ...bank, bic: 'COBA' } })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'bank.bic' }] },
  })
  expect((await ada.browser.patch(settings, { bank: null })).body.bank).toBeNull()
  expect(await stateOf(await opened({ currency: 'EUR' }))).toMatchObject({ bank: null, chain: null })
})

const read = async (id: string): Promise<Invoice> => (await ada.browser.get(`/api/crm/invoices/${id}`)).body
const stateOf = async ({ api }: Opened): Promise<PayState> => (await stranger.get(api)).body

/** As a wallet that follows the scheme would prove it. */
function proofOf(state: PayState, hash: string, { payer = PAYER, signature = '' } = {}): string {
  const challenge = Challenge.deserialize(state.chain!.challenge)
  const text = state.chain!.text.replace('<hash>', hash)
  const credential = Credential.from({
    challenge,
    payload: { type: 'hash', hash, signature: signature || chain.sign(text, payer) },
    source: `did:pkh:eip155:31337:${payer}`,
  })
  return Credential.serialize(credential)
}
const prove = (invoice: Opened, credential: string) => stranger.post(invoice.api, { credential })
const now = () => new Date(clock.now()).toISOString()

describe('who has the link', () => {
  test('sees who bills what to whom, what is due and by when, and gets the PDF', async () => {
    const invoice = await opened({ note: 'Thank you.\nSee you.' })
    const { status, text, headers } = await stranger.get(invoice.page)
    expect(status).toBe(200)
    for (const words of [
      'Acme GmbH',
      'Grace Hopper',
      'Advice',
      '2 × USD 50.00',
      'USD 100.00',
      'Open. Please pay by 15 March 2027.',
      'Thank you.\nSee you.',
      `href="${invoice.page}/pdf"`,
    ])
      expect(text).toContain(words)
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    const pdf = await fetch(`${app.url}${invoice.page}/pdf`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdfPages(Buffer.from(await pdf.arrayBuffer()))[0]).toContain(`Invoice ${invoice.number}`)
  })

  test('gets the PDF of today: as it stands after each payment, and nobody else’s', async () => {
    const [invoice, other] = [await opened(), await opened()]
    const pdf = async ({ page }: Opened) =>
      pdfPages(Buffer.from(await (await fetch(`${app.url}${page}/pdf`)).arrayBuffer()))[0]
    expect(await pdf(invoice)).toContain('Due\nUSD 100.00')
    await note(invoice.id, '60')
    expect(await pdf(invoice)).toContain('Due\nUSD 40.00')
    expect(await pdf(invoice)).toContain('Due\nUSD 40.00')
    await note(invoice.id, '40')
    expect(await pdf(invoice)).toContain('Paid on 1 March 2027')
    expect(await pdf(other)).toContain(`Invoice ${other.number}`)
  })

  test('has a page of less than 40 kB with everything on it, also with a long list and a QR code', async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ ...lines[0]!, description: `Work package ${n}` }))
    const { page } = await opened({ lines: many })
    const { text } = await stranger.get(page)
    expect(Buffer.byteLength(text) + assets.bytes).toBeLessThan(PAGE_BYTES_MAX)
    const files = [...text.matchAll(/\/i\/assets\/[\w-]+\.(?:css|js)/g)].map(([path]) => path)
    expect(files).toHaveLength(2)
    for (const file of files) {
      const { status, headers } = await stranger.get(file)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toContain('immutable')
    }
    expect((await stranger.get('/i/assets/older.css')).headers.get('cache-control')).toBe('no-store')
    expect((await stranger.get('/i/assets/pay.html')).status).toBe(404)
  })

  test.each([
    ['OPEN', 'It was due on 15 March 2027.', async () => void clock.advance(20 * DAY_MS)],
    [
      'PARTIALLY_PAID',
      'Partially paid: USD 60.00 received, the rest is still due.',
      (id: string) => note(id, '60'),
    ],
    ['PAID', 'Paid on 1 March 2027. Thank you.', (id: string) => note(id, '100')],
    ['VOID', 'Void: nothing is owed.', (id: string) => ada.browser.post(`/api/crm/invoices/${id}/void`)],
  ])('reads that it is %s in words', async (status, words, act) => {
    const before = clock.now()
    const invoice = await opened()
    await act(invoice.id)
    expect((await stateOf(invoice)).status).toBe(status)
    expect((await stranger.get(invoice.page)).text).toContain(words)
    clock.advance(before - clock.now())
  })
  const note = (id: string, amount: string) =>
    ada.browser.post(`/api/crm/invoices/${id}/payments`, { method: 'manual', amount })

  test('sees hostile names as text', async () => {
    for (const name of hostileTexts.filter(text => text.trim() && !/[\p{Cc}]/u.test(text)).slice(0, 12)) {
      const { page } = await opened({ customer: { ...grace, name: name.slice(0, 200) } })
      const { status, text } = await stranger.get(page)
      expect(status).toBe(200)
      expect(text.match(/<script/g)).toHaveLength(1)
      expect(text).not.toMatch(/<(?:img|iframe|svg\/)|onerror=[^&]*>/)
    }
  })

  test('is nowhere in the database, and is the same each time it is shown', async () => {
    const { id, token, pay_url } = await opened()
    expect((await read(id)).pay_url).toBe(pay_url)
    const kept = (await textOfRows(app.database)).join('\n')
    expect(kept).toContain(hashOf(token))
    expect(kept).not.toContain(token)
  })

  test('that was given out long ago, by the table as it was or under a secret that is gone, still leads there', async () => {
    const [known, other] = [await opened(), await opened()]
    const given = randomBytes(32).toString('base64url')
    const [migration] = readFileSync('migrations/0031_pay_links_and_stops.sql', 'utf8').split('\n\n')
    await app.database.query(`begin; create schema past; set local search_path = past;
      create table invoice_addresses (invoice_id text, token text); insert into invoice_addresses values ('${known.id}', '${given}');
      ${migration}; commit`)
    await app.database.query(`update public.invoice_addresses as now set token_hash = past.token_hash
      from past.invoice_addresses as past where past.invoice_id = now.invoice_id`)
    for (const token of [given, known.token]) {
      const { status, text } = await stranger.get(`/i/${token}`)
      expect(status).toBe(200)
      expect(text).toContain(known.number)
      expect(text).not.toContain(other.number)
    }
  })

  test('cannot be made by who knows the id of an invoice', async () => {
    const [mine, theirs] = [await opened(), await opened()]
    const bytes = Buffer.from(mine.token, 'base64url')
    const forged = Buffer.concat([Buffer.from(theirs.id, 'hex'), bytes.subarray(12)])
    const flipped = Buffer.from(bytes).fill(bytes.at(-1)! ^ 1, 31)
    for (const token of [forged, flipped]) {
      expect(token).toHaveLength(32)
      expect((await stranger.get(`/i/${token.toString('base64url')}`)).status).toBe(404)
    }
  })

  test.each(['nothing', 'a'.repeat(43), '%00', '..%2f..%2fetc'])(
    'and who has none (%s) is told so',
    async token => {
      const page = await stranger.get(`/i/${token}`)
      expect(page.status).toBe(404)
      expect(page.text).toContain('Invoice not found')
      expect((await stranger.get(`/i/${token}/pdf`)).status).toBe(404)
      expect((await stranger.get(`/api/pay/${token}`)).status).toBe(404)
      expect((await stranger.post(`/api/pay/${token}`, { credential: 'x' })).status).toBe(404)
    },
  )
})

describe('paying on the chain', () => {
  test('is offered with the amount in the smallest unit, where the currency is that of the token', async () => {
    const invoice = await opened()
    const { token, recipient } = chain.terms
    expect((await stateOf(invoice)).chain).toMatchObject({
      recipient,
      amount: '100.00',
      network: 'eip155:31337',
      token,
      link: `ethereum:${token.split(':').at(-1)}@31337/transfer?address=${recipient}&uint256=100000000`,
    })
    expect((await stranger.get(invoice.page)).text).toMatch(/<svg\s+class="qr"\s+role="img"/)
    const euros = await opened({ currency: 'EUR' })
    expect((await stateOf(euros)).chain).toBeNull()
    expect((await stranger.get(euros.page)).text).not.toContain('Pay with a wallet')
  })

  test('is booked once by its proof, however often it is sent, and the page says so', async () => {
    const invoice = await opened()
    const state = await stateOf(invoice)
    const hash = chain.pay({ from: PAYER, amount: 100_000_000n, at: now() })
    const proof = proofOf(state, hash)
    const answers = await Promise.all(Array.from({ length: 10 }, () => prove(invoice, proof)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers[0]!.body).toMatchObject({ status: 'PAID', paid: '100.00', due: '0.00', chain: null })
    const { payments } = await read(invoice.id)
    expect(payments).toMatchObject([
      { method: 'chain', amount: '100.00', applied: '100.00', tx_hash: hash, payer: PAYER, issue: null },
    ])
    expect((await stranger.get(invoice.page)).text).toContain('Paid on 1 March 2027')
    expect((await prove(invoice, proof)).status).toBe(200)
  })

  test('counts what came: a part leaves the rest due, and what comes for a paid one is not lost', async () => {
    const invoice = await opened()
    const first = await stateOf(invoice)
    await prove(invoice, proofOf(first, chain.pay({ from: PAYER, amount: 40_000_000n, at: now() })))
    const second = await stateOf(invoice)
    expect(second).toMatchObject({ status: 'PARTIALLY_PAID', due: '60.00', chain: { amount: '60.00' } })
    await prove(invoice, proofOf(second, chain.pay({ from: PAYER, amount: 60_000_000n, at: now() })))
    expect(await stateOf(invoice)).toMatchObject({ status: 'PAID' })
    await prove(invoice, proofOf(first, chain.pay({ from: PAYER, amount: 5_000_000n, at: now() })))
    const { payments } = await read(invoice.id)
    expect(payments.map(({ applied, issue }) => ({ applied, issue }))).toContainEqual({
      applied: '0.00',
      issue: 'overpaid',
    })
  })

  const refusals: [string, number, RegExp, (state: PayState, other: PayState) => string][] = [
    ['malformed_proof', 402, /missing or mistyped/, () => 'bm90IGpzb24'],
    ['bad_signature', 402, /exactly the text/, state => proofOf(state, paid(), { signature: '0xabcd' })],
    ['wrong_agent', 402, /another invoice/, (_, other) => proofOf(other, paid())],
    [
      'wrong_payer',
      402,
      /wallet that paid/,
      state => proofOf(state, paid(), { payer: `0x${'cd'.repeat(20)}` }),
    ],
    ['tx_reverted', 402, /failed/, state => proofOf(state, paid({ succeeded: false }))],
    ['tx_not_found', 409, /has not seen/, state => proofOf(state, `0x${'12'.repeat(32)}`)],
    ['awaiting_confirmations', 409, /Waiting for the network/, state => waiting(state)],
    ['chain_unavailable', 503, /Your payment is safe/, state => unavailable(state)],
  ]
  const paid = (more: object = {}) => chain.pay({ from: PAYER, amount: 100_000_000n, at: now(), ...more })
  const waiting = (state: PayState) => {
    chain.terms.confirmations = 20
    return proofOf(state, paid({ depth: 12 }))
  }
  const unavailable = (state: PayState) => {
    chain.faults.push(new ChainUnavailable('no node answers'))
    return proofOf(state, paid())
  }

  test.each(refusals)('%s is %i, in words', async (code, status, words, proof) => {
    const [invoice, other] = [await opened(), await opened()]
    const credential = proof(await stateOf(invoice), await stateOf(other))
    const answer = await prove(invoice, credential)
    chain.terms.confirmations = 1
    expect(answer.body).toMatchObject({ code, status, detail: expect.stringMatching(words) })
    // Who sees a challenge pays again: who is to wait sees none.
    expect(answer.headers.has('www-authenticate')).toBe(status === 402)
    expect(answer.headers.has('retry-after')).toBe(status !== 402)
    expect(await read(invoice.id)).toMatchObject({ status: 'OPEN', payments: [] })
  })
})

describe('what is no proof at all', () => {
  const bodies: [string, number, string | undefined, string?][] = [
    ['no JSON', 400, '{"credential":'],
    ['nothing', 422, '{}'],
    ['an empty one', 422, '{"credential":""}'],
    ['a number', 422, '{"credential":7}'],
    ['something else beside it', 422, '{"credential":"x","amount":"1"}'],
    ['one that is too long', 422, JSON.stringify({ credential: 'x'.repeat(8_001) })],
    ['one that is as long as can be', 402, JSON.stringify({ credential: 'x'.repeat(8_000) })],
    ['a body without an end', 413, JSON.stringify({ credential: 'x'.repeat(1_100_000) })],
    ['a form', 415, 'credential=x', 'application/x-www-form-urlencoded'],
  ]
  test.each(bodies)('%s is answered %i, and changes nothing', async (_, status, body, type) => {
    const invoice = await opened()
    const answer = await stranger.raw('POST', invoice.api, body, {
      'content-type': type ?? 'application/json',
    })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await read(invoice.id)).toMatchObject({ status: 'OPEN', payments: [] })
  })

  test('and hostile text in it is never more than text', async () => {
    const { api } = await opened()
    for (const text of hostileTexts.slice(0, 20)) {
      const { status } = await stranger.post(api, { credential: text.slice(0, 8_000) || 'x' })
      expect([400, 402, 422]).toContain(status)
    }
  })
})
