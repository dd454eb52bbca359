import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { further } from '#test/tier.ts'
import { DRAWN } from './axe.ts'
import { cell, makeLead, QUIET, rowOf, startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeLead(stage.api, { first_name: 'Ada', last_name: 'First', company: 'Old' })
})
afterAll(() => stage.close())

const failure = {
  status: 500,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Something went wrong',
    status: 500,
    code: 'internal',
    request_id: 'req-4711',
  }),
}

async function failing(page: Page, pattern: string): Promise<void> {
  await page.route(pattern, route => route.fulfill(failure))
}

test('a failure of the server is told with its request id, and trying again helps', async () => {
  const { page } = await stage.visit(QUIET)
  await failing(page, '**/api/crm/leads/outline*')
  // The stream would tell of the lead that was just made, and the list would heal by itself.
  await page.route('**/api/live*', route => route.abort())
  await page.goto(`${stage.app.url}/leads?status=NEW`)
  await page.getByText('req-4711').waitFor()
  await page.unroute('**/api/crm/leads/outline*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Ada First').waitFor()
})

further('a list that cannot go on says so, asks no more by itself, and goes on when asked', async () => {
  await stage.app.database.query(
    `insert into accounts (team_id, id, name, custom, created_at, updated_at)
     select id, 'c' || lpad(n::text, 23, '0'), 'Firm ' || n, '{}', now() - n * interval '1 minute', now()
     from teams, generate_series(1, 150) as n where id = (select team_id from leads limit 1)`,
  )
  for (const width of [1280, 390]) {
    const { page } = await stage.visit(QUIET, { viewport: { width, height: 800 } })
    let asked = 0
    await page.route('**/api/crm/accounts?*cursor=*', route => {
      asked += 1
      return route.fulfill({ ...failure, status: 422 })
    })
    await page.route('**/api/live*', route => route.abort())
    await page.goto(`${stage.app.url}/accounts?sort=-created_at`)
    const role = width > 500 ? 'grid' : 'region'
    const list = page.getByRole(role, { name: 'Accounts' })
    const scrollTo = (place: '0' | 'scroller.scrollHeight') =>
      page.evaluate(
        `(scroller => (scroller.scrollTop = ${place}))(document.querySelector('[aria-label=Accounts][role=${role}]'))`,
      )
    await list.getByText('Firm 1', { exact: true }).waitFor()
    await scrollTo('scroller.scrollHeight')
    await page.getByText("Couldn't load more. Something went wrong").waitFor()
    for (let n = 0; n < 5; n++) {
      await scrollTo('0')
      await page.evaluate(DRAWN)
      await scrollTo('scroller.scrollHeight')
      await page.evaluate(DRAWN)
    }
    expect(asked).toBe(1)
    await page.unroute('**/api/crm/accounts?*cursor=*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText("Couldn't load more").waitFor({ state: 'hidden' })
    await expect
      .poll(async () => {
        await scrollTo('scroller.scrollHeight')
        return list.getByText('Firm 150', { exact: true }).isVisible()
      })
      .toBe(true)
  }
})

further('a column of the pipeline that cannot go on says so, and goes on when asked', async () => {
  const { page } = await stage.visit(QUIET)
  let asked = 0
  // As if there were more in this stage than come at once.
  await page.route('**/api/crm/leads?*pipeline_stage=*', async (route, request) => {
    if (request.url().includes('cursor=')) {
      asked += 1
      return route.fulfill({ ...failure, status: 422 })
    }
    const response = await route.fetch()
    const list = (await response.json()) as { data: unknown[]; next_cursor: string | null }
    await route.fulfill({ response, json: list.data.length > 0 ? { ...list, next_cursor: 'more' } : list })
  })
  await page.route('**/api/live*', route => route.abort())
  await page.goto(`${stage.app.url}/pipeline`)
  await page.getByText("Couldn't load more. Something went wrong").waitFor()
  await page.evaluate(DRAWN)
  expect(asked).toBe(1)
  await page.unroute('**/api/crm/leads?*pipeline_stage=*')
  await page.route('**/api/crm/leads?*cursor=*', route =>
    route.fulfill({ json: { data: [], next_cursor: null } }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText("Couldn't load more").waitFor({ state: 'hidden' })
})

further('more that was asked for by a button and could not be had is told', async () => {
  await stage.api.post('/api/outreach/templates', { name: 'First words', subject: 'Hello', body: 'Hello' })
  const { page } = await stage.visit(QUIET)
  await page.route('**/api/outreach/templates?*', async (route, request) => {
    if (request.url().includes('cursor=')) return route.fulfill({ ...failure, status: 422 })
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), next_cursor: 'more' } })
  })
  await page.goto(`${stage.app.url}/templates`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('region', { name: 'Notifications' }).getByText('Something went wrong').waitFor()
  await page.getByText('First words').waitFor()
})

further('a page whose session cannot be read says so instead of staying blank', async () => {
  const { page } = await stage.visit('/leads')
  await failing(page, '**/api/auth/session')
  await page.reload()
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  await page.getByText('req-4711').waitFor()
  await page.unroute('**/api/auth/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Ada First').waitFor()
})

further('an edit that cannot be saved goes back to what it was', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Ada First').waitFor()
  await page.route('**/api/crm/leads/*', (route, request) =>
    request.method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await cell(page, 'Ada First', 2).dblclick()
  await page.keyboard.type('Lost')
  await page.keyboard.press('Enter')
  await page.getByText("Couldn't reach the server").waitFor()
  await cell(page, 'Ada First', 2).filter({ hasText: 'Old' }).waitFor()
})

test('a session that has ended leads to the sign-in page with the next request', async () => {
  const { page } = await stage.stranger()
  await page.goto(await stage.app.signIn('short@example.test'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.waitForURL('**/signin*')
})

test('a repeated create after a broken connection makes one lead', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Ada First').waitFor()
  let broken = false
  await page.route('**/api/crm/leads', async (route, request) => {
    if (request.method() !== 'POST' || broken) return route.continue()
    broken = true
    // It arrives, but the answer is lost on the way back.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  await dialog.getByLabel('First name').fill('Once')
  await dialog.getByRole('button', { name: 'Create lead' }).click()
  await rowOf(page, 'Once').waitFor()
  const { body } = await stage.api.get('/api/crm/leads?q=once')
  expect(broken).toBe(true)
  expect(body.data).toHaveLength(1)
})
