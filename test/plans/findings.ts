import type pg from 'pg'
import { APPLICATION_ROLE } from '#platform/database/pool.ts'
import { bare, conjunctsOf } from './conditions.ts'
import type { Catalog, Index, Relation } from './catalog.ts'
import type { SentStatement } from './recorder.ts'

/** A part of a plan that reads more, the more there is. */
export type Finding = { text: string; table: string; what: string }

/** So many rows are no scan: what a search looks at, and a block of a long piece of work. */
export const ROWS_READ_MAX = 10_000
/** A statement that knows the time looks into this month and its neighbours. */
export const PARTS_READ_MAX = 3
/** Of a team that has half of everything. */
const SHARE_OF_LARGE_TEAM = 0.5
/** `= any(…)` names so many values. */
const VALUES_NAMED = 100
/** The part of a column's values that a range, a prefix or an operator of its own is taken to leave. */
const PART_OF_RANGE = 1 / 3

/** Every record of a list is like this, but those of the last thirty days: such a filter ends soon. */
const PASSED_BY_NEARLY_ALL =
  /^\(*(\w+\.)?deleted_at (IS NULL|IS NOT NULL|< 'infinity'[^)]*)\)*$|app\.erasing|current_setting\('app\.team'/

export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  'Plan Rows': number
  'Parent Relationship'?: string
  Plans?: PlanNode[]
}

/**
 * What a plan reads of the tables that grow, and a limit does not end. A plan that was made for its values knows how soon a limit
 * ends it: what is rare is found by an index then, and what is frequent among the next rows.
 */
