import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { lastingMemory } from '#platform/lasting-memory.ts'
import { Problem } from '#platform/problem.ts'
import type { FormVersion } from './contract.ts'
import { getForm } from './service.ts'
import * as store from './store.ts'

const VERSIONS_REMEMBERED_MAX = 200

/** What visitors saw, newest first. */
export async function listVersions(ctx: Context, id: string, page: { limit?: number; cursor?: string }) {
  await getForm(ctx, id)
  const limit = page.limit ?? LIST_LIMIT_DEFAULT
  const after = page.cursor ? placeOf(page.cursor) : undefined
  const rows = await store.listVersions(ctx, id, limit + 1, after)
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const next_cursor =
    rows.length > limit && last ? encodeCursor([last.published_at, String(last.version)]) : null
  return { data, next_cursor }
}

/** The same for visitors, who come often: a version that was published stays as it is. */
export async function getShownVersion(ctx: Context, id: string, version: number): Promise<FormVersion> {
  const key = `${ctx.team_id} ${id} ${version}`
  return there(await shownVersions(ctx, key, () => store.findVersion(ctx, id, version)))
}
const shownVersions = lastingMemory<FormVersion>(VERSIONS_REMEMBERED_MAX)

export async function getVersion(ctx: Context, id: string, version: number): Promise<FormVersion> {
  return there(await store.findVersion(ctx, id, version))
}

function there(version: FormVersion | undefined): FormVersion {
  if (!version) throw new Problem('not_found', 'No such version of this form.')
  return version
}

function placeOf(cursor: string): Pick<FormVersion, 'published_at' | 'version'> {
  const [published_at, version] = decodeInstantCursor(cursor)
  return { published_at, version: /^\d{1,9}$/.test(version) ? Number(version) : 0 }
}
