import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CalendarRefused, type CalendarServer } from '#platform/ports/calendar.ts'
import { memoryCalendars } from '#test/ports.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { axeFaults, faultsInEveryLook, type Scene } from './axe.ts'
import { addFilter, goOn, makeLead, startStage, undo, type Stage, type Visitor } from './browser.ts'

inOrder()

const DAY_MS = 86_400_000
/** A day of next week as the browser's calendar has it: far enough ahead for every rule, and another week than this. */
const day = new Date(Date.now() + 7 * DAY_MS).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })

let stage: Stage
let visitor: Visitor
let lead: { id: string }
let meeting: { id: string; starts_at: string }
beforeAll(async () => {
  stage = await startStage({ ports: { calendars: calendars() } })
  lead = await makeLead(stage.api, {
    first_name: 'Nina',
    email: 'nina@acme.test',
    company: 'Acme',
    timezone: 'America/New_York',
  })
  visitor = await stage.visit('/settings/meetings')
})
afterAll(() => stage.close())

test('working hours are set for one day, copied to all, and others may book them', async () => {
  const { page } = visitor
  // The hours of who has said nothing yet are those of where they sit.
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue())
    .toBe('Europe/Berlin')
  await page.getByLabel('From: Monday').fill('10:00')
  await page.getByLabel('Until: Monday').fill('09:00')
  await save(page).click()
  await page.getByText('The end must be after the start').waitFor()
  await page.getByLabel('Until: Monday').fill('16:00')
  await choose(page, 'Copy hours from Monday', 'To all days')
  await page.getByLabel('Until: Sunday').waitFor()
  await page.getByRole('button', { name: 'Add date' }).click()
  await page.getByLabel('Date 1').fill('2031-12-24')
  expect(await page.getByRole('checkbox', { name: 'Accept bookings' }).isChecked()).toBe(true)
  await page.getByLabel('Booking URL').fill('meet-ada')
  await page.getByRole('textbox', { name: 'Location' }).fill('https://meet.example.test/ada')
  await save(page).click()
  await page.getByText('Saved your meeting settings').waitFor()
  const { body } = await stage.api.get('/api/meetings/availability')
  expect(body.hours).toHaveLength(7)
  expect(body.hours[6]).toEqual({ day: 7, from: '10:00', until: '16:00' })
  expect(body.exceptions).toEqual([{ day: '2031-12-24', hours: [] }])
  expect(body).toMatchObject({ active: true, slug: 'meet-ada', timezone: 'Europe/Berlin' })
  await page.getByText(`${stage.app.url}/book/meet-ada`).waitFor()
})

