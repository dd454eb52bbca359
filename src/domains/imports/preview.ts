import type { Context } from '#platform/context.ts'
import { newLead } from '#domains/leads/model.ts'
import { getSettings } from '#domains/leads/service.ts'
import type { Preview, PreviewRow } from './contract.ts'
import { readerFor } from './part.ts'
import { judged } from './rows.ts'
import { known } from './service.ts'
import * as store from './store.ts'
import { PREVIEW_CHECKED_MAX, PREVIEW_ROWS_MAX } from './values.ts'

/** The rows as they would come in now. Whether a lead is there already is not looked at. */
export async function previewImport(ctx: Context, id: string): Promise<Preview> {
  const row = known(await store.find(ctx, id))
  const settings = await getSettings(ctx)
  const made = { id, at: ctx.now() }
  const rows: PreviewRow[] = []
  const faulty_rows: PreviewRow[] = []
  let checked = 0
  let faulty = 0
  for (let n = 0; checked < Math.min(row.total, PREVIEW_CHECKED_MAX); n++) {
    const part = await store.findPart(ctx, id, n)
    if (!part) break
    const reader = await readerFor(ctx, row, settings, part.rows)
    for (const { row: number, cells } of part.rows.slice(0, PREVIEW_CHECKED_MAX - checked)) {
      const { input, errors } = reader.read(cells)
      const lead = { ...row.defaults, ...input }
      const judgement = errors.length > 0 ? errors : judged(reader, () => newLead(lead, settings, made))
      checked++
      const shown = { row: number, cells, errors: Array.isArray(judgement) ? judgement : [] }
      if (rows.length < PREVIEW_ROWS_MAX) rows.push(shown)
      if (shown.errors.length === 0) continue
      faulty++
      if (faulty_rows.length < PREVIEW_ROWS_MAX) faulty_rows.push(shown)
    }
  }
  return { checked, faulty, rows, faulty_rows }
}
