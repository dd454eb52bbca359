import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { placeholderFaults } from '#domains/templates/merge.ts'
import { customKeys } from '#domains/templates/service.ts'
import {
  savedReplyEvents,
  type NewSavedReply,
  type SavedReply,
  type SavedReplyChange,
} from './settings-contract.ts'
import * as store from './settings-store.ts'
import { SAVED_REPLIES_MAX } from './values.ts'

export async function listSavedReplies(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor }: Paging) {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  return pageOf(await store.listReplies(ctx, after, limit + 1), limit)
}

export async function getSavedReply(ctx: Context, id: string): Promise<SavedReply> {
  return existing(await store.findReply(ctx, id))
}

export async function createSavedReply(ctx: Context, input: NewSavedReply): Promise<SavedReply> {
  return ctx.transaction(async ctx => {
    await checkText(ctx, input.text)
    if (await store.isFull(ctx))
      throw new Problem(
        'conflict',
        `A team can have ${SAVED_REPLIES_MAX} saved replies. Delete some first.`,
        {
          code: 'too_many_saved_replies',
        },
      )
    const reply = { id: ctx.newId(), ...input, created_at: ctx.now(), updated_at: ctx.now() }
    if (!(await store.insertReply(ctx, reply))) throw nameTaken(input.name)
    record(ctx, savedReplyEvents.created, aboutReply(reply), { saved_reply: input })
    return reply
  })
}

export async function changeSavedReply(
  ctx: Context,
  id: string,
  change: SavedReplyChange,
  ifMatch?: string,
): Promise<SavedReply> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(existing(await store.lockReply(ctx, id)), ifMatch)
    const changes = difference(before, change)
    if (!changes) return before
    if (change.text !== undefined) await checkText(ctx, change.text)
    const after = { ...before, ...changes.after, updated_at: nextVersion(before.updated_at, ctx.now()) }
    if (await store.isNameTaken(ctx, after.name, id)) throw nameTaken(after.name)
    store.updateReply(ctx, after)
    record(ctx, savedReplyEvents.changed, aboutReply(after), changes)
    return after
  })
}

export async function deleteSavedReply(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const reply = existing(await store.lockReply(ctx, id))
    store.deleteReply(ctx, id)
    record(ctx, savedReplyEvents.deleted, aboutReply(reply), { name: reply.name })
  })
}

type Paging = { limit?: number; cursor?: string }

async function checkText(ctx: Context, text: string): Promise<void> {
  const faults = placeholderFaults(text, await customKeys(ctx))
  if (faults.length > 0) throw invalid(faults.map(message => ({ path: 'text', message })))
}

function existing(reply: SavedReply | undefined): SavedReply {
  if (!reply) throw new Problem('not_found', 'No such saved reply.')
  return reply
}

function nameTaken(name: string): Problem {
  return new Problem('conflict', `There is already a saved reply called ${name}.`, {
    code: 'name_taken',
    errors: [{ path: 'name', message: 'is taken' }],
  })
}

function aboutReply({ id }: SavedReply) {
  return { kind: 'saved_reply', id }
}
