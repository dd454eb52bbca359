import { describe, expect, test } from 'vitest'
import { watchLoop } from '#test/loop.ts'
import { pdfPages, sampleInvoice } from './pdf.harness.ts'
import { invoicePdf, pdfName } from './pdf.ts'
import { printInvoice } from './printing.ts'
import type { Invoice } from './contract.ts'

const { seller } = sampleInvoice() as { seller: NonNullable<Invoice['seller']> }

const bank = {
  account_holder: 'Acme GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  bank_name: null,
}

async function pagesOf(fields: Partial<Invoice> = {}) {
  return pdfPages(await invoicePdf(sampleInvoice(fields), { seller, bank }))
}

describe('an invoice on paper', () => {
  test('says who sells what to whom, when it is due, the taxes by rate, and where it is paid', async () => {
    const [page, ...others] = await pagesOf()
    expect(others).toEqual([])
    expect(page).toBe(
      [
        'Acme GmbH',
        'Hauptstraße 1',
        '10115 Berlin',
        'billing@acme.test',
        'Tax ID DE123456789',
        'Invoice INV-0007',
        'Bill to',
        'Hopper Ltd',
        '1 Navy Yard',
        'Arlington',
        'grace@example.test',
        'Issued',
        '1 March 2027',
        'Due',
        '15 March 2027',
        'Reference',
        'RF18 5390 0754 7034',
        'Description\nQuantity\nUnit price\nTax\nAmount',
        'Advice, two days\n2\nEUR 1,250.50\n19%\nEUR 2,501.00',
        'Travel\n1.5\nEUR 100.00\n7.5%\nEUR 150.00',
        'Subtotal\nEUR 2,651.00',
        'Tax 19% of EUR 2,501.00\nEUR 475.19',
        'Tax 7.5% of EUR 150.00\nEUR 11.25',
        'Total\nEUR 3,137.44',
        'Due\nEUR 3,137.44',
        'Pay by bank transfer and include the reference:',
        'Account holder: Acme GmbH',
        'IBAN: DE89 3704 0044 0532 0130 00',
        'BIC: COBADEFFXXX',
        'View and pay online:',
        'https://crm.example.com/i/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ',
        'Thank you for your business.',
        'Invoice INV-0007, page 1 of 1',
      ].join('\n'),
    )
  })

  test('is the same to the byte each time, and another one once something has changed', async () => {
    const invoice = sampleInvoice({ customer: { ...seller, name: 'Ολυμπία Żółć' } })
    const first = await invoicePdf(invoice, { seller, bank: null })
    expect((await invoicePdf(structuredClone(invoice), { seller, bank: null })).equals(first)).toBe(true)
    expect((await invoicePdf({ ...invoice, paid: '1.00' }, { seller, bank: null })).equals(first)).toBe(false)
  })

  test('with a long note is set in a thread, comes out the same, and holds up nobody', async () => {
    const invoice = sampleInvoice({ note: 'A long note. '.repeat(1_500) })
    const loop = watchLoop()
    const printed = await printInvoice(invoice, { seller, bank: null })
    loop.stop()
    expect(loop.worst()).toBeLessThan(200)
    expect(printed.equals(await invoicePdf(invoice, { seller, bank: null }))).toBe(true)
  })

  test('tells what was paid and waived, that it is paid, and asks nobody for more then', async () => {
    const partly = await pagesOf({ status: 'PARTIALLY_PAID', paid: '3000.00', due: '137.44' })
    expect(partly[0]).toContain('Paid\nEUR 3,000.00\nDue\nEUR 137.44')
    const [page] = await pagesOf({
      status: 'PAID',
      paid: '3000.00',
      written_off: '137.44',
      due: '0.00',
      paid_at: '2027-03-05T10:00:00.000Z',
    })
    expect(page).toContain('Paid on 5 March 2027')
    expect(page).toContain('Paid\nEUR 3,000.00\nWaived\nEUR 137.44\nDue\nEUR 0.00')
    expect(page).not.toContain('pay online')
  })

  test('a void one says so and asks for nothing, and a draft has neither number nor link', async () => {
    const [voided] = await pagesOf({ status: 'VOID', due: '0.00' })
    expect(voided).toContain('Void: nothing is owed')
    expect(voided).not.toMatch(/pay online|\nDue\nEUR/)
    const [draft] = await pagesOf({ status: 'DRAFT', number: null, seller: null, pay_url: null })
    expect(draft).toContain('Draft invoice')
    expect(draft).toContain('Acme GmbH')
    expect(draft).not.toMatch(/pay online|INV-/)
  })

  test('without tax there is no line of tax, and yen have no cents', async () => {
    const lines = [{ description: 'Work', quantity: '3', unit_price: '1000', tax_percent: '0' }]
    const sums = { subtotal: '3000', tax: '0', amount: '3000', paid: '0', due: '3000', written_off: '0' }
    const [page] = await pagesOf({ lines, currency: 'JPY', ...sums })
    expect(page).toContain('Work\n3\nJPY 1,000\n0%\nJPY 3,000\nTotal\nJPY 3,000\nDue\nJPY 3,000')
    expect(page).not.toContain('Subtotal')
  })

  test('rates that are written differently are one, and every cent of a large amount is there', async () => {
    const rate = (tax_percent: string) => ({
      description: 'Work',
      quantity: '1',
      unit_price: '99999999999999.99',
      tax_percent,
    })
    const [page] = await pagesOf({ lines: [rate('7'), rate('7.0'), rate('7.00')] })
    expect(page!.match(/Tax 7%/g)).toHaveLength(1)
    expect(page!.replaceAll('\n', '')).toContain('EUR 299,999,999,999,999.97')
  })

  test('a hundred lines take several pages, of which each has its heading and says which it is', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => ({
      description: `Package ${n + 1}, ${'with a longer description '.repeat(n % 4)}`,
      quantity: '1',
      unit_price: '10.00',
      tax_percent: String(n % 50),
    }))
    const pages = await pagesOf({ lines })
    expect(pages.length).toBeGreaterThan(3)
    pages.forEach((page, at) => expect(page).toContain(`Invoice INV-0007, page ${at + 1} of ${pages.length}`))
    const packages = pages.flatMap(page => [...page.matchAll(/^Package (\d+),/gm)].map(([, n]) => Number(n)))
    expect(packages).toEqual(lines.map((_, n) => n + 1))
    for (const page of pages.filter(page => /^Package/m.test(page)))
      expect(page.match(/Unit price/g)).toHaveLength(1)
    const all = pages.join('\n')
    for (let rate = 0; rate < 50; rate++) expect(all).toContain(`Tax ${rate}% of `)
  })

  test('an address of a thousand lines and a note of many pages spoil nothing', async () => {
    const endless = { ...seller, address: 'x\n'.repeat(500), name: 'W'.repeat(200) }
    const pages = await pagesOf({ customer: endless, note: 'Terms and conditions. '.repeat(450) })
    expect(pages.length).toBeLessThan(6)
    expect(pages[0]).toContain('Advice, two days')
    expect(pages.at(-1)).toContain(`page ${pages.length} of ${pages.length}`)
  })
})

