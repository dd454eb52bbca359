import type { Context } from '#platform/context.ts'
import { html, letter, type Html } from '#platform/html.ts'
import { invalid } from '#platform/problem.ts'
import { sendMail } from '#domains/mail/service.ts'
import type { BillingSettings, Invoice } from './contract.ts'
import { unitsOf } from './amounts.ts'
import { pdfName } from './pdf.ts'
import { printInvoice } from './printing.ts'
import { getSettings } from './settings.ts'
import { bankLines, shownDay, shownMoney } from './shown.ts'
import { records } from './store.ts'
import { inGroups } from './values.ts'

const KIND = 'invoice'
const REMINDER_KIND = 'invoice-reminder'
const NAME_LENGTH_MAX = 100

/** Emails the invoice to its customer, in the caller's transaction: one click, one email. */
export async function sendInvoiceMail(ctx: Context, invoice: Invoice, message?: string): Promise<void> {
  const { customer, number, amount, currency } = invoice
  if (!customer.email) throw invalid([{ path: 'customer.email', message: 'is required to send the invoice' }])
  const seller = sellerOf(invoice)
  await mail(ctx, invoice, await getSettings(ctx), {
    kind: KIND,
    subject: `Invoice ${number}${seller && ` from ${seller}`}`,
    words: [
      greeting(invoice),
      ...(message === undefined ? [] : [message]),
      `attached is invoice ${number} for ${shownMoney(amount, currency)}. ${whatToDo(invoice)}`,
    ],
  })
  const row = await records.getForChange(ctx, invoice.id)
  records.change(ctx, row, { sent_at: ctx.now() })
}

/** Reminds of what is still due. */
export async function mailReminder(ctx: Context, invoice: Invoice, settings: BillingSettings): Promise<void> {
  const { number, due, currency, due_at } = invoice
  const seller = sellerOf(invoice)
  await mail(ctx, invoice, settings, {
    kind: REMINDER_KIND,
    subject: `Reminder: invoice ${number}${seller && ` from ${seller}`}`,
    words: [
      greeting(invoice),
      `invoice ${number} was due on ${shownDay(due_at!)}, and ${shownMoney(due, currency)} is still outstanding. If you have already paid, please disregard this email.`,
    ],
  })
}

type Letter = { kind: string; subject: string; words: string[] }

async function mail(
  ctx: Context,
  invoice: Invoice,
  settings: BillingSettings,
  { kind, subject, words }: Letter,
): Promise<void> {
  const { id, pay_url, customer, seller } = invoice
  const name = sellerOf(invoice)
  const told = [...words, ...howToPay(invoice, settings)]
  const closing = name ? `Kind regards\n${name}` : 'Kind regards'
  const link = pay_url ?? ''
  sendMail(ctx, {
    kind,
    about: { kind: 'invoice', id },
    to: customer.email!,
    ...(name && { from_name: name }),
    ...(seller?.email && { reply_to: seller.email }),
    subject,
    text: [...told, `View and pay online: ${link}`, closing, ''].join('\n\n'),
    html: letter(
      subject,
      html`${told.map(paragraph)}
        <p><a href="${link}">View and pay online</a></p>
        ${paragraph(closing)}`,
    ),
    attachments: [
      { name: pdfName(invoice), type: 'application/pdf', bytes: await printInvoice(invoice, settings) },
    ],
  })
}

function whatToDo({ status, due, currency, due_at }: Invoice): string {
  if (status === 'PAID') return 'It is already paid; no action is needed.'
  const what = status === 'PARTIALLY_PAID' ? `the remaining ${shownMoney(due, currency)}` : 'it'
  return due_at ? `Please pay ${what} by ${shownDay(due_at)}.` : `Please pay ${what} soon.`
}

/** For customers who pay by bank transfer without opening the page. */
function howToPay({ status, payment_reference, due }: Invoice, { bank }: BillingSettings): string[] {
  if (status === 'PAID' || payment_reference === null || unitsOf(due) === 0n) return []
  const quoted = `Payment reference: ${inGroups(payment_reference)}`
  return [bank ? [...bankLines(bank), quoted].join('\n') : quoted]
}

function greeting({ customer }: Invoice): string {
  return customer.name ? `Hello ${customer.name},` : 'Hello,'
}

/** Fit for a subject: one line, limited in length. */
function sellerOf({ seller }: Invoice): string {
  return [...(seller?.name ?? '').replace(/[\s\p{C}]+/gu, ' ').trim()].slice(0, NAME_LENGTH_MAX).join('')
}

/** A person's own lines stay lines. */
function paragraph(words: string): Html {
  const lines = words.split('\n')
  return html`<p>${lines.map((line, at) => (at === 0 ? html`${line}` : html`<br />${line}`))}</p>`
}
