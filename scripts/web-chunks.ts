import { basename } from 'node:path'
import type { Rolldown } from 'vite'

/** What one request less is worth, in bytes of script before they are made small. More of it costs pages their budget. */
const REQUEST_BYTES = 8_500

/** What the plan needs to know of a file that the bundler made. */
export type BuiltChunk = Pick<
  Rolldown.OutputChunk,
  'fileName' | 'isEntry' | 'isDynamicEntry' | 'imports' | 'dynamicImports'
> & { modules: Record<string, { renderedLength: number }> }

type Chunk = {
  /** Each module with its bytes. */
  modules: [id: string, bytes: number][]
  bytes: number
  /** A page, or what a page loads later: others ask for it by its own name. */
  isRoot: boolean
  /** Whoever brings it along and does not find it there already. */
  roots: Set<string>
  imports: Set<Chunk>
}

/**
 * Into which file each module goes that is not of one page alone. Left to itself, the bundler makes a file for each set
 * of pages that have something in common: hundreds, most of them smaller than the request for them, of which a page asks
 * for sixty. Here they are put together, two by two, for as long as that saves more than it costs.
 */
export function planChunks(built: readonly BuiltChunk[]): Map<string, string> {
  const chunks = chunksOf(built)
  const app = appOf(built, chunks)
  for (let pair = bestPair(chunks); pair; pair = bestPair(chunks)) merge(pair, chunks)

  const plan = new Map<string, string>()
  const names = new Set<string>()
  for (const chunk of chunks) {
    if (chunk.isRoot) continue
    const name = unlike(names, chunk === app ? 'app' : nameOf(chunk))
    for (const [id] of chunk.modules) plan.set(id, name)
  }
  return plan
}

/** What is there before any page: in one file, and whatever else goes into it is loaded by everybody. */
function appOf(built: readonly BuiltChunk[], chunks: Set<Chunk>): Chunk {
  const entry = built.find(({ isEntry }) => isEntry)!.fileName
  const parts = [...chunks].filter(({ roots }) => roots.has(entry))
  const app = merge(parts, chunks)
  app.isRoot = false
  app.roots = new Set(built.filter(isRoot).map(({ fileName }) => fileName))
  return app
}

function chunksOf(built: readonly BuiltChunk[]): Set<Chunk> {
  const roots = rootsOf(built)
  const made = new Map<string, Chunk>()
  for (const chunk of built) {
    const modules = Object.entries(chunk.modules).map(([id, { renderedLength }]): [string, number] => [
      id,
      renderedLength,
    ])
    made.set(chunk.fileName, {
      modules,
      bytes: modules.reduce((sum, [, bytes]) => sum + bytes, 0),
      isRoot: isRoot(chunk),
      roots: roots.get(chunk.fileName)!,
      imports: new Set(),
    })
  }
  for (const { fileName, imports } of built) {
    for (const imported of imports) made.get(fileName)!.imports.add(made.get(imported)!)
  }
  return new Set(made.values())
}

function isRoot({ isEntry, isDynamicEntry }: BuiltChunk): boolean {
  return isEntry || isDynamicEntry
}

/** For each file the roots that bring it along, without those that only somebody loads who has it already. */
function rootsOf(built: readonly BuiltChunk[]): Map<string, Set<string>> {
  const files = new Map(built.map(chunk => [chunk.fileName, chunk]))
  const brought = new Map(
    built.filter(isRoot).map(({ fileName }) => [fileName, withImports(fileName, files)]),
  )
  const there = thereBefore(brought, files)
  const roots = new Map<string, Set<string>>([...files.keys()].map(file => [file, new Set()]))
  for (const [root, along] of brought) {
    for (const file of along.difference(there.get(root)!)) roots.get(file)!.add(root)
  }
  return roots
}

