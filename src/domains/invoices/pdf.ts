import PDFDocument from 'pdfkit'
import type { BankDetails, BillingSettings, Invoice, InvoiceLine, Party } from './contract.ts'
import { letteringFor, type Lettering } from './letters.ts'
import { unitsOf } from './amounts.ts'
import { bankLines, lineNet, plainNumber, shownDay, shownMoney, taxesByRate } from './shown.ts'
import { inGroups, unpaidStatuses } from './values.ts'

const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 56
const RIGHT = PAGE.width - MARGIN
const WIDTH = RIGHT - MARGIN
/** Above the line that tells the page's number. */
const BOTTOM = PAGE.height - 72
const SIZE = 9.5
const GAP = 6
/** An address may have any number of lines: what does not fit here is cut. */
const PARTY_HEIGHT_MAX = 130
const TOTALS_HEIGHT_MAX = 400
const INK = '#171d1e'
const QUIET = '#556062'
const RULE = '#c9d0d0'
const WARNING = '#a3271f'

const columns = [
  { title: 'Description', x: MARGIN, width: 233, align: 'left' },
  { title: 'Quantity', x: 293, width: 56, align: 'right' },
  { title: 'Unit price', x: 353, width: 78, align: 'right' },
  { title: 'Tax', x: 435, width: 32, align: 'right' },
  { title: 'Amount', x: 471, width: RIGHT - 471, align: 'right' },
] as const

/**
 * The invoice on paper. The same invoice makes the same bytes: its dates are the invoice's own, and nothing in the file
 * says when it was made.
 */
export async function invoicePdf(
  invoice: Invoice,
  settings: Pick<BillingSettings, 'seller' | 'bank'>,
): Promise<Buffer> {
  const seller = invoice.seller ?? settings.seller
  const lettering = letteringFor(allText(invoice, seller, settings.bank))
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: PAGE.height - BOTTOM },
    bufferPages: true,
    font: lettering.faces.regular,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: titleOf(invoice),
      ...(seller.name && { Author: seller.name }),
      Creator: 'Rapport',
      Producer: 'Rapport',
      CreationDate: new Date(invoice.issued_at ?? invoice.created_at),
    },
  })
  const bytes = collected(doc)
  const sheet = new Sheet(doc, lettering)
  head(sheet, invoice, seller)
  parties(sheet, invoice)
  table(sheet, invoice)
  totals(sheet, invoice)
  closing(sheet, invoice, settings.bank)
  footers(sheet, invoice)
  doc.end()
  return bytes
}

export function pdfName({ number }: Pick<Invoice, 'number'>): string {
  return `${(number ?? 'draft').replace(/[^\w.-]+/g, '-')}.pdf`
}

type Style = {
  size?: number
  bold?: boolean
  colour?: string
  align?: 'left' | 'right'
  width?: number
  height?: number
  link?: string
}

/** A page with a place where the next thing goes. */
class Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly lettering: Lettering
  y = MARGIN

  constructor(doc: PDFKit.PDFDocument, lettering: Lettering) {
    this.doc = doc
    this.lettering = lettering
  }

  /** Writes at a place of this page and answers where it ends. */
  write(words: string, x: number, y: number, style: Style = {}): number {
    const { colour = INK, align = 'left', width = RIGHT - x, height, link } = style
    this.face(style)
    this.doc.fillColor(colour).text(this.lettering.write(words), x, y, {
      width,
      align,
      ...(height !== undefined && { height, ellipsis: true }),
      ...(link !== undefined && { link, underline: true }),
    })
    return this.doc.y
  }

  heightOf(words: string, width: number, style: Style = {}): number {
    this.face(style)
    return this.doc.heightOfString(this.lettering.write(words), { width })
  }

  rule(y: number, x = MARGIN): void {
    this.doc.moveTo(x, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(RULE).stroke()
  }

  /** A new page where so much does not fit any more. True: there is one. */
  makeRoom(height: number): boolean {
    if (this.y + height <= BOTTOM) return false
    this.doc.addPage()
    this.y = MARGIN
    return true
  }

  private face({ size = SIZE, bold = false }: Style): void {
    const { faces } = this.lettering
    this.doc.font(bold ? faces.bold : faces.regular).fontSize(size)
  }
}

