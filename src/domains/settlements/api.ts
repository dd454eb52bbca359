import type { Handlers } from '#platform/contract.ts'
import type { Settlement } from './charge.ts'
import type { endpoints } from './contract.ts'
import { listSettlements } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  async listSettlements(ctx, { query }) {
    const { data, next_cursor } = await listSettlements(ctx, query)
    return { data: data.map(shown), next_cursor }
  },
}

/** Without what only the product itself needs. */
function shown({
  team_id: _,
  challenge_id: _challenge,
  block_hash: _block,
  checked_at: _at,
  ...rest
}: Settlement) {
  return rest
}
