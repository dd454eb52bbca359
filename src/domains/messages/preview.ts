import type { Context } from '#platform/context.ts'
import { getLead, getSettings } from '#domains/leads/service.ts'
import type { Rendered, PreviewRequest } from '#domains/templates/contract.ts'
import { sampleValues, type Values } from '#domains/templates/placeholders.ts'
import { render, type Compiled } from '#domains/templates/render.ts'
import { checkedTemplate } from '#domains/templates/service.ts'
import { renderFor, valuesOf } from './letters.ts'
import { senderOf } from './settings.ts'

/** As a lead would get it, or else somebody made up: by the code that sends it, with the team's sender. */
export async function previewTemplate(
  ctx: Context,
  { lead_id, icebreaker, bare, ...wanted }: PreviewRequest,
): Promise<Rendered> {
  const { custom_fields } = await getSettings(ctx)
  const letter = await checkedTemplate(
    { subject: '', format: 'markdown', ...wanted },
    custom_fields.map(({ key }) => key),
  )
  const samples = sampleValues(custom_fields)
  const lead = lead_id ? await getLead(ctx, lead_id) : null
  const sender = await senderOf(ctx)
  if (bare) return bareOf(letter, lead ? valuesOf(ctx, lead, sender, { icebreaker }) : samples)
  const own = {
    unsubscribeLink: `${ctx.runtime.settings.baseUrl}/u/preview`,
    icebreaker: icebreaker ?? samples.icebreaker,
  }
  const values = valuesOf(ctx, lead, sender, own)
  const { subject, html, text, missing } = renderFor(
    letter,
    lead ? values : { ...samples, ...values },
    sender,
  )
  return { subject, html, text, missing }
}

/** A person goes on writing with it, and what they send is filled in again: no value is to be a placeholder by then. */
function bareOf(letter: Compiled, values: Values): Rendered {
  const { subject, html, text, missing } = render(letter, values)
  return { subject: inert(subject), html: inert(html), text: inert(text), missing }
}

function inert(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, '{ ')
}