describe('letters', () => {
  const customer = { name: 'Ολυμπία Παπαδοπούλου', email: null, tax_id: null, address: 'ул. Ленина, 1\nŻółć' }

  test('of Greece, Russia and Poland are as they should be', async () => {
    const [page] = await pagesOf({ customer })
    expect(page).toContain('Ολυμπία Παπαδοπούλου\nул. Ленина, 1\nŻółć')
    expect(page).not.toContain('could not be printed')
  })

  test('of Western Europe take no font with them, so that the file is small', async () => {
    const name = 'Søren Ærø & “Señor” Müller – 5 €'
    const pdf = await invoicePdf(sampleInvoice({ customer: { ...customer, name, address: null } }), {
      seller,
      bank: null,
    })
    expect(pdfPages(pdf)[0]).toContain(name)
    expect(pdf.length).toBeLessThan(6_000)
  })

  test('that no font has are told as missing, not left out', async () => {
    const [page] = await pagesOf({ customer: { ...customer, name: '株式会社 🎉', address: null } })
    expect(page).toContain('???? ?')
    expect(page).toContain('could not be printed')
  })

  test.each([
    ['a command of the page', ') Tj ET Q /F1 40 Tf (PAID'],
    ['the end of a stream', 'endstream endobj 1 0 obj << /JS (app.alert(1)) >>'],
    ['control characters', 'A\u0007B\u001b[31mC'],
    ['what turns the line around', 'A\u202eDIAP\u2066B'],
  ])('a name with %s is only a name', async (_, name) => {
    const hostile = { ...customer, name, address: null }
    const pdf = await invoicePdf(sampleInvoice({ customer: hostile }), { seller, bank: null })
    const seen = name.replace(/[\p{Cc}\p{Cf}]/gu, '')
    expect(pdfPages(pdf).join().replaceAll('\n', '')).toContain(seen.replace(/ {2,}/g, ' '))
    expect(pdf.toString('latin1')).not.toMatch(/app\.alert|\/JS|\/JavaScript/)
  })
})

test('its file is named by its number, whatever the number is made of', () => {
  expect(pdfName({ number: 'INV-0007' })).toBe('INV-0007.pdf')
  expect(pdfName({ number: '2027/03 "x"\r\n' })).toBe('2027-03-x-.pdf')
  expect(pdfName({ number: null })).toBe('draft.pdf')
})
