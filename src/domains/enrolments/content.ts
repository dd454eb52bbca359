import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { linkFault, renderEmail, valuesOf, type Letters } from '#domains/messages/letters.ts'
import type { Sender } from '#domains/messages/settings.ts'
import { unsubscribeUrl, type EmailDraft, type Origin, type SmsDraft } from '#domains/messages/compose.ts'
import type { Sequence, Step } from '#domains/sequences/contract.ts'
import { compileText, mergeText, type CompiledText } from '#domains/templates/merge.ts'
import { missingIn } from '#domains/templates/render.ts'
import type { Facts } from './model.ts'
import type { EnrolmentRow } from './store.ts'
import { icebreakerKey, type Known } from './known.ts'

/** Why nothing goes out. */
type Fault = { fault: string }

/** The mail of a step, as this lead gets it. */
export function emailOf(
  ctx: Context,
  id: string,
  row: EnrolmentRow,
  { lead, sequence }: Facts,
  step: Step,
  known: Known,
): { email: EmailDraft } | Fault {
  const { sender } = known
  const icebreaker = known.icebreakers.get(
    icebreakerKey({ enrolment_id: row.id, step_index: row.step_index }),
  )
  const written = renderEmail(
    ctx,
    known.letters.get(step.template!)!,
    lead!,
    sender,
    unsubscribeUrl(ctx, id),
    icebreaker?.text,
    known.previous.get(row.id),
  )
  if (written.fault !== null) return { fault: written.fault }
  const { track_opens, track_clicks } = sequence.settings
  const { subject, html, text, thread } = written
  return {
    email: {
      id,
      lead_id: row.lead_id,
      address: lead!.email!,
      subject,
      html,
      text,
      thread,
      track: { opens: track_opens, clicks: track_clicks },
      meeting_url: sender.meeting_url,
      origin: originOf(row, sequence),
    },
  }
}

export function smsOf(
  ctx: Context,
  id: string,
  row: EnrolmentRow,
  { lead, sequence }: Facts,
  step: Step,
  known: Known,
): { sms: SmsDraft } | Fault {
  const { text, missing } = smsText(ctx, step.message!, lead!, known.sender)
  const fault = text.trim() === '' ? 'The text message is empty.' : linkFault(missing)
  if (fault !== null) return { fault }
  return {
    sms: { id, lead_id: row.lead_id, address: lead!.phone!, text, origin: originOf(row, sequence) },
  }
}

export function taskTextOf(ctx: Context, { lead }: Facts, step: Step, { sender }: Known): string {
  return mergeText(compiledText(step.description!, lead!), valuesOf(ctx, lead!, sender)).text
}

/** What the messages of these steps name without a default, and this lead has nothing for. */
export function missingOf(
  ctx: Context,
  steps: readonly Step[],
  lead: Lead,
  letters: Letters,
  sender: Sender,
): Set<string> {
  const here = { unsubscribeLink: ctx.runtime.settings.baseUrl, icebreaker: 'written later' }
  const values = valuesOf(ctx, lead, sender, here)
  const missing = steps.flatMap(({ template, message }) => [
    ...(template && letters.has(template) ? missingIn(letters.get(template)!, values) : []),
    ...(message ? mergeText(compiledText(message, lead), values).missing : []),
  ])
  return new Set(missing)
}

/** A text message for this lead. */
export function smsText(ctx: Context, text: string, lead: Lead, sender: Sender) {
  return mergeText(compiledText(text, lead), valuesOf(ctx, lead, sender))
}

function originOf(row: EnrolmentRow, { id, name }: Sequence): Origin {
  return {
    source_kind: 'sequence',
    source_id: id,
    source_name: name,
    enrolment_id: row.id,
    version: row.version,
    step_index: row.step_index,
    round: row.round + 1,
  }
}

const TEXTS_REMEMBERED_MAX = 500
const texts = new Map<string, CompiledText>()

/** The keys of the lead's own custom fields serve: a placeholder for one that it lacks is missing either way. */
function compiledText(text: string, { custom }: Lead): CompiledText {
  const keys = Object.keys(custom)
  const key = JSON.stringify([text, keys])
  let known = texts.get(key)
  if (!known) {
    if (texts.size >= TEXTS_REMEMBERED_MAX) texts.clear()
    texts.set(key, (known = compileText(text, keys)))
  }
  return known
}
