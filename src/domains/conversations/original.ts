import { Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { escape } from '#platform/html.ts'
import { Problem } from '#platform/problem.ts'
import { readMessage } from '#domains/messages/service.ts'
import type { ConversationEntry } from './contract.ts'
import { findMail, findParts } from './mail-store.ts'

const FILES_PATH = '/api/files/'

/**
 * An email as its sender wrote it, as a page of its own: nothing in it runs, nothing is loaded from elsewhere unless somebody asks
 * for images, and its links open outside. It is shown in a frame, and just as harmless without one.
 */
export async function originalOf(
  ctx: Context,
  entry: ConversationEntry,
  { images = false }: { images?: boolean | undefined },
): Promise<Answer> {
  if (entry.hidden)
    throw new Problem('forbidden', 'This email came to a private mailbox.', { code: 'private_mailbox' })
  const html = await pageOf(ctx, entry)
  const leavesOut = !images && REMOTE_IMAGE.test(html)
  const { baseUrl } = ctx.runtime.settings
  return new Answer(
    200,
    headers(baseUrl, images),
    documentOf(entry.subject ?? '', leavesOut ? withoutRemoteImages(html) : html, leavesOut),
  )
}

/** An address that an image, or the background of something, would be loaded from. */
const REMOTE_IMAGE = /(?:\b(?:src|srcset|background|poster)\s*=\s*["']?\s*|url\(\s*["']?\s*)(?:https?:)?\/\//i

/** So that nothing is shown as broken; that nothing is loaded is up to the policy of the page. */
function withoutRemoteImages(html: string): string {
  return html.replace(REMOTE_SOURCE, '$1data-left-out=')
}
const REMOTE_SOURCE = /(<(?:img|source)\b[^<>]{0,2000}?\s)(?:src|srcset)\s*=(?=\s*["']?\s*(?:https?:)?\/\/)/gi

async function pageOf(ctx: Context, { id, kind, direction }: ConversationEntry): Promise<string> {
  if (kind === 'message' && direction === 'out') {
    const { html, text } = await readMessage(ctx, id)
    return html ?? plainPage(text)
  }
  const mail = kind === 'message' ? await findMail(ctx, id) : undefined
  if (!mail) throw new Problem('not_found', 'There is nothing more to see of this entry.')
  return mail.html === null ? plainPage(mail.text) : withPictures(mail.html, await picturesOf(ctx, id))
}

function plainPage(text: string): string {
  return `<pre>${escape(text)}</pre>`
}

/** Pictures that came with the email, by the name that its page has for them. */
async function picturesOf(ctx: Context, entry_id: string): Promise<Map<string, string>> {
  const parts = await findParts(ctx, [entry_id])
  return new Map(parts.flatMap(({ content_id, file_id }) => (content_id ? [[content_id, file_id]] : [])))
}

function withPictures(html: string, pictures: ReadonlyMap<string, string>): string {
  if (pictures.size === 0) return html
  return html.replace(/\bcid:([^"'\s<>)]+)/gi, (whole, name: string) => {
    const id = pictures.get(name) ?? pictures.get(decoded(name))
    return id ? FILES_PATH + id : whole
  })
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('&amp;', '&'))
  } catch {
    return name
  }
}

function documentOf(title: string, body: string, leavesOut: boolean): string {
  return [
    '<!doctype html>',
    '<html>',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...(leavesOut ? ['<meta name="rapport:images" content="left-out">'] : []),
    '<base target="_blank">',
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    `<body>${body}</body>`,
    '</html>',
  ].join('\n')
}

const STYLE = [
  ':root { color-scheme: light; background: #fff; color: #1a1a1a; }',
  'body { margin: 12px; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }',
  'pre { white-space: pre-wrap; font: inherit; margin: 0; }',
  'img { max-width: 100%; }',
].join('\n')

function headers(baseUrl: string, images: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `img-src ${baseUrl}${FILES_PATH} data:${images ? ' https: http:' : ''}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    // Without scripts it may keep its origin, so that the page around it can see how long it is.
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'SAMEORIGIN',
    'x-dns-prefetch-control': 'off',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  }
}
