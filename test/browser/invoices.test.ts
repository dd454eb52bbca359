import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tell } from '#test/provider.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, makeLead, rowOf, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

const seller = { name: 'Example Ltd', email: 'pay@example.test', address: 'Main street 1', tax_id: null }
const bank = { account_holder: 'Example Ltd', iban: 'DE89370400440532013000', bic: null, bank_name: null }
const lines = [{ description: 'Seats', quantity: '1', unit_price: '100', tax_percent: '0' }]

let stage: Stage
let visitor: Visitor
let lead: { id: string }
/** Opened, and overdue since long. */
let overdue: { id: string; number: string }
beforeAll(async () => {
  stage = await startStage()
  await stage.api.patch('/api/crm/invoices/settings', { seller, bank, currency: 'EUR' })
  lead = await makeLead(stage.api, { first_name: 'Nina', email: 'nina@acme.test', company: 'Acme' })
  visitor = await stage.visit('/invoices')
})
afterAll(() => stage.close())

test('an invoice is written by hand and adds up as the server does, then opened and sent', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Create your first invoice' }).click()
  const dialog = page.getByRole('dialog', { name: 'New invoice' })
  await dialog.getByRole('combobox', { name: 'Lead' }).fill('Nina')
  await page.getByRole('option', { name: 'Nina · Acme' }).click()
  await dialog.getByLabel('Description').fill('20 seats')
  await dialog.getByLabel('Price').fill('1,000')
  await page.keyboard.press('Enter')
  await heading(page, 'Draft for Acme').waitFor()

  // From field to field with the keyboard alone: Enter goes on to a line that was not there.
  await page.getByRole('group', { name: 'Line 1' }).getByLabel('Tax %').fill('19')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Travel')
  for (const typed of ['2,5', '99.99', '7']) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type(typed)
  }
  const sums = page.getByRole('article', { name: 'Invoice' })
  await sums.getByText('€1,457.48').waitFor()
  await expect.poll(() => page.getByLabel('Amount of line 2').textContent()).toBe('€249.98')
  const id = page.url().split('/').at(-1)!
  const saved = async () => (await read(id)).amount
  await expect.poll(saved).toBe('1457.48')

  // What cannot be read is kept and not saved, and Ctrl+Z takes it back.
  await page.getByRole('group', { name: 'Line 2' }).getByLabel('Unit price').fill('much')
  await page.getByText('Fix 1 error to save').waitFor()
  await page.keyboard.press('Control+Z')
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => saved()).toBe('1457.48')
  const dueDate = page.getByLabel('Due date')
  await dueDate.fill('2031-05-12')
  await expect.poll(async () => (await read(id)).due_at).toContain('2031-05-12')
  await page.keyboard.press('Control+Z')
  await expect.poll(() => dueDate.inputValue()).toBe('')
  await expect.poll(async () => (await read(id)).due_at).toBeNull()

  // The page says so before one tries, and no longer as soon as there is a way.
  const warning = page.getByRole('note').getByText('Customers have no way to pay yet')
  await stage.api.patch('/api/crm/invoices/settings', { bank: null })
  await warning.waitFor()
  await page.getByRole('link', { name: 'Add bank details' }).waitFor()
  await stage.api.patch('/api/crm/invoices/settings', { bank })
  await warning.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Finalize and send' }).click()
  const asked = page.getByRole('dialog', { name: 'Finalize and send this invoice?' })
  await asked.getByText('It gets the number INV-0001').waitFor()
  await asked.getByText('An email goes to nina@acme.test').waitFor()
  await asked.getByRole('button', { name: 'Finalize and send' }).click()
  await heading(page, 'INV-0001').waitFor()
  await banner(page).getByText('€1,457.48 due in 14 days.').waitFor()
  await banner(page).getByText('Sent to nina@acme.test').waitFor()
  await expect.poll(() => stage.app.mail.lastTo('nina@acme.test')?.subject).toContain('INV-0001')
  await expect.poll(() => page.getByRole('textbox').count()).toBe(0)
})

