import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'

/** Which agent answers at a number, for who knows no team. */
export type NumberRow = { phone_number: string; team_id: string; agent_id: string }

export async function findByNumber(ctx: Context, phone_number: string): Promise<NumberRow | undefined> {
  return ctx
    .acrossTeams()
    .first(db.selectFrom('agent_numbers').selectAll().where('phone_number', '=', phone_number))
}

/** False where another has it: of two who want it at once, the second waits and is told so. */
export async function take(ctx: Context, agent_id: string, phone_number: string): Promise<boolean> {
  free(ctx, agent_id)
  const taken = await ctx.run(
    db
      .insertInto('agent_numbers')
      .values({ phone_number, team_id: ctx.team_id, agent_id })
      .onConflict(conflict => conflict.column('phone_number').doNothing()),
  )
  return taken > 0
}

export function free(ctx: Context, agent_id: string): void {
  ctx.later(
    db.deleteFrom('agent_numbers').where('agent_id', '=', agent_id).where('team_id', '=', ctx.team_id),
  )
}

const db = tables<{ agent_numbers: NumberRow }>()
