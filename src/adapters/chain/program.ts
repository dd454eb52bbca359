import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const START_TIMEOUT_MS = 10_000
/** It may have much to write down before it ends. */
const KILL_AFTER_S = 10
const OUTPUT_KEPT = 10_000

/**
 * Left alone it would outlive us: the shell around it ends it when our end of the pipe is gone, however that came. One that
 * takes no notice of a word is killed.
 */
const guard = (killAfterS: number) => `exec 3<&0; "$@" & child=$!; cat >/dev/null <&3; kill -INT $child
  (sleep ${killAfterS}; kill -KILL $child) >/dev/null 2>&1 & killer=$!; wait $child; kill $killer`

const PACKAGES = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))

/** A node of a chain that is nobody else's: Anvil, from a package where there is one for this machine, or installed by hand. */
export function findProgram(): string | undefined {
  return [PACKAGES, ...(process.env.PATH ?? '').split(delimiter)]
    .map(folder => join(folder, 'anvil'))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Runs it on a free port until it is closed. */
export async function launchNode(
  program: string,
  args: readonly string[],
  { killAfterS = KILL_AFTER_S } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  // A group of its own: Ctrl-C is for us, and we end it when everything else has ended.
  const child = spawn('/bin/sh', ['-c', guard(killAfterS), 'sh', program, '--port', '0', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const url = await new Promise<string | undefined>(resolve => {
    let said = ''
    const late = setTimeout(() => resolve(undefined), START_TIMEOUT_MS)
    void ended.then(() => resolve(undefined))
    child.stdout.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-OUTPUT_KEPT)
      const [, address] = /Listening on (\S+:\d+)/.exec(said) ?? []
      if (address === undefined) return
      clearTimeout(late)
      resolve(`http://${address}`)
    })
  })
  async function close(): Promise<void> {
    child.stdin.destroy()
    await ended
  }
  if (url !== undefined) return { url, close }
  child.stdin.destroy()
  throw new Error('the development chain did not start')
}
