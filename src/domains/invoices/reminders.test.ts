import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { settle } from '#test/settle.ts'
import type { Invoice } from './contract.ts'
import { changeInvoice, createInvoice, openInvoice, recordPayment, voidInvoice } from './service.ts'
import { changeSettings } from './settings.ts'

const DAY_MS = 86_400_000
const clock = new FakeClock(Date.parse('2027-03-01T09:00:00Z'))
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.mail.sent.splice(0)
  await changeSettings(ada.ctx, { reminder_days: [3, 7], due_days: 10 })
})

const lines = [{ description: 'Advice', quantity: '1', unit_price: '100.00', tax_percent: '0' }]
let customers = 0

/** Each with a customer of its own, so that one sees who was reminded of what. */
async function opened(fields: object = {}): Promise<Invoice & { to: string }> {
  const to = `customer${++customers}@example.test`
  const customer = { name: null, email: to, address: null, tax_id: null }
  const { id } = await createInvoice(ada.ctx, { customer, lines, ...fields })
  const invoice = await openInvoice(ada.ctx, id)
  await settle(app)
  return { ...invoice, to }
}
const change = (id: string, due_at: string | null) => changeInvoice(ada.ctx, id, { due_at })
const pay = (id: string, amount: string) => recordPayment(ada.ctx, id, { method: 'manual', amount })
const mailsTo = (to: string) => app.mail.sent.filter(mail => mail.to === to)

/** What is in hand is done first: a worker whose clock leaps has lost it. */
async function after(days: number): Promise<void> {
  await settle(app)
  clock.advance(days * DAY_MS)
  await settle(app)
}

test('who has not paid is reminded on the days after it was due, once each, with the invoice', async () => {
  const { to, number, pay_url } = await opened()
  await after(12)
  expect(mailsTo(to)).toEqual([])
  await after(1)
  expect(mailsTo(to)).toHaveLength(1)
  const [mail] = mailsTo(to)
  expect(mail!.subject).toMatch(new RegExp(`^Reminder: invoice ${number} from `))
  expect(mail!.text).toContain(`${number} was due on `)
  expect(mail!.text).toContain('100.00 is still outstanding')
  expect(mail!.text).toContain(pay_url)
  expect(mail!.attachments).toMatchObject([{ name: `${number}.pdf` }])
  await after(4)
  expect(mailsTo(to)).toHaveLength(2)
  await after(100)
  expect(mailsTo(to)).toHaveLength(2)
})

test('who has paid, and whose invoice is void, hears nothing; who paid a part hears of the rest', async () => {
  const [paid, voided, partly] = [await opened(), await opened(), await opened()]
  await pay(paid.id, '100')
  await voidInvoice(ada.ctx, voided.id)
  await pay(partly.id, '60')
  await after(13)
  await after(100)
  expect(mailsTo(paid.to)).toEqual([])
  expect(mailsTo(voided.to)).toEqual([])
  expect(mailsTo(partly.to)).toHaveLength(2)
  expect(mailsTo(partly.to)[0]!.text).toContain('40.00 is still outstanding')
})

test('reminders follow the due date, and stop when it is paid between two of them', async () => {
  const { id, to } = await opened()
  await after(13)
  expect(mailsTo(to)).toHaveLength(1)
  await change(id, new Date(clock.now() + 20 * DAY_MS).toISOString())
  await after(22)
  expect(mailsTo(to)).toHaveLength(1)
  await after(1)
  expect(mailsTo(to)).toHaveLength(2)
  await pay(id, '100')
  await after(100)
  expect(mailsTo(to)).toHaveLength(2)
})

test('a date that was changed and changed back doubles nothing', async () => {
  const { id, to, due_at } = await opened()
  await change(id, new Date(Date.parse(due_at!) + 30 * DAY_MS).toISOString())
  await settle(app)
  await change(id, due_at)
  await settle(app)
  await after(13)
  expect(mailsTo(to)).toHaveLength(1)
  await change(id, new Date(Date.parse(due_at!) + 1).toISOString())
  await settle(app)
  await change(id, due_at)
  await settle(app)
  await after(100)
  expect(mailsTo(to)).toHaveLength(2)
})

test('a due date in the past reminds of nothing that is past, and a day that the team gave up of nothing', async () => {
  const late = await opened({ due_at: new Date(clock.now() - 5 * DAY_MS).toISOString() })
  const { to } = await opened()
  await changeSettings(ada.ctx, { reminder_days: [7] })
  await after(2)
  expect(mailsTo(late.to)).toHaveLength(1)
  await after(100)
  expect(mailsTo(late.to)).toHaveLength(1)
  expect(mailsTo(to)).toHaveLength(1)
})
