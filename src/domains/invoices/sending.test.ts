import PostalMime from 'postal-mime'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOutbox } from '#adapters/email/outbox.ts'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import type { Invoice } from './contract.ts'
import { pdfPages } from './pdf.harness.ts'

const clock = new FakeClock(Date.parse('2027-03-01T09:00:00Z'))
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
  const seller = { name: 'Acme GmbH', email: 'billing@acme.test', address: 'Berlin', tax_id: null }
  await ada.browser.patch('/api/crm/invoices/settings', { seller, bank, currency: 'EUR' })
})
const bank = { account_holder: 'Acme GmbH', iban: 'DE89370400440532013000', bic: null, bank_name: null }
afterAll(() => app.close())
beforeEach(() => void app.mail.sent.splice(0))

const grace = { name: 'Grace Hopper', email: 'grace@example.test', address: null, tax_id: null }
const lines = [{ description: 'Advice', quantity: '1', unit_price: '100.00', tax_percent: '19' }]

async function draft(fields: object = {}): Promise<Invoice> {
  const { body, status, text } = await ada.browser.post('/api/crm/invoices', {
    customer: grace,
    lines,
    ...fields,
  })
  expect(status, text).toBe(201)
  return body
}
const send = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  ada.browser.post(`/api/crm/invoices/${id}/send`, body, headers)
const arrived = (count = 1) => eventually(() => expect(app.mail.sent).toHaveLength(count))

