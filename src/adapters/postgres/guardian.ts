import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { serverLockFile } from './locks.ts'

export type Guardian = { pid: number; release(): Promise<void> }

/**
 * A tiny shell that waits on a pipe from this process. When the pipe breaks without a word, this process was killed,
 * and the guardian stops the server cleanly. It lives in a session of its own, so that Ctrl-C in the terminal does not
 * reach it, and neither the guardian nor its pipe keeps this process alive.
 */
export function spawnGuardian(folder: string, serverPid: number): Guardian {
  const words = [SCRIPT, serverLockFile(folder), String(serverPid)]
  const child = spawn('sh', words, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // A shell that cannot be spawned has no pid; the event would end the process besides.
  child.on('error', () => {})
  if (child.pid === undefined)
    throw new Error('The PostgreSQL watchdog could not start: is there a `sh` on PATH?')
  const pipe = child.stdin as Socket
  // A guardian that was killed breaks the pipe from its side; there is nothing left to tell it.
  pipe.on('error', () => {})
  pipe.unref()
  child.unref()
  const ended = once(child, 'exit')
  return {
    pid: child.pid,
    async release() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      pipe.end('released\n')
      await ended
    },
  }
}

const SCRIPT = fileURLToPath(new URL('./guardian.sh', import.meta.url))
