import type { Statement, StatementResult } from './flush.ts'

/** More rows are a text that seldom comes again, so that it is planned each time. */
const ROWS_MAX = 10
const TEXTS_MAX = 500

/**
 * The statements of several transactions that do the same, such as creating a lead, in fewer statements: one INSERT takes the rows
 * of all, and the same question is asked once. A statement has a cost of its own, above all on a cluster, where each is sent
 * on to a node and planned there. `answer` gives each caller the results of its own statements.
 */
export function combine(callers: readonly (readonly Statement[])[]): {
  statements: Statement[]
  answer(results: readonly StatementResult[], caller: number): StatementResult[]
} {
  const statements: Statement[] = []
  /** Where the result of each statement of each caller is; nowhere for a row that went with others. */
  const places = callers.map((): (number | undefined)[] => [])
  for (const alike of Map.groupBy(callers.keys(), caller => shapeOf(callers[caller]!)).values()) {
    const [first] = alike
    for (const at of callers[first!]!.keys()) {
      const own = alike.map(caller => ({ caller, statement: callers[caller]![at]! }))
      for (const group of groupsOf(own)) {
        const [{ statement }] = group as [Own]
        if (group.length === 1) {
          places[group[0]!.caller]![at] = statements.push(statement) - 1
          continue
        }
        const isInsert = insertOf(statement)
        const place = statements.push(isInsert ? inOneInsert(group) : statement) - 1
        for (const { caller } of group) places[caller]![at] = isInsert ? undefined : place
      }
    }
  }
  return {
    statements,
    answer: (results, caller) =>
      places[caller]!.map(place => (place === undefined ? ONE_ROW : results[place]!)),
  }
}

type Own = { caller: number; statement: Statement }
const ONE_ROW: StatementResult = { rows: [], rowCount: 1, command: 'INSERT' }

/** Callers with the same texts in the same order: what refers to another row still comes after it. */
function shapeOf(statements: readonly Statement[]): string {
  return statements.map(({ text }) => text).join('\n')
}

function groupsOf(own: readonly Own[]): Own[][] {
  const [{ statement }] = own as [Own]
  if (insertOf(statement)) return chunks(own)
  const isAsked = statement.text.startsWith('select ') && !statement.counted
  return isAsked
    ? [...Map.groupBy(own, ({ statement }) => JSON.stringify(statement.values)).values()]
    : own.map(each => [each])
}

function chunks(own: readonly Own[]): Own[][] {
  return Array.from({ length: Math.ceil(own.length / ROWS_MAX) }, (_, at) =>
    own.slice(at * ROWS_MAX, (at + 1) * ROWS_MAX),
  )
}

function inOneInsert(group: readonly Own[]): Statement {
  const [{ statement }] = group as [Own]
  const { head, width, tail } = insertOf(statement)!
  const rows = group.map((_, row) => {
    const places = Array.from({ length: width }, (_, at) => `$${row * width + at + 1}`)
    return `(${places.join(', ')})`
  })
  return {
    text: `${head}${rows.join(', ')}${tail}`,
    values: group.flatMap(({ statement }) => statement.values),
    quiet: true,
  }
}

type Insert = { head: string; width: number; tail: string }
const inserts = new Map<string, Insert | undefined>()

/** An INSERT of one row whose result nobody reads. */
function insertOf({ text, quiet, counted }: Statement): Insert | undefined {
  if (!quiet || counted) return undefined
  if (!inserts.has(text)) {
    if (inserts.size === TEXTS_MAX) inserts.clear()
    inserts.set(text, parse(text))
  }
  return inserts.get(text)
}

function parse(text: string): Insert | undefined {
  const [, head, row, tail] =
    /^(insert into "\w+" \([^()]+\) values )\(([$\d, ]+)\)( on conflict do nothing)?$/.exec(text) ?? []
  if (head === undefined) return undefined
  const places = row!.split(/, ?/)
  const isInOrder = places.every((place, at) => place === `$${at + 1}`)
  return isInOrder ? { head, width: places.length, tail: tail ?? '' } : undefined
}