/** What has been loaded when a root is asked for, whoever asks. */
function thereBefore(
  brought: ReadonlyMap<string, Set<string>>,
  files: ReadonlyMap<string, BuiltChunk>,
): Map<string, Set<string>> {
  const loaders = new Map<string, string[]>()
  for (const [loader, along] of brought) {
    for (const root of new Set([...along].flatMap(file => files.get(file)!.dynamicImports))) {
      // What the app has from the start is no root, although somebody asks for it once more.
      if (brought.has(root)) loaders.set(root, [...(loaders.get(root) ?? []), loader])
    }
  }
  // At first everything is taken to be there; what is not falls away round by round.
  const there = new Map<string, Set<string>>()
  for (const root of brought.keys()) there.set(root, new Set(loaders.has(root) ? files.keys() : []))
  for (let isDone = false; !isDone;) {
    isDone = true
    for (const [root, asking] of loaders) {
      const known = asking
        .map(loader => there.get(loader)!.union(brought.get(loader)!))
        .reduce((one, other) => one.intersection(other))
      if (known.size === there.get(root)!.size) continue
      there.set(root, known)
      isDone = false
    }
  }
  return there
}

function withImports(file: string, files: ReadonlyMap<string, BuiltChunk>, found = new Set<string>()) {
  if (found.has(file)) return found
  found.add(file)
  for (const imported of files.get(file)!.imports) withImports(imported, files, found)
  return found
}

function bestPair(chunks: ReadonlySet<Chunk>): [Chunk, Chunk] | undefined {
  const candidates = [...chunks].filter(({ isRoot }) => !isRoot)
  let best: [Chunk, Chunk] | undefined
  let most = 0
  for (const [at, one] of candidates.entries()) {
    for (const other of candidates.slice(at + 1)) {
      const saved = savedBy(one, other)
      // What they drag along takes long to find out, and makes it only less.
      if (saved <= most) continue
      const inAll = saved - draggedBy(one, other) - draggedBy(other, one)
      if (inAll <= most || isAround(one, other) || isAround(other, one)) continue
      most = inAll
      best = [one, other]
    }
  }
  return best
}

/** A request less for those who need both; bytes in vain for those who need one. */
function savedBy(one: Chunk, other: Chunk): number {
  const both = one.roots.intersection(other.roots).size
  return both * REQUEST_BYTES - (other.roots.size - both) * one.bytes - (one.roots.size - both) * other.bytes
}

/** What those who need only the one would load besides, because the other needs it. */
function draggedBy(one: Chunk, other: Chunk): number {
  const inVain = one.roots.difference(other.roots)
  if (inVain.size === 0) return 0
  let bytes = 0
  for (const needed of neededBy(other)) {
    if (needed !== other) bytes += inVain.difference(needed.roots).size * (needed.bytes + REQUEST_BYTES)
  }
  return bytes
}

function neededBy(chunk: Chunk, found = new Set<Chunk>()): Set<Chunk> {
  if (found.has(chunk)) return found
  found.add(chunk)
  for (const next of chunk.imports) neededBy(next, found)
  return found
}

/** Whether the one needs the other by way of a third, which would then need what needs it: no order to start them in. */
function isAround(one: Chunk, other: Chunk): boolean {
  return [...one.imports].some(next => next !== other && neededBy(next).has(other))
}

function merge([into, ...others]: readonly Chunk[], chunks: Set<Chunk>): Chunk {
  for (const other of others) {
    into!.modules.push(...other.modules)
    into!.bytes += other.bytes
    into!.roots = into!.roots.union(other.roots)
    into!.imports = into!.imports.union(other.imports)
    chunks.delete(other)
    for (const chunk of chunks) if (chunk.imports.delete(other)) chunk.imports.add(into!)
  }
  into!.imports = into!.imports.difference(new Set([into!, ...others]))
  for (const needed of neededBy(into!)) needed.roots = needed.roots.union(into!.roots)
  return into!
}

/** By the largest of its modules. */
function nameOf({ modules }: Chunk): string {
  const [largest] = modules.toSorted(([, one], [, other]) => other - one)
  return basename(largest![0]).replace(/\..*$/, '')
}

function unlike(names: Set<string>, wanted: string): string {
  let name = wanted
  for (let n = 2; names.has(name); n++) name = `${wanted}-${n}`
  names.add(name)
  return name
}
