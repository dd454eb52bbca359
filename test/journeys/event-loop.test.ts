import { Agent, request as httpRequest } from 'node:http'
import { afterAll, expect, test, vi } from 'vitest'
import { domains } from '#app'
import { FORM_BYTES_MAX, FORM_PAIRS_MAX, JSON_BODY_BYTES_MAX, REPEATED_PAIRS_MAX } from '#http/body.ts'
import { ENTRIES_JUDGED_MAX } from '#platform/schema-check.ts'
import { addressesOf } from '#test/addresses.ts'
import { startApp } from '#test/app.ts'
import { expectNone } from '#test/attempts.ts'
import { watchLoop } from '#test/loop.ts'
import { readAllOperations, type Operation } from '#test/operations.ts'
import { signed, webhookPaths } from '#test/provider.ts'
import { fillTeam } from '#test/records.ts'
import { fieldPlaces, textPlaces, withValue, type Schema } from '#test/samples.ts'
import { full, shareOf } from '#test/tier.ts'
import { hardFiles, hardTexts, worstOf, type HardText } from '#test/worst.ts'

// Each test here walks all operations.
vi.setConfig({ testTimeout: full ? 3_600_000 : 240_000 })

/** So long one request may keep all others waiting. */
const HELD_MAX_MS = 200
const MEASURED_MAX = 3
/** So long nothing takes by chance. */
const OBVIOUS_MS = 2_000
const MANY = full ? 400_000 : 60_000
const REFUSALS_MAX = full ? 4 : 2
const ADDRESS_LENGTH_MAX = 14_000
const HEADER_LENGTH_MAX = 15_000

const app = await startApp({ role: 'api' })
const all = await readAllOperations(app.url)
const operations = all.filter(({ protocol }) => protocol === undefined)
const team = await fillTeam(app, operations, await app.person())
const addressOf = await addressesOf(team)
const withBody = operations.filter(({ body }) => body)
const me = team.person.browser.headers
const JSON_TYPE = { ...me, 'content-type': 'application/json' }
const FORM_TYPE = { ...me, 'content-type': 'application/x-www-form-urlencoded' }
const agent = new Agent({ keepAlive: true })
const offenders: string[] = []
afterAll(async () => {
  agent.destroy()
  await app.close()
})

/** Texts that held up everybody in these places once: they are sent there always. */
const ONCE_FOUND: Record<string, string[]> = {
  'PATCH /api/outreach/sequences/{id}': ['placeholders'],
  'PATCH /api/crm/invoices/{id}': ['links'],
  // Either keeps the thread of templates at work until its deadline: one shows that nobody else waits for it.
  'POST /api/outreach/templates/preview': full ? ['spaces', 'emphasis'] : ['spaces'],
}

/**
 * What has the same fields shares what reads, checks and keeps them, such as creating and changing a record: of these one
 * by turns, and where a text was found once.
 */
const tried = full
  ? withBody
  : [
      ...Map.groupBy(withBody, ({ body }) =>
        fieldPlaces(body!)
          .map(({ place }) => place)
          .join(),
      ).values(),
    ].flatMap((alike, turn) => alike.filter(({ name }, at) => at === turn % alike.length || ONCE_FOUND[name]))

test('the largest body that an operation takes', async () => {
  for (const operation of tried)
    for (const text of textsFor(operation, withBody.indexOf(operation))) await sendWorst(operation, text)
  expectNone(offenders.splice(0))
})

test('what was taken is shown', async () => {
  const readable = operations.filter(({ method, access }) => method === 'GET' && access !== 'cron')
  for (const operation of readable) await hold(operation.name, () => ({ ...asked(operation), headers: me }))
  expectNone(offenders.splice(0))
})

test('a body that is refused', async () => {
  for (const [turn, operation] of all.filter(({ method }) => method !== 'GET').entries()) {
    if (operation.upload) continue
    const ways = [...shareOf(Object.entries(nonsense), turn, 96), ...misfits(operation, turn)]
    for (const [what, body] of ways)
      await hold(`${operation.name}: ${what}`, () => ({ ...asked(operation), body, headers: JSON_TYPE }))
  }
  expectNone(offenders.splice(0))
})

test('every list in a body has an end that can be judged', () => {
  // Nodes are counted all together, filters with the definition.
  const counted = ['nodes', 'filters']
  const endless = withBody.flatMap(({ name, body }) =>
    fieldPlaces(body!)
      .filter(({ place, schema }) => listsIn(schema).some(isEndless) && !counted.includes(place))
      .map(({ place }) => `${name} ${place}`),
  )
  expectNone(endless)
})

