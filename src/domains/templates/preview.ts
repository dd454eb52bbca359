import type { Context } from '#platform/context.ts'
import type { CustomField } from '#platform/custom-fields.ts'
import { getLead, getSettings } from '#domains/leads/service.ts'
import type { Placeholder, Rendered } from './contract.ts'
import { leadValues, listPlaceholders, sampleValues, type Values } from './placeholders.ts'
import { render, type Source } from './render.ts'
import { checkedTemplate } from './service.ts'

type Reader = { lead_id?: string | null; icebreaker?: string }
type Wanted = Partial<Source> & Pick<Source, 'body'> & Reader

/** As a lead would read it, or else somebody made up. */
export async function previewTemplate(
  ctx: Context,
  { lead_id, icebreaker, ...wanted }: Wanted,
): Promise<Rendered> {
  const { custom_fields } = await getSettings(ctx)
  const template = await checkedTemplate(
    { subject: '', format: 'markdown', ...wanted },
    custom_fields.map(({ key }) => key),
  )
  return render(template, await valuesFor(ctx, custom_fields, { lead_id, icebreaker }))
}

export async function placeholders(ctx: Context): Promise<Placeholder[]> {
  return listPlaceholders((await getSettings(ctx)).custom_fields)
}

async function valuesFor(
  ctx: Context,
  fields: readonly CustomField[],
  { lead_id, icebreaker }: Reader,
): Promise<Values> {
  const samples: Record<string, string> = { ...sampleValues(fields) }
  if (icebreaker !== undefined) samples.icebreaker = icebreaker
  if (ctx.actor.kind === 'person' && ctx.actor.name) samples.senderName = ctx.actor.name
  return lead_id ? leadValues(await getLead(ctx, lead_id), samples) : samples
}
