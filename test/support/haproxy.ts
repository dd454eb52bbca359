import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProxy } from '../../scripts/proxies.mjs'
import { freePort } from './programs.ts'
import { eventually } from './eventually.ts'

const CHECK_EVERY_MS = 100
const STATISTICS = '/haproxy;csv'

/** Long enough for the proxy to have seen that a process is about to stop, however busy the machine is. */
export const DRAIN_MS = 1_500

export type HaProxy = {
  url: string
  /** To how many of the servers requests are sent now. */
  countReady(): Promise<number>
  close(): Promise<void>
}

/** A proxy that sends requests to those of the ports whose `/readyz` answers 200, as in deploy/haproxy.cfg. */
export async function startHaProxy(ports: readonly number[]): Promise<HaProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(port, ports))
  const child = spawn(findProxy('haproxy')!, ['-db', '-f', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    const { status } = await fetch(`${url}/healthz`)
    if (status !== 200) throw new Error(`the proxy answers ${status}`)
  })
  return {
    url,
    async countReady() {
      const csv = await (await fetch(`${url}${STATISTICS}`)).text()
      return csv.match(/^api,api\d+,.*,UP,/gm)?.length ?? 0
    },
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(port: number, ports: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch
frontend http
  bind 127.0.0.1:${port}
  stats uri ${STATISTICS.replace(';csv', '')}
  default_backend api
backend api
  option httpchk GET /readyz
  default-server check inter ${CHECK_EVERY_MS} fall 1 rise 1
${ports.map(port => `  server api${port} 127.0.0.1:${port}`).join('\n')}
`
}
