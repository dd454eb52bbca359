import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/app.ts'
import { inOrder } from '#test/in-order.ts'
import { goOn, startStage, type Stage, type Visitor } from './browser.ts'
import { written } from './inbox-mail.ts'

inOrder()

const PHONE = { width: 390, height: 800 }

let stage: Stage
let ada: Person
let visitor: Visitor
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
  visitor = await stage.visit('/inbox/answer-times')
})
afterAll(() => stage.close())

const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })
const table = (page: Page, by: string) => page.getByRole('region', { name: `Answer times by ${by}` })

test('without any answers the report says what will be there, and how to set targets', async () => {
  const { page, complaints } = visitor
  await page.getByRole('heading', { name: 'No answers in this period' }).waitFor()
  await page.getByRole('link', { name: 'Set answer times' }).click()
  const minutes = page.getByRole('textbox', { name: 'First answer within (minutes)' })
  await minutes.fill('60')
  await page.getByRole('textbox', { name: 'Escalate after (minutes)' }).fill('30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved answer times').waitFor()
  const settings = (await stage.api.get('/api/conversations/settings')).body
  expect(settings).toMatchObject({ first_answer_min: 60, escalate_after_min: 30 })
  expect(complaints).toEqual([])
})

test('from the Inbox to its answer times, and from what is late back into the Inbox', async () => {
  await stage.api.patch('/api/conversations/settings', { hours: [] })
  const anna = await written(ada, 'Anna')
  const late = await written(ada, 'Bella')
  await stage.api.post(`/api/conversations/${anna}/messages`, { kind: 'reply', text: 'Hello Anna' })
  await stage.app.database.query(
    `update conversations set overdue_at = now(), answer_due_at = now() - interval '1 minute' where id = $1`,
    [late],
  )
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/inbox?view=open`)
  await page.getByRole('link', { name: 'Answer times' }).click()
  await page.getByRole('heading', { name: 'Answer times', level: 1 }).waitFor()
  await figure(page, 'Within target').getByText('100 %').waitFor()
  await figure(page, 'Within target').getByText('1 answer, 0 late').waitFor()
  await page.getByRole('img', { name: /^1 answer from .*, 0 late$/ }).waitFor()
  await table(page, 'person')
    .getByRole('row', { name: / 1 100 % 0 / })
    .waitFor()

  await page.getByRole('link', { name: 'By channel' }).click()
  await table(page, 'channel')
    .getByRole('row', { name: /^Email 1 100 % 0 .* 1$/ })
    .waitFor()
  const file = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  expect((await stage.api.raw('GET', file!, undefined)).status).toBe(200)

  await page.setViewportSize(PHONE)
  const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await page.evaluate(isTooWide)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 800 })

  await figure(page, 'Late now').getByRole('link', { name: '1 late now' }).click()
  const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('listitem').getByRole('link')
  await rows.filter({ hasText: 'Bella Hopper' }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  expect(page.url()).toContain('late=true')
  expect(complaints).toEqual([])
})
