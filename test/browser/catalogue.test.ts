import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryChain } from '#test/memory-chain.ts'
import { full } from '#test/tier.ts'
import { faultsInEveryLook } from './axe.ts'
import { startStage, type Stage } from './browser.ts'

let stage: Stage
const PAGE = '/agents/catalogue'
const price = { amount: '25.00', currency: 'USD' }

beforeAll(async () => {
  stage = await startStage({ ports: { chain: memoryChain() } })
})
afterAll(() => stage.close())

const list = (name: string, description: string | null = null) =>
  stage.api.post('/api/voice/agents', { name, description, instructions: 'Work.', price, listed: true })

/** Each marks the page if it runs in any of the usual ways. */
const markup = [
  '<script>window.broken=1</script>',
  '<img src=x onerror="window.broken=1">',
  `"><svg/onload=window.broken=1>`,
  '</title></style><script>window.broken=1</script>',
  '<a href="javascript:window.broken=1" autofocus onfocus=window.broken=1>x</a>',
]

test('the catalogue is for everybody: empty, full and with long names, in light and dark and on a phone', async () => {
  if (full) expect(await faultsInEveryLook(stage, 'h1', [[PAGE]])).toEqual([])
  await list('Front desk', 'Answers the phone day and night,\nbooks meetings and takes messages.')
  await list('W'.repeat(200), 'x'.repeat(1_000))
  await list('Bare')
  expect(await faultsInEveryLook(stage, 'h1', [[PAGE]])).toEqual([])
  const { page, complaints } = await stage.stranger()
  await page.goto(stage.app.url + PAGE)
  const entry = page.getByRole('region', { name: 'Front desk' })
  await entry.getByText('25.00 USD').waitFor()
  await entry.getByText(/curl -i http.*purchase/).waitFor()
  expect(complaints).toEqual([])
})

test('whatever a seller types runs nowhere on it', async () => {
  await stage.api.patch('/api/team', { name: markup[1] })
  for (const text of markup) expect((await list(text, text)).status).toBe(201)
  const { page, complaints } = await stage.stranger()
  await page.goto(stage.app.url + PAGE)
  for (const text of markup) await page.getByRole('heading', { name: text, exact: true }).waitFor()
  expect(await page.evaluate('window.broken')).toBeUndefined()
  await expect
    .poll(() => page.locator('main script, main img, main svg, main a[href^=javascript]').count())
    .toBe(0)
  expect(complaints).toEqual([])
})
