import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { inject } from 'vitest'
import { domains as productDomains, type Domain } from '#app'
import type { Config } from '#config'
import { createKey } from '#domains/identity/keys.ts'
import { createSigninLink } from '#domains/identity/links.ts'
import { ensureUser, homeTeam } from '#domains/identity/people.ts'
import { sessionCookie } from '#domains/identity/cookie.ts'
import { startSession } from '#domains/identity/sessions.ts'
import { tokensOf } from '#domains/identity/tokens.ts'
import { Answer } from '#platform/answer.ts'
import { wakeAttendant } from '#domains/softphone/wake.ts'
import { FakeClock, type Clock } from '#platform/clock.ts'
import { signedEndpoints, signingKey } from '#platform/signature.ts'
import { systemContext, type Context, type Runtime } from '#platform/context.ts'
import type { Endpoint } from '#platform/contract.ts'
import type { Ports } from '#platform/ports/ports.ts'
import { allScopes, type Scope } from '#platform/scopes.ts'
import { startProcess, type Role, type Running } from '../../src/process.ts'
import { client, type Client } from './client.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { testPorts, type MemoryMailer, type MemoryPorts } from './ports.ts'
import { webhookSecret } from './webhook-secret.ts'
import { witnesses } from './witnesses.ts'

export type TestApp = {
  url: string
  runtime: Runtime
  database: TestDatabase
  /** Every mail that was sent. */
  mail: MemoryMailer
  /** Everything that reaches outside, as tests have it. */
  ports: MemoryPorts
  /** A person with a team of its own, as the first sign-in makes it. */
  person(email?: string): Promise<Person>
  /** A link that signs that person in, in a browser. */
  signIn(email?: string): Promise<string>
  close(): Promise<void>
}

export type Person = {
  user_id: string
  team_id: string
  ctx: Context
  /** Requests by session cookie, as the web app makes them. */
  browser: Client
  /** Requests by an API key with these scopes, all of them unless told. */
  key(scopes?: Scope[]): Promise<Client>
}

export type AppOptions = {
  clock?: Clock
  role?: Role
  domains?: readonly Domain[]
  web?: boolean
  config?: Partial<Config>
  /** In place of those of the tests; whoever brings another knows that it is one. */
  ports?: Partial<Ports>
  database?: TestDatabase
  /** By default what the whole run is (`TEST_CITUS`). */
  sharded?: boolean
}

/** An app that has its database to itself leaves itself no work: its own doings wake it, and so does the clock of its test. */
const LOOK_EVERY_MS = 500

const WEB_FOLDER = new URL('../../dist/web', import.meta.url).pathname

/** The whole product on a database of its own and a free port. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createDatabase())
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'http://127.0.0.1:3000',
    databaseUrl: database.url,
    databaseLoginUrl: undefined,
    databasePoolerUrl: undefined,
    databasePoolSize: 10,
    shutdownDrainMs: 0,
    dataDir: '/nonexistent',
    production: false,
    sessionSecrets: [randomBytes(32)],
    cronSecret: 'cron-secret-of-the-tests',
    metricsToken: undefined,
    webhookKeys: Object.fromEntries(
      signedEndpoints.map(name => [name, [signingKey(webhookSecret(name))]]),
    ) as unknown as Config['webhookKeys'],
    scheduler: false,
    rateLimit: false,
    logLevel: 'silent',
    signin: {},
    smtpUrl: undefined,
    emailFrom: 'Rapport <rapport@example.test>',
    dkim: undefined,
    imapUrl: undefined,
    resend: undefined,
    twilio: undefined,
    twilioAuthToken: undefined,
    whatsapp: undefined,
    openai: undefined,
    openaiSipUri: undefined,
    simulatorPaceMs: 1,
    chain: undefined,
    bank: undefined,
    s3: undefined,
    trustedProxies: [],
    creditsMonthly: 100,
    trialDays: undefined,
    phoneNumbers: 'any',
    oauthRegistration: false,
    outboundAllowHosts: [],
    ...options.config,
  }
  const ports = {
    ...testPorts({ clock: options.clock, outboundAllowHosts: config.outboundAllowHosts }),
    ...options.ports,
  } as MemoryPorts
  let running = await startProcess({
    config,
    databaseUrl: database.loginUrl,
    sharded: options.sharded ?? inject('postgresWorkers').length > 0,
    ports,
    domains: options.domains ?? productDomains,
    role: options.role ?? 'all',
    ...(!options.database && { lookEveryMs: LOOK_EVERY_MS }),
    onAnswer: refuseWrongAnswer,
    ...(options.clock && { clock: options.clock }),
    ...(options.web && existsSync(WEB_FOLDER) && { webFolder: WEB_FOLDER }),
  })
  config.baseUrl = running.url
  const endListening = onMove(options.clock, () => {
    running.worker?.wake()
    wakeAttendant(running.runtime)
  })
  const ctx = systemContext(running.runtime)
  const tell = () => undoneIn(database, running.runtime.clock)
  witnesses.add(tell)
  return {
    url: running.url,
    runtime: running.runtime,
    database,
    mail: ports.mail,
    ports,
    person: email => makePerson(running.url, ctx, email ?? `person${++people}@example.test`),
    signIn: email => createSigninLink(ctx, email ?? 'ada@example.test'),
    async close() {
      witnesses.delete(tell)
      endListening()
      await running.stop()
      // Files share a process, and what they hold stays: it need not be all of the routes.
      Object.assign(running.runtime, { wakeWorker: undefined, registry: undefined })
      running = stopped
      if (!options.database) await database.drop()
    },
  }
}

/** In place of one that has served a test. */
const stopped = { worker: undefined, stop: async () => {} } as unknown as Running

