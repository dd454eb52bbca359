import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import { idAfter } from '#platform/ids.ts'
import type { CallLine } from './contract.ts'
import type { Speaker } from './values.ts'

export type LineRow = CallLine & { call_id: string; ref: string }

/** A transcript that came as a whole: one row, whose lines are a millisecond apart and have one id after the other. */
export type WholeTranscript = { call_id: string; id: string; at: string; lines: readonly Said[] }
type Said = Pick<LineRow, 'speaker' | 'text'>

const WHOLE = 'transcript'

const names = ['call_id', 'id', 'ref', 'speaker', 'text', 'tool', 'at'] as const
const columns = sql.raw(names.join(', '))
const insertNew = inserter<Record<(typeof names)[number] | 'team_id', unknown>>(
  'call_lines',
  ['team_id', ...names],
  `on conflict (team_id, call_id, ref) do nothing returning ${names.join(', ')}`,
)

/** Those that are new. One that its call has already, by its `ref`, stays as it is. */
export async function insertLines(ctx: Context, rows: readonly LineRow[]): Promise<LineRow[]> {
  const { team_id } = ctx
  const given = rows.map(row => ({ ...row, team_id, tool: row.tool && JSON.stringify(row.tool) }))
  const added = await Promise.all(batchesOf(given).map(batch => ctx.all<LineRow>(insertNew(batch))))
  return added.flat()
}

const insertOne = inserter<{
  team_id: string
  call_id: string
  id: string
  ref: string
  speaker: Speaker
  text: string
  at: string
  lines: string
}>(
  'call_lines',
  ['team_id', 'call_id', 'id', 'ref', 'speaker', 'text', 'at', 'lines'],
  'on conflict (team_id, call_id, ref) do nothing returning call_id',
)

/** Its lines; none if the call has a transcript already. */
export const insertWhole = atOnce<WholeTranscript, LineRow[]>(async (ctx, transcripts) => {
  const rows = transcripts.map(({ lines, ...row }) => ({
    ...row,
    team_id: ctx.team_id,
    ref: WHOLE,
    speaker: lines[0]!.speaker,
    text: '',
    lines: JSON.stringify(lines.map(({ speaker, text }) => [speaker, text])),
  }))
  const inserted = await Promise.all(
    batchesOf(rows).map(batch => ctx.all<{ call_id: string }>(insertOne(batch))),
  )
  const added = new Set(inserted.flat().map(({ call_id }) => call_id))
  return transcripts.map(transcript => (added.has(transcript.call_id) ? linesOf(transcript) : []))
})

function linesOf({ call_id, id, at, lines }: WholeTranscript): LineRow[] {
  const began = Date.parse(at)
  return lines.map(({ speaker, text }, index) => ({
    call_id,
    id: idAfter(id, index),
    ref: `${WHOLE} ${index}`,
    speaker,
    text,
    tool: null,
    at: new Date(began + index).toISOString(),
  }))
}

/** How many lines calls have, and how many of them somebody has said. */
export const countLines = atOnce<string, { lines: number; spoken: number }>(async (ctx, call_ids) => {
  const rows = await ctx.all(
    raw<{ call_id: string; lines: number; spoken: number }>(sql`select call_id,
        sum(coalesce(jsonb_array_length(lines), 1)) as lines, count(*) filter (where tool is null) as spoken
      from call_lines where team_id = ${ctx.team_id} and call_id = any(${call_ids}::text[]) group by call_id`),
  )
  const found = new Map(rows.map(row => [row.call_id, row]))
  return call_ids.map(id => found.get(id) ?? { lines: 0, spoken: 0 })
})

export async function findLine(ctx: Context, call_id: string, ref: string): Promise<LineRow | undefined> {
  return ctx.first(
    raw<LineRow>(sql`select ${columns} from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id} and ref = ${ref}`),
  )
}

export async function lockLine(ctx: Context, call_id: string, ref: string): Promise<LineRow | undefined> {
  return ctx.first(
    raw<LineRow>(sql`select ${columns} from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id} and ref = ${ref} for no key update`),
  )
}

export function updateLine(
  ctx: Context,
  { call_id, ref }: Pick<LineRow, 'call_id' | 'ref'>,
  { text, tool }: Pick<LineRow, 'text' | 'tool'>,
): void {
  ctx.later(
    raw(sql`update call_lines set text = ${text}, tool = ${JSON.stringify(tool)}::jsonb
      where team_id = ${ctx.team_id} and call_id = ${call_id} and ref = ${ref}`),
  )
}

/** In the order in which they were said. */
export async function findLines(ctx: Context, call_id: string): Promise<LineRow[]> {
  const rows = await ctx.all(
    raw<LineRow & { lines: [Speaker, string][] | null }>(sql`select ${columns}, lines from call_lines
      where team_id = ${ctx.team_id} and call_id = ${call_id}`),
  )
  const all = rows.flatMap(({ lines, ...row }) =>
    lines ? linesOf({ ...row, lines: lines.map(([speaker, text]) => ({ speaker, text })) }) : [row],
  )
  return all.toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1))
}
