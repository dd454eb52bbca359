import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { further } from '#test/tier.ts'
import { axeFaults } from './axe.ts'
import { begin, chatButton, field, newWidget, panel, say, startSite, talk } from './chat-site.ts'
import { startStage, type Stage } from './browser.ts'

const PHONE = { width: 390, height: 800 }

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const addressOf = ({ id }: { id: string }) => `${stage.app.url}/chat/${id}`
const focused = (page: Page) =>
  page.evaluate(
    `(e => e?.getAttribute('aria-label') ?? e?.textContent)(document.querySelector('rapport-chat').shadowRoot.activeElement)`,
  )

test('the chat has a page of its own, which only our own pages frame', async () => {
  const widget = await newWidget(stage)
  const { page, complaints } = await stage.stranger()
  const answer = await page.goto(addressOf(widget))
  expect(answer!.headers()).toMatchObject({ 'x-frame-options': 'SAMEORIGIN' })
  expect(answer!.headers()['content-security-policy']).toContain("frame-ancestors 'self'")
  const field = page.getByRole('textbox', { name: 'Write a message' })
  await field.fill('From the page')
  await field.press('Enter')
  await talk(page).getByText('From the page').waitFor()
  await expect.poll(async () => (await stage.api.get('/api/conversations')).text).toContain('From the page')
  expect(await axeFaults(page)).toEqual([])
  await page.goto(`${stage.app.url}/chat/${'0'.repeat(24)}`)
  await page.getByRole('heading', { name: 'Chat not found' }).waitFor()
  expect(complaints).toEqual([])
})

further('without JavaScript the page is a form, which says what is wrong and thanks', async () => {
  const widget = await newWidget(stage, { privacy_url: 'https://example.test/privacy' })
  const { page } = await stage.stranger({ javaScriptEnabled: false, locale: 'de-AT' })
  await page.goto(addressOf(widget))
  await page.getByLabel('Nachricht').fill('Ohne <b>Skript</b>')
  await page.getByLabel('E-Mail').fill('nirgends')
  await page.getByRole('button', { name: 'Nachricht senden' }).click()
  await page.getByText('Geben Sie eine E-Mail-Adresse ein').waitFor()
  await expect.poll(() => page.getByLabel('Nachricht').inputValue()).toBe('Ohne <b>Skript</b>')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill('dana@example.test')
  await page.getByRole('button', { name: 'Nachricht senden' }).click()
  await page.getByRole('heading', { name: 'Nachricht gesendet' }).waitFor()
  expect((await stage.api.get('/api/conversations')).text).toContain('Ohne <b>Skript</b>')
  const answer = await page.goto(`${stage.app.url}/chat/nothing`)
  expect(answer!.status()).toBe(404)
  await page.getByRole('heading', { name: 'Chat nicht gefunden' }).waitFor()
})

test('by keyboard, on a phone and in the dark, the chat has no faults', async () => {
  const site = await startSite(stage)
  const widget = await newWidget(stage, {
    allowed_domains: [site.host],
    colour: '#ffc629',
    greeting: 'Questions? Ask here.',
  })
  site.show(widget.id)
  const { page, complaints } = await stage.stranger()
  await page.goto(site.url)
  const look = async (named: string) =>
    (await axeFaults(page, { without: ['region'] })).map(fault => `${named}: ${fault}`)
  await page.getByText('Questions? Ask here.').waitFor()
  const faults = await look('greeting')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect(await focused(page)).toBe('Open chat')
  await page.reload()
  await chatButton(page).waitFor()
  expect(await page.getByText('Questions? Ask here.').count()).toBe(0)

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Write a message')
  await page.keyboard.type('One')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('Two')
  expect(await field(page).inputValue()).toBe('One\nTwo')
  await page.keyboard.press('Enter')
  await talk(page).getByText('Two').waitFor()
  faults.push(...(await look('open')))
  // Beside the page, the focus leaves the chat.
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab')
  expect(await panel(page).getAttribute('aria-modal')).toBe('false')

  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  faults.push(...(await look('dark')))
  await page.setViewportSize(PHONE)
  await expect.poll(() => panel(page).getAttribute('aria-modal')).toBe('true')
  expect(await panel(page).boundingBox()).toMatchObject({ x: 0, y: 0, ...PHONE })
  faults.push(...(await look('dark phone')))
  await field(page).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const seen = new Set<unknown>()
  for (let presses = 0; presses < 8; presses++) {
    seen.add(await focused(page))
    await page.keyboard.press('Tab')
  }
  expect([...seen]).not.toContain(undefined)
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'hidden' })
  expect(await focused(page)).toBe('Open chat')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  faults.push(...(await look('phone')))
  expect(faults).toEqual([])
  expect(complaints).toEqual([])
})

test('a site opens and closes it by one object, and hears nothing of what is typed', async () => {
  const site = await startSite(stage)
  const widget = await newWidget(stage, { allowed_domains: [site.host] })
  site.show(widget.id)
  const { page } = await stage.stranger()
  await page.goto(site.url)
  await page.evaluate(`window.heard = []; addEventListener('keydown', ({ key }) => window.heard.push(key))`)
  const known = await page.evaluate('Object.keys(window.rapportChat)')
  expect(known).toEqual(['open', 'close'])
  await page.evaluate('window.rapportChat.open()')
  await say(page, 'Hello')
  expect(await page.evaluate('window.heard')).toEqual([])
  await page.evaluate('window.rapportChat.close()')
  await panel(page).waitFor({ state: 'hidden' })
})

further('two tabs of a visitor show the same chat', async () => {
  const site = await startSite(stage)
  const widget = await newWidget(stage, { allowed_domains: [site.host] })
  site.show(widget.id)
  const { page } = await stage.stranger()
  await page.goto(site.url)
  await chatButton(page).waitFor()
  const other = await page.context().newPage()
  await other.goto(site.url)
  await chatButton(other).click()
  await begin(page, 'From the first tab')
  await talk(other).getByText('From the first tab').waitFor()
  await say(other, 'From the second')
  await talk(page).getByText('From the second').waitFor()
})
