import type { Context } from '#platform/context.ts'
import type { FactKind } from '#platform/ports/crawler.ts'
import type { Fact as Told } from '#platform/ports/writer.ts'
import type { Fact } from './contract.ts'
import { findOfLead } from './crawl-store.ts'
import { valuesOf } from './facts.ts'

/** An opening sentence uses one or two of them: more would only be read. */
export const FACTS_TOLD_MAX = 8
const VALUES_TOLD_MAX = 5

/** What the site of a lead's company says, in words: what there is to talk about, and nothing by which it is reached. */
export async function factsAbout(ctx: Context, lead_id: string): Promise<Told[]> {
  const candidate = await findOfLead(ctx, lead_id)
  if (!candidate) return []
  const { facts } = candidate.data
  const people = valuesOf(facts, 'person').length
  const told: [name: string, value: string | undefined][] = [
    ['company', candidate.name ?? undefined],
    ['industry', listed(facts, 'industry')],
    ['company says of itself', valuesOf(facts, 'description')[0]],
    ['technologies on its site', listed(facts, 'technology')],
    ['company is on', networks(facts)],
    ['people named on its site', people > 0 ? String(people) : undefined],
    ['languages of its site', listed(facts, 'language')],
    ['address', valuesOf(facts, 'address')[0]],
  ]
  return told.flatMap(([name, value]) => (value ? [{ name, value }] : [])).slice(0, FACTS_TOLD_MAX)
}

function listed(facts: readonly Fact[], kind: FactKind): string | undefined {
  return valuesOf(facts, kind).slice(0, VALUES_TOLD_MAX).join(', ') || undefined
}

/** By their names, not by their addresses: no link belongs into an opening sentence. */
function networks(facts: readonly Fact[]): string | undefined {
  const names = facts.flatMap(({ kind, label }) => (kind === 'social' && label !== null ? [label] : []))
  return [...new Set(names)].slice(0, VALUES_TOLD_MAX).join(', ') || undefined
}
