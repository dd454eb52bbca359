import pg, { type Connection, type Submittable } from 'pg'
import { serialize } from 'pg-protocol'
import { prepareValue } from './pg-internals.ts'
import type { ReceivedRow } from './row-reader.ts'

export type Statement = {
  readonly text: string
  readonly values: readonly unknown[]
  /** Nobody reads its rows: the server is not asked to describe them, and what comes is dropped. */
  readonly quiet?: true
  /** Planned for its values each time: what is rare or frequent among them decides which index serves. */
  readonly fresh?: true
  /** Is called with the number of rows it wrote, once its transaction has committed. */
  readonly counted?: (rows: number) => void
  /** Takes its rows as they are received, instead of objects in the result. */
  readonly sink?: RowSink
}

export type Field = { name: string; dataTypeID: number }
/** `begin` is called once, before the first row; a row must be read before `take` returns. */
export type RowSink = { begin(fields: readonly Field[]): void; take(row: ReceivedRow): void }

type Row = Record<string, unknown>
export type StatementResult = { rows: Row[]; rowCount: number; command: string }

/** Beyond this many texts per connection a statement is parsed each time: memory on the server is bounded. */
const NAMED_STATEMENTS_MAX = 500
/** Each team's `SET LOCAL` is a text of its own: they leave room for the queries. */
const NAMED_SETTINGS_MAX = 200
/** The text of hundreds of rows is seldom the same twice, and megabytes on the server once it is planned. */
const NAMED_TEXT_LENGTH_MAX = 20_000

/**
 * Several statements in one write and one answer: parse, bind and execute each, then a single Sync. A whole
 * transaction with its `SET LOCAL` costs about as much as one plain query (docs/decisions/0003). Statements are
 * prepared and described once per connection, and named by their text. When one fails, the server skips the rest.
 */
export class Flush implements Submittable {
  readonly done: Promise<StatementResult[]>
  private readonly statements: readonly Statement[]
  private readonly named: boolean
  private readonly results: StatementResult[] = []
  private resolve!: (results: StatementResult[]) => void
  private reject!: (error: Error) => void
  private rows: Row[] = []
  private shape: Shape | undefined
  private hasBegun = false
  private names = new Map<string, string>()
  private shapes = new Map<string, Shape>()
  private readonly parsedNow = new Set<string>()

