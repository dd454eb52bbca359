import { inflateSync } from 'node:zlib'
import type { Invoice } from './contract.ts'

/** An open invoice as the API answers it, for tests that need one and no database. */
export function sampleInvoice(fields: Partial<Invoice> = {}): Invoice {
  return {
    id: '0123456789abcdef01234567',
    number: 'INV-0007',
    status: 'OPEN',
    lead_id: null,
    account_id: null,
    opportunity_id: null,
    customer: {
      name: 'Hopper Ltd',
      email: 'grace@example.test',
      address: '1 Navy Yard\nArlington',
      tax_id: null,
    },
    lines: [
      { description: 'Advice, two days', quantity: '2', unit_price: '1250.50', tax_percent: '19' },
      { description: 'Travel', quantity: '1.5', unit_price: '100.00', tax_percent: '7.5' },
    ],
    currency: 'EUR',
    subtotal: '2651.00',
    tax: '486.44',
    amount: '3137.44',
    paid: '0.00',
    due: '3137.44',
    written_off: '0.00',
    seller: {
      name: 'Acme GmbH',
      email: 'billing@acme.test',
      address: 'Hauptstraße 1\n10115 Berlin',
      tax_id: 'DE123456789',
    },
    due_at: '2027-03-15T09:00:00.000Z',
    issued_at: '2027-03-01T09:00:00.000Z',
    sent_at: null,
    paid_at: null,
    voided_at: null,
    leadgen_credits: 0,
    bank_ref: null,
    note: 'Thank you for your business.',
    pay_url: 'https://crm.example.com/i/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ',
    payment_reference: 'RF18539007547034',
    ways_to_pay: ['bank'],
    created_at: '2027-03-01T08:00:00.000Z',
    updated_at: '2027-03-01T09:00:00.000Z',
    deleted_at: null,
    credit: '0.00',
    payments: [],
    ...fields,
  }
}

/** The words of a PDF, page by page, as somebody who selects and copies them gets them. */
export function pdfPages(pdf: Buffer): string[] {
  const objects = new Map<string, string>()
  for (const [, id, body] of pdf.toString('latin1').matchAll(/\n(\d+) 0 obj\n([^]*?)\nendobj/g))
    objects.set(id!, body!)
  const alphabets = new Map<string, (hex: string) => string>()
  for (const body of objects.values())
    for (const [, name, id] of body.matchAll(/\/(F\d+) (\d+) 0 R/g))
      alphabets.set(name!, alphabetOf(objects, objects.get(id!)!))
  const pages = [...objects.values()].filter(body => /\/Type \/Page\n/.test(body))
  return pages.map(page => {
    const content = streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(page)![1]!)!)
    let read = (hex: string) => hex
    const words: string[] = []
    for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font) read = alphabets.get(font)!
      else words.push([...shown!.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => read(hex!)).join(''))
    }
    return words.join('\n')
  })
}

function streamOf(body: string): string {
  const bytes = Buffer.from(
    body.slice(body.indexOf('stream\n') + 7, body.lastIndexOf('\nendstream')),
    'latin1',
  )
  return (body.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1')
}

/** A font of the file tells by a table which letter each of its signs is; the PDF's own have the signs of Windows. */
function alphabetOf(objects: Map<string, string>, font: string): (hex: string) => string {
  const table = /\/ToUnicode (\d+) 0 R/.exec(font)?.[1]
  if (!table) return hex => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'))
  const letters: string[] = []
  for (const [, from, list] of streamOf(objects.get(table)!).matchAll(
    /<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g,
  ))
    for (const [at, [, code]] of [...list!.matchAll(/<([0-9a-f ]*)>/g)].entries())
      letters[Number.parseInt(from!, 16) + at] = Buffer.from(code!.replaceAll(' ', ''), 'hex')
        .swap16()
        .toString('utf16le')
  return hex => (hex.match(/.{4}/g) ?? []).map(sign => letters[Number.parseInt(sign, 16)]).join('')
}