test('a form', async () => {
  const forms = domains.flatMap(({ endpoints }) => Object.values(endpoints)).filter(({ form }) => form)
  expect(forms.length).toBeGreaterThan(10)
  for (const [turn, endpoint] of forms.entries()) {
    const path = addressOf(endpoint)
    const { method } = endpoint
    const texts = shareOf(formsOfTexts, turn, 150).map(({ name, text }) => [
      `${name} of ${text.name}`,
      formOfText(name, text),
    ])
    for (const [what, body] of [...Object.entries(formsOfNames), ...texts])
      await hold(`${method} ${endpoint.path}: ${what}`, () => ({
        method,
        path,
        body: body!,
        headers: FORM_TYPE,
      }))
  }
  expectNone(offenders.splice(0))
})

test('a query', async () => {
  for (const [turn, operation] of all.entries()) {
    const names = Object.keys(operation.query)
    const texts = shareOf(hardTexts, turn, hardTexts.length).flatMap(text =>
      shareOf(names, turn, 4).map(name => [`${name} of ${text.name}`, `${name}=${encoded(text)}`] as const),
    )
    const many = {
      repeats: `${names[0] ?? 'a'}=1&`.repeat(ADDRESS_LENGTH_MAX).slice(0, ADDRESS_LENGTH_MAX),
      names: Array.from({ length: 2_000 }, (_, at) => `a${at}`).join('&'),
    }
    for (const [what, query] of [...texts, ...shareOf(Object.entries(many), turn, 12)])
      await hold(`${operation.name}: ${what}`, () => {
        const { method, path } = asked(operation)
        return { method, path: `${path}?${query}`, headers: me }
      })
  }
  expectNone(offenders.splice(0))
})

test('a header', async () => {
  const someOf = [
    'GET /api/crm/leads',
    'PATCH /api/crm/leads/{id}',
    'GET /api/v1/agent/purchase/{agent_id}',
    'POST /api/oauth/token',
    'GET /api/oauth/authorize',
    'GET /api/live',
  ]
  const headers = {
    ...Object.fromEntries(PLAIN_HEADERS.map(name => [name, ['']])),
    authorization: ['', 'Bearer ', 'Basic ', 'Payment '],
    cookie: ['', `${me.cookie!.split('=')[0]}=`],
    'content-type': ['', 'application/json;'],
  }
  const pairs = Object.entries(headers).flatMap(([name, begins]) => begins.map(begin => ({ name, begin })))
  for (const [turn, operation] of all.filter(({ name }) => someOf.includes(name)).entries())
    for (const [at, { name, begin }] of pairs.entries())
      for (const text of shareOf(hardTexts, turn * pairs.length + at, hardTexts.length)) {
        const long = text
          .of(HEADER_LENGTH_MAX)
          .replace(/[^\x20-\x7e]/g, ';')
          .trim()
        const { cookie, ...anonymous } = me
        const rest = name === 'authorization' ? anonymous : { ...anonymous, cookie: cookie! }
        await hold(`${operation.name}: ${name} of ${begin}${text.name}`, () => ({
          ...asked(operation),
          headers: { ...rest, [name]: `${begin}${long}` },
        }))
      }
  expectNone(offenders.splice(0))
})

test('a file', async () => {
  const uploads = operations.filter(({ upload }) => upload)
  expect(uploads.length).toBeGreaterThan(2)
  for (const [turn, operation] of uploads.entries())
    // Only lists are read, all other files are kept as they are.
    for (const [what, body] of shareOf(hardFiles, turn, operation.upload === 'text/csv' ? 6 : 30)) {
      const headers = { ...me, 'content-type': 'text/csv' }
      const reply = await hold(`${operation.name}: ${what}`, () => ({ ...asked(operation), body, headers }))
      const id = /"id":"([0-9a-f]{24})"/.exec(reply.text)?.[1]
      if (operation.path === '/api/crm/imports' && id)
        await hold(`the preview of ${what}`, () => ({
          method: 'GET',
          path: `${operation.path}/${id}/preview`,
          headers: me,
        }))
    }
  expectNone(offenders.splice(0))
})

