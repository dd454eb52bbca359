import type { Context } from '#platform/context.ts'
import type { Fault } from '#platform/problem.ts'
import { listVoices, voiceNamed } from '#domains/agents/voices.ts'
import { valuesOf } from '#domains/messages/letters.ts'
import { senderOf } from '#domains/messages/settings.ts'
import type { Template } from '#domains/templates/contract.ts'
import { parseTemplate, placeholderFaults } from '#domains/templates/merge.ts'
import { findTemplates } from '#domains/templates/service.ts'
import { walkSafely, type ActionNode, type Definition } from './definition.ts'
import type { OwnKeys } from './nodes/record-fields.ts'

type Place = { path: string; node: ActionNode }

/**
 * What would go out wrong: a call by an agent that does not exist, a message without a text, a subject or a link. It depends
 * on agents, templates and settings, so that a definition may come before them; it cannot be published before them.
 */
export async function outgoingFaults(
  ctx: Context,
  { nodes }: Pick<Definition, 'nodes'>,
  own: OwnKeys,
): Promise<Fault[]> {
  const actions = [...walkSafely(nodes)].filter((place): place is Place => place.node.type === 'action')
  const [agents, messages] = await Promise.all([
    agentFaults(ctx, actions),
    messageFaults(ctx, actions, own.lead),
  ])
  return [...agents, ...messages]
}

async function agentFaults(ctx: Context, actions: readonly Place[]): Promise<Fault[]> {
  const named = actions.flatMap(({ path, node }) =>
    node.action === 'schedule_call' && typeof node.agent === 'string' ? [{ path, name: node.agent }] : [],
  )
  if (named.length === 0) return []
  const voices = await listVoices(ctx)
  return named
    .filter(({ name }) => !voiceNamed(voices, name))
    .map(({ path }) => ({ path: `${path}.agent`, message: 'does not exist' }))
}

async function messageFaults(
  ctx: Context,
  actions: readonly Place[],
  custom: readonly string[],
): Promise<Fault[]> {
  const messages = actions.filter(({ node }) => node.action === 'send_email' || node.action === 'send_sms')
  if (messages.length === 0) return []
  const names = messages.flatMap(({ node }) => templateOf(node) ?? [])
  const [templates, sender] = await Promise.all([findTemplates(ctx, [...new Set(names)]), senderOf(ctx)])
  const byName = new Map(templates.map(template => [template.name, template]))
  const hasLink = valuesOf(ctx, null, sender).meetingLink !== ''
  return messages.flatMap(({ path, node }) => {
    const { message } = node as ActionNode<'send_sms'>
    if (typeof message === 'string') return at(`${path}.message`, textFault(message, hasLink))
    const template = byName.get(templateOf(node) ?? '')
    // One that does not exist yet is a warning.
    return template
      ? at(`${path}.template`, templateFault(template, node.action === 'send_email', hasLink, custom))
      : []
  })
}

function templateFault(
  { subject, body, format }: Template,
  isMail: boolean,
  hasLink: boolean,
  custom: readonly string[],
): string | undefined {
  if (isMail && subject.trim() === '') return 'has no subject'
  const texts = isMail ? [subject, body] : [body]
  if (texts.some(text => placeholderFaults(text, custom).length > 0))
    return 'has placeholders that do not exist'
  if (format === 'markdown' && /\]\(\s*\)/.test(body)) return 'has a link without an address'
  return textFault(body, hasLink) ?? (isMail ? textFault(subject, hasLink) : undefined)
}

function textFault(text: string, hasLink: boolean): string | undefined {
  if (text.trim() === '') return 'has no text'
  const asksForLink = parseTemplate(text).pieces.some(
    piece => typeof piece !== 'string' && piece.written === 'meetingLink' && piece.fallback === null,
  )
  if (asksForLink && !hasLink) return 'has no meeting link: set one in the outreach settings'
  return undefined
}

function templateOf(node: ActionNode): string | undefined {
  const { template } = node as { template?: unknown }
  return typeof template === 'string' ? template : undefined
}

function at(path: string, message: string | undefined): Fault[] {
  return message === undefined ? [] : [{ path, message }]
}
