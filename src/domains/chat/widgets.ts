import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { findAgents } from '#domains/agents/service.ts'
import { findSettings } from '#domains/conversations/settings.ts'
import { faultsInMapping } from '#domains/forms/model.ts'
import { getSettings } from '#domains/leads/service.ts'
import { deleteAddress, findAddress, insertAddress } from './address-store.ts'
import { chatEvents, type ChatWidget, type ChatWidgetChange, type NewChatWidget } from './contract.ts'
import * as store from './widget-store.ts'
import { WIDGETS_MAX } from './values.ts'

const FIRST_COLOUR = '#1f56b0'

export const listWidgets = store.listWidgets

export async function getWidget(ctx: Context, id: string): Promise<ChatWidget> {
  return existing(await store.findWidget(ctx, id))
}

/** As somebody who knows only its id finds it, with the reach of its team. */
export async function findOpenly(
  ctx: Context,
  id: string,
): Promise<{ ctx: Context; widget: ChatWidget } | undefined> {
  const address = await findAddress(ctx, id)
  if (!address) return undefined
  const own = ctx.forTeam(address.team_id)
  const widget = await store.findWidget(own, id)
  return widget && { ctx: own, widget }
}

export async function createWidget(ctx: Context, input: NewChatWidget): Promise<ChatWidget> {
  return ctx.transaction(async ctx => {
    const { timezone, hours } = await findSettings(ctx)
    const at = ctx.now()
    const widget: ChatWidget = {
      id: ctx.newId(),
      is_on: true,
      allowed_domains: [],
      colour: FIRST_COLOUR,
      greeting: null,
      timezone,
      hours,
      questions: [],
      field_mapping: {},
      takes_files: true,
      privacy_url: null,
      agent_id: null,
      agent_mode: 'auto',
      ...input,
      logo_url: null,
      created_at: at,
      updated_at: at,
    }
    await check(ctx, widget, input)
    if (await store.isFull(ctx))
      throw new Problem('conflict', `A team can have ${WIDGETS_MAX} chat widgets. Delete some first.`, {
        code: 'too_many_widgets',
      })
    store.insertWidget(ctx, widget)
    insertAddress(ctx, widget.id)
    record(ctx, chatEvents.created, aboutWidget(widget), { chat_widget: input })
    return widget
  })
}

export async function changeWidget(
  ctx: Context,
  id: string,
  change: ChatWidgetChange,
  ifMatch?: string,
): Promise<ChatWidget> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(existing(await store.lockWidget(ctx, id)), ifMatch)
    const changes = difference(before, change)
    if (!changes) return before
    const after = { ...before, ...changes.after, updated_at: nextVersion(before.updated_at, ctx.now()) }
    await check(ctx, after, changes.after as ChatWidgetChange)
    store.updateWidget(ctx, id, { ...changes.after, updated_at: after.updated_at })
    record(ctx, chatEvents.changed, aboutWidget(after), changes)
    return after
  })
}

/** What is shown instead of the first letter of the team; the same once more changes nothing. */
export async function setLogoHash(
  ctx: Context,
  id: string,
  hash: string | null,
  ifMatch?: string,
): Promise<ChatWidget> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(existing(await store.lockWidget(ctx, id)), ifMatch)
    const logo_url = hash === null ? null : `/chat/logos/${id}/${hash}`
    if (before.logo_url === logo_url) return before
    const after = { ...before, logo_url, updated_at: nextVersion(before.updated_at, ctx.now()) }
    store.updateLogo(ctx, id, hash, after.updated_at)
    const changes = { before: { logo_url: before.logo_url }, after: { logo_url } }
    record(ctx, chatEvents.changed, aboutWidget(after), changes)
    return after
  })
}

/** Its sessions end. What was said in them stays in the conversations. */
export async function deleteWidget(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const widget = existing(await store.lockWidget(ctx, id))
    store.deleteWidget(ctx, id)
    deleteAddress(ctx, id)
    record(ctx, chatEvents.deleted, aboutWidget(widget), { name: widget.name })
  })
}

/** What is given, and what depends on it. */
async function check(ctx: Context, widget: ChatWidget, given: ChatWidgetChange): Promise<void> {
  const { questions, field_mapping } = widget
  const custom = given.field_mapping && (await getSettings(ctx)).custom_fields
  const faults = [
    ...faultsInHours(given),
    ...faultsInQuestions(given),
    ...faultsInMapping({ fields: questions, field_mapping }, custom, 'is not a question of this widget'),
    ...(await faultsInAgent(ctx, given)),
    ...faultsInAddress(given),
  ]
  if (faults.length > 0) throw invalid(faults)
}

function faultsInHours({ hours = [] }: ChatWidgetChange): Fault[] {
  return hours.flatMap(({ from, until }, at) =>
    from < until ? [] : [{ path: `hours[${at}].until`, message: 'must be later than the start time' }],
  )
}

function faultsInQuestions({ questions = [] }: ChatWidgetChange): Fault[] {
  return questions.flatMap(({ key }, at) =>
    questions.findIndex(other => other.key === key) < at
      ? [{ path: `questions[${at}].key`, message: 'is a duplicate' }]
      : [],
  )
}

async function faultsInAgent(ctx: Context, { agent_id }: ChatWidgetChange): Promise<Fault[]> {
  if (!agent_id) return []
  const [agent] = await findAgents(ctx, [agent_id])
  return agent && !agent.deleted_at
    ? []
    : [{ path: 'agent_id', message: 'is not an agent, or it is in the trash' }]
}

/** What begins like an address need not be one. */
function faultsInAddress({ privacy_url }: ChatWidgetChange): Fault[] {
  if (!privacy_url || URL.canParse(privacy_url)) return []
  return [{ path: 'privacy_url', message: 'must be an http or https URL' }]
}

function existing(widget: ChatWidget | undefined): ChatWidget {
  if (!widget) throw new Problem('not_found', 'No such chat widget.')
  return widget
}

function aboutWidget({ id }: ChatWidget) {
  return { kind: 'chat_widget', id }
}