test('the feed gets another address, and a calendar that is refused says why before it is connected', async () => {
  const { page } = visitor
  const before = (await stage.api.get('/api/meetings/availability')).body.feed_url
  await page.getByRole('button', { name: 'New URL' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create new URL' }).click()
  await page.getByText('Created a new feed URL').waitFor()
  await expect
    .poll(async () => (await stage.api.get('/api/meetings/availability')).body.feed_url)
    .not.toBe(before)

  await page.getByRole('button', { name: 'Connect a CalDAV calendar' }).click()
  const form = page.getByRole('form', { name: 'Connect a calendar' })
  const connect = form.getByRole('button', { name: 'Connect' })
  await connect.click()
  await form.getByText('Enter a URL that starts with https://').waitFor()
  await form.getByLabel('Server URL').fill('https://calendar.example.test/dav')
  await form.getByLabel('Username').fill('ada')
  await form.getByLabel('Password').fill('wrong')
  await connect.click()
  await form.getByText('This password is not right.').waitFor()
  await expect.poll(async () => (await stage.api.get('/api/meetings/calendar')).body.kind).toBe('built_in')
  await form.getByLabel('Password').fill('right')
  await connect.click()
  await page.getByText('Connected', { exact: true }).waitFor()
  await expect
    .poll(async () => (await stage.api.get('/api/meetings/calendar')).body)
    .toMatchObject({ kind: 'caldav', state: 'OK' })
})

test('a free time is booked from the page of a lead, and stands in week and agenda, in both zones', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  await page.getByRole('button', { name: 'Meet', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New meeting' })
  await dialog.getByRole('button', { name: 'Book meeting' }).click()
  await dialog.getByText('Choose a time').waitFor()
  await dialog.getByLabel('Date', { exact: true }).fill(day)
  // Two or three weeks a year the two zones change their clocks at different times.
  await dialog.getByRole('button', { name: /^10:00, 0[45]:00 in New York$/ }).click()
  await dialog.getByText(/^0[45]:00 – 0[45]:30 for Nina, in New York$/).waitFor()
  await dialog.getByRole('button', { name: 'Book meeting' }).click()
  await page
    .getByRole('region', { name: 'Timeline' })
    .getByText(/^You booked the meeting/)
    .waitFor()
  await page
    .getByRole('region', { name: 'Upcoming meetings' })
    .getByRole('link', { name: /10:00 – 10:30/ })
    .waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()

  const drawer = page.getByRole('dialog', { name: /Nina/ })
  await drawer.getByText(/0[45]:00 – 0[45]:30/).waitFor()
  await drawer.getByRole('link', { name: 'Nina', exact: true }).waitFor()
  await drawer.getByRole('button', { name: 'Copy guest link' }).waitFor()
  await drawer.getByText('Synced').waitFor()
  const file = await drawer.getByRole('link', { name: 'Calendar file' }).getAttribute('href')
  await expect
    .poll(async () => (await stage.api.get(new URL(file!).pathname)).text)
    .toContain('BEGIN:VCALENDAR')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^10:00 – 10:30, 0[45]:00 .* in New York, .*Nina/ }).waitFor()

  await page.getByText('Agenda', { exact: true }).click()
  const row = page.getByRole('listitem').filter({ hasText: '10:00 – 10:30' })
  await row.getByText(/^0[45]:00 – 0[45]:30 in New York$/).waitFor()
  await row.getByText('Booked').waitFor()
  await addFilter(page, 'Status', 'Cancelled')
  await page.getByRole('heading', { name: 'No matches' }).waitFor()
  await expect.poll(() => page.url()).toMatch(/view=agenda.*status=CANCELLED/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row.getByRole('link').click()
  await drawer.waitFor()
  meeting = (await stage.api.get(`/api/crm/meetings?lead_id=${lead.id}`)).body.data[0]
})

test('it is moved; a time that is taken is refused, with others to take instead', async () => {
  const { page } = visitor
  const omar = await makeLead(stage.api, { first_name: 'Omar' })
  // Four hours after the other, where 14:00 is then gone.
  const starts_at = new Date(Date.parse(meeting.starts_at) + 4 * 3_600_000).toISOString()
  const { status, text } = await stage.api.post('/api/crm/meetings', { lead_id: omar.id, starts_at })
  expect(status, text).toBe(201)
  await page.getByRole('button', { name: 'Reschedule', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Reschedule meeting with Nina' })
  await dialog.getByLabel('Time', { exact: true }).fill('20:00')
  await dialog.getByText('Outside your working hours. You can still book it.').waitFor()
  await dialog.getByLabel('Time', { exact: true }).fill('14:00')
  await dialog.getByText('Not among your available times').waitFor()
  await dialog.getByRole('button', { name: 'Reschedule' }).click()
  const taken = dialog.getByRole('alert')
  await taken.getByText('This time is taken. Available instead:').waitFor()
  await taken.getByRole('button').first().click()
  const time = await dialog.getByLabel('Time', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Reschedule' }).click()
  await page.getByText(/^Rescheduled to /).waitFor()
  const moved = await read(meeting.id)
  expect(inBerlin(moved.starts_at)).toBe(time)
  expect(moved.starts_at).not.toBe(meeting.starts_at)
  // The list behind shows it at its new time without being asked.
  await page
    .getByRole('listitem')
    .filter({ hasText: `${time} –` })
    .filter({ hasText: 'Nina' })
    .waitFor()
})

test('it is cancelled by name, with a reason that its guest reads', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel meeting with Nina?' })
  await dialog.getByText('nina@acme.test is notified').waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A strike of the trains')
  await dialog.getByRole('button', { name: 'Cancel meeting' }).click()
  const drawer = page.getByRole('dialog', { name: /Nina/ })
  await drawer.getByText('Reason: A strike of the trains').waitFor()
  await state(page).getByText('Cancelled', { exact: true }).waitFor()
  await expect.poll(() => drawer.getByRole('button', { name: 'Reschedule', exact: true }).count()).toBe(0)
  await expect
    .poll(() => read(meeting.id))
    .toMatchObject({
      status: 'CANCELLED',
      cancel_reason: 'A strike of the trains',
    })
  await page.keyboard.press('Escape')
})

further('what has begun was held or not, and that can be taken back', async () => {
  const { page } = visitor
  const begun = await makeMeeting()
  await stage.app.database.query(
    `update meetings set starts_at = now() - interval '20 minutes', ends_at = now() + interval '10 minutes' where id = $1`,
    [begun.id],
  )
  await goOn(page, `${stage.app.url}/tasks`)
  await goOn(page, `${stage.app.url}/meetings?meeting=${begun.id}`)
  const drawer = page.getByRole('dialog', { name: /Nina/ })
  await drawer.getByRole('button', { name: 'No show' }).click()
  await state(page).getByText('No show', { exact: true }).waitFor()
  await expect.poll(async () => (await read(begun.id)).status).toBe('NO_SHOW')
  await undo(page, 'Meeting with Nina marked as no show')
  await drawer.getByRole('button', { name: 'Held' }).click()
  await state(page).getByText('Held', { exact: true }).first().waitFor()
  await expect.poll(async () => (await read(begun.id)).status).toBe('HELD')
  await undo(page, 'Meeting with Nina marked as held')
  await state(page).getByText('Booked', { exact: true }).first().waitFor()
  await expect.poll(async () => (await read(begun.id)).status).toBe('BOOKED')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('the keyboard goes from week to week and from time to time, and meets where it is', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/tasks`)
  await goOn(page, `${stage.app.url}/meetings`)
  const shown = page.getByRole('status').filter({ hasText: /20\d\d/ })
  const thisWeek = await shown.textContent()
  await page.keyboard.press('j')
  await expect.poll(() => shown.textContent()).not.toBe(thisWeek)
  await expect.poll(() => page.url()).toContain('day=')
  await page.keyboard.press('t')
  await expect.poll(() => shown.textContent()).toBe(thisWeek)

  const places = page.getByRole('grid', { name: 'Time slots' }).getByRole('gridcell')
  await places.nth(9 * 2 * 7 + 6).focus()
  await page.keyboard.press('ArrowDown')
  // Beyond Sunday lies the Monday after.
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => shown.textContent()).not.toBe(thisWeek)
  await expect.poll(() => focused(page)).toMatch(/^Book Monday.* at 09:30$/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New meeting' })
  await expect.poll(() => dialog.getByLabel('Time', { exact: true }).inputValue()).toBe('09:30')
  await dialog.getByText('Outside your working hours').waitFor()
  // The list of leads is open at once, and takes Escape for itself.
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect.poll(() => focused(page)).toMatch(/at 09:30$/)
  await page.keyboard.press('n')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
})

further('what is busy in the other calendar stands there quietly, and a phone shows one day', async () => {
  const { page } = visitor
  await goOn(page, `${stage.app.url}/settings/meetings`)
  await goOn(page, `${stage.app.url}/meetings?day=${day}`)
  await page.getByRole('img', { name: 'Busy in your calendar, 12:00 – 13:00' }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBe(1)
  await page.getByRole('button', { name: 'Today' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await page.setViewportSize({ width: 1280, height: 800 })

  await goOn(page, `${stage.app.url}/settings/meetings`)
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('button', { name: 'Disconnect Work' }).click()
  await page.getByRole('heading', { name: 'Built in' }).waitFor()
})

further(
  'the list of leads says that it looks, then that there is none, and is a list all the while',
  async () => {
    const { page } = visitor
    let answer = () => {}
    const answered = new Promise<void>(resolve => (answer = resolve))
    await page.route('**/api/crm/leads?limit=20*', async route => {
      await answered
      return route.fallback()
    })
    await page.goto(`${stage.app.url}/meetings`)
    await page.getByRole('button', { name: 'New meeting', exact: true }).click()
    const lead = page.getByRole('combobox', { name: 'Lead', exact: true })
    await lead.click()
    await page.getByRole('option', { name: 'Searching…', disabled: true }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    answer()
    await page.getByRole('option', { name: /^Nina/ }).waitFor()
    await lead.fill('Nobody of this name')
    await page.getByRole('option', { name: 'No matches', disabled: true }).waitFor()
    await page.unrouteAll()
  },
)

further('nothing is wrong with it in any look', async () => {
  const { id } = await makeMeeting()
  const open = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
  const scenes: Scene[] = [
    [`/meetings?day=${day}`],
    ['/meetings?view=agenda'],
    ['/settings/meetings'],
    [`/meetings?meeting=${id}`, page => state(page).waitFor()],
    [`/meetings?meeting=${id}`, open('Reschedule')],
    ['/meetings', open('New meeting')],
  ]
  expect(await faultsInEveryLook(stage, 'main h1', scenes)).toEqual([])
})

further('who only reads sees the meetings and no way to change one', async () => {
  const { page, complaints } = visitor
  const { id } = await makeMeeting()
  await stage.app.database.query(`update memberships set role = 'VIEWER'`)
  await page.reload()
  await goOn(page, `${stage.app.url}/meetings?day=${day}&meeting=${id}`)
  await state(page).getByText('Booked', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Cancel meeting' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^11:00 – 11:30.*Nina/ }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New meeting' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('gridcell').count()).toBe(0)
  await goOn(page, `${stage.app.url}/settings/meetings`)
  await page.getByLabel('From: Monday').waitFor()
  await expect.poll(() => page.getByLabel('From: Monday').isDisabled()).toBe(true)
  await expect
    .poll(() => page.getByRole('button', { name: /^(Save|Connect|New URL|Copy hours)/ }).count())
    .toBe(0)
  await goOn(page, `${stage.app.url}/leads/${lead.id}`)
  await page.getByRole('region', { name: 'Upcoming meetings' }).getByRole('link').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Meet', exact: true }).count()).toBe(0)
  expect(complaints).toEqual([])
})

/** On that day at 11:00; the one before gives way. */
async function makeMeeting(): Promise<{ id: string; starts_at: string }> {
  const eleven = Date.parse(meeting.starts_at) + 3_600_000
  const starts_at = new Date(eleven).toISOString()
  await stage.app.database.query(`delete from meetings where starts_at = $1`, [starts_at])
  const { status, body, text } = await stage.api.post('/api/crm/meetings', { lead_id: lead.id, starts_at })
  expect(status, text).toBe(201)
  return body
}

/** Somebody's calendar: busy at noon of that day, for who knows the password. */
function calendars(): CalendarServer {
  const noon = inBerlinAt('12:00')
  const busy = {
    uid: 'lunch',
    starts_at: noon,
    ends_at: new Date(Date.parse(noon) + 3_600_000).toISOString(),
  }
  return {
    ...memoryCalendars(),
    async find({ server_url, password }) {
      if (password !== 'right') throw new CalendarRefused('This password is not right.')
      return { calendar_url: server_url, name: 'Work' }
    },
    busy: async () => [busy],
  }
}

async function read(id: string): Promise<Record<string, string>> {
  return (await stage.api.get(`/api/crm/meetings/${id}`)).body
}

/** Of the meeting that is open. */
function state(page: Page): Locator {
  return page.getByRole('region', { name: 'Status' })
}

function save(page: Page): Locator {
  return page.getByRole('button', { name: 'Save', exact: true })
}

async function choose(page: Page, button: string, item: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement?.ariaLabel ?? ""')
}

/** On that day; how far Berlin is ahead depends on the time of the year. */
function inBerlinAt(time: string): string {
  const ahead = ['01:00', '02:00'].find(each => inBerlin(`${day}T${time}:00+${each}`) === time)
  return new Date(`${day}T${time}:00+${ahead}`).toISOString()
}

function inBerlin(at: string | undefined): string {
  return new Date(at!).toLocaleTimeString('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  })
}
