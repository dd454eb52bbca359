import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADDRESSES_MAX, CONVERT_MAX } from '#domains/candidates/values.ts'
import { readCredits, useCredits } from '#domains/credits/service.ts'
import { systemContext, type Context } from '#platform/context.ts'
import type { Crawled, FoundFact } from '#platform/ports/crawler.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { cell, goOn, makeLead, rowOf, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

let stage: Stage
let ctx: Context
let visitor: Visitor
/** Those who wait at the door of a site until a test opens it. */
const doors = new Map<string, PromiseWithResolvers<void>>()

beforeAll(async () => {
  stage = await startStage()
  const [team] = await stage.app.database.query<{ id: string }>('select id from teams')
  ctx = systemContext(stage.app.runtime, team!.id)
  held('acme.test', site('acme.test', acme))
  held('globex.test', site('globex.test', [{ kind: 'name', label: null, value: 'Globex' }]))
  held('initech.test', { outcome: 'gone', reason: 'Host not found.' })
  visitor = await stage.visit('/candidates')
})
afterAll(() => stage.close())

const acme: FoundFact[] = [
  { kind: 'name', label: null, value: 'Acme Corporation' },
  { kind: 'description', label: null, value: 'Everything a coyote needs.' },
  { kind: 'industry', label: null, value: 'Rockets' },
  { kind: 'email', label: null, value: 'wile.coyote@acme.test' },
  { kind: 'phone', label: null, value: '+49301234567' },
  { kind: 'person', label: 'Head of Sales', value: 'Wile Coyote' },
  { kind: 'social', label: 'LinkedIn', value: 'https://linkedin.example/company/acme' },
  // eslint-disable-next-line no-script-url -- what a hostile site says, which must never become a link
  { kind: 'social', label: 'Trap', value: 'javascript:alert(1)' },
  ...Array.from({ length: 11 }, (_, at) => ({
    kind: 'technology' as const,
    label: null,
    value: `Anvil ${at + 1}`,
  })),
]

function site(host: string, facts: FoundFact[]): Crawled {
  const page = { url: `https://${host}/about`, etag: null, last_modified: null, unchanged: false, facts }
  return { outcome: 'read', url: `https://${host}/`, pages: [page], skipped: [] }
}

function held(host: string, answer: Crawled): void {
  const door = Promise.withResolvers<void>()
  doors.set(host, door)
  stage.app.ports.crawler.sites.set(host, () => door.promise.then(() => answer))
}

const open = (host: string) => doors.get(host)!.resolve()
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add candidates' })
const meter = (page: Page) => page.getByRole('meter', { name: 'Credits left' })
const candidate = async (domain: string) =>
  (await stage.api.get(`/api/crm/candidates?domain=${domain}`)).body.data[0]

test('a list is added after its price was told, and what became of each is said', async () => {
  const { page } = visitor
  await page.getByRole('heading', { name: 'No candidates yet' }).waitFor()
  await page.getByRole('button', { name: 'Add your first candidates' }).click()
  const dialog = dialogOf(page)
  await dialog.getByText('The first crawl of a site costs 1 credit').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true)
  await dialog
    .getByLabel('Websites')
    .fill('acme.test\nhttps://www.globex.test/en, ada@initech.test\nwww.acme.test\ngmail.com')
  await dialog.getByText('4 sites: at most 4 credits. Balance: 100.').waitFor()
  await dialog.getByRole('button', { name: 'Add 4 sites' }).click()
  await dialog.getByText('3 candidates added.').waitFor()
  await dialog.getByText('1 rejected:').waitFor()
  await expect
    .poll(() => dialog.getByRole('list', { name: 'Rejected' }).textContent())
    .toMatch(/^gmail\.com ./)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('3 candidates', { exact: true }).waitFor()
})

