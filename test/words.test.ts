import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

/** Idioms that contain a listed word. */
const FINE = /\bstill stands\b/gi
/** The glossary itself. */
const GLOSSARY = 'STYLE.md'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path && existsSync(join(ROOT, path)))
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const avoided = avoidedIn(textOf(GLOSSARY))
/** Also across a line break. */
const listed = new RegExp(`(?<![\\w-])(?:${avoided.join('|').replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi')
/** The same with line breaks that are written as such: a file without any of these need not be parsed. */
const suspicious = new RegExp(avoided.join('|').replaceAll(' ', '(?:\\s|\\\\[nrt])+'), 'i')

describe('words that the glossary advises against', () => {
  test('are listed', () => {
    expect(avoided).toEqual(expect.arrayContaining(['anew', 'whoever', 'all the same', 'tried too often']))
    expect(avoided.length).toBeGreaterThan(30)
  })

  test('are found in strings, templates, markup and prose, and nowhere else', () => {
    const code = `
      // Whoever reads this comment.
      const mend = { whoever: 1, 'x-anew': mend.hence }
      throw new Error('Signs in anew.')
      const text = \`\${anew} goes on by \${whoever}, it goes on\`
      const page = <p title="Mend it">All the same to <b>whoever</b> reads it</p>`
    expect(textsIn(code, 'tsx').flatMap(({ text }) => foundIn(text))).toEqual([
      'anew',
      'goes on',
      'goes on',
      'Mend',
      'All the same',
      'whoever',
    ])
    const prose = 'It `goes on`.\n\n```\nwhoever\n```\n\nThe offer still stands. A line goes\non here.'
    expect(foundIn(proseOf(prose))).toEqual(['goes\non'])
  })

  test('are in no text of the product', () => {
    const product = tracked.filter(
      path => /^src\/.*\.(?:tsx?|js)$/.test(path) && !/\.(?:d|test|harness|child)\.tsx?$/.test(path),
    )
    expect(product.length).toBeGreaterThan(1_000)
    const found = product.flatMap(path => {
      const code = textOf(path)
      if (!suspicious.test(code)) return []
      return textsIn(code, path.split('.').at(-1) as Language).flatMap(({ text, start }) =>
        foundIn(text).map(word => `${path}:${code.slice(0, start).split('\n').length}: ${word}`),
      )
    })
    expect(found).toEqual([])
  })

  test('are in no document', () => {
    const documents = tracked.filter(
      path => /^(?:[A-Z]+|docs\/.*)\.md$/.test(path) && path !== GLOSSARY && !path.includes('node_modules'),
    )
    expect(documents.length).toBeGreaterThan(20)
    const found = documents.flatMap(path => foundIn(proseOf(textOf(path))).map(word => `${path}: ${word}`))
    expect(found).toEqual([])
  })
})

/** What is in code type in the right column of the table. */
function avoidedIn(glossary: string): string[] {
  const rows = glossary.split('\n').filter(line => line.startsWith('|'))
  return rows.flatMap(row => {
    const phrases = row.split('|')[2]?.matchAll(/`([^`]+)`/g) ?? []
    return [...phrases].map(([, phrase]) => phrase!)
  })
}

function foundIn(text: string): string[] {
  return [...text.replace(FINE, '').matchAll(listed)].map(([word]) => word)
}

function proseOf(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
}

type Language = 'ts' | 'tsx' | 'js'
type Text = { text: string; start: number }
type Syntax = { type: string; start: number; [key: string]: unknown }

/** Everything between tags, and what has a space in it between quotes or backticks: single words there are names. */
function textsIn(code: string, lang: Language): Text[] {
  const texts: Text[] = []
  const add = (text: unknown, { type, start }: Syntax) => {
    if (typeof text === 'string' && (type === 'JSXText' || /\s/.test(text))) texts.push({ text, start })
  }
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (!isSyntax(value)) return
    if (value.type === 'Literal' || value.type === 'JSXText') add(value.value, value)
    if (value.type === 'TemplateElement') add((value.value as { cooked: string | null }).cooked, value)
    for (const [key, below] of Object.entries(value)) if (key !== 'type') walk(below)
  }
  walk(parseAst(code, { lang }))
  return texts
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string'
}
