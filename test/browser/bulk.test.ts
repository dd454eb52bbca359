import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { hold, waitingForLocks } from '#test/locks.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { recountLeads } from '#test/records.ts'
import { makeLead, rowOf, startStage, type Stage } from './browser.ts'

const MANY = 1_250

let stage: Stage
let newestId: string
beforeAll(async () => {
  stage = await startStage()
  newestId = (await makeLead(stage.api, { first_name: 'Newest', source: 'Fair' })).id
})
afterAll(() => stage.close())

/** So many leads of that source, the first of them with the id `<digit>00…1`. */
async function makeRows(source: string, digit: string, count: number, deleted_at = 'null'): Promise<void> {
  await stage.app.database.query(
    `insert into leads (team_id, id, first_name, last_name, status, call_status, pipeline_stage, source, utm, custom, created_at, updated_at, deleted_at)
     select team_id, '${digit}' || lpad(n::text, 23, '0'), 'Row', n::text, 'NEW', 'NONE', 'New', '${source}', '{}', '{}',
       created_at - n * interval '1 minute', created_at, ${deleted_at}
     from leads, generate_series(1, ${count}) as n where id = '${newestId}'`,
  )
  await recountLeads(stage.app)
}

const countOf = async (query: string): Promise<number> =>
  (await stage.api.get(`/api/crm/leads/outline?${query}`)).body.count
const inWords = (count: number) => count.toLocaleString('en-GB')

async function selectAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all matching leads' }).click()
}

test('a change of everything that matches is asked for by its number, runs, and reports', async () => {
  await makeRows('List', 'b', MANY)
  const { page, complaints } = await stage.visit('/leads?source=List')
  await rowOf(page, 'Row 1').first().waitFor()
  await selectAll(page)
  const toolbar = page.getByRole('toolbar', { name: 'Selected leads' })
  await toolbar.getByText('All 1,250 leads selected').waitFor()
  await toolbar.getByRole('button', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Contacted' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change stage of 1,250 leads to Contacted?' })
  await dialog.getByRole('button', { name: 'Change stage of 1,250 leads to Contacted' }).click()
  await page.getByText('Stage to Contacted: changed 1,250 of 1,250 leads').waitFor()
  await expect.poll(() => countOf('pipeline_stage=Contacted')).toBe(MANY)
  // The rows on the screen have followed.
  await expect.poll(() => page.getByRole('gridcell', { name: 'Contacted' }).count()).toBeGreaterThan(10)
  await expect.poll(() => countOf('source=List&pipeline_stage=New')).toBe(0)
  await page.getByRole('button', { name: 'Dismiss report' }).click()
  await expect.poll(() => page.getByText('changed 1,250').count()).toBe(0)
  expect(complaints).toEqual([])
})

further('a change that runs is found again after a reload, and cancelled between two blocks', async () => {
  // Whether the cancelling or the next block comes first between two of them is for the database to say: of ten it loses a few at most.
  const all = 5_000
  await makeRows('Long', 'c', all)
  const { page } = await stage.visit('/leads?source=Long')
  await rowOf(page, 'Row 1').first().waitFor()
  await rowOf(page, 'Row 7').first().getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Select all 5,000' }).click()
  await page.getByText('All 5,000 leads selected').waitFor()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  // Somebody holds a lead of the second block: the change waits there, and the reload comes in between.
  await using held = await hold(
    stage.app.database,
    `select 1 from leads where id = 'c00000000000000000000600' for update`,
  )
  await page.getByRole('button', { name: 'Move 5,000 leads to the trash' }).click()
  const progress = page.getByRole('progressbar', { name: 'Move to trash' })
  await page.getByText('Move to trash: 500 of 5,000 leads').waitFor()
  await page.reload()
  await page.getByText('Move to trash: 500 of 5,000 leads').waitFor()
  await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('10')

  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  // The block waits for the lead, and the cancelling for the block.
  await expect.poll(() => waitingForLocks(stage.app.database)).toBe(2)
  await held.letGo()
  const report = page.getByText(/cancelled after [\d,]+ leads, changed [\d,]+ of 5,000 leads/)
  const [, after = '', changed] = /after ([\d,]+) leads, changed ([\d,]+)/.exec(await report.innerText())!
  expect(changed).toBe(after)
  const gone = Number(after.replace(',', ''))
  expect(gone).toBeGreaterThanOrEqual(1_000)
  expect(gone).toBeLessThan(all)
  await expect.poll(() => countOf('source=Long')).toBe(all - gone)
  await expect.poll(() => countOf('source=Long&trashed=true')).toBe(gone)
})

further('the trash gives everything back that matches', async () => {
  await makeRows('Back', 'd', 600, 'created_at')
  const count = inWords(await countOf('trashed=true'))
  const { page } = await stage.visit('/leads?trashed=true')
  await rowOf(page, 'Row').first().waitFor()
  await selectAll(page)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('button', { name: `Restore ${count} leads` }).click()
  await page.getByText(`Restore: changed ${count} of ${count} leads`).waitFor()
  await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
  await expect.poll(() => countOf('source=Back')).toBe(600)
})

further('all together is not all but one', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Newest').waitFor()
  await selectAll(page)
  await page.getByText(/^All [\d,]+ leads selected$/).waitFor()
  await rowOf(page, 'Newest').getByRole('checkbox').click()
  await page.getByText('Selection cleared.').waitFor()
  await expect.poll(() => page.getByRole('toolbar', { name: 'Selected leads' }).count()).toBe(0)
})

further('the list is exported as it is filtered and with the columns it shows', async () => {
  const { page } = await stage.visit('/leads?source=Fair')
  await rowOf(page, 'Newest').waitFor()
  await page.getByRole('button', { name: 'More actions for leads' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export CSV' }).click()
  const stream = await (await download).createReadStream()
  const text = (await stream.toArray()).join('')
  const lines = text.trim().split(/\r?\n/)
  expect(lines[0]).toContain('first_name,last_name,company,email,pipeline_stage,owner_id')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Newest')
})

further(
  'axe finds nothing while everything is selected and a change runs, in any look',
  async () => {
    await makeRows('Looked at', 'e', 50)
    const { body: job } = await stage.api.post('/api/crm/leads/bulk-changes', {
      filter: { source: ['Nowhere'] },
      trashed: true,
    })
    const ended = async () => (await stage.api.get(`/api/crm/leads/bulk-changes/${job.id}`)).body.status
    await expect.poll(ended).toBe('DONE')
    await stage.app.database.query(
      `update bulk_changes set status = 'RUNNING', processed = 500, total = 1250, finished_at = null where id = $1`,
      [job.id],
    )
    const count = inWords(await countOf(''))
    const scenes: Scene[] = [
      [
        '/leads',
        async page => {
          await page.getByRole('progressbar').first().waitFor()
          await page.getByRole('checkbox', { name: 'Select Newest' }).click()
          await page.getByRole('button', { name: `Select all ${count}` }).click()
          await page.getByText(`All ${count} leads selected`).waitFor()
        },
      ],
    ]
    const faults = await faultsInEveryLook(stage, 'main h1', scenes)
    await stage.app.database.query(
      `update bulk_changes set status = 'DONE', finished_at = now() where id = $1`,
      [job.id],
    )
    expect(faults).toEqual([])
  },
  120_000,
)
