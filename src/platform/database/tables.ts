import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'

/**
 * A query builder that knows the given tables and only those: each domain makes one for its own tables, so that
 * reaching into another domain's does not compile. It only builds; a Context runs what it builds.
 */
export function tables<Tables>(): Kysely<Tables> {
  return builder as unknown as Kysely<Tables>
}

const builder = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export { builder as anyTables }
