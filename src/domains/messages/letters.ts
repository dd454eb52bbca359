import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { recentSettings } from '#domains/leads/service.ts'
import { compileAny } from '#domains/templates/compiling.ts'
import type { Rendered } from '#domains/templates/contract.ts'
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

/** The mail before it in the same conversation. */
export type Before = { subject: string | null; message_id: string | null; thread: readonly string[] }

export type Written = Rendered & {
  /** Message-IDs of the conversation it continues, oldest first. */
  thread: string[]
  /** Why it must not go out as it is. */
  fault: string | null
}

/**
 * The whole mail: the template filled in, the signature, and the foot with who writes and how to hear no more. Previews
 * are made by it too, so that they show what would be sent.
 */
export function renderEmail(
  ctx: Context,
  letter: Compiled,
  lead: Lead,
  sender: Sender,
  unsubscribeLink: string,
  icebreaker?: string,
  before?: Before,
): Written {
  return renderFor(letter, valuesOf(ctx, lead, sender, { unsubscribeLink, icebreaker }), sender, before)
}

/** The same, for given values. */
export function renderFor(letter: Compiled, values: Values, sender: Sender, before?: Before): Written {
  const around: Around = {
    foot: footOf({
      postalAddress: sender.postal_address,
      unsubscribeLink: values.unsubscribeLink ?? '',
    }),
    ...(sender.signature && { signature: renderBody(signatureOf(sender.signature), values) }),
  }
  const { isBlank, ...rendered } = render(letter, values, around)
  const answered = rendered.subject === '' && before?.message_id ? before : undefined
  const subject = answered ? answering(answered.subject) : rendered.subject
  return {
    ...rendered,
    subject,
    thread: answered ? [...answered.thread, answered.message_id!] : [],
    fault: faultOf({ subject, isBlank, missing: rendered.missing }),
  }
}

export const NO_SUBJECT = 'The email has no subject, and there is no earlier email to reply to.'
export const NO_MEETING_LINK =
  'There is no meeting link: no booking page is active, and none is set in the outreach settings.'

/** Why a text with these gaps must not go out: other gaps are a matter of taste, a missing link never is. */
export function linkFault(missing: readonly string[]): string | null {
  return missing.includes('meetingLink') ? NO_MEETING_LINK : null
}

/** Placeholder values for an email from the team to this lead, or to no one in particular. */
export function valuesOf(
  ctx: Context,
  lead: Lead | null,
  { from_name, reply_to, meeting_url, pages }: Sender,
  more: { unsubscribeLink?: string; icebreaker?: string | undefined } = {},
): Values {
  const [, name, address] = /^(.*?)\s*<(.*)>$/.exec(ctx.runtime.settings.emailFrom) ?? []
  const { meetingLinkFor } = ctx.runtime.registry.offers
  const owned = lead?.owner_id ? pages.byMember.get(lead.owner_id) : undefined
  const url = meeting_url ?? pages.sender ?? owned ?? pages.first
  const sender = {
    senderName: from_name ?? name,
    senderEmail: reply_to ?? address ?? ctx.runtime.settings.emailFrom,
    meetingLink: url && lead && meetingLinkFor ? meetingLinkFor(ctx, url, lead.id) : url,
    ...more,
  }
  return lead ? leadValues(lead, sender) : senderValues(sender)
}

function faultOf({ subject, isBlank, missing }: { subject: string; isBlank: boolean; missing: string[] }) {
  if (subject === '') return NO_SUBJECT
  return isBlank ? 'The email has no text.' : linkFault(missing)
}

function answering(subject: string | null): string {
  return /^re:/i.test(subject ?? '') ? subject! : `Re: ${subject ?? ''}`
}

function signatureOf(body: string): Compiled {
  return compile({ subject: '', body, format: 'markdown' }, [])
}