function titleOf({ number }: Invoice): string {
  return number === null ? 'Draft invoice' : `Invoice ${number}`
}

function head(sheet: Sheet, invoice: Invoice, seller: Party): void {
  const left = partyAt(sheet, seller, MARGIN, MARGIN, 260)
  const column = { x: 330, width: RIGHT - 330 }
  const style = { align: 'right', width: column.width } as const
  let right = sheet.write(titleOf(invoice), column.x, MARGIN, { ...style, size: 18, bold: true })
  const state = stateOf(invoice)
  if (state) right = sheet.write(state.words, column.x, right + 2, { ...style, ...state.style, bold: true })
  sheet.y = Math.max(left, right) + 28
}

function stateOf({ status, paid_at }: Invoice): { words: string; style: Style } | undefined {
  if (status === 'VOID') return { words: 'Void: nothing is owed', style: { colour: WARNING } }
  if (status === 'PAID') return { words: `Paid${paid_at ? ` on ${shownDay(paid_at)}` : ''}`, style: {} }
  return undefined
}

function partyAt(sheet: Sheet, party: Party, x: number, y: number, width: number): number {
  let end = y
  if (party.name) end = sheet.write(party.name, x, end, { bold: true, width, size: 11, height: 45 })
  const rest = [party.address, party.email, party.tax_id && `Tax ID ${party.tax_id}`]
  const words = rest.filter(Boolean).join('\n')
  return words ? sheet.write(words, x, end + 2, { width, height: PARTY_HEIGHT_MAX }) : end
}

function parties(sheet: Sheet, { customer, issued_at, due_at, payment_reference }: Invoice): void {
  const top = sheet.y
  const under = sheet.write('Bill to', MARGIN, top, { colour: QUIET })
  const left = partyAt(sheet, customer, MARGIN, under + 2, 260)
  let right = top
  const facts = [
    ['Issued', issued_at && shownDay(issued_at)],
    ['Due', due_at && shownDay(due_at)],
    ['Reference', payment_reference && inGroups(payment_reference)],
  ] as const
  for (const [name, fact] of facts) {
    if (!fact) continue
    sheet.write(name, 360, right, { colour: QUIET, width: 60 })
    right = sheet.write(fact, 420, right, { align: 'right' }) + 2
  }
  sheet.y = Math.max(left, right) + 28
}

function table(sheet: Sheet, { lines, currency }: Invoice): void {
  tableHead(sheet)
  for (const line of lines) {
    const cells = cellsOf(line, currency)
    const heights = cells.map((words, at) => sheet.heightOf(words, columns[at]!.width))
    const height = Math.max(...heights)
    if (sheet.makeRoom(height + 2 * GAP)) tableHead(sheet)
    cells.forEach((words, at) => {
      const { x, width, align } = columns[at]!
      sheet.write(words, x, sheet.y + GAP, { width, align })
    })
    sheet.y += height + 2 * GAP
    sheet.rule(sheet.y)
  }
}

function cellsOf(line: InvoiceLine, currency: string): string[] {
  return [
    line.description,
    plainNumber(line.quantity),
    shownMoney(line.unit_price, currency),
    `${plainNumber(line.tax_percent)}%`,
    shownMoney(lineNet(line, currency), currency),
  ]
}

function tableHead(sheet: Sheet): void {
  for (const { title, x, width, align } of columns)
    sheet.write(title, x, sheet.y, { width, align, colour: QUIET })
  sheet.y += 12 + GAP
  sheet.rule(sheet.y)
}

