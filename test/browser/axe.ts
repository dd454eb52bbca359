import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { Stage } from './browser.ts'

type Rules = { without?: string[]; only?: string[] }

/** What axe finds wrong on the page as it is now, one line each. */
export async function axeFaults(page: Page, { without = [], only }: Rules = {}): Promise<string[]> {
  // Legacy means without a second page for foreign frames; ours have none. Only violations are worked out in full.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (only) axe.withRules(only)
  else axe.disableRules(without)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

export type Scene = [path: string, act?: (page: Page) => Promise<unknown>, rules?: Rules]

/** With other colours nothing else can become wrong. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** The scenes wide in light and dark, and on a dark phone: what axe finds, what the page complains of, what sticks out. */
export async function faultsInEveryLook(
  stage: Stage,
  ready: string,
  scenes: readonly Scene[],
): Promise<string[]> {
  const faults: string[] = []
  for (const [width, colorScheme] of [[1280, 'light'] as const, [390, 'dark'] as const]) {
    const { page, complaints } = await stage.visit('/docs', { colorScheme, viewport: { width, height: 800 } })
    for (const [path, act, rules] of scenes) {
      await page.goto(stage.app.url + path)
      await page.locator(ready).first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'hidden' })
      await act?.(page)
      // A dialog or menu comes in with a short movement.
      await page.waitForTimeout(200)
      const found = await axeFaults(page, rules)
      if (colorScheme === 'light') found.push(...(await colourFaultsInTheDark(page)))
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('too wide')
      faults.push(...[...found, ...complaints.splice(0)].map(fault => `${path} ${width}: ${fault}`))
    }
    await page.context().close()
  }
  return faults
}

/** The same page, as it is, with the other colours. */
async function colourFaultsInTheDark(page: Page): Promise<string[]> {
  await become(page, 'dark')
  const faults = await axeFaults(page, { only: COLOUR_RULES })
  await become(page, 'light')
  return faults.map(fault => `dark: ${fault}`)
}

async function become(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}
