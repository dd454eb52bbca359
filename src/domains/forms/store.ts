import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { keeper } from '#platform/records.ts'
import { formEvents, type Form, type FormVersion } from './contract.ts'

export const formColumns = [
  'id',
  'name',
  'slug',
  'title',
  'description',
  'fields',
  'steps',
  'submit_label',
  'thank_you',
  'redirect_url',
  'field_mapping',
  'webhook_url',
  'auto_reply',
  'notify',
  'allowed_domains',
  'on_existing',
  'published',
  'version',
  'draft_changed',
  'published_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Form)[]

export const records = keeper<Form>({
  noun: 'form',
  table: 'forms',
  columns: formColumns,
  json: ['fields', 'steps', 'field_mapping', 'auto_reply', 'notify', 'allowed_domains'],
  events: formEvents,
  nameOf: ({ name }) => name,
  leadOf: () => null,
})

type VersionRow = FormVersion & { team_id: string; form_id: string }

export function insertVersion(ctx: Context, form_id: string, version: FormVersion): void {
  const row = { ...version, content: JSON.stringify(version.content) as never }
  ctx.later(db.insertInto('form_versions').values({ team_id: ctx.team_id, form_id, ...row }))
}

export async function findVersion(ctx: Context, form_id: string, version: number) {
  return ctx.first(versions(ctx, form_id).where('version', '=', version))
}

/** Newest first. */
export async function listVersions(
  ctx: Context,
  form_id: string,
  limit: number,
  after?: Pick<FormVersion, 'published_at' | 'version'>,
) {
  const newest = versions(ctx, form_id)
    .orderBy('published_at', 'desc')
    .orderBy('version', 'desc')
    .limit(limit)
  if (!after) return ctx.all(newest)
  const { published_at, version } = after
  return ctx.all(
    newest.where(sql<boolean>`(published_at, version) < (${published_at}::timestamptz, ${version}::integer)`),
  )
}

function versions(ctx: Context, form_id: string) {
  return db
    .selectFrom('form_versions')
    .select(['version', 'content', 'published_at', 'published_by'])
    .where('team_id', '=', ctx.team_id)
    .where('form_id', '=', form_id)
}

const db = tables<{ form_versions: VersionRow }>()

/** Serializes decisions about these words within the team. Locked in order, so there are no deadlocks. */
export async function lockWords(ctx: Context, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  const keys = words.map(word => `${ctx.team_id} ${word}`).toSorted()
  await ctx.run(
    raw(sql`select pg_advisory_xact_lock(hashtextextended(word, 12)) from unnest(${keys}::text[]) as word`),
  )
}
