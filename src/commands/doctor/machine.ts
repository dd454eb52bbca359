import { existsSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#config'
import { bad, good, note, type Finding } from './finding.ts'

const NODE_MAJOR_MIN = 24
const FREE_BYTES_MIN = 512 * 1024 ** 2
const DISTINCT_CHARACTERS_MIN = 8
const WEB_PAGE = new URL('../../../dist/web/index.html', import.meta.url).pathname

export function checkNode(version = process.versions.node): Finding {
  const fits = Number.parseInt(version) >= NODE_MAJOR_MIN
  return fits
    ? good('Node', version)
    : bad('Node', `${version} is too old; npm start uses the pinned version, ${NODE_MAJOR_MIN} or later`)
}

export async function* checkMachine(config: Config): AsyncGenerator<Finding> {
  yield await checkDataFolder(config)
  yield checkAddress(config)
  yield* checkSecrets(config)
  yield existsSync(WEB_PAGE) ? good('web app', 'built') : bad('web app', 'not built: npm run build')
}

async function checkDataFolder({ dataDir, databaseUrl }: Config): Promise<Finding> {
  // Beside a database of one's own the folder only takes backups.
  const report = databaseUrl ? note : bad
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const text = `${dataDir}, ${(free / 1024 ** 3).toFixed(1)} GiB free`
    return free < FREE_BYTES_MIN ? report('data folder', `${text}: free up space`) : good('data folder', text)
  } catch (error) {
    return report('data folder', `${(error as Error).message}: set DATA_DIR to a writable folder`)
  }
}

function checkAddress({ baseUrl, production }: Config): Finding {
  const { hostname, protocol } = new URL(baseUrl)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (production || local) return good('address', baseUrl)
  const fix = protocol === 'https:' ? '' : ' and use https'
  return note('address', `${baseUrl} is not local, but this is development: set NODE_ENV=production${fix}`)
}

/** A weak SESSION_SECRET stops the start; this one is only worth a word. */
function* checkSecrets({ cronSecret, dataDir, production }: Config): Generator<Finding> {
  const weak = new Set(cronSecret).size < DISTINCT_CHARACTERS_MIN
  if (weak) yield bad('secrets', 'CRON_SECRET is not random: generate one with openssl rand -hex 32')
  const file = join(dataDir, 'secrets.json')
  const open = !production && existsSync(file) && (statSync(file).mode & 0o077) !== 0
  if (open) yield bad('secrets', `others can read ${file}: chmod 600 it`)
  if (!weak && !open) yield good('secrets', 'long and random')
}
