import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

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
