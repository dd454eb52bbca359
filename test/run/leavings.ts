import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'

const LOOK_EVERY_MS = 20
/** A server of PostgreSQL takes a moment to end well. */
const END_TIME_MAX_MS = 10_000

/**
 * Whatever has this run's own folder for its temporary one ends with the run: also when the run is broken off by a signal,
 * which leaves no time for anything but this. It comes before the folder is removed.
 */
export function endAllWithRun(): void {
  const folder = tmpdir()
  if (!basename(folder).includes(`-${process.pid}-`))
    throw new Error(`${folder} is not of this run: whoever uses it must not be ended.`)
  process.prependOnceListener('exit', () => endAll(folder))
}

/** The programs first. Their servers then end by themselves, by those who guard them; that of the run is told to. */
function endAll(folder: string): void {
  const isOfServer = ({ name }: Running) => name === 'postgres' || name === 'sh'
  until(() =>
    signal(
      runningIn(folder).filter(each => !isOfServer(each)),
      'SIGKILL',
    ),
  )
  const servers = runningIn(folder).filter(({ name }) => name === 'postgres')
  const ids = new Set(servers.map(({ pid }) => pid))
  signal(
    servers.filter(({ parent }) => !ids.has(parent)),
    'SIGINT',
  )
  // Its guardian waits for this process, which is about to end.
  until(() => runningIn(folder).filter(({ name }) => name === 'postgres').length === 0)
  until(() => signal(runningIn(folder), 'SIGKILL'))
}

/** Whether there was nobody left to tell. */
function signal(processes: readonly Running[], name: NodeJS.Signals): boolean {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It was faster.
    }
  }
  return processes.length === 0
}

type Running = { pid: number; parent: number; name: string }

/** Who has that folder for its temporary one, or is at home in it as PostgreSQL is. Without a /proc nobody is found. */
function runningIn(folder: string): Running[] {
  const ids = list('/proc').map(Number).filter(Boolean)
  return ids.flatMap(pid => {
    if (pid === process.pid) return []
    try {
      const isAtHome = readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
      if (!isAtHome && !environmentOf(pid).includes(`TMPDIR=${folder}`)) return []
      const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
      return [{ pid, parent: Number(parent), name: name! }]
    } catch {
      // It is of somebody else, or gone.
      return []
    }
  })
}

function environmentOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function until(isDone: () => boolean): void {
  const end = Date.now() + END_TIME_MAX_MS
  while (!isDone() && Date.now() < end)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS)
}
