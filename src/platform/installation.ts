import type { Context } from './context.ts'
import { tables } from './database/tables.ts'

/** Facts about the installation as a whole, created once by the first to ask. */
export async function findFact(ctx: Context, key: string): Promise<string | undefined> {
  const row = await ctx.first(db.selectFrom('installation').select('value').where('key', '=', key))
  return row?.value
}

/** Unless somebody else has meanwhile. */
export async function keepFact(ctx: Context, key: string, value: string): Promise<void> {
  await ctx.run(
    db
      .insertInto('installation')
      .values({ key, value })
      .onConflict(conflict => conflict.doNothing()),
  )
}

/** Unless it is another by now. */
export async function replaceFact(ctx: Context, key: string, before: string, value: string): Promise<void> {
  await ctx.run(
    db.updateTable('installation').set({ value }).where('key', '=', key).where('value', '=', before),
  )
}

const db = tables<{ installation: { key: string; value: string } }>()