test('how far the crawls are is seen while they run, and a crawl in vain gives its credit back', async () => {
  const { page } = visitor
  await page.getByText('0 of 3 sites crawled').waitFor()
  await expect.poll(() => meter(page).getAttribute('aria-valuetext')).toBe('97 of 100')
  await rowOf(page, 'acme.test').getByText('Crawling').waitFor()
  open('acme.test')
  await page.getByText('1 of 3 sites crawled').waitFor()
  await expect
    .poll(() => page.getByRole('progressbar', { name: 'Crawls' }).getAttribute('aria-valuenow'))
    .toBe('33')
  await rowOf(page, 'Acme Corporation').getByText('Crawled', { exact: true }).waitFor()
  await rowOf(page, 'Acme Corporation').getByText('wile.coyote@acme.test').waitFor()
  open('globex.test')
  open('initech.test')
  await rowOf(page, 'initech.test').getByText('Gone').waitFor()
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
  await page.getByRole('link', { name: '98 credits left' }).waitFor()
  await page.getByRole('list', { name: 'Candidates by status' }).getByRole('link', { name: 'Gone 1' }).click()
  await page.getByText('1 candidate', { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?status=GONE')
  expect(visitor.complaints).toEqual([])
})

test('the address holds filters and order; of each filter that takes one value there is one', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/candidates?score_min=37&converted=false&converted=true`)
  await page.getByRole('group', { name: 'Score is 37 or more' }).waitFor()
  await page.getByRole('group', { name: 'Lead is not created yet' }).waitFor()
  const names = () => page.getByRole('grid').getByRole('gridcell').getByRole('link').allTextContents()
  await expect.poll(names).toEqual(['Acme Corporationacme.test'])
  await page.getByRole('button', { name: 'Score is 37 or more' }).click()
  await page.getByRole('option', { name: '75 or more' }).click()
  await page.getByRole('group', { name: 'Score is 75 or more' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.getAll('score_min')).toEqual(['75'])

  await goOn(page, `${stage.app.url}/candidates`)
  await page.getByRole('columnheader', { name: 'Score' }).getByRole('button').click()
  await expect.poll(async () => (await names())[0]).toBe('Acme Corporationacme.test')
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=-score')
  await page.getByLabel('Search candidates').fill('globe')
  await expect.poll(names).toEqual(['Globexglobex.test'])
})

test('the fact sheet shows each fact with its page and time, explains the score, and follows no trap', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/candidates/${(await candidate('acme.test')).id}`)
  await page.getByRole('heading', { level: 1, name: 'Acme Corporation' }).waitFor()
  const contact = page.getByRole('region', { name: 'Contact' })
  await contact.getByRole('link', { name: 'wile.coyote@acme.test' }).waitFor()
  const source = contact
    .getByRole('listitem')
    .filter({ hasText: '+49' })
    .getByRole('link', { name: '/about' })
  await expect.poll(() => source.getAttribute('href')).toBe('https://acme.test/about')
  await expect.poll(() => source.getAttribute('rel')).toContain('noopener')
  await contact.getByText('just now').first().waitFor()
  // Whatever a site calls a link, only addresses of the web become one.
  const links = page.getByRole('region', { name: 'Profiles and feeds' }).getByRole('link')
  const hrefs = await Promise.all((await links.all()).map(link => link.getAttribute('href')))
  expect(hrefs.map(href => href?.split(':')[0])).toEqual(['https', 'https', 'https'])
  const technologies = page.getByRole('region', { name: 'Technologies' })
  await expect.poll(() => technologies.getByRole('listitem').count()).toBe(8)
  await technologies.getByRole('button', { name: 'Show 3 more', exact: true }).click()
  await expect.poll(() => technologies.getByRole('listitem').count()).toBe(11)

  const about = page.getByRole('region', { name: 'About this candidate' })
  const points = about.getByRole('list', { name: 'Score breakdown' })
  await points.getByText('Email address at its own domain').waitFor()
  const { score } = await candidate('acme.test')
  await expect.poll(() => about.textContent()).toContain(`${score} of 100`)
})

