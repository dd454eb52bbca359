import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inBundle } from '../run/bundle.ts'

/** Where a program lies in a bundle, by the path of its source. */
export function programIn(folder: string, source: string): string {
  return join(folder, inBundle(source))
}

/** Nothing of the tests' own environment but what every program needs. */
export function plainEnv(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  return { PATH, HOME, TMPDIR }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
