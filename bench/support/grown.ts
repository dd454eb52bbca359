import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { migrate } from '#platform/database/migrate.ts'
import { growInstallation, type Grown, type Size } from './growth-data.ts'

export type GrownInstallation = Grown & { url: string; stop(): Promise<void> }

export const USUAL_SIZE: Size = { teams: 1_000, leads: 1_000_000, events: 5_000_000 }

/** The installation in this folder, brought up to the newest migration; made there if there is none yet. */
export async function openGrown(folder: string, size = USUAL_SIZE): Promise<GrownInstallation> {
  await mkdir(folder, { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  try {
    await migrate(postgres.url, new URL('../../migrations/', import.meta.url).pathname)
    return { ...(await grownAt(folder, postgres.url, size)), url: postgres.url, stop: () => postgres.stop() }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function grownAt(folder: string, url: string, size: Size): Promise<Grown> {
  const known = join(folder, 'grown.json')
  if (existsSync(known)) return JSON.parse(await readFile(known, 'utf8')) as Grown
  const began = performance.now()
  const grown = await growInstallation(url, size)
  await writeFile(known, JSON.stringify(grown))
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(`${size.teams} teams, ${size.leads} leads, ${size.events} events: written in ${seconds} s\n`)
  return grown
}
