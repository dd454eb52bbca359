import { sql } from 'kysely'
import type { Context } from './context.ts'
import { defineEvent, record, type EventType } from './events.ts'
import { batchesOf, inserter } from './database/insert.ts'
import { raw } from './database/tables.ts'
import { updateEach } from './database/update-each.ts'
import { t } from './contract.ts'
import { Problem } from './problem.ts'
import type { Scope } from './scopes.ts'
import { laterVersion, nextVersion, unchangedSince } from './version.ts'

export const TRASH_LIFE_MS = 30 * 86_400_000

/** What every record of the CRM has. */
export type Kept = { id: string; created_at: string; updated_at: string; deleted_at: string | null }

const Fields = t.Record(t.String(), t.Unknown())
/** What a person calls the record, so that a timeline need not look it up. */
const name = { name: t.Optional(t.String()) }

/** The events of every record: created, changed with before and after, trashed and restored. */
export function recordEvents<const Noun extends string>(noun: Noun, live: Scope) {
  return {
    created: defineEvent(`${noun}.created`, t.Object({ [noun]: Fields }), { live }),
    changed: defineEvent(`${noun}.changed`, t.Object({ before: Fields, after: Fields, ...name }), { live }),
    trashed: defineEvent(`${noun}.trashed`, t.Object(name), { live }),
    restored: defineEvent(`${noun}.restored`, t.Object(name), { live }),
  }
}

type Shape<Row> = {
  /** As a person says it, like `account`; the events are about it. */
  noun: string
  table: string
  columns: readonly (keyof Row & string)[]
  /** Columns that hold JSON. */
  json?: readonly (keyof Row & string)[]
  events: { changed: EventType; trashed: EventType; restored: EventType }
  nameOf?: (row: Row) => string
  /** The lead whose timeline shows its events. */
  leadOf?: (row: Row) => string | null
  /** Called for each record that is created or changed, in the same transaction: for what is kept beside it. */
  tally?: (ctx: Context, before: Row | undefined, after: Row) => void
}

/**
 * The life of a record, the same for every kind of it: made, changed, into the trash for thirty days, and back. Each
 * domain adds its rules around it.
 */
