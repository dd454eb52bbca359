import type { LeadSettings } from '#domains/leads/contract.ts'
import { BULK_IDS_MAX } from '#domains/leads/values.ts'
import { api } from '../../api.ts'
import { refreshLists } from '../../records/leads/cache.ts'
import { write } from '../../records/fields/settings-writes.ts'

const PAGE_MAX = 200

/**
 * Leads refer to a stage by name, so the new stage is added first, then the leads move, then the old stage is
 * removed. If this is interrupted, both stages exist and nothing is lost.
 */
export async function renameStage(settings: LeadSettings, from: string, to: string): Promise<void> {
  const at = settings.pipeline_stages.indexOf(from)
  const both = await write(
    { pipeline_stages: settings.pipeline_stages.toSpliced(at, 0, to) },
    settings.updated_at,
  )
  await moveLeads(from, to)
  await write(
    { pipeline_stages: settings.pipeline_stages.map(stage => (stage === from ? to : stage)) },
    both.updated_at,
  )
  await refreshLists()
}

async function moveLeads(from: string, to: string): Promise<void> {
  while (true) {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const query = { pipeline_stage: [from], limit: PAGE_MAX, ...(cursor && { cursor }) }
      const page: { data: { id: string }[]; next_cursor: string | null } = await api('GET /api/crm/leads', {
        query,
      })
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor && ids.length + PAGE_MAX <= BULK_IDS_MAX)
    if (ids.length === 0) return
    await api('POST /api/crm/leads/bulk', { body: { ids, set: { pipeline_stage: to } } })
  }
}
