import { Readable } from 'node:stream'
import { Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import type { File } from './contract.ts'
import { dispositionOf } from './name.ts'
import { openFile, uploadFile } from './service.ts'

/** Its bytes never change. No longer, because who may read it does. */
const FRESH_FOR_S = 3_600

/** A file that is the body of a request, as its headers tell of it. */
export function takeUpload(
  ctx: Context,
  headers: Record<string, string | undefined>,
  body: Readable,
  bytesMax?: number,
): Promise<File> {
  return uploadFile(ctx, {
    disposition: headers['content-disposition'],
    type: headers['content-type'],
    bytesTold: Number(headers['content-length'] ?? 0),
    body,
    ...(bytesMax !== undefined && { bytesMax }),
  })
}

/** It came from anybody: a browser saves it, and where one shows it after all, nothing in it runs. */
export async function fileAnswer(ctx: Context, id: string, method: string): Promise<Answer> {
  const { file, bytes } = await openFile(ctx, id)
  const isHead = method === 'HEAD'
  if (isHead) bytes.destroy()
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(file.size),
    'content-disposition': dispositionOf(file.name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': `private, max-age=${FRESH_FOR_S}`,
    // The next person at this browser may not be allowed to read it.
    vary: 'Authorization, Cookie',
  }
  return new Answer(200, headers, isHead ? Readable.from([]) : bytes)
}