test('an event of a provider', async () => {
  const types = ['call_ended', 'tool_call', 'payment.succeeded', 'email.received', 'email.bounced']
  const names = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`x${at}`, 1]))
  const said = (text: HardText) => ({
    callId: text.of(200),
    from: text.of(100_000),
    to: [text.of(100_000)],
    subject: text.of(100_000),
    text: text.of(100_000),
    summary: text.of(100_000),
    transcript: Array.from({ length: 5_000 }, () => ({ role: 'user', text: 'a' })),
  })
  for (const [turn, [endpoint, path]] of Object.entries(webhookPaths).entries())
    for (const [at, type] of shareOf([...types.entries()], turn, 2))
      for (const data of [
        ...shareOf([names], turn + at, types.length),
        ...shareOf(hardTexts, turn * types.length + at, hardTexts.length).map(said),
      ])
        await hold(`${path}: ${type}`, () => {
          const body = JSON.stringify({ eventId: `e${Math.random()}`, type, data })
          return { method: 'POST', path, body, headers: signed(endpoint as never, body) }
        })
  expectNone(offenders.splice(0))
})

const PLAIN_HEADERS = [
  'accept',
  'accept-language',
  'accept-encoding',
  'if-match',
  'if-none-match',
  'prefer',
  'range',
  'last-event-id',
  'origin',
  'user-agent',
  'idempotency-key',
  'x-forwarded-for',
  'referer',
]

type Sent = { method: string; path: string; body?: string; headers: Record<string, string> }
type Answer = { status: number; text: string }

/** Sends it and counts what this thread computed at a stretch. What a request costs, it costs each time. */
async function hold(what: string, make: () => Sent): Promise<Answer> {
  let least = Infinity
  let reply: Answer
  let measured = 0
  do {
    const sent = make()
    const loop = watchLoop()
    reply = await send(sent)
    least = Math.min(least, loop.worst())
    loop.stop()
  } while (least > HELD_MAX_MS && least < OBVIOUS_MS && ++measured < MEASURED_MAX)
  if (least > HELD_MAX_MS) offenders.push(`${what}: holds up everybody for ${Math.round(least)} ms`)
  if (reply.status >= 500) offenders.push(`${what}: ${reply.status} ${reply.text.slice(0, 200)}`)
  return reply
}

async function send({ method, path, body, headers }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(app.url)
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const length = bytes && { 'content-length': String(bytes.length) }
  const request = httpRequest(
    { agent, hostname, port, method, path, headers: { ...headers, ...length } },
    async response => {
      const status = response.statusCode!
      // A stream has no end.
      if (response.headers['content-type']?.includes('event-stream')) {
        request.destroy()
        return resolve({ status, text: '' })
      }
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status, text: Buffer.concat(chunks).toString() })
    },
  )
  request.on('error', reject).end(bytes)
  return promise
}

function asked(operation: Operation): { method: string; path: string } {
  return { method: operation.method, path: requestOf(operation).path }
}

/** Those of other protocols have words that no schema tells. */
function requestOf(operation: Operation): { path: string; body: unknown } {
  return operation.protocol === undefined ? team.request(operation) : { path: operation.path, body: {} }
}

function textsFor({ name }: Operation, turn: number): HardText[] {
  const found = hardTexts.filter(text => ONCE_FOUND[name]?.includes(text.name))
  return [...new Set([...found, ...shareOf(hardTexts, turn, hardTexts.length)])]
}

