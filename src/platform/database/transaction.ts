import type { Checkout, Pool } from './pool.ts'
import { BEGIN, COMMIT, isConnectionLoss, ROLLBACK } from './pool.ts'
import type { Statement, StatementResult } from './flush.ts'
import { whenAllHaveAsked } from './moment.ts'
import { mayShareCommit, shareCommit } from './trips.ts'

const MARK: Statement = { text: 'savepoint attempt', values: [], quiet: true }
const KEEP: Statement = { text: 'release savepoint attempt', values: [], quiet: true }
const UNDO: Statement = { text: 'rollback to savepoint attempt', values: [], quiet: true }

/**
 * A transaction that talks to the server as little as it can: it begins with its first read, writes that nobody
 * waits for travel with the next statement, and what is left travels with the commit.
 */
export class Transaction {
  readonly afterCommit: (() => void)[] = []
  /** Turned into statements when the transaction commits: events and the jobs they cause. */
  readonly beforeCommit: (() => Statement[])[] = []
  /** What is gathered for the commit, by who gathers it: what was gathered in a failed attempt is taken out again. */
  private readonly gathered = new Map<object, unknown[]>()
  private readonly pool: Pool
  /** What goes right after BEGIN: the team, and what must still hold. */
  private readonly preamble: readonly Statement[]
  /** Whether anything, and with it the preamble, has reached the server. */
  sent = false
  private checkout: Promise<Checkout> | undefined
  private pending: Statement[] = []
  private asked: Statement[] = []
  private answering: Promise<StatementResult[]> | undefined
  private ended = false

  constructor(pool: Pool, preamble: readonly Statement[]) {
    this.pool = pool
    this.preamble = preamble
  }

  /** What is asked in the same moment, as by `Promise.all`, travels together: one trip answers all of it. */
  async query(statement: Statement): Promise<StatementResult> {
    const at = this.asked.push(statement) - 1
    this.answering ??= whenAllHaveAsked().then(() => {
      const asked = this.asked
      this.asked = []
      this.answering = undefined
      return this.answer(asked)
    })
    return (await this.answering)[at]!
  }

  private async answer(asked: Statement[]): Promise<StatementResult[]> {
    const results = await this.send(asked)
    return results.slice(-asked.length)
  }

  /** A write whose result nobody needs; its failure surfaces at the next read or at the commit. */
  later(statement: Statement): void {
    this.refuseIfEnded()
    const queue = this.asked.length > 0 ? this.asked : this.pending
    queue.push({ ...statement, quiet: true })
  }

  /** The caller's list, and whether it is new: then it must be turned into statements before the commit. */
  gather<Item>(by: object): { items: Item[]; isNew: boolean } {
    const known = this.gathered.get(by) as Item[] | undefined
    const items = known ?? []
    if (!known) this.gathered.set(by, items)
    return { items, isNew: !known }
  }

  /** The same list, for a caller that only looks. */
  gatheredBy<Item>(by: object): readonly Item[] {
    return (this.gathered.get(by) as Item[] | undefined) ?? []
  }

  /** Runs work behind a savepoint. Its failure, also of a write that nobody waited for, undoes it and nothing else. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.answering
    await this.send([MARK])
    const before = { before: this.beforeCommit.length, after: this.afterCommit.length }
    const lengths = new Map([...this.gathered].map(([by, items]) => [by, items.length]))
    try {
      const result = await work()
      await this.answering
      await this.send([KEEP])
      return result
    } catch (error) {
      this.pending = []
      this.beforeCommit.length = before.before
      this.afterCommit.length = before.after
      for (const [by, items] of this.gathered) {
        const length = lengths.get(by)
        if (length === undefined) this.gathered.delete(by)
        else items.length = length
      }
      if (!this.ended) await this.send([UNDO])
      throw error
    }
  }

  async commit(): Promise<void> {
    await this.answering
    for (const make of this.beforeCommit) this.pending.push(...make())
    if (!this.checkout && this.pending.length > 0 && mayShareCommit(this.pending)) await this.commitShared()
    else if (this.checkout || this.pending.length > 0) {
      const results = await this.send([COMMIT])
      // To a transaction in which a statement failed, the server answers COMMIT with a rollback.
      if (results.at(-1)!.command !== 'COMMIT')
        throw new Error('a statement failed, and its error was passed over')
      await this.letGo()
    }
    this.ended = true
    for (const run of this.afterCommit) run()
  }

  /** All there is goes out now, and nothing was read before: others of this moment may come along. */
  private async commitShared(): Promise<void> {
    const [team, ...mustHold] = this.preamble
    const batch = [...mustHold, ...this.pending]
    this.noteCounts(batch, await shareCommit(this.pool, team!, batch))
    this.sent = true
  }

  async rollback(): Promise<void> {
    this.ended = true
    const checkout = await this.checkout?.catch(() => undefined)
    this.checkout = undefined
    if (!checkout) return
    try {
      await checkout.flush([ROLLBACK])
      checkout.release()
    } catch {
      checkout.release(true)
    }
  }

  /** The connection itself, for COPY: begun, and with everything pending sent. */
  async connection(): Promise<Checkout['client']> {
    await this.send([])
    return (await this.checkout!).client
  }

  private async send(statements: Statement[]): Promise<StatementResult[]> {
    this.refuseIfEnded()
    const opening = this.checkout ? [] : [BEGIN, ...this.preamble]
    const batch = [...opening, ...this.pending, ...statements]
    this.pending = []
    // Taken once, also when two statements are sent at the same time: they follow each other on one connection.
    this.checkout ??= this.pool.checkOut()
    const checkout = await this.checkout
    try {
      const results = await checkout.flush(batch)
      this.sent = true
      this.noteCounts(batch, results)
      return results
    } catch (error) {
      if (isConnectionLoss(error)) await this.letGo(true)
      throw error
    }
  }

  private noteCounts(batch: readonly Statement[], results: readonly StatementResult[]): void {
    for (const [at, { counted }] of batch.entries())
      if (counted) this.afterCommit.push(() => counted(results[at]!.rowCount))
  }

  private async letGo(broken = false): Promise<void> {
    const checkout = this.checkout
    this.checkout = undefined
    this.ended = true
    const taken = await checkout
    taken?.release(broken)
  }

  private refuseIfEnded(): void {
    if (this.ended) throw new Error('this transaction has ended')
  }
}
