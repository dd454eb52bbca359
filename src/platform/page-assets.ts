import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Answer } from './answer.ts'
import { Problem } from './problem.ts'

const FOREVER = 'public, max-age=31536000, immutable'
const CSS = 'text/css; charset=utf-8'
export const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** What all pages for strangers have in common. */
const GUEST_STYLE = readFileSync(join(import.meta.dirname, 'guest-page.css'), 'utf8')

export type Asset = { type: string; text: string; tag: string }

/** The style sheet and the script of a page that the server makes. Named by their content, a browser may keep them for ever. */
export function pageAssets(folder: string, at: string, names: { style: string; script: string }) {
  const style = assetOf(GUEST_STYLE + readFileSync(join(folder, names.style), 'utf8'), CSS)
  const script = readAsset(join(folder, names.script), JAVASCRIPT)
  const named = new Map([
    [`${style.tag}.css`, style],
    [`${script.tag}.js`, script],
  ])
  return {
    stylePath: `${at}/${style.tag}.css`,
    scriptPath: `${at}/${script.tag}.js`,
    /** What a browser loads beside the page itself. */
    bytes: Buffer.byteLength(style.text) + Buffer.byteLength(script.text),
    /** A page that was opened before an update asks for a file that is gone: the one of today serves it. */
    answer(file: string): Answer {
      const asset = named.get(file)
      if (asset) return assetAnswer(asset, FOREVER)
      const newer = /^[\w-]{1,40}\.(css|js)$/.exec(file)?.[1]
      if (newer) return assetAnswer(newer === 'css' ? style : script, 'no-store')
      throw new Problem('not_found', 'There is nothing at this URL.')
    },
  }
}

export type PageAssets = ReturnType<typeof pageAssets>

export function assetAnswer({ type, text, tag }: Asset, cache: string): Answer {
  return new Answer(200, { 'content-type': type, 'cache-control': cache, etag: `"${tag}"` }, text)
}

export function readAsset(file: string, type: string): Asset {
  return assetOf(readFileSync(file, 'utf8'), type)
}

function assetOf(text: string, type: string): Asset {
  return { type, text, tag: createHash('sha256').update(text).digest('base64url').slice(0, 16) }
}
