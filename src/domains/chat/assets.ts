import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Answer } from '#platform/answer.ts'
import { JAVASCRIPT, pageAssets } from '#platform/page-assets.ts'
import { Problem } from '#platform/problem.ts'

/** Embedded in other people's pages under one name forever. */
const SHORT = 'public, max-age=300'
const FOREVER = 'public, max-age=31536000, immutable'

const folder = join(import.meta.dirname, 'assets')
const AT = '/chat/assets'
const IMPORT = /^import [^']*'\.\/[a-z]+\.js'\n/gm
const EXPORT = /^export (?=(?:async )?function|class|const)/gm

/** The page of its own has a style sheet besides; its script is the one that other sites embed. */
const page = pageAssets(folder, AT, { style: 'page.css', script: 'chat.js' })

/** What the button loads once somebody opens the chat: its modules as one, named by what they are. */
const main = scriptOf(joined())

const embed = scriptOf(
  textOf('chat.js').replace('BUILD()', () =>
    JSON.stringify({ main: `${AT}/main-${main.tag}.js`, style: tightStyle(textOf('widget.css')) }),
  ),
)

export const assets = { stylePath: page.stylePath, scriptPath: '/chat.js' }

/** The widget as a browser loads it, packed: the button, and what it opens. */
export const widgetBytes = { button: embed.packed.length, chat: main.packed.length }

type Headers = Record<string, string | undefined>

export function scriptAnswer(headers: Headers): Answer {
  return answerOf(embed, SHORT, headers)
}

/** A page that was opened before an update asks for a file that is gone: the one of today serves it. */
export function fileAnswer(file: string, headers: Headers): Answer {
  const tag = /^main-([\w-]{1,40})\.js$/.exec(file)?.[1]
  if (tag) return answerOf(main, tag === main.tag ? FOREVER : 'no-store', headers)
  if (file.endsWith('.css')) return page.answer(file)
  throw new Problem('not_found', 'There is nothing at this URL.')
}

type Script = ReturnType<typeof scriptOf>

/** A site that isolates itself takes only what says that it is for other sites. */
function answerOf({ text, packed, tag }: Script, cache: string, headers: Headers): Answer {
  const isPacked = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  const about = {
    'content-type': JAVASCRIPT,
    'cache-control': cache,
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'accept-encoding',
    etag: `"${tag}${isPacked ? '-gzip' : ''}"`,
  }
  return isPacked
    ? new Answer(200, { ...about, 'content-encoding': 'gzip' }, packed)
    : new Answer(200, about, text)
}

function scriptOf(source: string) {
  const text = tightScript(source)
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { text, tag, packed: gzipSync(text, { level: 9 }) }
}

/** One request instead of ten that wait for each other. Names at the top of the modules differ. */
function joined(): string {
  const names = readdirSync(folder).filter(name => name.endsWith('.js') && name !== 'chat.js')
  const parts = names.toSorted().map(name => textOf(name).replaceAll(IMPORT, '').replaceAll(EXPORT, ''))
  return `${parts.join('\n')}\nexport { start }\n`
}

/** Without indentation and comments of their own lines; no text in these scripts has several lines. */
function tightScript(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/.*|\/\*\*.*\*\/)?$\n/gm, '').replaceAll(/^ +/gm, '')
}

function tightStyle(text: string): string {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
}

function textOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
