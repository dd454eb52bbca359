import type { Client } from './client.ts'

/** Every record of a list, page by page as its cursors lead. */
export async function everyPage<Row = any>(who: Client, path: string): Promise<Row[]> {
  const rows: Row[] = []
  const join = path.includes('?') ? '&' : '?'
  let cursor: string | null = null
  do {
    const reply: { body: { data: Row[]; next_cursor: string | null } } = await who.get(
      cursor === null ? path : `${path}${join}cursor=${cursor}`,
    )
    rows.push(...reply.body.data)
    cursor = reply.body.next_cursor
  } while (cursor !== null)
  return rows
}
