import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { cell, makeLead, rowOf, startStage, type Stage } from './browser.ts'

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
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Ada First').waitFor()
  await failing(page, '**/api/crm/leads/outline*')
  // The stream would tell of the lead that was just made, and the list would heal by itself.
  await page.route('**/api/live*', route => route.abort())
  await page.goto(`${stage.app.url}/leads?status=NEW`)
  await page.getByText('req-4711').waitFor()
  await page.unroute('**/api/crm/leads/outline*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Ada First').waitFor()
})

test('a page whose session cannot be read says so instead of staying blank', async () => {
  const { page } = await stage.visit('/leads')
  await failing(page, '**/api/auth/session')
  await page.reload()
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  await page.getByText('req-4711').waitFor()
  await page.unroute('**/api/auth/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Ada First').waitFor()
})

test('an edit that cannot be saved goes back to what it was', async () => {
  const { page } = await stage.visit('/leads')
  await rowOf(page, 'Ada First').waitFor()
  await page.route('**/api/crm/leads/*', (route, request) =>
    request.method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await cell(page, 'Ada First', 2).dblclick()
  await page.keyboard.type('Lost')
  await page.keyboard.press('Enter')
  await page.getByText('The server cannot be reached').waitFor()
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
