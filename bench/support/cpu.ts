import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_S = 100

/** Seconds of processor time that a process has used. */
export async function cpuOfProcess(pid: number): Promise<number> {
  return (await statOf(pid))?.own ?? 0
}

/** The same of the PostgreSQL server behind a connection: all its processes, also those that have ended. */
export async function cpuOfServer(db: pg.Client): Promise<number> {
  const backend = Number((await db.query('select pg_backend_pid() as pid')).rows[0].pid)
  const server = (await statOf(backend))!.parent
  const numbers = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const all = await Promise.all(numbers.map(statOf))
  const living = all.filter(stat => stat?.parent === server).reduce((sum, stat) => sum + stat!.own, 0)
  const { own, ended } = (await statOf(server))!
  return living + own + ended
}

type Stat = { parent: number; own: number; ended: number }

async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The name of the program stands in brackets and may contain anything.
  const [, parent, ...rest] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number) as number[]
  const [user, system, endedUser, endedSystem] = rest.slice(9, 13) as [number, number, number, number]
  return {
    parent: parent!,
    own: (user + system) / TICKS_PER_S,
    ended: (endedUser + endedSystem) / TICKS_PER_S,
  }
}
