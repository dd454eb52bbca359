import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import type { Plugin } from 'rolldown'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CACHE = join(ROOT, 'node_modules', '.cache', 'rapport')
const FOLDER = 'bundle-'
/** What no run has used for so long is of an older state of the sources. */
const KEPT_MS = 3_600_000
/** Any number will do that no other lock of the tests' server has. */
const LOCK = 727_677_687_337

let folder: Promise<string> | undefined

/**
 * The folder with the programs of the product in few files each, made of the sources as they are now. To find its 1,500
 * modules takes Node most of the time of a start, and tests start it a hundred times.
 */
export function bundleFolder(postgresUrl: string): Promise<string> {
  return (folder ??= findOrMake(postgresUrl))
}

/** Where a source's program lies in that folder. */
export function inBundle(source: string): string {
  return relative(ROOT, source).replace(/ts$/, 'mjs')
}

async function findOrMake(postgresUrl: string): Promise<string> {
  const wanted = join(CACHE, FOLDER + stateOfSources())
  if (!existsSync(wanted)) await makeOnce(wanted, postgresUrl)
  await utimes(wanted, new Date(), new Date())
  return wanted
}

/** One worker of a run makes it, the others wait. A lock of the server is let go whatever becomes of its holder. */
async function makeOnce(wanted: string, postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    if (!existsSync(wanted)) await make(wanted)
  } finally {
    await client.end()
  }
}

async function make(wanted: string): Promise<void> {
  // Most who import this file never come here.
  const { build } = await import('rolldown')
  await mkdir(CACHE, { recursive: true })
  await removeOld()
  const draft = await mkdtemp(join(CACHE, `${FOLDER}draft-`))
  try {
    await build({
      cwd: ROOT,
      input: Object.fromEntries(programs().map(file => [inBundle(file), file])),
      platform: 'node',
      plugins: [ownPlace, ownManifest],
      checks: { preferBuiltinFeature: false },
      output: { dir: draft, format: 'esm', entryFileNames: '[name]', chunkFileNames: '[hash].mjs' },
    })
    // Another run may have been faster.
    await rename(draft, wanted).catch(error => {
      if (!existsSync(wanted)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function programs(): string[] {
  return ['src/main.ts', 'scripts/openapi.ts', ...globSync('src/**/*.child.ts', { cwd: ROOT })].map(file =>
    join(ROOT, file),
  )
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name)
    const { mtimeMs } = await stat(path)
    if (name.startsWith(FOLDER) && mtimeMs < Date.now() - KEPT_MS) await rm(path, { recursive: true })
  }
}

/** One word for everything that a bundle is made of. */
function stateOfSources(): string {
  const files = globSync(['src/**/*.{ts,json}', 'test/support/**/*.ts', 'scripts/*.ts'], {
    cwd: ROOT,
  }).filter(file => !file.endsWith('.test.ts'))
  const hash = createHash('sha256').update(`${process.version} ${ROOT}\n`)
  for (const file of [...files.toSorted(), 'package.json', 'package-lock.json', 'test/run/bundle.ts'])
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}

/** A module finds what lies beside its source: migrations, pages, scripts, threads. */
const ownPlace: Plugin = {
  name: 'own-place',
  transform: {
    filter: { code: /\bimport\.meta\.(url|dirname)\b/ },
    handler: (code, id) =>
      code
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(id))),
  },
}

/** Its field `private` can be no name of an export. */
const ownManifest: Plugin = {
  name: 'own-manifest',
  load: {
    filter: { id: join(ROOT, 'package.json') },
    handler: async id => ({ code: `export default ${await readFile(id, 'utf8')}`, moduleType: 'js' }),
  },
}
