import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { BankRefused } from '#platform/ports/bank.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { BANK_JOB } from './bank.ts'
import type { Invoice } from './contract.ts'

inOrder()

const clock = new FakeClock(Date.parse('2027-03-01T09:00:00Z'))
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
})
afterAll(() => app.close())
beforeEach(() => void app.ports.bank.told.splice(0))

async function paid(): Promise<Invoice> {
  const { body } = await ada.browser.post('/api/crm/invoices', {
    customer: { name: 'Hopper Ltd', email: null, address: null, tax_id: null },
    lines: [{ description: 'Advice', quantity: '1', unit_price: '100', tax_percent: '19' }],
    currency: 'EUR',
  })
  await ada.browser.post(`/api/crm/invoices/${body.id}/open`)
  const { body: invoice, text } = await ada.browser.post(`/api/crm/invoices/${body.id}/payments`, {
    method: 'manual',
    amount: '119',
  })
  expect(invoice.status, text).toBe('PAID')
  return invoice
}
const read = async (id: string): Promise<Invoice> => (await ada.browser.get(`/api/crm/invoices/${id}`)).body
const jobs = () =>
  app.database.query<{ state: string; last_error: string | null }>(
    'select state, last_error from jobs where kind = $1',
    [BANK_JOB],
  )

test('the bank is told of a paid invoice once, and what it calls it is noted and told', async () => {
  const { id, number } = await paid()
  await eventually(async () => expect(await read(id)).toMatchObject({ bank_ref: 'BANK-1' }))
  expect(app.ports.bank.told).toEqual([
    {
      key: id,
      invoice: {
        invoice_id: id,
        number,
        amount: '119.00',
        paid: '119.00',
        currency: 'EUR',
        customer: 'Hopper Ltd',
        paid_at: '2027-03-01T09:00:00.000Z',
      },
    },
  ])
  const [event] = await app.database.query<{ data: object }>(
    `select data from events where subject_id = $1 and type = 'invoice.changed'`,
    [id],
  )
  expect(event!.data).toMatchObject({ before: { bank_ref: null }, after: { bank_ref: 'BANK-1' } })
  // Another job for it, whatever it came of, tells nothing.
  await ada.ctx.transaction(async ctx => enqueue(ctx, { kind: BANK_JOB, data: { invoice_id: id } }))
  await eventually(async () => expect(await jobs()).toEqual([]))
  expect(app.ports.bank.told).toHaveLength(1)
})

test('a bank that is away is told again, each time later and under the same key', async () => {
  const away = () => new Error('The bank did not answer within 15 seconds')
  app.ports.bank.faults.push(away(), away(), away())
  const { id } = await paid()
  for (const [tries, waitMs] of [1_200, 6_000, 36_000].entries()) {
    await eventually(() => expect(app.ports.bank.told).toHaveLength(tries + 1))
    await eventually(async () =>
      expect(await jobs()).toEqual([{ state: 'ready', last_error: away().message }]),
    )
    expect((await read(id)).bank_ref).toBeNull()
    clock.advance(waitMs)
  }
  await eventually(async () => expect((await read(id)).bank_ref).toMatch(/^BANK-/))
  expect(app.ports.bank.told.map(({ key }) => key)).toEqual([id, id, id, id])
})

test('an invoice that the bank refuses waits for a person at once, on the home page, and goes on from there', async () => {
  app.ports.bank.faults.push(new BankRefused('The bank answered 422: unknown customer'))
  const { id } = await paid()
  await eventually(async () =>
    expect(await jobs()).toEqual([{ state: 'dead', last_error: 'The bank answered 422: unknown customer' }]),
  )
  expect((await ada.browser.get('/api/crm/home')).body.failures.jobs).toBe(1)
  expect(await read(id)).toMatchObject({ status: 'PAID', bank_ref: null })
  const [dead] = (await ada.browser.get('/api/jobs/dead')).body.data
  expect(dead).toMatchObject({ kind: BANK_JOB })
  await ada.browser.post(`/api/jobs/dead/${dead.id}/retry`)
  await eventually(async () => expect((await read(id)).bank_ref).toMatch(/^BANK-/))
  expect(app.ports.bank.told.map(({ key }) => key)).toEqual([id, id])
  expect((await ada.browser.get('/api/crm/home')).body.failures.jobs).toBe(0)
})
