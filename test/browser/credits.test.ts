import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePlan } from '#domains/credits/plan.ts'
import { grantPurchase, readCredits, refundCredits, useCredits } from '#domains/credits/service.ts'
import { systemContext, type Context } from '#platform/context.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook } from './axe.ts'
import { addFilter, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

const INVOICE = 'ab'.repeat(12)
let stage: Stage
let ctx: Context
let ada: Visitor

beforeAll(async () => {
  stage = await startStage()
  const [team] = await stage.app.database.query<{ id: string }>('select id from teams')
  ctx = systemContext(stage.app.runtime, team!.id)
  await grantPurchase(ctx, { amount: 250, reference: INVOICE, note: 'Invoice 2026-0007' })
  await useCredits(ctx, { amount: 112, reference: 'crawl-1', note: 'Crawl of example.test' })
  await refundCredits(ctx, { reference: 'crawl-1', note: 'The site did not answer' })
  await useCredits(ctx, { amount: 60, reference: 'crawl-2', note: 'Crawl of example.org' })
  ada = await stage.visit('/settings/credits')
})
afterAll(() => stage.close())

test('what the team has, and where it came from and went, is on one page', async () => {
  const { page } = ada
  const meter = page.getByRole('meter', { name: 'Monthly credits left' })
  await expect.poll(() => meter.getAttribute('aria-valuetext')).toBe('40 of 100 left')
  const summary = page.getByRole('region', { name: 'Team credits' })
  await expect
    .poll(() => summary.textContent())
    .toMatch(/Balance290250 of them don't expire.*60 credits used\. Resets to 100 on .*PlanActive/)
  const rows = page.getByRole('region', { name: 'Ledger' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(8)
  await expect
    .poll(() => rows.nth(1).textContent())
    .toMatch(/Used monthly creditsCrawl of example\.org−60290Rapport/)
  await expect.poll(() => rows.nth(7).textContent()).toMatch(/RenewedMonth starting .*\+100100Rapport/)
  const link = page.getByRole('link', { name: 'Invoice 2026-0007' })
  await expect.poll(() => link.getAttribute('href')).toBe(`/invoices/${INVOICE}`)
})

further('the address holds which kinds are shown', async () => {
  const { page } = ada
  const rows = page.getByRole('region', { name: 'Ledger' }).getByRole('row')
  await addFilter(page, 'Type', 'Used')
  await expect.poll(() => rows.count()).toBe(4)
  await page.getByRole('button', { name: 'Type is Used' }).click()
  await page.getByRole('option', { name: 'Purchased' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => rows.count()).toBe(5)
  await expect.poll(() => new URL(page.url()).search).toBe('?kind=use&kind=purchase')
  await page.reload()
  await expect.poll(() => rows.count()).toBe(5)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.poll(() => rows.count()).toBe(8)
  await addFilter(page, 'Type', 'Expired')
  await page.getByText('No entries of this kind yet.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.count()).toBe(8)
})

test('what is used elsewhere shows at once', async () => {
  const { page } = ada
  await useCredits(ctx, { amount: 30, reference: 'crawl-3', note: 'Crawl of example.net' })
  await page.getByText('10 of 100 left').first().waitFor()
  await page.getByText('Crawl of example.net').waitFor()
})

test('a trial that ends soon, and one that is over, are told on every page', async () => {
  const { page } = ada
  const banner = page.getByRole('complementary', { name: 'Team plan' })
  await expect.poll(() => banner.count()).toBe(0)
  await changePlan(ctx, { plan: 'TRIAL', days: 5 })
  await expect.poll(() => banner.textContent()).toContain('Your trial ends in 5 days.')
  await changePlan(ctx, { plan: 'EXPIRED' })
  await expect.poll(() => banner.textContent()).toContain('Your trial has ended')
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await expect.poll(() => banner.textContent()).toContain('but not change it')

  // What is tried all the same is answered in words.
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByRole('button', { name: 'Create lead' }).click()
  await page.getByText('You can still view and export everything').first().waitFor()
  await page.keyboard.press('Escape')
  await banner.getByRole('link', { name: 'View plan' }).click()
  await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor()
  expect(ada.complaints).toEqual([])
})

further('who only reads sees it as well, in every look', async () => {
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  await expect.poll(async () => (await readCredits(ctx)).plan).toBe('EXPIRED')
  const faults = await faultsInEveryLook(stage, 'role=region[name="Ledger"]', [
    ['/settings/credits'],
    ['/settings/credits?kind=use'],
  ])
  expect(faults).toEqual([])
})