describe('sending an invoice', () => {
  test('opens the draft and mails it once, with its PDF and the link, in the name of who sells', async () => {
    const { id } = await draft()
    const { status, body } = await send(id, { message: 'It was a pleasure.\nSee you soon!' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'OPEN', sent_at: new Date(clock.now()).toISOString() })
    await arrived()
    const [mail] = app.mail.sent
    expect(mail).toMatchObject({
      to: 'grace@example.test',
      from_name: 'Acme GmbH',
      reply_to: 'billing@acme.test',
      subject: `Invoice ${body.number} from Acme GmbH`,
    })
    expect(mail!.text).toContain('Hello Grace Hopper,\n\nIt was a pleasure.\nSee you soon!')
    expect(mail!.text).toContain(`invoice ${body.number} for EUR 119.00. Please pay it by 15 March 2027.`)
    const reference = body.payment_reference.replace(/.{4}(?=.)/g, '$& ')
    expect(mail!.text).toContain(
      `Account holder: Acme GmbH\nIBAN: DE89 3704 0044 0532 0130 00\nPayment reference: ${reference}\n\n`,
    )
    expect(mail!.html).toContain(`Payment reference: ${reference}`)
    expect(mail!.text).toContain(`View and pay online: ${body.pay_url}`)
    expect(mail!.html).toContain(`<a href="${body.pay_url}">`)
    expect(mail!.html).toContain('It was a pleasure.<br />See you soon!')
    const [file, ...others] = mail!.attachments!
    expect(others).toEqual([])
    expect(file).toMatchObject({ name: `${body.number}.pdf`, type: 'application/pdf' })
    expect(pdfPages(file!.bytes)[0]).toContain(`Invoice ${body.number}`)
    const own = await ada.browser.get(`/api/crm/invoices/${id}/pdf`)
    expect(own.headers.get('content-disposition')).toBe(`inline; filename="${body.number}.pdf"`)
  })

  test('is refused while there is no way to pay it, and says where to add one', async () => {
    const bob = await app.person()
    const of = async (unit_price: string) =>
      (
        await bob.browser.post('/api/crm/invoices', {
          customer: grace,
          lines: [{ ...lines[0], unit_price }],
        })
      ).body
    const [{ id, ways_to_pay }, free] = [await of('100'), await of('0')]
    expect(ways_to_pay).toEqual([])
    const sent = () => bob.browser.post(`/api/crm/invoices/${id}/send`, {})
    expect(await sent()).toMatchObject({
      status: 409,
      body: { code: 'no_way_to_pay', detail: expect.stringContaining('Settings → Billing') },
    })
    expect((await bob.browser.get(`/api/crm/invoices/${id}`)).body).toMatchObject({ status: 'DRAFT' })
    // Where nothing is owed, nobody has to pay.
    expect((await bob.browser.post(`/api/crm/invoices/${free.id}/send`, {})).status).toBe(200)
    await bob.browser.patch('/api/crm/invoices/settings', { bank })
    expect(await sent()).toMatchObject({ status: 200, body: { ways_to_pay: ['bank'] } })
    await arrived(2)
  })

  test('one click is one mail, although the browser asked twice; another click is another', async () => {
    const { id } = await draft()
    const once = { 'idempotency-key': `send-${id}` }
    const [first, second] = [await send(id, {}, once), await send(id, {}, once)]
    expect(second.body).toEqual(first.body)
    await arrived()
    clock.advance(60_000)
    const { body } = await send(id)
    expect(body.sent_at > first.body.sent_at).toBe(true)
    await arrived(2)
  })

  test('asks for what is still due, and for nothing once it is paid', async () => {
    const { id } = await draft()
    await ada.browser.post(`/api/crm/invoices/${id}/open`)
    for (const [amount, words] of [
      ['19', 'Please pay the remaining EUR 100.00 by '],
      ['100', 'It is already paid; no action is needed.'],
    ]) {
      app.mail.sent.splice(0)
      await ada.browser.post(`/api/crm/invoices/${id}/payments`, { method: 'manual', amount })
      expect((await send(id)).status).toBe(200)
      await arrived()
      expect(app.mail.sent[0]!.text).toContain(words)
    }
  })

  test('when it was sent is told as a change, once', async () => {
    const { id } = await draft()
    await send(id)
    await arrived()
    const events = await app.database.query<{ data: { after: object } }>(
      `select data from events where subject_id = $1 and type = 'invoice.changed'`,
      [id],
    )
    expect(events.map(({ data }) => data.after)).toEqual([{ sent_at: expect.any(String) }])
  })

  test('an invoice without an address is not sent, and stays a draft', async () => {
    const { id } = await draft({ customer: { ...grace, email: null } })
    const { status, body } = await send(id)
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path: 'customer.email', message: 'is required to send the invoice' }])
    expect((await ada.browser.get(`/api/crm/invoices/${id}`)).body.status).toBe('DRAFT')
    expect(app.mail.sent).toEqual([])
  })

  test('what a name and a message hold is text and nothing else, to the mail server as well', async () => {
    const name = '"Eve" <eve@evil.test>, x@evil.test <script>alert(1)</script>'
    const folder = await mkdtemp(join(tmpdir(), 'rapport-invoice-'))
    try {
      const { id } = await draft({ customer: { ...grace, name } })
      await send(id, { message: '<b>bold</b>\r\nBcc: eve@evil.test' })
      await arrived()
      const [mail] = app.mail.sent
      expect(mail!.html).not.toMatch(/<script|<b>/)
      await openOutbox({ folder, from: 'Rapport <rapport@example.test>' }).send(mail!)
      const [file] = await readdir(folder)
      const parsed = await PostalMime.parse(await readFile(join(folder, file!)))
      expect(parsed.to).toMatchObject([{ address: 'grace@example.test' }])
      expect(parsed.from).toMatchObject({ name: 'Acme GmbH', address: 'rapport@example.test' })
      expect(parsed.replyTo).toMatchObject([{ address: 'billing@acme.test' }])
      expect(parsed.bcc ?? []).toEqual([])
      const [pdf, ...others] = parsed.attachments
      expect(others).toEqual([])
      expect(pdf).toMatchObject({
        mimeType: 'application/pdf',
        filename: expect.stringMatching(/^INV-.*\.pdf$/),
      })
      expect(Buffer.from(pdf!.content as ArrayBuffer).equals(mail!.attachments![0]!.bytes)).toBe(true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
