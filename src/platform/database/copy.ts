import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'

/** What a query finds, in PostgreSQL's text format: one line per row, whatever the values contain. */
export function copyOut(client: ClientBase, query: string): Readable {
  return client.query(to(`copy (${query}) to stdout`))
}

/** Loads lines of that format; answers how many rows they were. */
export async function copyIn(
  client: ClientBase,
  target: string,
  lines: AsyncIterable<Buffer>,
): Promise<number> {
  const table = client.query(from(`copy ${target} from stdin`))
  await pipeline(Readable.from(lines), table)
  return table.rowCount
}
