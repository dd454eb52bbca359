import type { Context } from '#platform/context.ts'
import { lastingMemory } from '#platform/lasting-memory.ts'
import { Problem } from '#platform/problem.ts'
import type { Form } from './contract.ts'
import * as store from './address-store.ts'
import { freeSlug, isReserved, isSlug } from './slug.ts'

const TRIES_MAX = 5
const ADDRESSES_REMEMBERED_MAX = 5_000

/** Takes exactly this slug, or says that somebody has it. */
export async function takeSlug(ctx: Context, id: string, slug: string): Promise<string> {
  if (!isReserved(slug) && (await store.take(ctx, id, slug))) return slug
  throw new Problem('conflict', `The address /f/${slug} is already taken.`, {
    code: 'slug_taken',
    errors: [{ path: 'slug', message: 'is taken' }],
  })
}

/** Takes this slug, or the nearest that is free. */
export async function takeSlugLike(ctx: Context, id: string, wanted: string): Promise<string> {
  await store.lockSlug(ctx, wanted)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const slug = freeSlug(wanted, await store.listLike(ctx, wanted))
    if (await store.take(ctx, id, slug)) return slug
  }
  return takeSlug(ctx, id, wanted)
}

export const freeAddress = store.free

/** A form stays with its team; whether it is still shown is asked elsewhere. */
const teamsById = lastingMemory<Pick<store.Address, 'form_id' | 'team_id'>>(ADDRESSES_REMEMBERED_MAX)

/** The form at this slug, if any. */
export async function findAddress(ctx: Context, at: { slug: string } | Pick<Form, 'id'>) {
  if (!('slug' in at)) return teamsById(ctx, at.id, () => store.findById(ctx, at.id))
  return isSlug(at.slug) ? store.findBySlug(ctx, at.slug) : undefined
}
