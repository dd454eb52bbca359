import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryChain } from '#test/memory-chain.ts'
import { tell } from '#test/provider.ts'
import { further } from '#test/tier.ts'
import { axeFaults, faultsInEveryLook, furtherScene, type Scene } from './axe.ts'
import { startStage, type Stage } from './browser.ts'

const PAYER = `0x${'ab'.repeat(20)}`
const PAGE_BYTES_MAX = 40_000
const HOSTILE = '"><img src=x onerror="window.broken=1"><script>window.broken=1</script>'

const chain = memoryChain()
let stage: Stage
beforeAll(async () => {
  stage = await startStage({ ports: { chain } })
  const seller = { name: 'Acme GmbH', email: 'billing@acme.test', address: 'Berlin', tax_id: 'DE1' }
  await stage.api.patch('/api/crm/invoices/settings', { seller, currency: 'USD' })
})
afterAll(() => stage.close())

const lines = [
  { description: 'Advice, two days', quantity: '2', unit_price: '1250.50', tax_percent: '19' },
  { description: 'Travel', quantity: '1', unit_price: '100', tax_percent: '7' },
]
const customer = { name: 'Grace Hopper', email: null, address: '1 Navy Yard\nArlington', tax_id: null }
const DUE = 'USD 3,083.19'
const UNITS = 3_083_190_000n

async function opened(fields: object = {}): Promise<{ id: string; number: string; path: string }> {
  const draft = await stage.api.post('/api/crm/invoices', { customer, lines, note: 'Thank you.', ...fields })
  const { body, text } = await stage.api.post(`/api/crm/invoices/${draft.body.id}/open`)
  expect(body.pay_url, text).toBeTruthy()
  return { ...body, path: new URL(body.pay_url).pathname }
}
const pay = (id: string, amount: string) =>
  stage.api.post(`/api/crm/invoices/${id}/payments`, { method: 'manual', amount })
const state = (page: Page) => page.locator('#state')

test('the page turns by itself: partly paid, then paid when the provider says so', async () => {
  const invoice = await opened()
  const { page, complaints } = await stage.stranger()
  await page.goto(stage.app.url + invoice.path)
  await page.getByRole('heading', { name: `Invoice ${invoice.number}` }).waitFor()
  await state(page).getByText(DUE).waitFor()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  // What somebody is typing when the page turns is still there.
  await page.getByLabel('Transaction hash').fill('0x12')
  await pay(invoice.id, '3000')
  await state(page).getByText('Partially paid: USD 3,000.00 received').waitFor()
  await state(page).getByText('USD 83.19').waitFor()
  await expect.poll(() => page.getByLabel('Transaction hash').inputValue()).toBe('0x12')
  const { status, text } = await tell(stage.app.url, 'payment', {
    eventId: 'evt_paid',
    type: 'payment.confirmed',
    data: { invoiceId: invoice.number, amount: '83.19', currency: 'USD', txHash: `0x${'9'.repeat(64)}` },
  })
  expect(status, text).toBe(200)
  await state(page)
    .getByText(/^Paid on .*Thank you\.$/)
    .waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Pay with a wallet' }).isVisible()).toBe(false)
  await page.getByRole('row', { name: 'Due USD 0.00' }).waitFor()
  expect(complaints).toEqual([])
})

test('a wallet in the browser proves a payment, and what is wrong before is told in words', async () => {
  const invoice = await opened()
  const { page, complaints } = await stage.stranger()
  await page.exposeFunction('signHex', (hex: string, payer: string) =>
    chain.sign(Buffer.from(hex.slice(2), 'hex').toString(), payer),
  )
  await page.addInitScript(`window.ethereum = { request: async ({ method, params }) =>
    method === 'eth_requestAccounts' ? ['${PAYER}'] : window.signHex(...params) }`)
  await page.goto(stage.app.url + invoice.path)
  const sign = page.getByRole('button', { name: /wallet/ })
  await wrongHash(page)
  await expect.poll(() => sign.isVisible()).toBe(false)
  const failed = chain.pay({ from: PAYER, amount: UNITS, succeeded: false })
  await page.getByLabel('Transaction hash').fill(failed)
  await sign.click()
  await page.getByText('The transaction failed on the network: no money was transferred.').waitFor()
  await page.getByLabel('Transaction hash').fill(chain.pay({ from: PAYER, amount: UNITS }))
  await sign.click()
  await state(page)
    .getByText(/^Paid on .*Thank you\.$/)
    .waitFor()
  const { body } = await stage.api.get(`/api/crm/invoices/${invoice.id}`)
  expect(body.payments).toMatchObject([{ method: 'chain', payer: PAYER, issue: null }])
  expect(complaints).toEqual([])
})

