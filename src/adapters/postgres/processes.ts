import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A process and the moment of its birth, since a number alone may be given to another program later. */
export type ProcessIdentity = { pid: number; born: string }

/** Undefined when no process lives under that number; a zombie is dead. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const born = process.platform === 'linux' ? await bornByProc(pid) : await bornByPs(pid)
  return born === undefined ? undefined : { pid, born }
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.born === identity.born
}

/** The words a living process was started with; none when there is no such process. */
export async function commandLine(pid: number): Promise<string[]> {
  if (!(await identify(pid))) return []
  if (process.platform !== 'linux') return (await ps(pid, 'args=')).split(' ')
  // This file is open to everybody; `cwd` and `exe` beside it are closed to root in a plain container.
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.split('\0')
}

const BIRTH_FIELD = 19
const DEAD_STATES = new Set(['Z', 'X'])

async function bornByProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The program's name is in brackets and may itself contain spaces and brackets: the fields start after the
  // last one.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && !DEAD_STATES.has(fields[0] ?? '') ? fields[BIRTH_FIELD] : undefined
}

async function bornByPs(pid: number): Promise<string | undefined> {
  const [state, ...born] = (await ps(pid, 'stat=,lstart=')).split(/\s+/)
  return state && !DEAD_STATES.has(state.charAt(0)) ? born.join(' ') : undefined
}

async function ps(pid: number, columns: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', columns, '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.trim()
}