export function keeper<Row extends Kept>(shape: Shape<Row>) {
  const { noun, table, columns, json = [], events, nameOf, leadOf = ownLead, tally } = shape
  const target = sql.table(table)
  const selected = sql.join(columns.map(column => sql.ref(column)))
  const insertRows = inserter<Row & { team_id: string }>(table, ['team_id', ...columns])

  function forWriting<Part extends Partial<Row>>(fields: Part): Part {
    const row = { ...fields }
    for (const column of json) {
      const value = row[column]
      if (value !== undefined && value !== null) row[column] = JSON.stringify(value) as never
    }
    return row
  }

  function about(row: Row) {
    return { kind: noun, id: row.id, lead_id: leadOf(row) }
  }

  function called(row: Row): { name?: string } {
    return nameOf ? { name: nameOf(row) } : {}
  }

  function insert(ctx: Context, row: Row): void {
    tally?.(ctx, undefined, row)
    ctx.later(insertRows([{ team_id: ctx.team_id, ...forWriting(row) }]))
  }

  function insertAll(ctx: Context, rows: readonly Row[]): void {
    if (tally) for (const row of rows) tally(ctx, undefined, row)
    for (const batch of batchesOf(rows))
      ctx.later(insertRows(batch.map(row => ({ team_id: ctx.team_id, ...forWriting(row) }))))
  }

  async function find(ctx: Context, id: string): Promise<Row | undefined> {
    return (await findAll(ctx, [id]))[0]
  }

  async function findAll(ctx: Context, ids: readonly string[]): Promise<Row[]> {
    return ctx.all(raw<Row>(sql`select ${selected} from ${target} where ${among(ctx, ids)}`))
  }

  /**
   * Locked in the order of IDs, so that two transactions that change several of them do not deadlock. Their
   * keys stay the same: a mere reference, like a task's to its lead, blocks no one.
   */
  async function lockAll(ctx: Context, ids: readonly string[]): Promise<Row[]> {
    return ctx.all(
      raw<Row>(sql`select ${selected} from ${target} where ${among(ctx, ids)} order by id for no key update`),
    )
  }

  function update(ctx: Context, id: string, fields: Partial<Row>): void {
    const assignments = Object.entries(forWriting(fields)).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    )
    ctx.later(
      raw(sql`update ${target} set ${sql.join(assignments)} where team_id = ${ctx.team_id} and id = ${id}`),
    )
  }

  /** One that is alive; of one in the trash it is said where it is, so that a page can offer to bring it back. */
  async function get(ctx: Context, id: string): Promise<Row> {
    return alive(await find(ctx, id))
  }

  async function getForChange(ctx: Context, id: string, ifMatch?: string): Promise<Row> {
    const [found] = await lockAll(ctx, [id])
    return unchangedSince(alive(found), ifMatch)
  }

  /** The same fields for many, in one statement. */
  function updateAll(ctx: Context, ids: readonly string[], fields: Partial<Row>): void {
    const { updated_at: _, ...rest } = forWriting(fields)
    const assignments = Object.entries(rest).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    ctx.later(
      raw(sql`update ${target} set ${sql.join(assignments)},
          updated_at = ${laterVersion(ctx.now())}
        where ${among(ctx, ids)}`),
    )
  }

  /** Writes the differences and records an event; unchanged fields are neither written nor reported. */
  function change(ctx: Context, row: Row, fields: Partial<Row>): Row {
    const changes = difference(row, fields)
    if (!changes) return row
    const after = { ...row, ...changes.after }
    record(ctx, events.changed, about(after), { ...changes, ...called(after) })
    return write(ctx, row, changes.after)
  }

  async function trash(ctx: Context, id: string, ifMatch?: string): Promise<Row> {
    return ctx.transaction(async ctx => {
      const row = await getForChange(ctx, id, ifMatch)
      record(ctx, events.trashed, about(row), called(row))
      return write(ctx, row, { deleted_at: ctx.now() } as Partial<Row>)
    })
  }

  /** `mend` returns what must be different for it to be restored. */
  async function restore(
    ctx: Context,
    id: string,
    mend: (ctx: Context, row: Row) => Promise<Partial<Row>> | Partial<Row> = () => ({}),
  ): Promise<Row> {
    return ctx.transaction(async ctx => {
      const [row] = await lockAll(ctx, [id])
      if (!row) throw absent()
      if (!row.deleted_at) return row
      record(ctx, events.restored, about(row), called(row))
      const mended = change(ctx, row, await mend(ctx, row))
      return write(ctx, mended, { deleted_at: null } as Partial<Row>)
    })
  }

  async function purge(ctx: Context): Promise<number> {
    const before = ctx.in(-TRASH_LIFE_MS)
    const row = await ctx.first(
      raw<{ purged: number }>(sql`select purge_trash(${table}, ${before}::timestamptz) as purged`),
    )
    return row!.purged
  }

  /** Whether the team has one that is alive. */
  async function exist(ctx: Context, id: string | null | undefined): Promise<boolean> {
    if (!id) return false
    const row = await find(ctx, id)
    return row !== undefined && row.deleted_at === null
  }

  function write(ctx: Context, row: Row, fields: Partial<Row>): Row {
    const written = { ...fields, updated_at: nextVersion(row.updated_at, ctx.now()) }
    update(ctx, row.id, written)
    const after = { ...row, ...written }
    tally?.(ctx, row, after)
    return after
  }

  function alive(row: Row | undefined): Row {
    if (!row) throw absent()
    if (!row.deleted_at) return row
    throw new Problem('not_found', `This ${noun} is in the trash. Restore it to use it.`, {
      code: 'in_trash',
    })
  }

  function absent(): Problem {
    return new Problem('not_found', `No such ${noun}.`)
  }

  return {
    columns,
    insert,
    insertAll,
    find,
    findAll,
    lockAll,
    update,
    updateAll,
    updateEach: (ctx: Context, rows: readonly { id: string; fields: Partial<Row> }[]) =>
      updateEach(ctx, table, rows),
    get,
    getForChange,
    change,
    write,
    trash,
    restore,
    purge,
    exist,
    alive,
    about,
    forWriting,
  }
}

/** The fields that really change, as they were and as they will be; undefined when none does. */
export function difference<Row extends object>(row: Row, fields: Partial<Row>) {
  const changed = (Object.keys(fields) as (keyof Row)[]).filter(key => !same(row[key], fields[key]))
  if (changed.length === 0) return undefined
  const pick = (from: Partial<Row>) =>
    Object.fromEntries(changed.map(key => [key, from[key]])) as Partial<Row>
  return { before: pick(row), after: pick(fields) }
}

/** An event keeps what was given, not twenty nulls. */
export function filledFields(row: object): Record<string, unknown> {
  const filled: Record<string, unknown> = {}
  for (const name in row) {
    const value = (row as Record<string, unknown>)[name]
    if (value !== null) filled[name] = value
  }
  return filled
}

function ownLead(row: object): string | null {
  return (row as { lead_id?: string | null }).lead_id ?? null
}

function among(ctx: Context, ids: readonly string[]) {
  return sql`team_id = ${ctx.team_id} and id = any(${ids}::text[])`
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** The order of keys is no difference; the order of a list is one. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, part]) => [key, sorted(part)])
}
