import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { OUTLINE_ROWS } from '#platform/values.ts'
import { recountLeads } from '#test/records.ts'
import { makeLead, rowOf, startStage, type Stage } from './browser.ts'

/** More than one outline tells of. */
const MANY = OUTLINE_ROWS + 450

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  const { id } = await makeLead(stage.api, { first_name: 'Newest', last_name: 'Of all' })
  await stage.app.database.query(
    `insert into leads (team_id, id, first_name, last_name, status, call_status, pipeline_stage, utm, custom, created_at, updated_at)
     select team_id, 'b' || lpad(n::text, 23, '0'), 'Row', n::text, 'NEW', 'NONE', 'New', '{}', '{}',
       created_at - n * interval '1 minute', created_at
     from leads, generate_series(1, ${MANY}) as n where id = '${id}'`,
  )
  await recountLeads(stage.app)
})
afterAll(() => stage.close())

test('a long list is jumped through by keyboard, loads what it shows, and is found where it was left', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Newest Of all').waitFor()
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(MANY + 2))
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+End')
  await rowOf(page, `Row ${MANY}`).waitFor()
  // Only what is seen is in the document.
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80)
  await page.keyboard.press('Control+Home')
  await rowOf(page, 'Newest Of all').waitFor()

  for (let times = 0; times < 12; times++) await page.keyboard.press('PageDown')
  await expect
    .poll(() => page.evaluate('document.querySelector("[role=grid]").scrollTop'))
    .toBeGreaterThan(5_000)
  await page.locator('[data-row][data-here]').getByRole('link').waitFor()
  await page.keyboard.press('o')
  await page.getByRole('button', { name: 'Next lead' }).waitFor()
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  await page.goBack()
  await rowOf(page, name!).first().waitFor()
})

further('a range reaches over rows that were never loaded', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Newest Of all').getByRole('checkbox').click()
  await page.evaluate('document.querySelector("[role=grid]").scrollTop = 36 * 310')
  const last = page.getByRole('row').filter({ has: page.getByText('Row 300', { exact: true }) })
  await last.getByRole('checkbox').click({ modifiers: ['Shift'] })
  await page.getByText('301 selected').waitFor()
})

further('a phone shows the same list as cards', async () => {
  const { page } = await stage.visit('/leads', { viewport: { width: 390, height: 844 } })
  await page.getByRole('link', { name: /Newest Of all/ }).waitFor()
  await page.evaluate('document.querySelector("[aria-label=Leads][role=region]").scrollTop = 68 * 1200')
  await page.getByRole('link', { name: /Row 1200/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Row 1200' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
