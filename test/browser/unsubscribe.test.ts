import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { clickPath, sent, unsubscribePath, type House } from '#domains/messages/messages.harness.ts'
import { full, shareOf } from '#test/tier.ts'
import { axeFaults } from './axe.ts'
import { startStage, type Stage } from './browser.ts'

const clock = new FakeClock(Date.now())
let stage: Stage
let house: House

beforeAll(async () => {
  stage = await startStage({ clock })
  const ada = await stage.app.person('ada@example.test')
  await ada.browser.patch('/api/outreach/settings', { from_name: 'Ada of Example & Sons' })
  house = { app: stage.app, clock, ada } as unknown as House
})
afterAll(() => stage.close())

test('a reader unsubscribes without a script, and takes it back', async () => {
  const mail = await sent(house, house.ada)
  const { page, complaints } = await stage.stranger({ javaScriptEnabled: false })
  await page.goto(stage.app.url + unsubscribePath(house, mail))
  await expect.poll(() => page.getByRole('heading').innerText()).toBe('Unsubscribe?')
  await page.getByText('Ada of Example & Sons').waitFor()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  const list = async () => (await stage.api.get(`/api/outreach/suppressions?q=${mail.address}`)).body.data
  await expect.poll(() => list()).toMatchObject([{ address: mail.address, reason: 'unsubscribed' }])
  await page.getByRole('button', { name: 'Subscribe again' }).click()
  await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor()
  await expect.poll(() => list()).toEqual([])
  expect(complaints).toEqual([])
})

test('the pages a reader sees can be read by everybody, in every light and on a phone', async () => {
  const mail = await sent(house, house.ada)
  const faults: string[] = []
  for (const colorScheme of shareOf(['light', 'dark'] as const, 0, 2)) {
    const { page } = await stage.stranger({ colorScheme, viewport: { width: 390, height: 800 } })
    const look = async (name: string) => {
      const found = await axeFaults(page)
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('too wide')
      faults.push(...found.map(fault => `${name} ${colorScheme}: ${fault}`))
    }
    await page.goto(stage.app.url + unsubscribePath(house, mail))
    await look('asked')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    if (full) await look('done')
    await page.getByRole('button', { name: 'Subscribe again' }).click()
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor()
    if (full) await look('undone')
    await page.goto(`${stage.app.url}/u/broken`)
    await look('broken')
    await page.goto(stage.app.url + clickPath(house, mail, 200))
    await look('nowhere')
  }
  expect(faults).toEqual([])
})