function totals(sheet: Sheet, invoice: Invoice): void {
  const { currency, lines, subtotal, amount, paid, written_off, due, status } = invoice
  const money = (text: string) => shownMoney(text, currency)
  const rows: [name: string, value: string, style?: Style][] = []
  const taxes = taxesByRate(lines, currency)
  if (taxes.length > 0) rows.push(['Subtotal', money(subtotal)])
  for (const { percent, net, tax } of taxes) rows.push([`Tax ${percent}% of ${money(net)}`, money(tax)])
  rows.push(['Total', money(amount), { bold: true, size: 12 }])
  if (unitsOf(paid) > 0n) rows.push(['Paid', money(paid)])
  if (unitsOf(written_off) > 0n) rows.push(['Waived', money(written_off)])
  if (status !== 'DRAFT' && status !== 'VOID') rows.push(['Due', money(due), { bold: true, size: 12 }])
  const x = 300
  // Together on one page, unless there are very many rates.
  sheet.makeRoom(Math.min(rows.length * 20, TOTALS_HEIGHT_MAX))
  sheet.y += GAP
  for (const [name, value, style = {}] of rows) {
    sheet.makeRoom(30)
    const top = sheet.y + GAP
    const left = sheet.write(name, x, top, { ...style, width: 150 })
    const right = sheet.write(value, 450, top, { ...style, align: 'right' })
    sheet.y = Math.max(left, right)
  }
}

function closing(sheet: Sheet, { pay_url, status, note }: Invoice, bank: BankDetails | null): void {
  const isUnpaid = (unpaidStatuses as readonly string[]).includes(status)
  sheet.y += 28
  if (bank && isUnpaid) {
    sheet.makeRoom(70)
    const under = sheet.write('Pay by bank transfer and include the reference:', MARGIN, sheet.y, {
      colour: QUIET,
    })
    sheet.y = sheet.write(bankLines(bank).join('\n'), MARGIN, under + 2, { width: WIDTH }) + 14
  }
  if (pay_url && isUnpaid) {
    sheet.makeRoom(40)
    const under = sheet.write('View and pay online:', MARGIN, sheet.y, { colour: QUIET })
    sheet.y = sheet.write(pay_url, MARGIN, under + 2, { link: pay_url, width: WIDTH }) + 14
  }
  if (note !== null) {
    sheet.makeRoom(30)
    // A note may be longer than a page: it flows onto the next.
    sheet.y = sheet.write(note, MARGIN, sheet.y, { width: WIDTH }) + 14
  }
  if (!sheet.lettering.changed()) return
  const words = 'Some characters could not be printed.'
  sheet.makeRoom(30)
  const where = pay_url ? ` View the full invoice at\n${pay_url}` : ''
  sheet.y = sheet.write(words + where, MARGIN, sheet.y, { colour: QUIET, width: WIDTH })
}

/** Each page says which it is, so that none is missing. */
function footers({ doc, lettering }: Sheet, invoice: Invoice): void {
  const { start, count } = doc.bufferedPageRange()
  for (let at = start; at < start + count; at++) {
    doc.switchToPage(at)
    // Below the margin: otherwise the words would begin a page of their own.
    doc.page.margins.bottom = 0
    doc.font(lettering.faces.regular).fontSize(8).fillColor(QUIET)
    const words = `${titleOf(invoice)}, page ${at - start + 1} of ${count}`
    doc.text(lettering.write(words), MARGIN, PAGE.height - 48, { width: WIDTH, align: 'right' })
  }
}

export function allText(
  { customer, lines, number, note }: Invoice,
  seller: Party,
  bank: BankDetails | null,
): string {
  const parties = [seller, customer].flatMap(({ name, email, address, tax_id }) => [
    name,
    email,
    address,
    tax_id,
  ])
  const details = bank ? bankLines(bank) : []
  return [number, ...parties, ...details, ...lines.map(({ description }) => description), note].join('\n')
}

async function collected(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of doc as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