function onMove(clock: Clock | undefined, listener: () => void): () => void {
  return clock instanceof FakeClock ? clock.onMove(listener) : () => {}
}

/** Jobs that are due or were tried already: what a test waited for in vain is often among them. */
async function undoneIn(database: TestDatabase, clock: Clock): Promise<string[]> {
  const now = new Date(clock.now()).toISOString()
  const jobs = await database.query<Record<string, unknown>>(
    `select kind, state, run_at, attempts, owner, left(last_error, 300) as last_error
    from jobs where run_at <= $1 or attempts > 0 or owner is not null order by run_at limit 20`,
    [now],
  )
  return jobs.map(job => `At ${now} not done: ${JSON.stringify(job)}`)
}

let people = 0

async function makePerson(url: string, ctx: Context, email: string): Promise<Person> {
  const user = await ensureUser(ctx, email)
  const team_id = await homeTeam(ctx, user.id)
  const { settings } = ctx.runtime
  const session = await startSession(ctx, user.id, { method: 'link', ip: null, user_agent: null })
  const cookie = sessionCookie(settings, await tokensOf(settings).seal(session)).split(';')[0]!
  return {
    user_id: user.id,
    team_id,
    ctx: ctx.forTeam(team_id).as({ kind: 'person', id: user.id, name: user.name }),
    browser: client(url, { cookie, 'sec-fetch-site': 'same-origin' }),
    async key(scopes = allScopes) {
      const { key } = await createKey(ctx.forTeam(team_id), {
        name: 'Test key',
        scopes,
        service: 'Tests',
        expires_in_days: null,
      })
      return client(url, { authorization: `Bearer ${key}` })
    },
  }
}

const checks = new WeakMap<Endpoint, ReturnType<typeof Compile>>()

/** Whatever a handler answers must be what its contract says; production does not pay for this check, tests do. */
function refuseWrongAnswer(endpoint: Endpoint, value: unknown): void {
  if (value instanceof Answer) return refuseUndeclared(endpoint, value)
  if (!endpoint.output) return
  let check = checks.get(endpoint)
  if (!check) checks.set(endpoint, (check = Compile(endpoint.output)))
  const plain: unknown = JSON.parse(JSON.stringify(value))
  if (!check.Check(plain))
    throw new Error(
      `${endpoint.method} ${endpoint.path} answered ${JSON.stringify(check.Errors(plain).slice(0, 3))}`,
    )
}

/** What is no plain record, such as a page or a redirect, is in the contract by its status and media type. */
function refuseUndeclared(endpoint: Endpoint, { status, headers }: Answer): void {
  if (endpoint.hidden || status === 304) return
  const { output, media = output && 'application/json', besides = {} } = endpoint
  const other = besides[status]
  const usual = endpoint.status ?? (media ? 200 : 204)
  const declared =
    status === usual ? [media] : other ? [other.media ?? (other.schema && 'application/json')] : []
  const [type] = String(headers['content-type'] ?? '').split(';')
  const isRedirect = status >= 300 && status < 400
  if (declared.length > 0 && (isRedirect || (declared[0] ?? '') === type)) return
  throw new Error(
    `${endpoint.method} ${endpoint.path} answered ${status} ${type}, which is not in its contract`,
  )
}
