import type { Context } from '#platform/context.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import { recentSettings } from '#domains/leads/service.ts'
import { NO_MEETING_LINK, valuesOf } from '#domains/messages/letters.ts'
import { senderOf } from '#domains/messages/settings.ts'
import { compileAny } from '#domains/templates/compiling.ts'
import { compileText, placeholderFaults } from '#domains/templates/merge.ts'
import { sampleValues } from '#domains/templates/placeholders.ts'
import { missingIn, renderBody, type Compiled } from '#domains/templates/render.ts'
import { findTemplates } from '#domains/templates/service.ts'
import type { Template } from '#domains/templates/contract.ts'
import type { Step } from './contract.ts'
import { templatesOf } from './model.ts'

/** Something that would go out wrong, at the step and field it is about. */
export type Obstacle = Fault & {
  kind: 'no_template' | 'no_subject' | 'no_text' | 'placeholder' | 'earlier_mail' | 'no_link'
}

/** A template with what it looks like filled in. */
type Text = { template: Template; letter: Compiled; isBlank: boolean }

/** What is known of a team when its steps are looked at. */
type Known = {
  texts: ReadonlyMap<string, Text>
  customKeys: readonly string[]
  hasMeetingLink: boolean
}

/** Everything that keeps these steps from doing what they are meant to. */
export async function obstaclesIn(ctx: Context, steps: readonly Step[]): Promise<Obstacle[]> {
  const [templates, { custom_fields }, sender] = await Promise.all([
    findTemplates(ctx, templatesOf(steps)),
    recentSettings(ctx),
    senderOf(ctx),
  ])
  const customKeys = custom_fields.map(({ key }) => key)
  const samples = sampleValues(custom_fields)
  const texts = await Promise.all(
    templates.map(async template => {
      const letter = await compileAny(template, customKeys)
      return { template, letter, isBlank: renderBody(letter, samples).html.trim() === '' }
    }),
  )
  return obstacles(steps, {
    texts: new Map(texts.map(text => [text.template.name, text])),
    customKeys,
    hasMeetingLink: Boolean(valuesOf(ctx, null, sender).meetingLink),
  })
}

export function obstacles(steps: readonly Step[], known: Known): Obstacle[] {
  const firstMail = steps.findIndex(({ type }) => type === 'email')
  return steps.flatMap((step, at) => {
    const hasMailBefore = firstMail >= 0 && firstMail < at
    const found =
      step.type === 'email' ? inEmail(step, known, hasMailBefore) : inText(step, known, hasMailBefore)
    return found.map(({ path, ...obstacle }) => ({ path: `steps[${at}].${path}`, ...obstacle }))
  })
}

/** What would go out wrong is refused before it can begin, at its place. */
export function refuseObstacles(found: readonly Obstacle[]): void {
  if (found.length === 0) return
  const [first] = found as [Obstacle]
  const more = found.length > 1 ? ` ${found.length - 1} more to fix.` : ''
  throw new Problem('invalid', `This sequence is not ready: ${first.message}${more}`, {
    code: 'sequence_not_ready',
    errors: found.map(({ path, message }) => ({ path, message })),
  })
}

function inEmail({ template: name }: Step, known: Known, hasMailBefore: boolean): Obstacle[] {
  if (name === undefined) return []
  const text = known.texts.get(name)
  const at = (kind: Obstacle['kind'], message: string): Obstacle => ({ kind, path: 'template', message })
  if (!text) return [at('no_template', `There is no template called ${name} yet.`)]
  const { template, letter, isBlank } = text
  const unknown = (['subject', 'body'] as const).flatMap(part =>
    placeholderFaults(template[part], known.customKeys).map(message =>
      at('placeholder', `Template ${name}, ${part}, ${message}`),
    ),
  )
  return [
    ...(!hasMailBefore && template.subject.trim() === ''
      ? [at('no_subject', `Template ${name} has no subject. The first email of a sequence needs one.`)]
      : []),
    ...(isBlank ? [at('no_text', `Template ${name} has no text.`)] : []),
    ...unknown,
    ...(hasMailBefore ? [] : earlierMail(template.body, words => at('earlier_mail', saidOf(name, words)))),
    ...(!known.hasMeetingLink && missingIn(letter, {}).includes('meetingLink')
      ? [at('no_link', `Template ${name}: ${NO_MEETING_LINK}`)]
      : []),
  ]
}

function inText({ type, message, description }: Step, known: Known, hasMailBefore: boolean): Obstacle[] {
  const [path, text] = type === 'sms' ? ['message', message] : ['description', description]
  if (text === undefined || type === 'delay') return []
  const at = (kind: Obstacle['kind'], message: string): Obstacle => ({ kind, path: path!, message })
  const names = compileText(text, known.customKeys).flatMap(piece =>
    typeof piece !== 'string' && piece.fallback === null ? (piece.name ?? []) : [],
  )
  return [
    ...(text.trim() === '' ? [at('no_text', 'There is no text.')] : []),
    ...(type === 'sms' && !hasMailBefore
      ? earlierMail(text, words =>
          at('earlier_mail', `The text says “${words}”, but no email is sent before this step.`),
        )
      : []),
    ...(!known.hasMeetingLink && names.includes('meetingLink') ? [at('no_link', NO_MEETING_LINK)] : []),
  ]
}

/** Only phrases that can hardly mean anything else; other languages are not checked. */
const EARLIER_MAIL =
  /\b(?:(?:my|our) (?:last|previous|earlier|first) (?:e-?mail|mail|message|note)|follow(?:ing)?[ -]up (?:on|to) (?:my|our) (?:last |previous |earlier |first )?(?:e-?mail|mail|message|note)|I (?:sent|wrote|e-?mailed|mailed) you (?:an? (?:e-?mail|mail)|last week|a few days ago|earlier|before))\b/i

function earlierMail(text: string, say: (words: string) => Obstacle): Obstacle[] {
  const [words] = EARLIER_MAIL.exec(text.replace(/\s+/g, ' ')) ?? []
  return words ? [say(words)] : []
}

function saidOf(name: string, words: string): string {
  return `Template ${name} says “${words}”, but this is the first email of the sequence.`
}
