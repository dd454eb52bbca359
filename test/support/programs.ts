import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { inBundle } from '../run/bundle.ts'

/** Systems give out ports above by themselves: to servers that ask for any, and to every connection. */
const PORTS = { first: 10_000, last: 32_767 }

/** Where a program lies in a bundle, by the path of its source. */
export function programIn(folder: string, source: string): string {
  return join(folder, inBundle(source))
}

/** Nothing of the tests' own environment but what every program needs. */
export function plainEnv(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  return { PATH, HOME, TMPDIR }
}

/** For a program that is started later, or again: until this process ends, no other test gets it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1)
    if (!(await isReserved(port))) continue
    const server = await listening({ port, host: '127.0.0.1' })
    if (!server) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Names of this kind are known on the whole machine, as ports are, and go with their process. Only Linux has them. */
async function isReserved(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const server = await listening({ path: `\0rapport-tests-${port}` })
  server?.unref()
  return server !== undefined
}

async function listening(
  where: { port: number; host: string } | { path: string },
): Promise<Server | undefined> {
  const server = createServer().listen(where)
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}
