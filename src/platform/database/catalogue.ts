import type { ClientBase } from 'pg'

export type Table = {
  name: string
  /** Without those that the database computes itself. */
  columns: string[]
  /** Row security binds even us: the rows show themselves team by team only, */
  bound: boolean
  /** or all at once to who works for the installation. */
  shared: boolean
}

/** Everything the product keeps, read from the database itself, so that a new table needs no word here. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select relname as name, row_security_active(pg_class.oid) as bound,
      exists (select from pg_policy where polrelid = pg_class.oid and polname = 'installation') as shared,
      array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by pg_class.oid order by relname`)
  return rows
}

export async function listSequences(client: ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`)
  return rows
}

export async function listAppliedMigrations(
  client: ClientBase,
): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  return rows
}

export async function serverVersion(client: ClientBase): Promise<{ number: number; text: string }> {
  const { rows } = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  )
  return { number: Number(rows[0]!.number), text: rows[0]!.text }
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
