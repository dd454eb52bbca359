import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const read = (name: string) => readFileSync(new URL(`./certificate/${name}`, import.meta.url), 'utf8')

/** A server with a certificate for localhost that only this test process trusts. */
export async function startHttps(answer: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  setDefaultCACertificates([...getCACertificates('default'), read('certificate.pem')])
  const server = createServer({ cert: read('certificate.pem'), key: read('key.pem') }, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
