import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchNode } from './program.ts'

test('a node that takes no notice when it is to end is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-program-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const deaf = join(folder, 'deaf')
  // The port it says is its process, so that it can be looked for.
  await writeFile(
    deaf,
    `#!/bin/sh\ntrap '' INT\necho "Listening on 127.0.0.1:$$"\nwhile :; do sleep 0.1; done\n`,
  )
  await chmod(deaf, 0o700)
  const { url, close } = await launchNode(deaf, [], { killAfterS: 1 })
  const pid = Number(url.split(':').at(-1))
  expect(isAlive(pid)).toBe(true)
  await close()
  expect(isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
