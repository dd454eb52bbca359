import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { getLead } from '#domains/leads/service.ts'
import { linkFault, renderEmail, type Before, type Letters } from '#domains/messages/letters.ts'
import { segmentsOf } from '#domains/messages/segments.ts'
import { senderOf, type Sender } from '#domains/messages/settings.ts'
import type { Sequence, Step } from '#domains/sequences/contract.ts'
import { getSequence } from '#domains/sequences/service.ts'
import { smsText } from './content.ts'
import type { PreviewStep } from './contract.ts'
import { factsOf, promptOf } from './icebreakers.ts'
import { findLetters } from './letters.ts'
import { decide, type Verdict } from './model.ts'
import { dueAfter, zoneOf } from './timing.ts'

const CHARACTERS_MAX = 300
const WRITER_TIMEOUT_MS = 1_000

/** Every step as this lead would get it if every condition held, with the time it would be due. Nothing is sent. */
export async function previewSequence(ctx: Context, name: string, lead_id: string): Promise<PreviewStep[]> {
  const [sequence, lead, sender] = await Promise.all([
    getSequence(ctx, name),
    getLead(ctx, lead_id),
    senderOf(ctx),
  ])
  const letters = await findLetters(ctx, sequence.steps)
  const icebreaker = sequence.steps.some(step => step.ai_personalization)
    ? await sampleIcebreaker(ctx, lead)
    : undefined
  const zone = zoneOf(lead, sequence.settings)
  let atMs = ctx.runtime.clock.now()
  let before: Before | undefined
  return sequence.steps.map((step, step_index) => {
    const due = dueAfter(atMs, step, sequence.settings, zone)
    const verdict = verdictAt(due, zone, sequence, step_index, lead, letters, sender)
    const held = verdict.kind === 'hold' ? verdict : undefined
    atMs = held?.until ?? due
    const { thread, fault, ...content } = contentOf(ctx, step, lead, letters, { sender, icebreaker, before })
    if (content.subject !== null) before = { subject: content.subject, message_id: SHOWN_ID, thread }
    return {
      step_index,
      type: step.type,
      due_at: isoAt(atMs),
      held: held?.hold ?? (fault === null ? null : ('incomplete' as const)),
      fault,
      condition: step.condition ?? null,
      ...content,
    }
  })
}

type Content = Pick<
  PreviewStep,
  'to' | 'subject' | 'html' | 'text' | 'segments' | 'missing' | 'icebreaker' | 'fault'
> & { thread: string[] }
type Around = { sender: Sender; icebreaker: string | undefined; before: Before | undefined }
/** A mail that is only shown has no id of its own. */
const SHOWN_ID = '<preview>'

function contentOf(
  ctx: Context,
  step: Step,
  lead: Lead,
  letters: Letters,
  { sender, icebreaker, before }: Around,
): Content {
  const nothing = {
    fault: null,
    thread: [],
    to: null,
    subject: null,
    html: null,
    text: '',
    segments: null,
    missing: [],
    icebreaker: null,
  }
  if (step.type === 'email') {
    const letter = letters.get(step.template!)
    if (!letter) return { ...nothing, to: lead.email }
    const own = step.ai_personalization ? icebreaker : undefined
    const link = `${ctx.runtime.settings.baseUrl}/u/preview`
    const written = renderEmail(ctx, letter, lead, sender, link, own, before)
    // One that cannot be written is left out, and nobody misses it.
    const missing = written.missing.filter(name => name !== 'icebreaker')
    return { ...nothing, to: lead.email, ...written, missing, icebreaker: own ?? null }
  }
  if (step.type === 'sms') {
    const { text, missing } = smsText(ctx, step.message!, lead, sender)
    const fault = linkFault(missing)
    return { ...nothing, to: lead.phone, text, missing, fault, segments: segmentsOf(text) }
  }
  if (step.type === 'task') {
    const { text, missing } = smsText(ctx, step.description!, lead, sender)
    return { ...nothing, text, missing }
  }
  return nothing
}

/** What would be decided at that moment, as far as it can be known today: conditions are taken to hold. */
function verdictAt(
  nowMs: number,
  zone: string,
  sequence: Sequence,
  step_index: number,
  lead: Lead,
  letters: Letters,
  { sms_quiet_from, sms_quiet_until }: Sender,
): Verdict {
  const steps = sequence.steps.map(({ condition: _, ai_personalization: __, ...step }) => step)
  return decide({
    nowMs,
    zone,
    enrolment: { paused_at: null, step_index },
    sequence: { ...sequence, status: 'ACTIVE', deleted_at: null },
    steps,
    lead,
    hasTemplate: letters.has(steps[step_index]?.template ?? ''),
    previous: null,
    suppressed: false,
    teamPaused: false,
    icebreaker: undefined,
    quiet: sms_quiet_from && sms_quiet_until ? { from: sms_quiet_from, until: sms_quiet_until } : null,
  })
}

/** The plain writer's: a preview costs nothing. */
async function sampleIcebreaker(ctx: Context, lead: Lead): Promise<string | undefined> {
  const facts = await factsOf(ctx, lead)
  const task = {
    facts,
    prompt: promptOf(facts),
    characters_max: CHARACTERS_MAX,
    timeout_ms: WRITER_TIMEOUT_MS,
  }
  return ctx.runtime.ports.plainWriter.write(task).then(
    ({ text }) => text,
    () => undefined,
  )
}
