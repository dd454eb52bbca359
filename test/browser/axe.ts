import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { Stage } from './browser.ts'

/** What axe finds wrong on the page as it is now, one line each. */
export async function axeFaults(
  page: Page,
  { without = [] }: { without?: string[] } = {},
): Promise<string[]> {
  // Legacy means without a second page for foreign frames; ours have none. Only violations are worked out in full.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.disableRules(without).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

export type Scene = [path: string, act: (page: Page) => Promise<unknown>]

/** The scenes in light and dark, wide and on a phone: what axe finds, what the page complains of, what sticks out. */
export async function faultsInEveryLook(
  stage: Stage,
  ready: string,
  scenes: readonly Scene[],
): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      const viewport = { width, height: 800 }
      const { page, complaints } = await stage.visit('/docs', { colorScheme, viewport })
      for (const [path, act] of scenes) {
        await page.goto(stage.app.url + path)
        await page.locator(ready).first().waitFor()
        await act(page)
        // A dialog or menu comes in with a short movement.
        await page.waitForTimeout(200)
        const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        const found = [...(await axeFaults(page)), ...complaints.splice(0), ...(wide ? ['too wide'] : [])]
        faults.push(...found.map(fault => `${path} ${colorScheme} ${width}: ${fault}`))
      }
      await page.context().close()
    }
  }
  return faults
}
