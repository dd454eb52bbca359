import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client, type Reply } from '#test/client.ts'
import { startRapport, type RunningRapport } from '#test/command-line.ts'
import { connect, getCode, makeClient, tokenRequest, type OauthClient } from '#test/oauth.ts'
import { full } from '#test/tier.ts'

const PROCESSES = full ? 3 : 2
const TRIES = 100
const ROUNDS = full ? 3 : 1
const folder = mkdtempSync(join(tmpdir(), 'rapport-races-'))

let app: TestApp
let ada: Person
let zap: OauthClient
/** Beside this one, which serves as well. */
let processes: RunningRapport[]
let urls: string[]

beforeAll(async () => {
  const secret = randomBytes(32)
  app = await startApp({ role: 'api', config: { sessionSecrets: [secret] } })
  ada = await app.person()
  zap = await makeClient(ada)
  const env = {
    DATABASE_URL: app.database.url,
    SESSION_SECRET: secret.toString('hex'),
    DATABASE_POOL_SIZE: '10',
    CRON_SECRET: 'cron-secret-of-the-tests',
    RATE_LIMIT: 'off',
    SCHEDULER: 'off',
    NODE_ENV: 'test',
    DATA_DIR: folder,
  }
  processes = await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startRapport(env)))
  urls = [app, ...processes].map(({ url }) => url)
})
afterAll(async () => {
  await Promise.all(processes.map(process => process.stop()))
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The same request a hundred times at once, spread over the processes, on connections that are open already. */
async function race(body: unknown): Promise<Reply[]> {
  const callers = urls.map(url => client(url))
  const all = Array.from({ length: TRIES }, (_, at) => callers[at % PROCESSES]!)
  await Promise.all(all.map(caller => caller.get('/healthz')))
  return Promise.all(all.map(caller => caller.post('/api/oauth/token', body)))
}

const leads = (access_token: string) =>
  client(urls.at(-1)!, { authorization: `Bearer ${access_token}` }).get('/api/crm/leads')

test('of 100 parallel redemptions of one code, on several processes, exactly one wins', async () => {
  const unrelated = await connect(app, ada, zap)
  for (let round = 0; round < ROUNDS; round++) {
    const replies = await race(tokenRequest(zap, await getCode(ada, zap)))
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const lost of replies.filter(reply => reply !== won[0]))
      expect([lost.status, lost.body.error]).toEqual([400, 'invalid_grant'])
    // Every one of them knew the verifier, so the code leaked: what it gave is taken back. Nothing else is.
    expect((await leads(won[0]!.body.access_token)).status).toBe(401)
    expect((await leads(unrelated.access_token)).status).toBe(200)
  }
})

test('of 100 parallel tries with a wrong verifier none wins, and the right one still does', async () => {
  const code = await getCode(ada, zap)
  const replies = await race(tokenRequest(zap, code, { code_verifier: 'x'.repeat(43) }))
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
    new Set(['400 invalid_grant']),
  )
  const { body } = await client(app.url).post('/api/oauth/token', tokenRequest(zap, code))
  expect((await leads(body.access_token)).status).toBe(200)
})

test('of 100 parallel refreshes, on several processes, exactly one makes the next pair, and all are told that one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { refresh_token } = await connect(app, ada, zap)
    const replies = await race({ grant_type: 'refresh_token', refresh_token, client_id: zap.id })
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(new Set(replies.map(({ body }) => body.access_token)).size).toBe(1)
    const line = await app.database.query(
      `select refresh_hash from oauth_tokens where family_id = (
         select family_id from oauth_tokens where refresh_hash = encode(sha256(convert_to($1, 'UTF8')), 'hex'))`,
      [refresh_token],
    )
    expect(line).toHaveLength(2)
    const [{ body }] = replies as [Reply]
    expect((await leads(body.access_token)).status).toBe(200)
    const next = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: zap.id }
    expect((await client(app.url).post('/api/oauth/token', next)).status).toBe(200)
  }
})

test('what one process revokes, another refuses at its next request', async () => {
  const { access_token } = await connect(app, ada, zap)
  const callers = urls.map(url => client(url, { authorization: `Bearer ${access_token}` }))
  for (const caller of callers) expect((await caller.get('/api/crm/leads')).status).toBe(200)
  await client(urls.at(-1)!).post('/api/oauth/revoke', { token: access_token, client_id: zap.id })
  for (const caller of callers) expect((await caller.get('/api/crm/leads')).status).toBe(401)
})
