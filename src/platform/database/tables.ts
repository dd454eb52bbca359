import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Compilable,
  type RawBuilder,
} from 'kysely'
import type { RowSink } from './flush.ts'

/**
 * A query builder that knows the given tables and only those: each domain makes one for its own tables, so that
 * reaching into another domain's does not compile. It only builds; a Context runs what it builds.
 */
export function tables<Tables>(): Kysely<Tables> {
  return builder as unknown as Kysely<Tables>
}

/** SQL as it is written, for what a builder would only hide; the rows are what the caller says they are. */
export function raw<Row>(query: RawBuilder<unknown>): Compilable<Row> {
  return { compile: () => query.compile(builder) } as Compilable<Row>
}

/** SQL that is a constant, for the hot path: nothing is built, and the server plans it once. */
export function written<Row>(text: string, values: readonly unknown[]): Compilable<Row> {
  return { compile: () => ({ sql: text, parameters: values }) } as unknown as Compilable<Row>
}

/** The same write; `counted` is called with the number of its rows, once the transaction has committed. */
export function counting(query: Compilable<unknown>, counted: (rows: number) => void): Compilable<unknown> {
  return { compile: () => ({ ...query.compile(), counted }) } as Compilable<unknown>
}

/** The same query, planned for its values each time it is asked: for filters, where one value is rare and another is not. */
export function freshlyPlanned<Row>(query: Compilable<Row>): Compilable<Row> {
  return { compile: () => ({ ...query.compile(), fresh: true }) } as Compilable<Row>
}

/** The same query, whose rows go into the sink as they are received: the result has none. */
export function into(sink: RowSink, query: Compilable<unknown>): Compilable<never> {
  return { compile: () => ({ ...query.compile(), sink }) } as unknown as Compilable<never>
}

const builder = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