test('a payment in part, then too much of it: a person decides what becomes of the rest', async () => {
  const { page } = visitor
  await record(page, '457.48', 'Less than the €1,457.48 due')
  await banner(page).getByText('€457.48 of €1,457.48 paid. €1,000.00 due').waitFor()

  await record(page, '1,200', 'resolve the excess')
  await banner(page).getByText('Received in full').waitFor()
  await banner(page).getByText('1 payment to resolve').waitFor()
  const payments = page.getByRole('region', { name: 'Payments' })
  await payments.getByText('Overpaid by €200.00.').waitFor()
  await payments.getByRole('button', { name: 'Resolve €1,200.00' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve payment of €1,200.00' })
  await dialog.getByRole('radio', { name: 'Keep as credit' }).check()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Told Nina')
  await page.keyboard.press('Enter')
  await payments.getByText('Overpaid. Kept as credit by Ada').waitFor()
  await page.getByText('Customer credit€200.00').waitFor()
})

further('what was too much pays a later invoice of the same customer', async () => {
  const { page } = visitor
  const { id } = await opened()
  await goOn(page, stage.app.url + `/invoices/${id}`)
  await page.getByRole('button', { name: 'Record payment' }).click()
  const dialog = page.getByRole('dialog', { name: /^Record payment/ })
  await dialog.getByRole('radio', { name: /credit €200\.00 available/ }).check()
  await dialog.getByText('This is the full amount due').waitFor()
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await banner(page).getByText('Received in full').waitFor()
  await page.getByText('Customer credit€100.00').waitFor()
})

further('it turns paid by itself when the provider says so, and its deal is won', async () => {
  const { page } = visitor
  const deal = await make('/api/crm/opportunities', { name: 'Big deal', lead_id: lead.id, currency: 'EUR' })
  const { id, number } = await opened({ opportunity_id: deal.id, leadgen_credits: 50 })
  await goOn(page, stage.app.url + `/invoices/${id}`)
  await banner(page).getByText('€100.00 due').waitFor()
  await page.getByText('Grants when paid50 LeadGen credits').waitFor()
  const { status, text } = await tell(stage.app.url, 'payment', {
    eventId: 'evt_1',
    type: 'payment.confirmed',
    data: { invoiceId: number, amount: '100', currency: 'EUR', txHash: `0x${'7'.repeat(64)}` },
  })
  expect(status, text).toBe(200)
  await banner(page).getByText('50 LeadGen credits granted.').waitFor()
  await page.getByRole('region', { name: 'Payments' }).getByText('Payment provider').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Record payment' }).count()).toBe(0)
  await expect
    .poll(async () => (await stage.api.get(`/api/crm/opportunities/${deal.id}`)).body.stage)
    .toBe('closed_won')
})

further(
  'what is void says so and stays; its copy is a draft, which goes to the trash and comes back',
  async () => {
    const { page } = visitor
    const { id, number } = await opened()
    await goOn(page, stage.app.url + `/invoices/${id}`)
    // Of what has its number, only this can still be changed.
    await menu(page, `More actions for ${number}`, 'Edit due date and note')
    await page.getByRole('textbox', { name: 'Due date' }).fill('2031-05-12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('article').getByText('12 May 2031').waitFor()
    await menu(page, `More actions for ${number}`, 'Void')
    await page.getByRole('button', { name: `Void ${number}` }).click()
    await banner(page).getByText('It keeps its number, and nothing is owed.').waitFor()
    await menu(page, `More actions for ${number}`, 'Duplicate')
    await heading(page, 'Draft for Acme').waitFor()
    await menu(page, 'More actions for Draft for Acme', 'Move to trash')
    await heading(page, 'Invoices').waitFor()
    const drafts = async () => (await stage.api.get('/api/crm/invoices?status=DRAFT')).body.data.length
    await expect.poll(drafts).toBe(0)
    await undo(page, 'Moved Draft for Acme to the trash')
    await expect.poll(drafts).toBe(1)
  },
)

test('the list says what is open, overdue and to decide, and its address says what is shown', async () => {
  const { page } = visitor
  overdue = await opened({ due_at: '2026-01-31T23:59:59.000Z' })
  const part = await opened()
  await make(`/api/crm/invoices/${part.id}/payments`, { method: 'manual', amount: '60' })
  await goOn(page, stage.app.url + '/settings/billing')
  await goOn(page, stage.app.url + '/invoices?overdue=true')
  await rowOf(page, overdue.number)
    .getByText(/days overdue$/)
    .waitFor()
  await page.getByText('1 invoice', { exact: true }).waitFor()
  await page
    .getByRole('group', { name: 'Overdue only' })
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByText(`${await count('')} invoices`).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')

  const totals = page.getByLabel('Totals')
  await totals.getByRole('link', { name: '€140.00' }).waitFor()
  await totals.getByRole('link', { name: '1 payment to resolve' }).click()
  await page.getByRole('group', { name: 'Payment issues only' }).waitFor()
  await page.getByText('1 invoice', { exact: true }).waitFor()
  await expect.poll(() => page.url()).toContain('issue=true')

  await goOn(page, stage.app.url + '/tasks')
  await goOn(page, stage.app.url + '/invoices?status=PAID&q=acme')
  const paid = await count('status=PAID')
  await page.getByText(paid === 1 ? '1 invoice' : `${paid} invoices`, { exact: true }).waitFor()
  await page.getByRole('group', { name: 'Status is Paid' }).waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await heading(page, 'INV-0001').waitFor()
})

further(
  "a lead's page lists its invoices and begins the next one, and its timeline tells of them",
  async () => {
    const { page } = visitor
    await goOn(page, stage.app.url + `/leads/${lead.id}`)
    const panel = page.getByRole('region', { name: 'Invoices' })
    await panel.getByRole('link', { name: overdue.number }).waitFor()
    await page.getByRole('region', { name: 'Timeline' }).getByText('marked INV-0001 as paid').waitFor()
    await panel.getByRole('button', { name: 'New invoice' }).click()
    const dialog = page.getByRole('dialog', { name: 'New invoice' })
    const picked = dialog.getByRole('combobox', { name: 'Lead' })
    await expect.poll(() => picked.inputValue()).toBe('Nina · Acme')
    await page.keyboard.press('Escape')
  },
)

test('an administrator says how the team bills', async () => {
  const { page } = visitor
  await goOn(page, stage.app.url + '/settings/billing')
  await page.getByLabel('Payment terms (days)').fill('a week')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Must be a whole number from 0 to 365').waitFor()
  await page.getByLabel('Payment terms (days)').fill('30')
  await page.getByLabel('Reminders (days)').fill('5 10')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved billing settings').waitFor()
  const { body } = await stage.api.get('/api/crm/invoices/settings')
  expect(body).toMatchObject({ due_days: 30, reminder_days: [5, 10], seller })
})

further('nothing is wrong with it in any look', async () => {
  const draft = await make('/api/crm/invoices', { lead_id: lead.id, lines })
  const scenes: Scene[] = [
    ['/invoices'],
    [`/invoices/${draft.id}`],
    [`/invoices/${overdue.id}`],
    ['/settings/billing'],
    [`/invoices/${draft.id}`, page => page.getByRole('button', { name: 'Finalize and send' }).click()],
    [`/invoices/${overdue.id}`, page => page.getByRole('button', { name: 'Record payment' }).click()],
  ]
  expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
})

further('who only reads sees every invoice and no button that writes', async () => {
  const { page, complaints } = visitor
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  await page.reload()
  await goOn(page, `${stage.app.url}/invoices/${overdue.id}`)
  await banner(page).getByText('Overdue').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Record payment' }).count()).toBe(0)
  await page.getByRole('button', { name: /^More actions for/ }).click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  await expect.poll(() => items.allTextContents()).toEqual(['Download PDF'])
  await goOn(page, `${stage.app.url}/invoices`)
  await rowOf(page, overdue.number).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New invoice' }).count()).toBe(0)
  await goOn(page, `${stage.app.url}/settings/billing`)
  await page.getByText('Only admins can change these settings.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await expect.poll(() => page.getByLabel('Next number').isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const banner = (page: Page) => page.getByRole('region', { name: 'Status' })

async function record(page: Page, amount: string, told: string): Promise<void> {
  await page.getByRole('button', { name: 'Record payment' }).click()
  const dialog = page.getByRole('dialog', { name: /^Record payment/ })
  await dialog.getByLabel('Amount in EUR').fill(amount)
  await dialog.getByText(told).waitFor()
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function menu(page: Page, button: string, item: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function make(path: string, body: object = {}): Promise<any> {
  const reply = await stage.api.post(path, body)
  expect([200, 201], reply.text).toContain(reply.status)
  return reply.body
}

async function read(id: string): Promise<any> {
  return (await stage.api.get(`/api/crm/invoices/${id}`)).body
}

async function count(query: string): Promise<number> {
  return (await stage.api.get(`/api/crm/invoices?limit=200&${query}`)).body.data.length
}

async function opened(fields: object = {}): Promise<{ id: string; number: string }> {
  const { id } = await make('/api/crm/invoices', { lead_id: lead.id, lines, ...fields })
  return make(`/api/crm/invoices/${id}/open`)
}
