import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { listPage, patternsOf, type Listing } from '#platform/listing.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { filledFields } from '#platform/records.ts'
import { getSettings } from '#domains/leads/service.ts'
import {
  templateEvents,
  type ListTemplates,
  type NewTemplate,
  type Placeholder,
  type Template,
  type TemplateChange,
} from './contract.ts'
import { compileAny } from './compiling.ts'
import { placeholderFaults } from './merge.ts'
import { listPlaceholders } from './placeholders.ts'
import type { Compiled, Source } from './render.ts'
import { ensureStarters } from './starters.ts'
import * as store from './store.ts'
import { records, templateColumns } from './store.ts'
import { TEMPLATE_NAME_LENGTH_MAX } from './values.ts'

type Sort = 'name' | 'created_at' | 'updated_at'
const listing: Listing<Sort> = {
  table: 'templates',
  columns: templateColumns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listTemplates(ctx: Context, { q, ...query }: ListTemplates) {
  await ensureStarters(ctx)
  const searched = sql`lower(' ' || name || ' ' || subject)`
  const conditions = patternsOf(q).map(pattern => sql`${searched} like ${pattern}`)
  return listPage<Template, Sort>(ctx, listing, query, conditions)
}

/** The active templates with these names, as sequences and workflows refer to them. */
export async function findTemplates(ctx: Context, names: readonly string[]): Promise<Template[]> {
  if (names.length === 0) return []
  await ensureStarters(ctx)
  return store.findNamed(ctx, names)
}

export const getTemplate = records.get
export const trashTemplate = records.trash
export const purgeTemplates = records.purge

export async function createTemplate(ctx: Context, input: NewTemplate): Promise<Template> {
  await ensureStarters(ctx)
  const source = { subject: input.subject ?? '', body: input.body, format: input.format ?? 'markdown' }
  await checkedTemplate(source, await customKeys(ctx))
  return ctx.transaction(async ctx => {
    const at = ctx.now()
    const template: Template = {
      id: ctx.newId(),
      name: input.name,
      ...source,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    }
    await refuseTakenName(ctx, template)
    records.insert(ctx, template)
    record(ctx, templateEvents.created, records.about(template), { template: filledFields(template) })
    return template
  })
}

export async function changeTemplate(
  ctx: Context,
  id: string,
  input: TemplateChange,
  ifMatch?: string,
): Promise<Template> {
  // A long text takes a while: it is read before the row is held, and known by then.
  await checkRewritten(ctx, await records.get(ctx, id), input)
  return ctx.transaction(async ctx => {
    const template = await records.getForChange(ctx, id, ifMatch)
    const wanted = { ...template, ...input }
    await checkRewritten(ctx, template, input)
    if (wanted.name !== template.name) await refuseTakenName(ctx, wanted)
    return records.change(ctx, template, input)
  })
}

/** If its name was taken in the meantime, the other template keeps it. */
export async function restoreTemplate(ctx: Context, id: string): Promise<Template> {
  return records.restore(ctx, id, async (ctx, { name }) => ({ name: await freeName(ctx, name) }))
}

/** Makes it ready, or refuses a text that nobody could be sent, and says where it is wrong. */
export async function checkedTemplate(template: Source, customKeys: readonly string[]): Promise<Compiled> {
  const faults = (['subject', 'body'] as const).flatMap(path =>
    placeholderFaults(template[path], customKeys).map(message => ({ path, message })),
  )
  if (faults.length > 0) throw invalid(faults)
  return compileAny(template, customKeys)
}

export async function placeholders(ctx: Context): Promise<Placeholder[]> {
  return listPlaceholders((await getSettings(ctx)).custom_fields)
}

/** The keys of the team's own fields, which are placeholders too. */
export async function customKeys(ctx: Context): Promise<string[]> {
  return (await getSettings(ctx)).custom_fields.map(({ key }) => key)
}

/** A name may be changed while a field that the text asks for is gone. */
async function checkRewritten(ctx: Context, before: Template, change: TemplateChange): Promise<void> {
  const after = { ...before, ...change }
  const isRewritten = (['subject', 'body', 'format'] as const).some(field => before[field] !== after[field])
  if (isRewritten) await checkedTemplate(after, await customKeys(ctx))
}

async function refuseTakenName(ctx: Context, { id, name }: Template): Promise<void> {
  await store.lockNames(ctx)
  const [other] = await store.findNamed(ctx, [name])
  if (!other || other.id === id) return
  throw new Problem(
    'conflict',
    `There is already a template called ${name}. Edit that one, or choose another name.`,
    {
      code: 'name_taken',
      errors: [{ path: 'name', message: 'is taken' }],
    },
  )
}

const NAMES_TRIED_MAX = 100

/** The name, or the first like it that nobody has. */
async function freeName(ctx: Context, name: string): Promise<string> {
  await store.lockNames(ctx)
  const like = (number: number) => `${name.slice(0, TEMPLATE_NAME_LENGTH_MAX - 4)}-${number}`
  const names = [name, ...Array.from({ length: NAMES_TRIED_MAX }, (_, at) => like(at + 2))]
  const taken = new Set((await store.findNamed(ctx, names)).map(template => template.name))
  const free = names.find(candidate => !taken.has(candidate))
  if (free) return free
  throw new Problem('conflict', `There are too many templates with names like ${name}. Rename some first.`, {
    code: 'name_taken',
  })
}
