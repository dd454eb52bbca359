import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { recentSettings } from '#domains/leads/service.ts'
import { compileAny } from '#domains/templates/compiling.ts'
import { leadValues, senderValues, type Values } from '#domains/templates/placeholders.ts'
import { compile, footOf, render, renderBody, type Around, type Compiled } from '#domains/templates/render.ts'
import { findTemplates } from '#domains/templates/service.ts'
import type { Sender } from './settings.ts'

/** Templates by name, ready to be filled in. */
export type Letters = Map<string, Compiled>

/** As they are now: an edit of a template counts for whatever is not written yet. */
export async function findLetters(ctx: Context, names: readonly string[]): Promise<Letters> {
  if (names.length === 0) return new Map()
  const [templates, { custom_fields }] = await Promise.all([findTemplates(ctx, names), recentSettings(ctx)])
  const keys = custom_fields.map(({ key }) => key)
  const compiled = await Promise.all(templates.map(template => compileAny(template, keys)))
  return new Map(templates.map(({ name }, at) => [name, compiled[at]!]))
}

/** The whole mail: the template filled in, the signature, and the foot with who writes and how to hear no more. */
export function renderEmail(
  ctx: Context,
  letter: Compiled,
  lead: Lead,
  sender: Sender,
  unsubscribeLink: string,
  icebreaker?: string,
) {
  const values = valuesOf(ctx, lead, sender, { unsubscribeLink, icebreaker })
  const around: Around = {
    foot: footOf({ postalAddress: sender.postal_address, unsubscribeLink }),
    ...(sender.signature && { signature: renderBody(signatureOf(sender.signature), values) }),
  }
  return render(letter, values, around)
}

/** What placeholders stand for when the team writes to this lead, or to nobody in particular. */
export function valuesOf(
  ctx: Context,
  lead: Lead | null,
  { from_name, reply_to, meeting_url }: Sender,
  more: { unsubscribeLink?: string; icebreaker?: string | undefined } = {},
): Values {
  const [, name, address] = /^(.*?)\s*<(.*)>$/.exec(ctx.runtime.settings.emailFrom) ?? []
  const { meetingLinkFor } = ctx.runtime.registry.offers
  const sender = {
    senderName: from_name ?? name,
    senderEmail: reply_to ?? address ?? ctx.runtime.settings.emailFrom,
    meetingLink:
      meeting_url && lead && meetingLinkFor ? meetingLinkFor(ctx, meeting_url, lead.id) : meeting_url,
    ...more,
  }
  return lead ? leadValues(lead, sender) : senderValues(sender)
}

function signatureOf(body: string): Compiled {
  return compile({ subject: '', body, format: 'markdown' }, [])
}