further('a candidate is called otherwise in place, and by its own name again after undo', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/candidates/${(await candidate('acme.test')).id}`)
  await page.getByRole('button', { name: 'Name Acme Corporation' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor()
  await undo(page, 'Renamed to Acme')
  await page.getByRole('heading', { level: 1, name: 'Acme Corporation' }).waitFor()
  await expect.poll(async () => (await candidate('acme.test')).name).toBe('Acme Corporation')
})

test('by keyboard alone three are chosen and converted; the one of whom nothing is known stays chosen', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/candidates?sort=name`)
  await rowOf(page, 'Acme Corporation').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('toolbar', { name: 'Selected candidates' })
  await bar.getByText('3 selected').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+a')
  await bar.getByText('3 selected').waitFor()
  // The way there with Tab goes on from the table.
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Convert to leads')
  await page.keyboard.press('Enter')
  await page.getByText('Created 2 leads').waitFor()
  await page.getByText('initech.test was not converted: There is no data on initech.test yet').waitFor()
  await bar.getByText('1 selected').waitFor()
  await expect.poll(() => rowOf(page, 'initech.test').getAttribute('aria-selected')).toBe('true')
  await cell(page, 'Acme Corporation', 8).getByRole('link', { name: 'Wile Coyote' }).waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
})

test('what was converted by mistake is taken back: its lead and account go to the trash, and it can become one anew', async () => {
  const { page } = visitor
  await page.getByRole('checkbox', { name: 'Select Globex' }).click()
  await undo(page, 'Created 2 leads')
  await page.getByText('Moved 2 new leads and 2 new accounts to the trash').waitFor()
  await expect.poll(async () => (await stage.api.get('/api/crm/accounts')).body.data).toEqual([])
  await page.getByRole('button', { name: 'Convert to leads' }).click()
  await page.getByText('Created 1 lead', { exact: true }).waitFor()
  await rowOf(page, 'Acme Corporation').getByRole('link', { name: 'Acme Corporation' }).click()
  await page.getByRole('button', { name: 'Convert to lead' }).click()
  await page.getByText('Converted Acme Corporation to a lead').waitFor()
  await page.getByRole('link', { name: 'Open lead' }).waitFor()
  await page.getByRole('link', { name: 'Candidates', exact: true }).last().click()
})

test('the page of the lead shows what is known of its company, and its timeline where that came from', async () => {
  const { page } = visitor
  await cell(page, 'Acme Corporation', 8).getByRole('link', { name: 'Wile Coyote' }).click()
  const facts = page.getByRole('region', { name: 'Company facts' })
  await facts.getByText('Everything a coyote needs.').waitFor()
  await facts.getByText('Wile Coyote (Head of Sales)').waitFor()
  await facts.getByText('Anvil 1, Anvil 2, Anvil 3, Anvil 4 and 7 more').waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('created this lead from the candidate Acme Corporation').waitFor()
  await facts.getByRole('link', { name: 'All 19 facts' }).click()
  await page.getByRole('link', { name: 'Open lead' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Convert to lead' }).count()).toBe(0)
})

further(
  'a site is read again, what is new shows by itself, and too early it is said from when on',
  async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Crawl again' }).click()
    await page.getByText(/^Crawled recently\. You can crawl it again from .*\.$/).waitFor()
    await stage.app.database.query(`update candidates set crawled_at = crawled_at - interval '2 days'`)
    const moved = acme.map(fact => (fact.kind === 'phone' ? { ...fact, value: '+49309999999' } : fact))
    held('acme.test', site('acme.test', moved))
    await page.getByRole('button', { name: 'Crawl again' }).click()
    const about = page.getByRole('region', { name: 'About this candidate' })
    await about.getByText('Crawling', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Crawl again' }).isDisabled()).toBe(true)
    open('acme.test')
    await page.getByRole('region', { name: 'Contact' }).getByRole('link', { name: '+49309999999' }).waitFor()
    await page.getByRole('link', { name: 'Open lead' }).click()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('found changes on the site of Acme Corporation').waitFor()
    await timeline.getByText('Added: +49309999999. Removed: +49301234567').waitFor()
  },
)

test("a lead's company is looked up with one click", async () => {
  const { page } = visitor
  held('umbrella.test', site('umbrella.test', [{ kind: 'industry', label: null, value: 'Rain' }]))
  const lead = await makeLead(stage.api, { first_name: 'Ada', email: 'ada@umbrella.test' })
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  const facts = page.getByRole('region', { name: 'Company facts' })
  await facts.getByText('No data on umbrella.test yet.').waitFor()
  await facts.getByRole('button', { name: 'Look up for 1 credit' }).click()
  await facts.getByText('Crawling').waitFor()
  open('umbrella.test')
  await facts.getByText('Rain').waitFor()
  await expect.poll(() => candidate('umbrella.test')).toMatchObject({ lead_id: lead.id, origin: 'lead' })

  const alone = await makeLead(stage.api, { first_name: 'Gil', email: 'gil@gmail.com' })
  await goOn(page, `${stage.app.url}/leads/${alone.id}`)
  await page.getByRole('region', { name: 'Timeline' }).getByText('created this lead').waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => facts.count()).toBe(0)
})

further(
  'a file is added from the palette; what is no spreadsheet of text is told before it is sent',
  async () => {
    const { page } = visitor
    await goOn(page, `${stage.app.url}/leads`)
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('add candidates')
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page)
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await dialog.getByLabel('CSV file').setInputFiles(file('companies.xlsx', 'PK'))
    await dialog.getByText('This is a spreadsheet. Export it as CSV').waitFor()
    await dialog
      .getByLabel('CSV file')
      .setInputFiles(file('fair.csv', 'Company,Website\nStark,https://stark.test\nAcme,acme.test\n'))
    await dialog.getByText('Up to 3 rows: at most 3 credits.').waitFor()
    await dialog.getByRole('button', { name: 'Add from file' }).click()
    await dialog.getByText('1 candidate added.').waitFor()
    await dialog.getByText('1 already existed and cost nothing.').waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, 'stark.test').getByText('Gone').waitFor()
  },
)

