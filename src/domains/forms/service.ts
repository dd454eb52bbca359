import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { listPage, type Listing } from '#platform/listing.ts'
import { Problem } from '#platform/problem.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { filledFields } from '#platform/records.ts'
import { checkWebhookUrl, connectEndpoint, findEndpointIds } from '#domains/deliveries/service.ts'
import { getSettings } from '#domains/leads/service.ts'
import { freeAddress, takeSlug, takeSlugLike } from './addresses.ts'
import {
  formEvents,
  formPublished,
  type Form,
  type FormChange,
  type FormContent,
  type FormWithCounts,
  type ListForms,
  type NewForm,
} from './contract.ts'
import { checkContent, contentKeys, contentOf, isSame, isVisible, newForm } from './model.ts'
import { slugFrom } from './slug.ts'
import * as store from './store.ts'
import { formColumns, records } from './store.ts'
import { countByForm } from './submission-store.ts'

type Sort = 'name' | 'created_at' | 'updated_at'
const listing: Listing<Sort> = {
  table: 'forms',
  columns: formColumns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listForms(ctx: Context, query: ListForms) {
  const { published } = query
  const conditions = published === undefined ? [] : [sql`published = ${published}`]
  const { data, next_cursor } = await listPage<Form, Sort>(ctx, listing, query, conditions)
  return { data: await withCounts(ctx, data), next_cursor }
}

export async function quickForms(ctx: Context, q: string, limit: number): Promise<Form[]> {
  const searched = { table: 'forms', columns: formColumns, keys: ['name_key'], recent: 'updated_at' }
  return quickMatches(ctx, searched, q, limit)
}

export const getForm = records.get

/** One that is alive, if there is one. */
export async function findForm(ctx: Context, id: string): Promise<Form | undefined> {
  const form = await records.find(ctx, id)
  return form?.deleted_at ? undefined : form
}

export async function readForm(ctx: Context, id: string): Promise<FormWithCounts> {
  return counted(ctx, await getForm(ctx, id))
}

export async function createForm(ctx: Context, input: NewForm): Promise<FormWithCounts> {
  const form = await ctx.transaction(async ctx => {
    const form = newForm(input, { id: ctx.newId(), at: ctx.now() })
    if (form.webhook_url) checkWebhookUrl(form.webhook_url)
    checkContent(form, await customFields(ctx))
    form.slug = input.slug
      ? await takeSlug(ctx, form.id, input.slug)
      : await takeSlugLike(ctx, form.id, slugFrom(form.name))
    records.insert(ctx, form)
    record(ctx, formEvents.created, records.about(form), { form: filledFields(form) })
    if (form.webhook_url) await connect(ctx, form)
    return input.published ? published(ctx, form) : form
  })
  return counted(ctx, form)
}

/** What visitors see changes when it is published; everything else at once. */
export async function changeForm(
  ctx: Context,
  id: string,
  input: FormChange,
  ifMatch?: string,
): Promise<FormWithCounts> {
  const form = await ctx.transaction(async ctx => {
    const form = await records.getForChange(ctx, id, ifMatch)
    const { published: shown, ...fields } = differing(form, input)
    const wanted = { ...form, ...fields }
    if (fields.webhook_url) checkWebhookUrl(fields.webhook_url)
    checkContent(wanted, input.field_mapping && (await customFields(ctx)))
    if (fields.slug) await takeSlug(ctx, id, fields.slug)
    const changed = records.change(ctx, form, {
      ...fields,
      ...(shown === false && { published: false }),
      ...(contentKeys.some(key => key in fields) && { draft_changed: await isDraft(ctx, wanted) }),
    })
    if (fields.webhook_url !== undefined || (fields.name && changed.webhook_url)) await connect(ctx, changed)
    return shown ? published(ctx, changed) : changed
  })
  return counted(ctx, form)
}

/** As a new version; where nothing was changed, the newest one is shown again. */
export async function publishForm(ctx: Context, id: string, ifMatch?: string): Promise<FormWithCounts> {
  const form = await ctx.transaction(async ctx =>
    published(ctx, await records.getForChange(ctx, id, ifMatch)),
  )
  return counted(ctx, form)
}

/** Its page is gone at once, and somebody else may have its address. */
export async function trashForm(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const form = await records.trash(ctx, id, ifMatch)
    freeAddress(ctx, id)
    if (form.webhook_url) await connectEndpoint(ctx, ownerOf(form), null)
  })
}

export async function restoreForm(ctx: Context, id: string): Promise<FormWithCounts> {
  const form = await ctx.transaction(async ctx => {
    const restored = await records.restore(ctx, id, async (ctx, { slug }) => ({
      slug: await takeSlugLike(ctx, id, slug),
    }))
    if (restored.webhook_url) await connect(ctx, restored)
    return restored
  })
  return counted(ctx, form)
}

export const purgeForms = records.purge

/** Whose the addresses are that a form tells. */
export function ownerOf({ id }: Pick<Form, 'id'>) {
  return { kind: 'form' as const, id }
}

async function connect(ctx: Context, form: Form): Promise<void> {
  const { name, webhook_url: url } = form
  await connectEndpoint(ctx, ownerOf(form), url ? { name, url } : null)
}

async function customFields(ctx: Context) {
  return (await getSettings(ctx)).custom_fields
}

/** What really differs: the database keeps the names within a field in another order than they came. */
function differing(form: Form, input: FormChange): FormChange {
  const names = (Object.keys(input) as (keyof FormChange)[]).filter(
    name => !isSame(form[name as keyof Form], input[name]),
  )
  return Object.fromEntries(names.map(name => [name, input[name]])) as FormChange
}

/** Whether visitors see something else than this. */
async function isDraft(ctx: Context, form: Form): Promise<boolean> {
  const shown = form.version > 0 ? await store.findVersion(ctx, form.id, form.version) : undefined
  return !shown || !isSame(shown.content, contentOf(form))
}

function published(ctx: Context, form: Form): Form {
  refuseNothingToAsk(form)
  if (form.published && !form.draft_changed) return form
  const published_at = ctx.now()
  const version = form.draft_changed ? form.version + 1 : form.version
  if (form.draft_changed) {
    const published_by = ctx.actor.name
    store.insertVersion(ctx, form.id, { version, content: contentOf(form), published_at, published_by })
  }
  record(ctx, formPublished, records.about(form), { name: form.name, version })
  return records.write(ctx, form, { published: true, draft_changed: false, version, published_at })
}

function refuseNothingToAsk({ fields }: FormContent): void {
  if (fields.some(isVisible)) return
  throw new Problem('conflict', 'This form has no fields yet. Add one first.', {
    code: 'nothing_to_ask',
  })
}

async function counted(ctx: Context, form: Form): Promise<FormWithCounts> {
  return (await withCounts(ctx, [form]))[0]!
}

async function withCounts(ctx: Context, forms: readonly Form[]): Promise<FormWithCounts[]> {
  const ids = forms.map(({ id }) => id)
  const told = forms.filter(({ webhook_url }) => webhook_url).map(({ id }) => id)
  const [counts, endpoints] = await Promise.all([countByForm(ctx, ids), findEndpointIds(ctx, 'form', told)])
  return forms.map(form => ({
    ...form,
    submissions: counts.get(form.id) ?? { received: 0, quarantined: 0, last_at: null },
    webhook_endpoint_id: endpoints.get(form.id) ?? null,
  }))
}
