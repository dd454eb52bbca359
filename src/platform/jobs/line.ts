import type { Statement, StatementResult } from '../database/flush.ts'
import { flushWhole, type Checkout, type Pool } from '../database/pool.ts'
import { LINE_TIMEOUT_MS } from './limits.ts'

/**
 * One connection of the pool kept by the worker: when jobs and requests hold all others, leases are still kept. After
 * any trouble on it, and after silence, as when a network broke without a word, it is given up for a new one.
 */
export function openLine(pool: Pool): Pool {
  let line: Promise<Checkout> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function send(statements: readonly Statement[]): Promise<StatementResult[]> {
    const used = (line ??= connect(pool))
    const silence = setTimeout(giveUp, LINE_TIMEOUT_MS, used)
    try {
      const checkout = await used
      return await flushWhole(checkout, statements)
    } catch (error) {
      giveUp(used)
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  function giveUp(given: Promise<Checkout>): void {
    if (line !== given) return
    line = undefined
    // With its settings changed, the connection is of no use to others.
    given.then(checkout => checkout.release(true)).catch(() => {})
  }

  return {
    ...pool,
    // One after the other, as a connection works.
    flush(statements) {
      const sent = last.then(() => send(statements))
      last = sent.catch(() => {})
      return sent
    },
    async close() {
      await last
      if (line) giveUp(line)
    },
  }
}

async function connect(pool: Pool): Promise<Checkout> {
  const checkout = await pool.checkOut()
  try {
    await checkout.flush(SETTINGS)
    return checkout
  } catch (error) {
    checkout.release(true)
    throw error
  }
}

const SETTINGS: Statement[] = [
  // The table is often empty and suddenly full: a plan made while it was empty must not be one that reads it all.
  { text: 'set enable_seqscan = off', values: [] },
  // A claim that a crash of the server forgets was never made: nothing ends a job but its own transaction.
  { text: 'set synchronous_commit = off', values: [] },
]