/** What a rule of the team refuses stays as it was, so that the rest gets through. */
async function sendWorst(operation: Operation, text: HardText): Promise<void> {
  let spared: string[] = []
  for (let refusals = 0; refusals < REFUSALS_MAX; refusals++) {
    let places: string[] = []
    const reply = await hold(`${operation.name}: ${text.name}`, () => {
      const { path, body: sample } = team.request(operation)
      const worst = worstOf(operation.body!, sample, text, { bytesMax: JSON_BODY_BYTES_MAX, spared })
      places = worst.places
      return { method: operation.method, path, body: worst.body, headers: JSON_TYPE }
    })
    if (reply.status !== 422) return
    const { errors = [] } = JSON.parse(reply.text) as { errors?: { path: string }[] }
    const refused = errors.map(({ path }) => path.replaceAll(/\[\d+\]/g, '[]'))
    const isRefused = (place: string) => refused.some(path => isBelow(path, place) || isBelow(place, path))
    const more = places.filter(isRefused)
    if (more.length === 0) return
    spared = [...spared, ...more]
  }
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

const names = `{${Array.from({ length: 80_000 }, (_, at) => `"x${at}":1`).join()}}`
const NESTS = 30
const nonsense: Record<string, string> = {
  names,
  numbers: `{${Array.from({ length: 90_000 }, (_, at) => `"${at}":1`).join()}}`,
  'U+0000': `[${'"\\u0000",'.repeat(110_000)}1]`,
  'names with U+0000': `{${Array.from({ length: 60_000 }, (_, at) => `"\\u0000${at}":1`).join()}}`,
  'a deep nest': '['.repeat(JSON_BODY_BYTES_MAX),
  'a wide nest': `{"a":${'['.repeat(NESTS)}${'[],'.repeat(300_000)}[]${']'.repeat(NESTS)}}`,
  'a long number': '1'.repeat(JSON_BODY_BYTES_MAX),
  'a text without an end': `"${'a'.repeat(JSON_BODY_BYTES_MAX - 1)}`,
}
const listsOf: Record<string, string> = {
  zeros: `[${'0,'.repeat(MANY)}0]`,
  objects: `[${'{},'.repeat(MANY / 2)}{}]`,
  names,
}

/** In each field something of the wrong kind, as much of it as fits. */
function misfits(operation: Operation, turn: number): [what: string, body: string][] {
  if (!operation.body) return []
  const { body } = requestOf(operation)
  const fields = fieldPlaces(operation.body)
  const isUnique = (schema: Schema) => listsIn(schema).some(list => (list as UniqueList).uniqueItems)
  const lists = fields.flatMap(({ place, schema }, at) =>
    Object.entries(listsOf)
      .filter(([kind]) => full || (isUnique(schema) ? kind === 'zeros' : false))
      .concat(at === turn % fields.length ? shareOf(Object.entries(listsOf), turn, 18) : [])
      .map(([kind, list]) => {
        const around = JSON.stringify(withValue(body, place, 'PLACE'))
        return [`${place} of ${kind}`, around.replace('"PLACE"', () => list)] as [string, string]
      }),
  )
  const places = textPlaces(operation.body)
  const texts = shareOf(places, turn, places.length).flatMap(({ place }) =>
    shareOf(['a.', '@ ', 'e\u0301', '-', '👍'], turn, 40).map(again => {
      const long = again.repeat(Math.floor(900_000 / Buffer.byteLength(again)))
      return [`${place} of ${again}`, JSON.stringify(withValue(body, place, long))] as [string, string]
    }),
  )
  return [...lists, ...texts]
}

type UniqueList = { uniqueItems?: boolean; maxItems?: number }

function listsIn(schema: Schema): Schema[] {
  const own = schema.type === 'array' ? [schema] : []
  return [...own, ...(schema.anyOf ?? []).flatMap(listsIn), ...(schema.allOf ?? []).flatMap(listsIn)]
}

function isEndless(list: Schema): boolean {
  return ((list as UniqueList).maxItems ?? Infinity) >= ENTRIES_JUDGED_MAX
}

const formsOfNames: Record<string, string> = {
  'as many names as fit': Array.from({ length: 80_000 }, (_, at) => at)
    .join('&')
    .slice(0, FORM_BYTES_MAX),
  'as many names as may be': formOf(FORM_PAIRS_MAX, at => `a${at}`),
  'one name again and again': formOf(REPEATED_PAIRS_MAX, () => 'email'),
  'many names': formOf(REPEATED_PAIRS_MAX, at => `a${at}`),
  ands: '&'.repeat(FORM_BYTES_MAX),
}

function formOf(count: number, nameOf: (at: number) => string): string {
  const length = Math.floor(FORM_BYTES_MAX / count) - 10
  return Array.from({ length: count }, (_, at) => `${nameOf(at)}=${'+'.repeat(length)}`).join('&')
}

const FORM_FIELDS = [
  'email',
  'first_name',
  'code',
  'token',
  'scope',
  'redirect_uri',
  'name',
  'client_id',
  'Body',
]

const formsOfTexts = hardTexts.flatMap(text => FORM_FIELDS.map(name => ({ name, text })))

function formOfText(name: string, text: HardText): string {
  const value = encodeURIComponent(text.of(FORM_BYTES_MAX / 12)).slice(0, FORM_BYTES_MAX - 100)
  return `grant_type=authorization_code&${name}=${value}`
}

/** Cut where a character ends. */
function encoded(text: HardText): string {
  const whole = encodeURIComponent(text.of(ADDRESS_LENGTH_MAX))
  for (let end = Math.min(ADDRESS_LENGTH_MAX, whole.length); ; end--) {
    const part = whole.slice(0, end)
    try {
      decodeURIComponent(part)
      return part
    } catch {
      continue
    }
  }
}
