import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import * as store from './address-store.ts'

const TRIES_MAX = 5
const SLUG_LENGTH_MAX = 60
/** Room for `-2`, `-3` and so on behind it. */
const ENDING_LENGTH_MAX = 6
/** Addresses below /book that are nobody's. */
const RESERVED = new Set(['assets'])

export const freeAddress = store.free

/** The owner of the booking page at this slug, if any. Whether it is active is checked elsewhere. */
export async function findAddress(ctx: Context, slug: string): Promise<store.Address | undefined> {
  return /^[a-z0-9-]{1,60}$/.test(slug) ? store.findBySlug(ctx, slug) : undefined
}

/** Takes exactly this slug, or says that somebody has it. */
export async function takeSlug(ctx: Context, user_id: string, slug: string): Promise<string> {
  if (!RESERVED.has(slug) && (await store.take(ctx, user_id, slug))) return slug
  throw new Problem('conflict', `The address /book/${slug} is already taken.`, {
    code: 'slug_taken',
    errors: [{ path: 'slug', message: 'is taken' }],
  })
}

/** Takes this slug, or the nearest that is free. */
export async function takeSlugLike(ctx: Context, user_id: string, wanted: string): Promise<string> {
  await store.lockSlug(ctx, wanted)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const slug = await freeSlugLike(ctx, user_id, wanted)
    if (await store.take(ctx, user_id, slug)) return slug
  }
  return takeSlug(ctx, user_id, wanted)
}

/** The slug itself, or the first of `slug-2`, `slug-3` … that nobody has. */
export async function freeSlugLike(ctx: Context, user_id: string, wanted: string): Promise<string> {
  const taken = await store.listLike(ctx, user_id, wanted)
  const isFree = (slug: string) => !taken.has(slug) && !RESERVED.has(slug)
  if (isFree(wanted)) return wanted
  let n = 2
  while (!isFree(`${wanted}-${n}`)) n++
  return `${wanted}-${n}`
}

/** `Zoë Müller` → `zoe-muller` */
export function slugFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX - ENDING_LENGTH_MAX)
    .replace(/^-+|-+$/g, '')
  // The shortest that an address may be.
  return plain.length < 3 ? `meet-${plain || 'me'}` : plain
}
