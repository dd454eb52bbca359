import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import type { ListedTemplate, TemplatePart } from '#platform/ports/whatsapp.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import * as store from './whatsapp-store.ts'
import type { TemplateRow, TemplateUseRow } from './whatsapp-store.ts'
import {
  whatsappTemplateEvents,
  type NewWhatsAppTemplate,
  type TemplateChoice,
  type WhatsAppTemplate,
} from './whatsapp-contract.ts'
import { WHATSAPP_TEMPLATES_MAX } from './values.ts'

type Paging = { limit?: number; cursor?: string }

export async function listTemplates(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor }: Paging) {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const { data, next_cursor } = pageOf(await store.listTemplates(ctx, after, limit + 1), limit)
  return { data: data.map(publicly), next_cursor }
}

export async function getTemplate(ctx: Context, id: string): Promise<WhatsAppTemplate> {
  return publicly(existing(await store.findTemplate(ctx, id)))
}

export async function createTemplate(ctx: Context, input: NewWhatsAppTemplate): Promise<WhatsAppTemplate> {
  return ctx.transaction(async ctx => {
    if (await store.isFull(ctx))
      throw new Problem('conflict', `A team can have ${WHATSAPP_TEMPLATES_MAX} WhatsApp templates.`, {
        code: 'too_many_templates',
      })
    const row = rowOf(ctx, { category: 'UTILITY', header: null, footer: null, ...input }, 'entered')
    if (!(await store.insertTemplate(ctx, row)))
      throw new Problem('conflict', `There is already a template ${input.name} in ${input.language}.`, {
        code: 'name_taken',
        errors: [{ path: 'name', message: 'is taken' }],
      })
    record(ctx, whatsappTemplateEvents.created, aboutTemplate(row), named(row))
    return publicly(row)
  })
}

export async function deleteTemplate(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const row = existing(await store.findTemplate(ctx, id))
    store.deleteTemplate(ctx, id)
    record(ctx, whatsappTemplateEvents.deleted, aboutTemplate(row), named(row))
  })
}

/** What WhatsApp has approved replaces what was synced before; what was entered by hand stays. */
export async function syncTemplates(ctx: Context): Promise<{ count: number; skipped: number }> {
  const found = await ctx.runtime.ports.whatsapp.templates().catch((cause: unknown) => {
    throw new Problem('unavailable', 'WhatsApp did not list the templates. Try again later.', {
      code: 'whatsapp_unavailable',
      cause,
    })
  })
  if (!found)
    throw new Problem(
      'conflict',
      'Templates cannot be synced: the operator has not set WHATSAPP_BUSINESS_ACCOUNT_ID. Enter them instead.',
      { code: 'whatsapp_not_configured' },
    )
  const templates = distinct(found.templates).slice(0, WHATSAPP_TEMPLATES_MAX)
  return ctx.transaction(async ctx => {
    const updated_at = ctx.now()
    const rows = templates.map(one => ({ ...rowOf(ctx, one, 'synced'), updated_at }))
    store.saveSynced(ctx, rows)
    store.deleteSyncedBefore(ctx, updated_at)
    const about = { kind: 'whatsapp_templates', id: ctx.team_id }
    record(ctx, whatsappTemplateEvents.synced, about, { count: rows.length })
    return { count: rows.length, skipped: found.skipped + found.templates.length - rows.length }
  })
}

/** What its reader sees, and what WhatsApp is told. */
export async function fillTemplate(
  ctx: Context,
  { name = '', language = '', values = [] }: TemplateChoice,
): Promise<{ text: string; use: Pick<TemplateUseRow, 'name' | 'language' | 'parameters'> }> {
  const missing = Object.entries({ name, language }).filter(([, text]) => text === '')
  if (missing.length > 0)
    throw invalid(missing.map(([key]) => ({ path: `template.${key}`, message: 'is required' })))
  const row = await store.findNamed(ctx, name, language)
  if (!row)
    throw invalid([
      { path: 'template.name', message: 'is not a template in this language that your team has listed' },
    ])
  const places = placesIn(row)
  if (values.length !== places.length)
    throw invalid([
      { path: 'template.values', message: `must have ${places.length} values, for ${inWords(places)}` },
    ])
  const parameters = places.map(({ part, name }, at) => ({
    part,
    name: /^\d+$/.test(name) ? null : name,
    value: values[at]!,
  }))
  const filled = (part: TemplatePart, text: string) =>
    text.replace(
      PLACE,
      (_, key: string) => values[places.findIndex(at => at.part === part && at.name === key)]!,
    )
  const texts = [row.header && filled('header', row.header), filled('body', row.body), row.footer]
  return { text: texts.filter(Boolean).join('\n\n'), use: { name, language, parameters } }
}

/** Of a template that was given where there is no place for one. */
export function templateFaults(template: TemplateChoice, message: string): Fault[] {
  const given = Object.keys(template).map(key => (key === 'values' ? 'values[0]' : key))
  return given.length > 0
    ? given.map(key => ({ path: `template.${key}`, message }))
    : [{ path: 'template', message }]
}

const PLACE = /\{\{\s*([A-Za-z0-9_]{1,100})\s*\}\}/g

/** Each once, in the order in which WhatsApp wants the values: numbers by their size, names as they come. */
function placesIn({
  header,
  body,
}: Pick<TemplateRow, 'header' | 'body'>): { part: TemplatePart; name: string }[] {
  const of = (part: TemplatePart, text: string | null) => {
    const names = [...new Set([...(text ?? '').matchAll(PLACE)].map(([, name]) => name!))]
    const isNumbered = names.every(name => /^\d+$/.test(name))
    const inOrder = isNumbered ? names.toSorted((a, b) => Number(a) - Number(b)) : names
    return inOrder.map(name => ({ part, name }))
  }
  return [...of('header', header), ...of('body', body)]
}

function inWords(places: readonly { name: string }[]): string {
  return places.length === 0 ? 'a text without places' : places.map(({ name }) => `{{${name}}}`).join(', ')
}

function distinct(templates: readonly ListedTemplate[]): ListedTemplate[] {
  return [...new Map(templates.map(one => [`${one.name} ${one.language}`, one])).values()]
}

function rowOf(
  ctx: Context,
  { name, language, category, header, body, footer }: Omit<ListedTemplate, 'status'>,
  source: TemplateRow['source'],
): TemplateRow {
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
  return {
    id: ctx.newId(),
    name: clean(name),
    language: clean(language),
    category: clean(category),
    header: header && clean(header),
    body: clean(body),
    footer: footer && clean(footer),
    source,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
}

function publicly(row: TemplateRow): WhatsAppTemplate {
  return { ...row, parameters: placesIn(row) }
}

function existing(row: TemplateRow | undefined): TemplateRow {
  if (!row) throw new Problem('not_found', 'No such WhatsApp template.')
  return row
}

function named({ name, language }: TemplateRow) {
  return { name, language }
}

function aboutTemplate({ id }: TemplateRow) {
  return { kind: 'whatsapp_template', id }
}