further('many go to the trash and come back, one by undo and one from there', async () => {
  const { page } = visitor
  await page.getByRole('checkbox', { name: 'Select stark.test' }).click()
  await page.getByRole('checkbox', { name: 'Select initech.test' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect.poll(() => rowOf(page, 'initech.test').count()).toBe(0)
  await undo(page, 'Moved 2 candidates to the trash')
  await rowOf(page, 'initech.test').waitFor()
  await page.getByRole('checkbox', { name: 'Select stark.test' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('Moved stark.test to the trash').waitFor()
  await page.getByRole('button', { name: 'More actions for candidates' }).click()
  await page.getByRole('menuitem', { name: 'Show trash' }).click()
  await page.getByRole('button', { name: 'Restore stark.test' }).click()
  await page.getByText('Restored stark.test').waitFor()
  await expect.poll(async () => (await candidate('stark.test')).deleted_at).toBe(null)
})

further('a list is as long as can be added at once, and not one longer', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/candidates`)
  await page.getByRole('button', { name: 'Add candidates' }).click()
  const dialog = dialogOf(page)
  const list = (length: number) => Array.from({ length }, (_, at) => `site${at}.test`).join(' ')
  await dialog.getByLabel('Websites').fill(list(ADDRESSES_MAX + 1))
  await dialog.getByText('Up to 1,000 at once. You entered 1,001.').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Websites').fill(list(ADDRESSES_MAX))
  await expect.poll(() => dialog.getByRole('button', { name: 'Add 1,000 sites' }).isEnabled()).toBe(true)
  await page.keyboard.press('Escape')
})

further(
  'as many are chosen as can be converted at once, also those further down, and not one more',
  async () => {
    const { page } = visitor
    await stage.app.database.query(
      `insert into candidates (team_id, id, url, domain, status, data, facts_count, score, crawls, failures, origin, created_at, updated_at)
     select team_id, 'c' || lpad(n::text, 23, '0'), 'https://many' || n || '.test/', 'many' || n || '.test', 'FAILED',
       '{"facts": [], "score": []}', 0, 0, 1, 1, 'list', created_at - n * interval '1 minute', created_at
     from candidates, generate_series(1, ${CONVERT_MAX + 1}) as n where domain = 'acme.test'`,
    )
    await goOn(page, `${stage.app.url}/candidates?q=many`)
    await rowOf(page, 'many1.test').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('toolbar', { name: 'Selected candidates' })
    await bar.getByText('200 selected').waitFor()
    const last = page.getByRole('checkbox', { name: 'Select many201.test' })
    // What follows is loaded on the way down.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+End')
        return last.isVisible()
      })
      .toBe(true)
    await last.click()
    await page.getByText('You can select up to 200 candidates at once').waitFor()
    await bar.getByText('200 selected').waitFor()
    await stage.app.database.query(`delete from candidates where domain like 'many%'`)
  },
)

further('without credits it is said what is left out and where more come from', async () => {
  const { page } = visitor
  const { balance } = await readCredits(ctx)
  await useCredits(ctx, { amount: balance - 1, reference: 'all-but-one', note: 'Elsewhere' })
  await goOn(page, `${stage.app.url}/candidates`)
  await page.getByRole('link', { name: '1 credit left' }).waitFor()
  await page.keyboard.press('n')
  const dialog = dialogOf(page)
  await dialog.getByLabel('Websites').fill('hooli.test\nvandelay.test\npiedpiper.test')
  await dialog.getByText('3 sites: at most 3 credits. Balance: 1.').waitFor()
  await dialog.getByText('Sites beyond your balance are skipped.').waitFor()
  stage.app.ports.crawler.sites.set(
    'hooli.test',
    site('hooli.test', [{ kind: 'name', label: null, value: 'Hooli' }]),
  )
  await dialog.getByRole('button', { name: 'Add 3 sites' }).click()
  await dialog.getByText('1 candidate added.').waitFor()
  await dialog.getByText('2 skipped: no credits left.').waitFor()
  const more = dialog.getByRole('link', { name: 'Get more credits' })
  await expect.poll(() => more.getAttribute('href')).toBe('/settings/credits')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'No credits left' }).waitFor()

  await rowOf(page, 'initech.test').getByRole('link').click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This costs 1 credit, but the team has none left.').waitFor()
  await page.getByRole('button', { name: 'Get credits' }).click()
  await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor()
  expect(visitor.complaints).toEqual([])
})

further(
  'nothing is wrong with any of it in any look',
  async () => {
    // One that is read for ever, as far as these looks go.
    await stage.api.post('/api/crm/candidates/list', { addresses: ['stark.test'] })
    await stage.app.database.query(`update candidates set status = 'CRAWLING' where domain = 'stark.test'`)
    const { id: acmeId, lead_id } = await candidate('acme.test')
    const { id: goneId } = await candidate('initech.test')
    const { id: runningId } = await candidate('stark.test')
    const choose = (page: Page) => page.getByRole('checkbox', { name: 'Select Globex' }).click()
    const add = async (page: Page) => {
      await page.getByRole('button', { name: 'Add candidates' }).click()
      await dialogOf(page).getByLabel('Websites').fill('one.test\ntwo.test')
    }
    const report = async (page: Page) => {
      await add(page)
      await dialogOf(page).getByLabel('Websites').fill('gmail.com\nacme.test\nnew.test')
      await dialogOf(page).getByRole('button', { name: 'Add 3 sites' }).click()
      await dialogOf(page).getByText('1 rejected:').waitFor()
    }
    const scenes: Scene[] = [
      ['/candidates'],
      [
        '/candidates?status=GONE',
        page => page.getByRole('checkbox', { name: 'Select initech.test' }).click(),
      ],
      ['/candidates', choose],
      ['/candidates', add],
      ['/candidates', report],
      ['/candidates?trashed=true'],
      [`/candidates/${acmeId}`],
      [`/candidates/${goneId}`],
      [`/candidates/${runningId}`],
      ['/candidates/ffffffffffffffffffffffff'],
      [`/leads/${lead_id}`, page => page.getByText('Everything a coyote needs.').waitFor()],
    ]
    expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
  },
  240_000,
)

further('who only reads sees everything and is offered nothing that would be refused', async () => {
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  const { page, complaints } = await stage.visit('/candidates')
  await rowOf(page, 'Acme Corporation').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add candidates' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
  await page.keyboard.press('n')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await rowOf(page, 'Acme Corporation').getByRole('link', { name: 'Acme Corporation' }).click()
  await page.getByRole('region', { name: 'Contact' }).waitFor()
  for (const name of ['Crawl again', 'Move to trash', 'Convert to lead'])
    await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Name Acme Corporation' }).isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Open lead' }).click()
  await page.getByRole('region', { name: 'Company facts' }).getByText('Rockets').waitFor()
  expect(complaints).toEqual([])
})
