// What a browser loads before it shows a page, gzipped, and by how many requests, against the budget of that page. The chat that other
// sites embed has one of its own.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { widgetBytes } from '../src/domains/chat/assets.ts'

const WEB = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'web')
const MANIFEST = join(WEB, '.vite', 'manifest.json')
const ENTRY_KB = 210
const ROUTE_KB = 260
const BUILDER_KB = 310
const CHAT_KB = 20
const FILES_MAX = 40
const BYTES_PER_KB = 1000

if (!existsSync(MANIFEST)) {
  console.error('There is no web build to weigh: run `npm run build`.')
  process.exit(1)
}

const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'))
const rows = [...weighAll(), weighChat()].toSorted((a, b) => b.kb - a.kb)
const width = Math.max(...rows.map(({ name }) => name.length))
for (const { name, kb, files, budgetKb } of rows) {
  const verdict = kb > budgetKb ? 'over budget' : files > FILES_MAX ? 'too many files' : ''
  const weight = `${kb.toFixed(1).padStart(6)} kB of ${budgetKb}`
  const count = `${String(files).padStart(2)} files of ${FILES_MAX}`
  console.log(`${name.padEnd(width)}  ${weight}  ${count}  ${verdict}`.trimEnd())
}
process.exitCode = rows.some(({ kb, files, budgetKb }) => kb > budgetKb || files > FILES_MAX) ? 1 : 0

function weighAll() {
  const entries = Object.keys(manifest).filter(key => manifest[key].isEntry)
  return entries.flatMap(entry => {
    const base = filesOf(entry)
    const routes = dynamicImportsOf(entry).map(key => {
      const budgetKb = /(^|\/)builder\//.test(key) ? BUILDER_KB : ROUTE_KB
      return { name: key, ...weigh(filesOf(key, base)), budgetKb }
    })
    return [{ name: entry, ...weigh(base), budgetKb: ENTRY_KB }, ...routes]
  })
}

/** Of people who visit other sites: the button, and what it opens, as they are sent. */
function weighChat() {
  const bytes = widgetBytes.button + widgetBytes.chat
  return { name: 'chat.js', kb: bytes / BYTES_PER_KB, files: 2, budgetKb: CHAT_KB }
}

/** The files of a chunk and of all it imports statically, added to those that are loaded already. */
function filesOf(key, loaded = new Set()) {
  const files = new Set(loaded)
  for (const chunk of chunksOf(key)) {
    for (const file of [manifest[chunk].file, ...(manifest[chunk].css ?? [])]) files.add(file)
  }
  return files
}

function chunksOf(key, seen = new Set()) {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const imported of manifest[key].imports ?? []) chunksOf(imported, seen)
  return seen
}

/** Every chunk that is loaded later from here, also by a page that itself is loaded later. */
function dynamicImportsOf(entry) {
  const found = new Set()
  const visit = key => {
    for (const chunk of chunksOf(key)) {
      for (const later of manifest[chunk].dynamicImports ?? []) {
        if (found.has(later)) continue
        found.add(later)
        visit(later)
      }
    }
  }
  visit(entry)
  return [...found]
}

function weigh(files) {
  const bytes = [...files].map(file => gzipSync(readFileSync(join(WEB, file))).length)
  return { kb: bytes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB, files: files.size }
}