further('a text that was signed elsewhere proves it too, once the network has confirmed it', async () => {
  const invoice = await opened()
  const { page } = await stage.stranger()
  await page.goto(stage.app.url + invoice.path)
  const hash = chain.pay({ from: PAYER, amount: UNITS, depth: 1 })
  chain.terms.confirmations = 2
  await page.getByLabel('Transaction hash').fill(hash)
  const text = page.getByLabel('Sign this text with the wallet that paid')
  await expect.poll(() => text.inputValue()).toContain(`tx: ${hash}`)
  await page.getByLabel('Wallet address').fill(PAYER)
  await page.getByLabel('Signature').fill(chain.sign(await text.inputValue(), PAYER))
  await page.getByRole('button', { name: 'Submit proof' }).click()
  await page.getByText('Waiting for the network to confirm it. This page keeps trying.').waitFor()
  chain.terms.confirmations = 1
  await state(page)
    .getByText(/^Paid on .*Thank you\.$/)
    .waitFor()
})

test('without JavaScript everything is there to read and to pay, and the page is small', async () => {
  const invoice = await opened()
  const { page } = await stage.stranger({ javaScriptEnabled: false })
  await page.goto(stage.app.url + invoice.path)
  await state(page).getByText(DUE).waitFor()
  await page.getByText('This requires JavaScript').waitFor()
  const link = await page.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href')
  expect(link).toMatch(new RegExp(`^ethereum:0x[0-9a-f]{40}@31337/transfer\\?address=0x.*&uint256=${UNITS}$`))
  await page.getByRole('row', { name: `Total ${DUE}` }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Download as PDF' }).getAttribute('href'))
    .toBe(`${invoice.path}/pdf`)
  await page.context().close()

  const { page: whole } = await stage.stranger()
  const sizes: Promise<number>[] = []
  whole.on('response', response => {
    if (/\/i\//.test(response.url())) sizes.push(response.body().then(body => body.length))
  })
  await whole.goto(stage.app.url + invoice.path, { waitUntil: 'networkidle' })
  expect(sizes).toHaveLength(3)
  expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(PAGE_BYTES_MAX)
})

further('whatever names and words hold, nothing of it runs', async () => {
  const hostile = { name: HOSTILE, email: null, address: HOSTILE, tax_id: HOSTILE }
  const { path, id } = await opened({
    customer: hostile,
    lines: [{ ...lines[0]!, description: HOSTILE }],
    note: HOSTILE,
  })
  const { page, complaints } = await stage.stranger()
  await page.goto(stage.app.url + path)
  await page.getByText(HOSTILE).first().waitFor()
  // Neither when it turns.
  await pay(id, '1')
  await state(page).getByText('Partially paid').waitFor()
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(complaints).toEqual([])
})

further('an address that leads nowhere says so', async () => {
  const { page } = await stage.stranger()
  expect((await page.goto(`${stage.app.url}/i/nothing`))!.status()).toBe(404)
  await page.getByRole('heading', { name: 'Invoice not found' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
})

test('in every look there is nothing to find fault with', async () => {
  const [open, paid, voided] = [await opened(), await opened(), await opened({ currency: 'EUR' })]
  await pay(paid.id, '3083.19')
  await stage.api.post(`/api/crm/invoices/${voided.id}/void`)
  const ready: Scene[1] = async page => {
    await page.getByLabel('Transaction hash').fill(`0x${'12'.repeat(32)}`)
    await page.getByRole('button', { name: 'Submit proof' }).click()
    await page.getByText('A wallet address is 0x followed by 40 hex digits.').waitFor()
  }
  const scenes: Scene[] = [[open.path, ready], ...furtherScene(paid.path), ...furtherScene(voided.path)]
  expect(await faultsInEveryLook(stage, '#state', scenes)).toEqual([])
})

async function wrongHash(page: Page): Promise<void> {
  await page.getByLabel('Transaction hash').fill('0x12')
  await page.keyboard.press('Tab')
  await page.getByText('A transaction hash is 0x followed by 64 hex digits.').waitFor()
}
