import type { Context } from '#platform/context.ts'
import { exportPages } from '#platform/csv-export.ts'
import type { Answers, ListSubmissions, Submission } from './contract.ts'
import { own } from './model.ts'
import * as store from './store.ts'
import { getForm } from './service.ts'
import { listSubmissions } from './submission-store.ts'

/** Every field that any version asked for has a column; the newest version's come first. */
export async function exportSubmissions(
  ctx: Context,
  id: string,
  filters: Omit<ListSubmissions, 'limit' | 'cursor' | 'sort'>,
): Promise<AsyncIterable<string>> {
  await getForm(ctx, id)
  const versions = await store.listVersions(ctx, id, VERSIONS_MAX)
  const keys = [...new Set(versions.flatMap(({ content }) => content.fields.map(({ key }) => key)))]
  const named = keys.map(key => ({ key, column: columnOf(key) }))
  const columns = [...BEFORE, ...named.map(({ column }) => column), ...AFTER]
  return exportPages<Record<string, unknown>>(columns, async page => {
    const { data, next_cursor } = await listSubmissions(ctx, id, { ...filters, ...page })
    return { data: data.map(submission => flat(submission, named)), next_cursor }
  })
}

const VERSIONS_MAX = 1_000
const BEFORE = ['id', 'created_at', 'status', 'lead_id']
const UTM = ['source', 'medium', 'campaign', 'term', 'content']
const AFTER = [...UTM.map(name => `utm_${name}`), 'referrer', 'page_url', 'reasons']

/** A field that is called like one of our own columns is told apart. */
function columnOf(key: string): string {
  return [...BEFORE, ...AFTER].includes(key) ? `answer.${key}` : key
}

function flat(submission: Submission, named: { key: string; column: string }[]): Record<string, unknown> {
  const { id, created_at, status, lead_id, reasons, values, last_touch } = submission
  const { utm, referrer, page_url } = last_touch
  return {
    id,
    created_at,
    status,
    lead_id,
    ...Object.fromEntries(named.map(({ key, column }) => [column, cellOf(own(values, key))])),
    ...Object.fromEntries(UTM.map(name => [`utm_${name}`, own(utm, name)])),
    referrer,
    page_url,
    reasons: reasons.join('; '),
  }
}

function cellOf(answer: Answers[string] | undefined): string | number | boolean | undefined {
  return Array.isArray(answer) ? answer.join('; ') : answer
}
