import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { startStage, type Stage } from './browser.ts'

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

test('a new person opens the sign-in link, creates a lead, which the server finds wrong at first, and finds it on its own page', async () => {
  const { page, complaints } = await stage.stranger()
  await page.goto(await stage.app.signIn('new.person@example.test'))
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.getByRole('button', { name: 'Create the first lead' }).click()
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  // What the server finds wrong is shown at the field that it is about.
  await dialog.getByRole('button', { name: 'Create lead' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'A lead needs at least one of' }).waitFor()
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByLabel('Last name').fill('Hopper')
  await dialog.getByLabel('Email').fill('grace@nowhere.-test')
  await dialog.getByRole('button', { name: 'Create lead' }).click()
  await expect.poll(() => dialog.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByText('Must be an email address').waitFor()
  await dialog.getByLabel('Email').fill('grace@nowhere.test')
  await dialog.getByLabel('Phone').fill('+1 (202) 555-0143')
  await dialog.getByRole('button', { name: 'Create lead' }).click()

  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
  await page.getByText('created this lead').waitFor()
  await page.getByRole('button', { name: /^Phone \+12025550143/ }).waitFor()
  await expect.poll(() => page.title()).toBe('Grace Hopper · Rapport')
  expect(complaints).toEqual([])
})

test('who is not signed in comes to the sign-in page', async () => {
  const { page } = await stage.stranger()
  await page.goto(`${stage.app.url}/leads`)
  await page.waitForURL('**/signin?return_to=%2Fleads')
})

further('signing out ends the session', async () => {
  const visitor = await stage.stranger()
  await visitor.page.goto(await stage.app.signIn('leaving@example.test'))
  await visitor.page.getByRole('button', { name: 'Sign in' }).click()
  await visitor.page.getByRole('button', { name: /Leaving/i }).click()
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await visitor.page.waitForURL(/\/signin/)
  const session = await visitor.page.request.get(`${stage.app.url}/api/auth/session`)
  expect(await session.json()).toEqual({ user: null })
})
