import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Answer } from '#platform/answer.ts'
import { assetAnswer, JAVASCRIPT, pageAssets, type Asset } from '#platform/page-assets.ts'
import { Problem } from '#platform/problem.ts'

/** Embedded in other people's pages under one name forever. */
const SHORT = 'public, max-age=300'
const FOREVER = 'public, max-age=31536000, immutable'

const folder = join(import.meta.dirname, 'assets')
const AT = '/chat/assets'

/** The page of its own has a style sheet besides; its script is the one that other sites embed. */
const page = pageAssets(folder, AT, { style: 'page.css', script: 'main.js' })

/** What the button loads once somebody opens the chat. Named by the content of all: they are of one version. */
const modules = readModules()

const embed = ((): Asset => {
  const source = readFileSync(join(folder, 'chat.js'), 'utf8')
  const style = readFileSync(join(folder, 'widget.css'), 'utf8')
  const parts = { main: `${AT}/${modules.tag}-main.js`, style }
  const text = source.replace('BUILD()', () => JSON.stringify(parts))
  if (text === source) throw new Error('chat.js has no place for its parts.')
  return { type: JAVASCRIPT, text, tag: tagOf(text) }
})()

export const assets = { stylePath: page.stylePath, scriptPath: '/chat.js' }

/** The whole widget as a browser loads it, for the size it may have. */
export const widgetTexts: readonly string[] = [embed.text, ...modules.files.values()]

export function scriptAnswer(): Answer {
  return forOtherSites(assetAnswer(embed, SHORT))
}

/** A page that was opened before an update asks for a file that is gone: the one of today serves it. */
export function fileAnswer(file: string): Answer {
  const [, tag, name] = /^([\w-]{16})-([a-z]+\.js)$/.exec(file) ?? []
  const text = name && modules.files.get(name)
  if (file.endsWith('.css')) return page.answer(file)
  if (!text) throw new Problem('not_found', 'There is nothing at this URL.')
  const module = { type: JAVASCRIPT, text, tag: modules.tag }
  return forOtherSites(assetAnswer(module, tag === modules.tag ? FOREVER : 'no-store'))
}

/** A site that isolates itself takes only what says that it is for other sites. */
function forOtherSites({ status, headers, body }: Answer): Answer {
  return new Answer(status, { ...headers, 'cross-origin-resource-policy': 'cross-origin' }, body)
}

function readModules(): { tag: string; files: ReadonlyMap<string, string> } {
  const names = readdirSync(folder).filter(name => name.endsWith('.js') && name !== 'chat.js')
  const sources = names.toSorted().map(name => [name, readFileSync(join(folder, name), 'utf8')] as const)
  const tag = tagOf(sources.map(([, text]) => text).join('\n'))
  const named = sources.map(([name, text]) => [name, text.replaceAll("from './", `from './${tag}-`)] as const)
  return { tag, files: new Map(named) }
}

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
