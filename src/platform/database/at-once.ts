import type { Context } from '../context.ts'
import { whenAllHaveAsked } from './moment.ts'
import type { Transaction } from './transaction.ts'

/**
 * Batches single queries: calls made at the same moment of one transaction are answered by one call of `all`,
 * in order. Outside a transaction each call is separate.
 */
export function atOnce<Item, Answer>(
  all: (ctx: Context, items: readonly Item[]) => Promise<readonly Answer[]>,
): (ctx: Context, item: Item) => Promise<Answer> {
  const moments = new WeakMap<Transaction, { items: Item[]; answers: Promise<readonly Answer[]> }>()
  return async (ctx, item) => {
    const { tx } = ctx
    if (!tx) return (await all(ctx, [item]))[0]!
    let moment = moments.get(tx)
    if (!moment) {
      const items: Item[] = []
      const answers = whenAllHaveAsked().then(() => {
        moments.delete(tx)
        return all(ctx, items)
      })
      moments.set(tx, (moment = { items, answers }))
    }
    const at = moment.items.push(item) - 1
    return (await moment.answers)[at]!
  }
}

/**
 * Those who work at the same time in one transaction hold its locks together, and none keeps the others out: what must not
 * overlap takes turns by its name instead.
 */
export async function inTurn<Result>(
  ctx: Context,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const tx = ctx.transactionOrThrow()
  let turns = lines.get(tx)
  if (!turns) lines.set(tx, (turns = new Map()))
  const mine = (turns.get(name) ?? Promise.resolve()).then(work)
  turns.set(
    name,
    mine.catch(() => {}),
  )
  return mine
}
const lines = new WeakMap<Transaction, Map<string, Promise<unknown>>>()