export function findingsIn(plan: PlanNode, catalog: Catalog, isForValues = false): Omit<Finding, 'text'>[] {
  const found: Omit<Finding, 'text'>[] = []
  visit(plan, undefined)
  return found

  function visit(node: PlanNode, limit: number | undefined): void {
    const relation = catalog.relations.get(node['Relation Name'] ?? '')
    if (relation && relation.rows > ROWS_READ_MAX) judge(node, relation, limit)
    if (node['Node Type'].endsWith('Append')) judgeParts(node, limit)
    for (const child of node.Plans ?? []) visit(child, limitFor(child, node, limit))
  }

  function judge(node: PlanNode, relation: Relation, limit: number | undefined): void {
    const add = (what: string) => void found.push({ table: relation.table, what })
    const type = node['Node Type']
    const filter = filterOf(node)
    if (type === 'Seq Scan') return limit !== undefined && !filter ? undefined : add('reads every row')
    if (type === 'Bitmap Heap Scan') {
      const rows = rowsOfBitmap(node.Plans![0]!, relation)
      return rows > ROWS_READ_MAX
        ? add(`reads about ${rough(rows)} rows by ${indexesOf(node, relation)}`)
        : undefined
    }
    if (type !== 'Index Scan' && type !== 'Index Only Scan') return undefined
    const rows = rowsOfIndex(node, relation)
    if (rows <= ROWS_READ_MAX) return undefined
    const by = indexesOf(node, relation)
    if (limit === undefined) return add(`reads about ${rough(rows)} rows by ${by}`)
    const untilEnough = (limit * rows) / node['Plan Rows']
    if (!filter || (isForValues && untilEnough <= ROWS_READ_MAX)) return undefined
    return add(`walks ${by} until enough rows pass ${filter}`)
  }

  function judgeParts(node: PlanNode, limit: number | undefined): void {
    const parts = new Map<string, Set<string>>()
    for (const leaf of leavesOf(node)) {
      const relation = catalog.relations.get(leaf['Relation Name'] ?? '')
      if (!relation?.partitionKey) continue
      // In the order of the list: a row of each part at most, beyond those that are wanted.
      if (limit !== undefined && !filterOf(leaf)) continue
      const cond = (leaf['Index Cond'] ?? leaf.Plans?.[0]?.['Index Cond'] ?? '') + (leaf.Filter ?? '')
      // Which parts those are is found out as it runs.
      if (new RegExp(`\\b${relation.partitionKey}\\b`).test(cond)) continue
      const names = parts.get(relation.table) ?? new Set()
      parts.set(relation.table, names.add(relation.name))
    }
    for (const [table, names] of parts)
      if (names.size > PARTS_READ_MAX) found.push({ table, what: 'reads every month' })
  }

  /** What a row has to pass after it was read, and many may not. */
  function filterOf({ Filter = '', 'Index Cond': cond = '', 'Index Name': name = '' }: PlanNode) {
    const held = catalog.indexes.get(name)?.holds ?? []
    // An id begins with its time: beside a range of ids, a range of times passes nearly all.
    const isTimed = /[(.]id [<>]/.test(cond)
    const left = conjunctsOf(Filter).filter(
      part =>
        !PASSED_BY_NEARLY_ALL.test(part) &&
        !held.includes(bare(part)) &&
        !(isTimed && /^\(*(at|created_at|received_at) [<>]=? [^()]*\)*$/.test(part)),
    )
    return left.length > 0 ? left.join(' AND ').replaceAll(/'[^']*'::[\w ]+(\[\])?/g, '?') : undefined
  }

  function rowsOfIndex(node: PlanNode, relation: Relation): number {
    // Nothing is known of the values better than by the planner itself.
    if (isForValues && !node.Filter) return node['Plan Rows']
    const index = catalog.indexes.get(node['Index Name']!)
    return index ? estimate(index, node['Index Cond'] ?? '', relation) : relation.rows
  }

  function rowsOfBitmap(node: PlanNode, relation: Relation): number {
    const rows = (node.Plans ?? []).map(child => rowsOfBitmap(child, relation))
    if (node['Node Type'] === 'BitmapAnd') return Math.min(...rows)
    if (node['Node Type'] === 'BitmapOr') return rows.reduce((sum, each) => sum + each, 0)
    return rowsOfIndex(node, relation)
  }
}

/** How many rows fulfil the condition of an index, in a team that has half of them. */
export function estimate(index: Index, condition: string, relation: Relation): number {
  let rows = Math.min(relation.rows, index.rows ?? relation.rows)
  let named = 0
  for (const column of index.columns) {
    const operator = operatorOn(column, condition)
    if (!operator) continue
    if (column === 'team_id') {
      rows *= SHARE_OF_LARGE_TEAM
      named++
    } else if (operator === '=' || operator === '= ANY') {
      const values = Math.min(relation.distinct.get(column) || relation.rows, relation.rows)
      rows *= Math.min(1, (operator === '=' ? 1 : VALUES_NAMED) / Math.max(values, 1))
      if (operator === '=') named++
    } else rows *= PART_OF_RANGE
  }
  return index.isUnique && named === index.columns.length ? 1 : rows
}

function operatorOn(column: string, condition: string): string | undefined {
  const name = column.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const found = new RegExp(
    `(?<![\\w."])(?:\\w+\\.)?${name}\\)*(?:::\\w+)?\\)* (= ANY|=|<=|>=|<|>|~~|@>|&&|IS)`,
  )
  const row = new RegExp(`ROW\\([^=<>]*(?<!\\w)${name}\\b`)
  return found.exec(condition)?.[1] ?? (row.test(condition) ? '<' : undefined)
}

/** How many rows are wanted of a node whose rows are asked for one by one, until there are enough. */
function limitFor(child: PlanNode, node: PlanNode, limit: number | undefined): number | undefined {
  const relationship = child['Parent Relationship']
  if (relationship === 'InitPlan' || relationship === 'SubPlan') return undefined
  const type = node['Node Type']
  if (type === 'Limit') return node['Plan Rows']
  if (limit === undefined) return undefined
  const passesOn = JOINS.has(type) ? relationship === 'Outer' : PASSES_ON.has(type)
  return passesOn ? limit : undefined
}

const JOINS = new Set(['Nested Loop', 'Hash Join', 'Merge Join'])
const PASSES_ON = new Set([
  'Subquery Scan',
  'Result',
  'LockRows',
  'Append',
  'Merge Append',
  'Incremental Sort',
  'ProjectSet',
  'Memoize',
  'Unique',
  'WindowAgg',
])

function leavesOf(node: PlanNode): PlanNode[] {
  if (node['Relation Name']) return [node]
  return (node.Plans ?? []).flatMap(leavesOf)
}

function indexesOf(node: PlanNode, relation: Relation): string {
  const name = node['Index Name']?.replace(relation.name, relation.table)
  return [...(name ? [name] : []), ...(node.Plans ?? []).map(child => indexesOf(child, relation))].join(
    ' and ',
  )
}

function rough(rows: number): string {
  return Number(rows.toPrecision(1)).toLocaleString('en')
}

type Plan = { plan: PlanNode; isForValues: boolean }

/** Asks for the plans that a statement may get: one for any values, and one for each sample unless it is planned just once. */
export async function planOf(client: pg.ClientBase, sent: SentStatement, team: string): Promise<Plan[]> {
  const { text, samples, fresh } = sent
  const asked = sent.team === '*' ? '*' : team
  await client.query(`savepoint asked; set local app.team = '${asked}'; set local role ${APPLICATION_ROLE}`)
  try {
    const plans: Plan[] = []
    if (!fresh) {
      const plan = await explain(client, `explain (generic_plan, format json) ${text}`)
      plans.push({ plan, isForValues: false })
    }
    for (const values of samples) {
      const own = values.map(value => value?.replaceAll(sent.team || '-', asked) ?? null)
      const plan = await explain(client, `explain (format json) ${text}`, own)
      plans.push({ plan, isForValues: true })
    }
    return plans
  } finally {
    await client.query('rollback to savepoint asked')
  }
}

async function explain(client: pg.ClientBase, text: string, values?: (string | null)[]): Promise<PlanNode> {
  const { rows } = await client.query({ text, values: values ?? [], rowMode: 'array' })
  return (rows as [[{ Plan: PlanNode }]][])[0]![0][0].Plan
}

const NOT_ALLOWED = '42501'

/** Each finding of these statements once. Statements that could not be planned are findings as well. */
export async function findAll(
  client: pg.ClientBase,
  statements: readonly SentStatement[],
  catalog: Catalog,
  team: string,
): Promise<Finding[]> {
  const found = new Map<string, Finding>()
  for (const sent of statements) {
    const { text } = sent
    const add = ({ table, what }: Omit<Finding, 'text'>) =>
      found.set(`${text} ${table} ${what}`, { text, table, what })
    try {
      for (const { plan, isForValues } of await planOf(client, sent, team))
        findingsIn(plan, catalog, isForValues).forEach(add)
    } catch (error) {
      // A test tried what the application may not do.
      if ((error as { code?: string }).code === NOT_ALLOWED) continue
      add({ table: '', what: `could not be planned: ${(error as Error).message}` })
    }
  }
  return [...found.values()]
}
