import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { bundle, ROOT, serverPrograms } from '../../scripts/server-bundle.ts'

export { inBundle } from '../../scripts/server-bundle.ts'

const CACHE = join(ROOT, 'node_modules', '.cache', 'rapport')
const FOLDER = 'bundle-'
/** What no run has used for so long is of an older state of the sources. */
const KEPT_MS = 3_600_000
/** Any number will do that no other lock of the tests' server has. */
const LOCK = 727_677_687_337

let folder: Promise<string> | undefined

/** The folder with the programs of the product, made of the sources as they are now. Tests start them a hundred times. */
export function bundleFolder(postgresUrl: string): Promise<string> {
  return (folder ??= findOrMake(postgresUrl))
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
  await mkdir(CACHE, { recursive: true })
  await removeOld()
  const draft = await mkdtemp(join(CACHE, `${FOLDER}draft-`))
  try {
    await bundle({ programs: programs(), into: draft, folder: wanted })
    // Another run may have been faster.
    await rename(draft, wanted).catch(error => {
      if (!existsSync(wanted)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function programs(): string[] {
  const others = ['scripts/openapi.ts', ...globSync('src/**/*.child.ts', { cwd: ROOT })]
  return [...serverPrograms(), ...others.map(file => join(ROOT, file))]
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
