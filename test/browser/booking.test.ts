import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { further } from '#test/tier.ts'
import { axeFaults, faultsInEveryLook, furtherScene, type Scene } from './axe.ts'
import { startStage, type Stage } from './browser.ts'

const HOSTILE = '"><img src=x onerror="window.broken=1"><script>window.broken=1</script>'
const NEW_YORK = { timezoneId: 'America/New_York' }

/** Monday, 2 March 2026, nine o'clock in London. */
const clock = new FakeClock()
let stage: Stage
let path: string
let lead_id: string

beforeAll(async () => {
  stage = await startStage({ clock })
  const { body } = await stage.api.patch('/api/meetings/availability', {
    active: true,
    slug: 'ada-lovelace',
    timezone: 'Europe/Berlin',
    title: 'Coffee with Ada',
    location: 'https://meet.example/ada',
    welcome: `Welcome.\n${HOSTILE}`,
    notice_min: 0,
  })
  path = new URL(body.booking_url).pathname
  lead_id = (await stage.api.post('/api/crm/leads', { first_name: 'Grace', email: 'grace@navy.example' }))
    .body.id
})
afterAll(() => stage.close())

const meetings = async () => (await stage.api.get('/api/crm/meetings?sort=-created_at')).body.data
const heldBy = (starts_at: string) => stage.api.post('/api/crm/meetings', { lead_id, starts_at })

async function fill(page: Page, name: string, note = ''): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Your email').fill('ann@example.test')
  await page.getByLabel('What would you like to talk about?').fill(note)
}

async function pick(page: Page, day: RegExp, time: RegExp): Promise<void> {
  await page.getByRole('link', { name: day }).click()
  await page.getByRole('link', { name: time }).click()
}

const isBroken = (page: Page) => page.evaluate('window.broken === 1')

test('a guest books in its own zone, moves the meeting, and cancels it', async () => {
  const { page, complaints } = await stage.stranger(NEW_YORK)
  await page.goto(stage.app.url + path)
  await page.waitForURL(/zone=America/)
  await expect.poll(() => page.getByLabel('Times in').inputValue()).toBe('America/New_York')
  // With a script, another zone shows by itself.
  await page.getByLabel('Times in').selectOption('Asia/Tokyo')
  await page.waitForURL(/zone=Asia%2FTokyo/)
  await page.getByRole('link', { name: '18:00 10:00 Berlin' }).waitFor()
  await page.getByLabel('Times in').selectOption('America/New_York')
  await page.waitForURL(/zone=America/)
  await pick(page, /^Tuesday 3 March/, /^04:00 10:00 Berlin/)
  await page.getByText('Tuesday, 3 March 2026, 04:00 – 04:30 (America/New_York)').waitFor()
  await page.getByText('Tuesday, 3 March 2026, 10:00 – 10:30 (Europe/Berlin)').waitFor()
  await fill(page, 'Ann Other', 'The price')
  await page.getByRole('button', { name: 'Book' }).click()
  await page.getByRole('status').getByText('You are booked.').waitFor()
  await expect
    .poll(async () => (await meetings())[0])
    .toMatchObject({
      guest_name: 'Ann Other',
      starts_at: '2026-03-03T09:00:00.000Z',
    })
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add to your calendar' }).click()
  expect((await file).suggestedFilename()).toBe('meeting.ics')
  await page.getByRole('link', { name: 'Reschedule' }).click()
  await pick(page, /^Wednesday 4 March/, /^05:00 11:00 Berlin/)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await page.getByRole('status').getByText('The meeting has been rescheduled.').waitFor()
  await expect
    .poll(async () => (await meetings())[0])
    .toMatchObject({
      starts_at: '2026-03-04T10:00:00.000Z',
      timezone: 'America/New_York',
    })
  await page.getByRole('link', { name: 'Cancel meeting' }).click()
  await page.getByLabel('Why?').fill('Ill')
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByRole('heading', { name: 'This meeting is cancelled' }).waitFor()
  await expect
    .poll(async () => (await meetings())[0])
    .toMatchObject({ status: 'CANCELLED', cancel_reason: 'Ill' })
  expect(complaints).toEqual([])
})

further('all of it works without a script, and what was typed outlives a time that was taken', async () => {
  const { page } = await stage.stranger({ javaScriptEnabled: false })
  await page.goto(stage.app.url + path)
  await page.getByLabel('Times in').selectOption('Europe/London')
  await page.getByRole('button', { name: 'Show' }).click()
  await pick(page, /^Thursday 5 March/, /^10:00 11:00 Berlin/)
  await fill(page, 'Ann Other', 'The price')
  await heldBy('2026-03-05T10:00:00.000Z')
  await page.getByRole('button', { name: 'Book' }).click()
  await page.getByRole('alert').getByText('This time has just been taken.').waitFor()
  await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Ann Other')
  await expect
    .poll(() => page.getByLabel('What would you like to talk about?').inputValue())
    .toBe('The price')
  await page.getByRole('radio', { name: /^10:30 11:30 Berlin/ }).check()
  await page.getByRole('button', { name: 'Book this time' }).click()
  await page.getByText('You are booked.').waitFor()
  await expect
    .poll(async () => (await meetings())[0])
    .toMatchObject({
      starts_at: '2026-03-05T10:30:00.000Z',
      description: 'The price',
    })
  await page.getByRole('link', { name: 'Reschedule' }).click()
  await pick(page, /^Friday 6 March/, /^12:00/)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await page.getByText('The meeting has been rescheduled.').waitFor()
  await page.getByRole('link', { name: 'Cancel meeting' }).click()
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByRole('heading', { name: 'This meeting is cancelled' }).waitFor()
})

further('what a stranger types is text: to the guest, and after a fault', async () => {
  const { page, complaints } = await stage.stranger()
  await page.goto(`${stage.app.url}${path}?zone=Europe/Berlin&at=2026-03-06T10:00:00.000Z`)
  await fill(page, HOSTILE, HOSTILE)
  await page.getByLabel('Your email').fill('"><script>@x')
  // The browser would refuse that address by itself.
  await page.evaluate('document.querySelector("form[method=post]").noValidate = true')
  await page.getByRole('button', { name: 'Book' }).click()
  await page.getByRole('alert').getByText('this is not a valid email address').waitFor()
  await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe(HOSTILE)
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Your email').fill('mallory@example.test')
  await page.getByRole('button', { name: 'Book' }).click()
  await page.getByText('You are booked.').waitFor()
  expect(await isBroken(page)).toBe(false)
  await page.getByRole('link', { name: 'Cancel meeting' }).click()
  await page.getByLabel('Why?').fill(HOSTILE)
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByText(HOSTILE).last().waitFor()
  expect(await isBroken(page)).toBe(false)
  expect(complaints).toEqual([])
})

test('every page is in order in light and dark and on a phone', async () => {
  const { body } = await heldBy('2026-03-10T10:00:00.000Z')
  const gone = (await heldBy('2026-03-11T10:00:00.000Z')).body
  await stage.api.post(`/api/crm/meetings/${gone.id}/cancel`, { reason: 'Ill' })
  const [meeting, cancelled] = [body, gone].map(({ manage_url }) => new URL(manage_url).pathname)
  const scenes: Scene[] = [
    [`${path}?zone=America/New_York&day=2026-03-10`],
    [`${path}?zone=America/New_York&at=2026-03-12T10:00:00.000Z`],
    [`${meeting}?booked=1`],
    ...furtherScene(`${meeting}?cancel`),
    ...furtherScene(cancelled!),
  ]
  expect(await faultsInEveryLook(stage, 'h1', scenes)).toEqual([])
})
