import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { expectProblem } from '#test/problem.ts'

const folder = new URL('../../dist/web/assets/', import.meta.url)
const script = readdirSync(folder).find(
  name => name.endsWith('.js') && readFileSync(new URL(name, folder)).length > 2_000,
)!
const path = `/assets/${script}`
const built = readFileSync(new URL(script, folder))

let app: TestApp
let browser: Client
beforeAll(async () => {
  app = await startApp({ role: 'api', web: true })
  browser = client(app.url)
})
afterAll(() => app.close())

test('a file of the app is kept for ever, and is packed for whoever can unpack it', async () => {
  const packed = await fetchRaw({ 'accept-encoding': 'gzip' })
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect(gunzipSync(packed.body)).toEqual(built)
  const plain = await fetchRaw({ 'accept-encoding': 'identity' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toEqual(built)
})

test('who has a file already is not sent it again, whatever follows its name', async () => {
  const { headers } = await browser.get(`${path}?again`)
  const again = await browser.get(path, { 'if-none-match': headers.get('etag')! })
  expect([again.status, again.text]).toEqual([304, ''])
  expect((await browser.raw('HEAD', path, undefined)).status).toBe(200)
})

test('a file that is not there is a 404, also for whoever would take a page', async () => {
  for (const missing of ['/assets/older.js', '/assets/', '/assets/..%2findex.html'])
    expectProblem(await browser.get(missing, { accept: 'text/html' }), 404, 'not_found')
})

test('a file takes nothing but to be read', async () => {
  const refused = await browser.post(path, {})
  expectProblem(refused, 405, 'method_not_allowed')
  expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})

/** As it comes over the wire: fetch would unpack it. */
async function fetchRaw(headers: Record<string, string>) {
  const [response] = (await once(get(app.url + path, { headers }), 'response')) as [IncomingMessage]
  return { headers: response.headers, body: await buffer(response) }
}
