import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Guardian } from './guardian.ts'
import { identify, isAlive, type ProcessIdentity } from './processes.ts'

/** A note in the data folder that this process keeps the server, with a guardian in case it is killed. */
export type Claim = { release(): Promise<void> }

type Keeper = { keeper: ProcessIdentity; guardian: ProcessIdentity | undefined }

export async function claimServer({ dataDir }: { dataDir: string }, guardian: Guardian): Promise<Claim> {
  const keeper = (await identify(process.pid))!
  await writeClaim(dataDir, { keeper, guardian: await identify(guardian.pid) })
  return {
    async release() {
      await guardian.release()
      const current = await readClaim(dataDir)
      if (current?.guardian?.pid === guardian.pid) await rm(claimFile(dataDir), { force: true })
    },
  }
}

/** Who looks after the server: a living process, only the guardian of a dead one, or nobody. */
export async function findKeeper({
  dataDir,
}: {
  dataDir: string
}): Promise<'process' | 'guardian' | 'nobody'> {
  const claim = await readClaim(dataDir)
  if (claim && (await isAlive(claim.keeper))) return 'process'
  return claim?.guardian && (await isAlive(claim.guardian)) ? 'guardian' : 'nobody'
}

const claimFile = (dataDir: string) => join(dataDir, 'postgres.keeper.json')

async function writeClaim(dataDir: string, claim: Keeper): Promise<void> {
  const draft = `${claimFile(dataDir)}.${claim.keeper.pid}`
  await writeFile(draft, JSON.stringify(claim))
  await rename(draft, claimFile(dataDir))
}

async function readClaim(dataDir: string): Promise<Keeper | undefined> {
  try {
    return JSON.parse(await readFile(claimFile(dataDir), 'utf8')) as Keeper
  } catch {
    // No claim, or one cut short by a power failure: nobody keeps the server.
    return undefined
  }
}
