import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { isId } from '#platform/ids.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { bounded, drain } from '#platform/upload.ts'
import type { ChatWidget } from './contract.ts'
import { deleteLogo, findLogo, saveLogo } from './logo-store.ts'
import { pictureIn, type Picture } from './picture.ts'
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from './values.ts'
import { findOpenly, getWidget, setLogoHash } from './widgets.ts'

const HASH_LENGTH = 32

/** A picture takes the place of the one before. What it is, its bytes say and not its name. */
export async function uploadLogo(
  ctx: Context,
  id: string,
  headers: Record<string, string | undefined>,
  body: Readable,
  ifMatch?: string,
): Promise<ChatWidget> {
  let bytes: Buffer
  try {
    await getWidget(ctx, id)
    bytes = await read(body, Number(headers['content-length'] ?? 0))
  } catch (error) {
    drain(body)
    throw error
  }
  const { type } = pictureFit(bytes)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
  return ctx.transaction(async ctx => {
    const widget = await setLogoHash(ctx, id, hash, ifMatch)
    saveLogo(ctx, id, { hash, type, bytes })
    return widget
  })
}

/** The first letter of the team takes its place. */
export async function removeLogo(ctx: Context, id: string, ifMatch?: string): Promise<ChatWidget> {
  return ctx.transaction(async ctx => {
    const widget = await setLogoHash(ctx, id, null, ifMatch)
    deleteLogo(ctx, id)
    return widget
  })
}

/** For pages of any site. A new logo has a new address, so a browser may keep each for ever. */
export async function logoAnswer(ctx: Context, id: string, hash: string): Promise<Answer> {
  const found = isId(id) ? await findOpenly(ctx, id) : undefined
  const logo = found && (await findLogo(found.ctx, id, hash))
  if (!logo) throw new Problem('not_found', 'There is nothing at this URL.')
  const { type, bytes } = logo
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag: `"${hash}"`,
  }
  return new Answer(200, headers, bytes)
}

async function read(body: Readable, bytesTold: number): Promise<Buffer> {
  if (bytesTold > LOGO_BYTES_MAX) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bounded(body, Infinity)) {
    if ((size += chunk.length) > LOGO_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function pictureFit(bytes: Buffer): Picture {
  const picture = pictureIn(bytes)
  if (!picture)
    throw new Problem('unsupported_media_type', 'Upload a PNG, JPEG or WebP image.', {
      code: 'file_type_not_taken',
    })
  if (Math.max(picture.width, picture.height) > LOGO_SIDE_MAX)
    throw invalid([
      { path: '', message: `The image must be at most ${LOGO_SIDE_MAX} × ${LOGO_SIDE_MAX} pixels.` },
    ])
  return picture
}

function tooLarge(): Problem {
  return new Problem('too_large', `The image is larger than ${LOGO_BYTES_MAX / 1024} KiB.`, {
    code: 'file_too_large',
  })
}