  /** Without names every text is parsed each time: for a pooler that may use another connection for the next flush. */
  constructor(statements: readonly Statement[], { named = true }: { named?: boolean } = {}) {
    this.statements = statements
    this.named = named
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  submit(connection: Connection): Error | undefined {
    this.names = memoryOf(namesOn, connection)
    this.shapes = memoryOf(shapesOn, connection)
    try {
      const messages = this.statements.flatMap(statement => this.messagesFor(statement))
      // One buffer, one system call: writing the messages one by one costs a third more.
      connection.stream.write(Buffer.concat([...messages, SYNC]))
      return undefined
    } catch (error) {
      // Nothing was sent: pg reports it to this query and continues with the next.
      return error as Error
    }
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const { text } = this.statements[this.results.length]!
    this.shape = shapeOf(fields)
    if (this.names.has(text)) this.shapes.set(text, this.shape)
  }

  handleDataRow(row: ReceivedRow): void {
    const { quiet, text, sink } = this.statements[this.results.length]!
    if (quiet) return
    this.shape ??= this.shapes.get(text)!
    if (sink) this.pass(row, sink, this.shape)
    else this.rows.push(rowOf(this.shape, row.fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    // `SELECT 3`, `INSERT 0 1`, `COMMIT`: the number of rows comes last.
    const [command = '', ...numbers] = text.split(' ')
    this.results.push({ rows: this.rows, rowCount: Number(numbers.at(-1)) || 0, command })
    this.rows = []
    this.shape = undefined
    this.hasBegun = false
  }

  handleEmptyQuery(): void {
    this.results.push({ rows: [], rowCount: 0, command: '' })
  }

  handleError(error: Error): void {
    // It is unknown whether texts from the failing one on were prepared: their names are forgotten and
    // assigned again. A text whose table has changed its shape must be prepared again too.
    const outdated = (error as { code?: string }).code === CACHED_PLAN_OUTDATED
    for (const { text } of this.statements.slice(this.results.length)) {
      if (!outdated && !this.parsedNow.has(text)) continue
      if (outdated) revisions.set(text, (revisions.get(text) ?? 0) + 1)
      this.names.delete(text)
      this.shapes.delete(text)
    }
    // pg forgets a query that failed: `handleReadyForQuery` is not called for it. It holds back the next one itself.
    this.reject(error)
  }

  handleReadyForQuery(): void {
    this.resolve(this.results)
  }

  private pass(row: ReceivedRow, sink: RowSink, { fields }: Shape): void {
    if (!this.hasBegun) sink.begin(fields)
    this.hasBegun = true
    sink.take(row)
  }

  private messagesFor({ text, values, quiet, fresh }: Statement): Buffer[] {
    const known = fresh ? undefined : this.names.get(text)
    const statement = known ?? (fresh ? '' : this.nameFor(text))
    const parse = known === undefined ? [serialize.parse({ name: statement, text: currentText(text) })] : []
    // Prepared first: a value that throws while pg's shared buffer is being written would spoil the next message.
    const bind = serialize.bind({ statement, values: values.map(value => prepareValue(value)) })
    // What its rows look like is asked once; a prepared statement never changes that.
    const told = quiet || (known !== undefined && this.shapes.has(text))
    return told ? [...parse, bind, EXECUTE] : [...parse, bind, DESCRIBE, EXECUTE]
  }

  /** A name for a text that is prepared with this flush; none where there are many already. */
  private nameFor(text: string): string {
    const max = text.startsWith('set local') ? NAMED_SETTINGS_MAX : NAMED_STATEMENTS_MAX
    if (!this.named || this.names.size >= max || text.length > NAMED_TEXT_LENGTH_MAX) return ''
    const name = `s${nextName++}`
    this.names.set(text, name)
    this.parsedNow.add(text)
    return name
  }
}

const CACHED_PLAN_OUTDATED = '0A000'
const SYNC = serialize.sync()
const DESCRIBE = serialize.describe({ type: 'P', name: '' })
const EXECUTE = serialize.execute({ portal: '', rows: 0 })

/**
 * A pooler prepares equal texts once for everybody, so a text whose plan is outdated has to become another one. There are
 * few: those that were in use when a migration changed their tables.
 */
const revisions = new Map<string, number>()

function currentText(text: string): string {
  const revision = revisions.size > 0 && revisions.get(text)
  return revision ? text + ' '.repeat(revision) : text
}

let nextName = 1
const namesOn = new WeakMap<Connection, Map<string, string>>()
const shapesOn = new WeakMap<Connection, Map<string, Shape>>()

function memoryOf<Value>(
  memory: WeakMap<Connection, Map<string, Value>>,
  connection: Connection,
): Map<string, Value> {
  let values = memory.get(connection)
  if (!values) memory.set(connection, (values = new Map()))
  return values
}

/** What the rows of a statement look like: found out once per connection. */
type Shape = {
  fields: readonly Field[]
  names: string[]
  parsers: ((text: string) => unknown)[]
  empty: Row
}

function shapeOf(fields: readonly Field[]): Shape {
  return {
    fields,
    names: fields.map(({ name }) => name),
    parsers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text')),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  }
}

function rowOf({ names, parsers, empty }: Shape, fields: readonly (string | null)[]): Row {
  const row = { ...empty }
  for (let at = 0; at < fields.length; at++) {
    const text = fields[at]
    if (typeof text === 'string') row[names[at]!] = parsers[at]!(text)
  }
  return row
}
