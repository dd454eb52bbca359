import { setTimeout as rest } from 'node:timers/promises'
import type { Context } from '#platform/context.ts'
import { announce } from '#platform/events.ts'
import { CALL_LINES, type CallLine } from './contract.ts'
import * as store from './line-store.ts'
import type { LineRow } from './line-store.ts'
import { kept, keptArguments } from './text.ts'
import { LINES_MAX, type Speaker } from './values.ts'

export type NewLine = {
  call_id: string
  /** The provider's name of it: told twice, it is there once. */
  ref: string
  speaker: Speaker
  text: string
  tool?: CallLine['tool']
  at: string
}

export type ToolResult = { ok: boolean; text: string }

const REF_LENGTH_MAX = 200
const POLL_MS = 40
/** More than this is not sent to those who look on: they are told to read it. */
const TOLD_BYTES_MAX = 100_000
const CUT_OFF = 'cut-off'

/** What was said, of any number of calls at once. A call that says too much is cut off, and says so. */
export async function addLines(ctx: Context, lines: readonly NewLine[]): Promise<void> {
  const rows = lines.flatMap(line => rowOf(ctx, line))
  if (rows.length === 0) return
  await ctx.transaction(async ctx => {
    const ids = [...new Set(rows.map(({ call_id }) => call_id))]
    const counted = await Promise.all(ids.map(id => store.countLines(ctx, id)))
    const counts = new Map(ids.map((id, at) => [id, counted[at]!.lines]))
    const added = await store.insertLines(ctx, bounded(ctx, rows, counts))
    for (const [call_id, own] of Map.groupBy(added, line => line.call_id)) announceLines(ctx, call_id, own)
  })
}

/** What was said in a call that nobody listened to, all at once. If something of it is known, it stays as it is. */
export async function addWholeTranscript(
  ctx: Context,
  call_id: string,
  said: readonly Pick<NewLine, 'speaker' | 'text'>[],
  at: string,
): Promise<void> {
  const rows = said.flatMap(({ speaker, text }) => rowOf(ctx, { call_id, ref: '', speaker, text, at }))
  if (rows.length === 0) return
  await ctx.transaction(async ctx => {
    const known = await store.countLines(ctx, call_id)
    if (known.spoken > 0) return
    const lines = bounded(ctx, rows, new Map([[call_id, known.lines]]))
    if (lines.length === 0) return
    const added = await store.insertWhole(ctx, { call_id, id: lines[0]!.id, at, lines })
    if (added.length > 0) announceLines(ctx, call_id, added)
  })
}

/** Sent to viewers. An empty list means there is more than a message should carry. */
export function announceLines(ctx: Context, call_id: string, rows: readonly LineRow[]): void {
  const lines = rows.map(shownLine)
  const isShort = Buffer.byteLength(JSON.stringify(lines)) <= TOLD_BYTES_MAX
  announce(ctx, 'voice:read', CALL_LINES, { kind: 'call', id: call_id }, { lines: isShort ? lines : [] })
}

/** What came of a tool that was asked for, as soon as it is known; undefined where it takes longer than that. */
export async function awaitTool(
  ctx: Context,
  call_id: string,
  ref: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ToolResult | undefined> {
  for (let left = timeoutMs; ; left -= POLL_MS) {
    const result = resultOf(await store.findLine(ctx, call_id, refOf(ref)))
    if (result || left <= 0 || signal?.aborted) return result
    await rest(Math.min(POLL_MS, left))
  }
}

export async function readTranscript(ctx: Context, call_id: string): Promise<CallLine[]> {
  return (await store.findLines(ctx, call_id)).map(shownLine)
}

export function resultOf(line: LineRow | undefined): ToolResult | undefined {
  if (!line?.tool || line.tool.status === 'asked') return undefined
  return { ok: line.tool.status === 'done', text: line.tool.result ?? '' }
}

export function refOf(ref: string): string {
  return kept(ref, REF_LENGTH_MAX)
}

/** Nothing of it where nothing was said. */
function rowOf(ctx: Context, { call_id, ref, speaker, text, tool, at }: NewLine): LineRow[] {
  const said = kept(text)
  if (said === '' && !tool) return []
  const used = tool ? { ...tool, name: kept(tool.name, 100), arguments: keptArguments(tool.arguments) } : null
  return [{ call_id, id: ctx.newId(), ref: refOf(ref), speaker, text: said, tool: used, at }]
}

/** The last one that a call may have is the one that says so. */
function bounded(ctx: Context, rows: readonly LineRow[], counts: Map<string, number>): LineRow[] {
  return rows.flatMap(row => {
    const count = counts.get(row.call_id) ?? 0
    counts.set(row.call_id, count + 1)
    // Tool lines are kept beyond the limit: a caller waits for their result.
    if (count < LINES_MAX - 1 || row.tool) return [row]
    if (count > LINES_MAX - 1) return []
    return [
      {
        ...row,
        id: ctx.newId(),
        ref: CUT_OFF,
        speaker: 'system' as const,
        text: 'The transcript is truncated here.',
      },
    ]
  })
}

function shownLine({ id, speaker, text, tool, at }: LineRow): CallLine {
  return { id, speaker, text, tool, at }
}
