import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { Context } from '#platform/context.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { bounded, drain } from '#platform/upload.ts'
import type { File } from './contract.ts'
import { takeInHand } from './in-hand.ts'
import { cleanName, cleanType, nameIn } from './name.ts'
import * as store from './store.ts'
import { FILE_BYTES_MAX, UNUSED_FOR_HOURS } from './values.ts'

const HOUR_MS = 3_600_000

export type KeptFile = store.FileRow
export type NewFile = {
  /** Of one that may be kept again, such as that of an email that is read again. */
  id?: string
  name: string
  type: string
  bytes: Uint8Array
  private_to: string | null
}

type Upload = {
  disposition: string | undefined
  type: string | undefined
  bytesTold: number
  body: Readable
  bytesMax?: number
}

/** The row comes before the bytes: after a crash the sweep finds the row of an unused file, and removes both. */
export async function uploadFile(
  ctx: Context,
  { disposition, type, bytesTold, body, bytesMax = FILE_BYTES_MAX }: Upload,
): Promise<File> {
  const inHand = takeInHand(ctx.team_id)
  try {
    if (bytesTold > bytesMax) throw tooLarge(bytesMax)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of bounded(body, Infinity)) {
      if ((size += chunk.length) > bytesMax) throw tooLarge(bytesMax)
      inHand.add(chunk.length)
      chunks.push(chunk)
    }
    const file = { name: nameIn(disposition), type: cleanType(type), bytes: Buffer.concat(chunks) }
    const [row] = await keepFiles(ctx, [{ ...file, private_to: null }])
    return shown(row!)
  } catch (error) {
    drain(body)
    throw error
  } finally {
    inHand.letGo()
  }
}

/** The caller reads the bytes to their end or destroys them: the storage is open that long. */
export async function openFile(ctx: Context, id: string): Promise<{ file: File; bytes: Readable }> {
  const file = await getFile(ctx, id)
  const bytes = await ctx.runtime.ports.storage.get(keyOf(ctx, id)).catch(unavailable)
  if (!bytes) throw gone()
  return { file, bytes }
}

/**
 * Keeps the bytes of files and answers their rows, for `insertFiles` in the transaction of the message they belong to. Until
 * then they are unused files, which the sweep removes, so that a crash in between leaves nothing behind.
 */
export async function keepFiles(ctx: Context, files: readonly NewFile[]): Promise<KeptFile[]> {
  if (ctx.tx) throw new Error('bytes are written outside a transaction: it would wait for the storage')
  if (files.length === 0) return []
  const rows = files.map(file => rowOf(ctx, file))
  await store.insert(ctx, rows)
  const known = await rowsById(ctx, rows)
  for (const [at, { id }] of rows.entries()) {
    // A moment later it is gone, and can be kept again.
    if (!known.has(id)) throw new Error(`file ${id} is being removed`)
    await ctx.runtime.ports.storage.put(keyOf(ctx, id), files[at]!.bytes).catch(unavailable)
  }
  return rows.map(({ id }) => known.get(id)!)
}

/** In the transaction of the message to which they belong. Once more changes nothing. */
export async function insertFiles(ctx: Context, rows: readonly KeptFile[]): Promise<void> {
  ctx.transactionOrThrow()
  if (rows.length === 0) return
  const written = await store.insertUsed(
    ctx,
    rows.map(row => ({ ...row, used_at: row.used_at ?? ctx.now() })),
  )
  if (written.length < rows.length)
    throw new Error('a file is being removed: its bytes have to be kept again')
}

/** What was private to somebody has come to the team by another way. */
export function shareFiles(ctx: Context, ids: readonly string[]): void {
  if (ids.length > 0) store.makePublic(ctx, ids)
}

/** Files that somebody sends, in their order: from now on they belong to a message. */
export async function takeFiles(ctx: Context, ids: readonly string[]): Promise<KeptFile[]> {
  // What is wrong with one of them takes back the mark of the others.
  ctx.transactionOrThrow()
  if (ids.length === 0) return []
  const found = byId(await store.use(ctx, ids, { since: keptSince(ctx), reader: readerOf(ctx) }))
  const faults = ids.flatMap((id, at) =>
    found.has(id) ? [] : [{ path: `file_ids[${at}]`, message: 'is not a file you uploaded' }],
  )
  if (faults.length > 0) throw invalid(faults)
  const files = ids.map(id => found.get(id)!)
  if (files.reduce((sum, { size }) => sum + size, 0) > FILE_BYTES_MAX)
    throw invalid([
      { path: 'file_ids', message: `are larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB together` },
    ])
  return files
}

/** Those of them that the caller may read, in their order. */
export async function findFiles(ctx: Context, ids: readonly string[]): Promise<KeptFile[]> {
  if (ids.length === 0) return []
  const rows = byId(await store.findAll(ctx, ids, keptSince(ctx)))
  return ids.flatMap(id => {
    const row = rows.get(id)
    return row && mayRead(ctx, row) ? [row] : []
  })
}

export async function bytesOf(ctx: Context, id: string): Promise<Buffer> {
  const { bytes } = await openFile(ctx, id)
  return await buffer(bytes).catch(unavailable)
}

export function keyOf(ctx: Context, id: string): string {
  return `${ctx.team_id}/${id}`
}

/** What was not used until then counts as removed, whether the sweep has come by or not. */
export function keptSince(ctx: Context): string {
  return ctx.in(-UNUSED_FOR_HOURS * HOUR_MS)
}

async function getFile(ctx: Context, id: string): Promise<File> {
  const [row] = await findFiles(ctx, [id])
  if (!row) throw new Problem('not_found', 'No such file.')
  return shown(row)
}

function mayRead(ctx: Context, { private_to }: KeptFile): boolean {
  // Without a caller it is the product itself, which sends what somebody was allowed to.
  return private_to === null || !ctx.principal || private_to === ctx.principal.user_id
}

/** A key is nobody in particular, as it is for private messages (`Context.principal`); so is what no caller asks for. */
function readerOf(ctx: Context): string | null {
  return ctx.principal?.user_id ?? null
}

function rowOf(ctx: Context, { id, name, type, bytes, private_to }: NewFile): KeptFile {
  return {
    id: id ?? ctx.newId(),
    name: cleanName(name),
    type: cleanType(type),
    size: bytes.length,
    private_to,
    used_at: null,
    created_by: readerOf(ctx),
    created_at: ctx.now(),
  }
}

async function rowsById(ctx: Context, rows: readonly KeptFile[]): Promise<Map<string, KeptFile>> {
  const ids = rows.map(({ id }) => id)
  return byId(await store.findAll(ctx, ids, keptSince(ctx)))
}

function byId(rows: readonly KeptFile[]): Map<string, KeptFile> {
  return new Map(rows.map(row => [row.id, row]))
}

function shown({ id, name, type, size, created_at }: KeptFile): File {
  return { id, name, type, size, created_at }
}

function tooLarge(bytesMax: number): Problem {
  const mib = bytesMax / 1024 / 1024
  return new Problem('too_large', `The file is larger than ${mib} MiB. Send a link to it instead.`, {
    code: 'file_too_large',
  })
}

function gone(): Problem {
  return new Problem('not_found', 'The contents of this file are no longer stored.', { code: 'file_gone' })
}

function unavailable(cause: unknown): never {
  throw new Problem('unavailable', 'Files cannot be read or stored right now. Try again later.', {
    code: 'files_unavailable',
    cause,
  })
}
