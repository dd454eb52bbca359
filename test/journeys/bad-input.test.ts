import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { domains } from '#app'
import { encodeCursor } from '#platform/cursor.ts'
import { FAULTS_MAX } from '#platform/schema-check.ts'
import { addressesOf } from '#test/addresses.ts'
import { startApp } from '#test/app.ts'
import { expectNone, failuresOf } from '#test/attempts.ts'
import { client, type Body, type Client, type Reply } from '#test/client.ts'
import { hostileTexts } from '#test/hostile.ts'
import { isRepeatable, pathOf, readOperations, type Operation } from '#test/operations.ts'
import { expectProblem } from '#test/problem.ts'
import { fillTeam } from '#test/records.ts'
import { fieldPlaces, takes, textPlaces, withValue, type Schema } from '#test/samples.ts'
import { full, oneOfEach, shareOf } from '#test/tier.ts'

// Most tests here walk all operations.
vi.setConfig({ testTimeout: full ? 1_800_000 : 120_000 })

const app = await startApp({ role: 'api' })
const operations = await readOperations(app.url)
const team = await fillTeam(app, operations, await app.person())
const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
const tablesBefore = await columnsOfAllTables()

const JSON_TYPE = { 'content-type': 'application/json' }
const BODY_BYTES_MAX = 1024 * 1024
const DEPTH_MAX = 32
const IN_PARALLEL = 6
const REFUSAL_MS = 5_000
const ONE_BY_ONE = { atOnce: 1 }
/** An operation takes one hostile text in so many; its places take this one and those below by turns. */
const HOSTILE_SHARE = 240
/** These come to every operation: a database that gets to see one answers with an error of its own. */
const ALWAYS_SENT = ['a\0b', 'a\ud800b', '\\']

afterAll(() => app.close())

const withBody = operations.filter(({ body }) => body)
const withoutBody = operations.filter(({ body, upload, method }) => !body && !upload && method !== 'GET')
const lists = operations.filter(({ query }) => query.cursor && query.limit)
const readable = operations.filter(({ method, access }) => method === 'GET' && access !== 'cron')
const paths = [...Map.groupBy(operations, ({ path }) => path)]

test('the document has operations of every kind', () => {
  for (const list of [withBody, withoutBody, lists, readable]) expect(list.length).toBeGreaterThan(2)
})

// One parser reads every body: here it is looked at closely, below it is shown to be that of every operation.
const parsed = oneOfEach(withBody, kindOfAccess)

describe.for(parsed)('the body of $name', operation => {
  const turn = parsed.indexOf(operation)

  test('is JSON, or it is a 400 that says what is wrong', async () => {
    const broken = [
      '{',
      '{"a":}',
      'nul',
      '[1,',
      '"x',
      '{"a":1}}',
      "{'a':1}",
      '\ufeff{}',
      'NaN',
      '{"a":01}',
      '{"a":1,}',
      '\u0000',
    ]
    for (const body of shareOf(broken, turn, 4))
      expectProblem(await sendText(operation, body), 400, 'malformed_json')
    expectProblem(await sendText(operation, ''), 400, 'body_missing')
    expectProblem(await sendText(operation, new Uint8Array([0x7b, 0xff, 0x7d])), 400, 'not_utf8')
  })

  test(`tells at most ${FAULTS_MAX} faults`, async () => {
    const bodies = [
      `[${'"\\u0000",'.repeat(1_000)}1]`,
      `{${Array.from({ length: 1_000 }, (_, at) => `"\\u0000${at}":1`).join()}}`,
      `{${Array.from({ length: 1_000 }, (_, at) => `"x${at}":1`).join()}}`,
    ]
    for (const body of shareOf(bodies, turn, bodies.length)) {
      const { errors } = expectProblem(await sendText(operation, body), 422, 'validation_failed')
      expect(errors!.length).toBeLessThanOrEqual(FAULTS_MAX)
    }
  })

  test(`nests at most ${DEPTH_MAX} deep`, async () => {
    const nest = (depth: number) => `${'{"a":'.repeat(depth - 1)}[]${'}'.repeat(depth - 1)}`
    expectProblem(await sendText(operation, nest(DEPTH_MAX + 1)), 400, 'json_too_deep')
    expectProblem(await sendText(operation, '['.repeat(100_000)), 400, 'json_too_deep')
    expectProblem(await sendText(operation, nest(DEPTH_MAX)), 422, 'validation_failed')
    const innocent = JSON.stringify({ text: '[{'.repeat(DEPTH_MAX + 1) })
    expect((await sendText(operation, innocent)).body.code).not.toBe('json_too_deep')
  })

  test('is at most 1 MiB, with or without a length given ahead', async () => {
    const atTheLimit = () => {
      const right = JSON.stringify(team.request(operation).body)
      return right + ' '.repeat(BODY_BYTES_MAX - Buffer.byteLength(right))
    }
    const whole = (text: string) => text
    const ways = [whole, inChunks].flatMap(sent => [true, false].map(fits => ({ sent, fits })))
    for (const { sent, fits } of shareOf(ways, turn, ways.length)) {
      if (fits) {
        const reply = await team.withRecord(operation, () => sendText(operation, sent(atTheLimit())))
        expect(reply.status, reply.text).toBe(operation.success.status)
      } else expectProblem(await sendText(operation, sent(`${atTheLimit()} `)), 413, 'body_too_large')
    }
  })

  test('is application/json, or it is a 415', async () => {
    const right = () => JSON.stringify(team.request(operation).body)
    const others = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/xml',
      'nonsense',
    ]
    for (const type of shareOf(others, turn, 3)) {
      const reply = await sendText(operation, right(), { 'content-type': type })
      expectProblem(reply, 415, 'unsupported_media_type')
    }
    const charset = { 'content-type': 'application/json; charset=UTF-8' }
    const named = await team.withRecord(operation, () => sendText(operation, right(), charset))
    expect(named.status, named.text).toBe(operation.success.status)
  })
})

describe('the body of each operation', () => {
  test('is read by that one parser, with its bounds', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
    const attempt = async (operation: Operation, turn: number) => {
      expectProblem(await sendText(operation, '['.repeat(DEPTH_MAX + 1)), 400, 'json_too_deep')
      expect((await announce(operation, BODY_BYTES_MAX + 1)).status).toBe(413)
      for (const type of shareOf(types, turn, types.length))
        expectProblem(await sendText(operation, '{}', { 'content-type': type }), 415)
    }
    expectNone(await failuresOf(withBody, attempt))
  })

  test('is an object', async () => {
    const others = ['[]', '"x"', '1', 'null', 'true', '[{}]']
    const attempt = async (operation: Operation, turn: number) => {
      for (const body of shareOf(others, turn, others.length))
        expectProblem(await sendText(operation, body), 422, 'validation_failed')
    }
    expectNone(await failuresOf(withBody, attempt))
  })

  test('has every field of the right type; the fault names the field', async () => {
    // Fields of one depth do not contain each other: they can be wrong together, and each must be told.
    const layers = withBody.flatMap(operation => {
      const fields = fieldPlaces(operation.body!).filter(({ schema }) => wrongFor(schema).length > 0)
      const together = Map.groupBy(fields, ({ place }) => (full ? place : place.split(/[.[]/).length))
      return [...together.values()].map(fields => ({
        name: `${operation.name} ${fields.map(({ place }) => place).join(' ')}`,
        operation,
        fields,
      }))
    })
    const attempt = async ({ operation, fields }: (typeof layers)[number], turn: number) => {
      for (const round of full ? STRANGE_VALUES.keys() : [turn]) {
        const { body } = team.request(operation)
        const wrong = fields.map(({ place, schema }, at) => {
          const values = wrongFor(schema)
          return { place, path: place.replaceAll('[]', '[0]'), value: values[(round + at) % values.length] }
        })
        const faulty = wrong.reduce((whole, { place, value }) => withValue(whole, place, value), body)
        const { errors } = expectProblem(await sendJson(operation, faulty), 422, 'validation_failed')
        const isAbout = (error: { path: string }, path: string) =>
          error.path === path || isBelow(error.path, path)
        const untold = wrong.filter(({ path }) => !errors!.some(error => isAbout(error, path)))
        const beside = errors!.filter(error => !wrong.some(({ path }) => isAbout(error, path)))
        expect({ untold, beside }).toEqual({ untold: [], beside: [] })
      }
    }
    expect(layers.flatMap(({ fields }) => fields).length).toBeGreaterThan(5 * withBody.length)
    expectNone(await failuresOf(layers, attempt))
  })

  test('has all its faults told at once', async () => {
    const attempt = async (operation: Operation) => {
      const fields = fieldPlaces(operation.body!).filter(
        ({ place, schema }) => !/[.[]/.test(place) && wrongFor(schema).length > 0,
      )
      const faulty = Object.fromEntries(fields.map(({ place, schema }) => [place, wrongFor(schema)[0]]))
      const reply = await sendJson(operation, { ...faulty, surprise: 1, another: 2 })
      const { errors } = expectProblem(reply, 422, 'validation_failed')
      const places = new Set(errors!.map(({ path }) => path.split(/[.[]/)[0]))
      expect(places).toEqual(new Set([...Object.keys(faulty), 'surprise', 'another']))
    }
    expectNone(await failuresOf(withBody, attempt))
  })

  test('has no field that is not known', async () => {
    const names = ['surprise', '__proto__', 'constructor', 'toString', 'team_id', 'deleted_at']
    const attempt = async (operation: Operation, turn: number) => {
      const right = team.request(operation).body as object
      for (const name of shareOf(names, turn, names.length)) {
        const text = `{"${name}":{"a":1}${JSON.stringify(right)
          .replace(/^\{(?=")/, ',')
          .replace(/^\{/, '')}`
        const { errors } = expectProblem(await sendText(operation, text), 422, 'validation_failed')
        expect(errors!.map(({ path }) => path)).toEqual([name])
      }
    }
    expectNone(await failuresOf(withBody, attempt))
  })

  test('that takes none: a field in it is not known', async () => {
    const refused = await failuresOf(withoutBody, async (operation, turn) => {
      const { errors } = expectProblem(await sendJson(operation, { surprise: 1 }), 422, 'validation_failed')
      expect(errors).toEqual([{ path: 'surprise', message: 'is not a known field' }])
      if (full || turn % 2) expectProblem(await sendText(operation, '[1]'), 422)
      if (full || turn % 2 === 0) expectProblem(await sendText(operation, '{'), 400, 'malformed_json')
    })
    const taken = await failuresOf(
      oneOfEach(withoutBody.filter(isRepeatable), kindOfAccess),
      async operation => {
        const empty = await team.withRecord(operation, () => sendJson(operation, {}))
        expect(empty.status, empty.text).toBe(operation.success.status)
      },
      ONE_BY_ONE,
    )
    expectNone([...refused, ...taken])
  })
})

describe('the address of each operation', () => {
  test('has no parameter that is not known', async () => {
    const names = ['surprise', 'Limit', '__proto__', 'constructor', 'limit[]', 'team_id']
    const attempt = async (operation: Operation, turn: number) => {
      for (const name of shareOf(names, turn, names.length)) {
        const reply = await send(operation, { query: `${encodeURIComponent(name)}=1` })
        const { errors } = expectProblem(reply, 400, 'unknown_parameter')
        expect(errors).toEqual([{ path: name, message: 'is not supported here' }])
      }
    }
    expectNone(await failuresOf(operations, attempt))
  })

  test('has each parameter once, and of the right type', async () => {
    const withQuery = operations.filter(({ query }) => Object.keys(query).length > 0)
    const attempt = async (operation: Operation, turn: number) => {
      const single = Object.entries(operation.query).filter(([, { type }]) => type !== 'array')
      for (const [name] of shareOf(single, turn, 3)) {
        const twice = await send(operation, { query: `${name}=1&${name}=2` })
        expectProblem(twice, 400, 'repeated_parameter')
      }
      const wrong = Object.entries(operation.query).flatMap(([name, schema]) => {
        const text = wrongTextFor(schema)
        return text === undefined ? [] : [[name, text] as const]
      })
      // All of them at once: each must be told.
      for (const some of full ? wrong.map(pair => [pair]) : wrong.length > 0 ? [wrong] : []) {
        const reply = await send(operation, {
          query: new URLSearchParams(Object.fromEntries(some)).toString(),
        })
        const { errors } = expectProblem(reply, 422, 'validation_failed')
        const told = new Set(errors!.map(({ path }) => path.split('[')[0]))
        expect(told).toEqual(new Set(some.map(([name]) => name)))
      }
    }
    expect(withQuery.length).toBeGreaterThan(20)
    expectNone(await failuresOf(withQuery, attempt))
  })
})

describe('each list', () => {
  /** What it is below may have been used up. */
  const ask = (operation: Operation, query: string) =>
    team.withRecord(operation, () => send(operation, { query }))

  test('refuses a limit that is none', async () => {
    const limits = ['0', '201', '-1', '1.5', 'abc', '1e2', '1e999', '99999999999999999999', '', ' 1', '0x10']
    const attempt = async (operation: Operation, turn: number) => {
      for (const limit of shareOf(limits, turn, limits.length)) {
        const reply = await send(operation, { query: `limit=${encodeURIComponent(limit)}` })
        const { errors } = expectProblem(reply, 422, 'validation_failed')
        expect(errors!.map(({ path }) => path)).toEqual(['limit'])
      }
    }
    expectNone(await failuresOf(lists, attempt))
  })

  test('takes a limit of 1 and of 200', async () => {
    const attempt = async (operation: Operation, turn: number) => {
      for (const limit of shareOf([1, 200], turn, 2))
        expect((await ask(operation, `limit=${limit}`)).status).toBe(200)
    }
    expectNone(await failuresOf(lists, attempt))
  })

  const at = '2026-03-02T09:00:00.000Z'
  const id = 'a'.repeat(24)
  const forged = {
    'no cursor at all': 'x',
    'no JSON': Buffer.from('{').toString('base64url'),
    'an object': Buffer.from('{"0":"a","1":"b"}').toString('base64url'),
    null: Buffer.from('null').toString('base64url'),
    'too few parts': encodeCursor([at]),
    'too many parts': encodeCursor([at, id, id]),
    'parts that are no text': Buffer.from('[1,2]').toString('base64url'),
    'nested parts': Buffer.from('[["a"],["b"]]').toString('base64url'),
    'a null part': encodeCursor([null, id]),
    NUL: encodeCursor([at, '\0']),
    'a word for a time': encodeCursor(['now', id]),
    'a number for a time': encodeCursor(['1', id]),
    'a year too far': encodeCursor(['+275760-09-13T00:00:00.000Z', id]),
    'the year zero': encodeCursor(['0000-01-01T00:00:00.000Z', id]),
    'a day that never was': encodeCursor(['2026-02-30T00:00:00.000Z', id]),
    SQL: encodeCursor([`${at}'; drop table leads; --`, id]),
    'a very long part': encodeCursor([at, 'a'.repeat(1001)]),
  }
  test('refuses a forged cursor', async () => {
    const attempt = async (operation: Operation, turn: number) => {
      for (const [how, cursor] of shareOf(Object.entries(forged), turn, 9)) {
        const reply = await ask(operation, `cursor=${encodeURIComponent(cursor)}`)
        expect(reply.status, `${how}: ${reply.text}`).toBe(400)
        expectProblem(reply, 400, 'invalid_cursor')
      }
    }
    expectNone(await failuresOf(lists, attempt))
  })

  test('takes a cursor that leads to the end, or to where nothing is', async () => {
    const cursors = [
      encodeCursor(['0001-01-01T00:00:00.000Z', '']),
      encodeCursor(['9999-12-31T00:00:00.000Z', 'z']),
    ]
    const attempt = async (operation: Operation, turn: number) => {
      for (const cursor of shareOf(cursors, turn, 2)) {
        expect((await ask(operation, `cursor=${cursor}`)).status).toBe(200)
      }
    }
    expectNone(await failuresOf(lists, attempt))
  })
})

// In this order: what was kept is looked at when all of it has been sent.
describe('hostile text', { shuffle: false }, () => {
  test('there are at least 200 such texts', () => expect(hostileTexts.length).toBeGreaterThanOrEqual(200))

  test.for(withBody)(
    'in every field of $name is taken as it is, or refused by the name of the field',
    async operation => {
      const places = textPlaces(operation.body!)
      await team.renew(operation)
      const { body } = team.request(operation)
      const turn = withBody.indexOf(operation)
      const texts = hostileShare(hostileTexts, turn)
      const fits = ({ schema }: Place, text: string) => takes(schema, text)
      await forEach(roundsOf(texts, turn), async round => {
        const fitting = filledWith(places, round, place =>
          texts.filter(text => isText(text) && fits(place, text)),
        )
        for (const wrong of [
          // These are looked for before anything else is.
          filledWith(places, round, () => texts.filter(text => !isText(text))),
          filledWith(places, round, place => texts.filter(text => isText(text) && !fits(place, text))),
        ])
          if (wrong.length > 0) await expectRefused(operation, body, wrong)
        await expectTaken(operation, body, fitting)
      })
    },
  )

  test.for(mapsOf(withBody))(
    'as a name in $place of $operation.name',
    async ({ operation, place, pattern }) => {
      const { body } = team.request(operation)
      const fitting = shortTexts.filter(text => new RegExp(pattern).test(text))
      expect(fitting).toContain('constructor')
      const sendMap = (map: string) =>
        sendText(operation, JSON.stringify(withValue(body, place, 'PLACE')).replace('"PLACE"', map))
      const all = shortTexts
        .filter(text => !fitting.includes(text))
        .map(text => `${JSON.stringify(text)}:"x"`)
      expectProblem(await sendMap(`{${all.join()}}`), 422, 'validation_failed')
      for (const text of fitting) {
        const reply = await sendMap(`{${JSON.stringify(text)}:"x"}`)
        if (reply.status !== operation.success.status) expectProblem(reply, 422, 'validation_failed')
      }
    },
  )

  test.for(operations.filter(({ query }) => Object.keys(query).length > 0))(
    'in every parameter of $name',
    async operation => {
      const all = Object.entries(operation.query).map(([place, schema]) => ({ place, schema }))
      const places = all.filter(({ place }) => place !== 'cursor' && place !== 'limit')
      const cursors = all.filter(({ place }) => place === 'cursor')
      const turn = operations.indexOf(operation)
      const texts = hostileShare(shortTexts, turn)
      const fits = ({ schema }: Place, text: string) => takes(schema, schema.type === 'array' ? [text] : text)
      await forEach(roundsOf(texts, turn), async round => {
        for (const filled of [
          // What no database keeps is refused at once: beside it nothing else would get through.
          filledWith(places, round, place => texts.filter(text => isText(text) && fits(place, text))),
          filledWith(places, round, place => texts.filter(text => !isText(text) && fits(place, text))),
          filledWith(places, round, place => texts.filter(text => !fits(place, text))),
          filledWith(cursors, round, () => texts),
        ]) {
          const query = filled.map(({ place, text }) => `${place}=${encodeURIComponent(text.toWellFormed())}`)
          if (filled.length > 0) await expectNoSurprise(operation, { query: query.join('&') })
        }
      })
    },
  )

  test.for(paths.filter(([path]) => path.includes('{')))(
    'in the address %s leads nowhere',
    async ([, [operation]]) => {
      const names = Object.keys(operation!.params)
      const isName = (text: string) => names.every(name => takes(operation!.params[name]!, text))
      await forEach(shareOf(shortTexts, operations.indexOf(operation!), HOSTILE_SHARE), async text => {
        // What may be the name of something, as another test has shown, leads there.
        if (isName(text)) return
        const path = pathOf(operation!, Object.fromEntries(names.map(name => [name, text.toWellFormed()])))
        const reply = await send(operation!, { path })
        expect([404, 405], `${path}: ${reply.text}`).toContain(reply.status)
      })
    },
  )

  test('in headers that the product reads', async () => {
    const names = [
      'authorization',
      'cookie',
      'if-match',
      'if-none-match',
      'last-event-id',
      'origin',
      'user-agent',
      'accept',
    ]
    const printable = shortTexts.filter(text => /^[\t\x20-\x7e\x80-\xff]+$/.test(text))
    expect(printable.length).toBeGreaterThan(80)
    const settings = '/api/crm/leads/settings'
    const { browser } = team.person
    const ways = [
      ...names.map(
        name => async (text: string) =>
          expect((await browser.get(settings, { [name]: text })).status).toBeLessThan(500),
      ),
      async (text: string) => {
        const keyed = { 'idempotency-key': text }
        const reply = await browser.post('/api/crm/leads', { first_name: text }, keyed)
        expect(reply.status).toBeLessThan(500)
      },
      async (text: string) => {
        const bearer = client(app.url, { authorization: `Bearer rpk_${text}` })
        expect((await bearer.get(settings)).status).toBe(401)
      },
    ]
    await forEach(printable, async text => {
      for (const send of shareOf(ways, printable.indexOf(text), 6)) await send(text)
    })
  })

  test('afterwards every list still answers by its contract, and the tables are the same', async () => {
    const shown = readable.filter(({ success }) => success.media !== 'text/event-stream')
    const attempt = async (operation: Operation) => {
      const reply = await team.withRecord(operation, () => send(operation))
      expect(reply.status, reply.text).toBe(200)
    }
    expectNone(await failuresOf(shown, attempt))
    expect(await columnsOfAllTables()).toEqual(tablesBefore)
  })
})

describe('pages and forms', () => {
  const endpoints = domains
    .flatMap(domain => Object.values(domain.endpoints))
    .map(endpoint => ({ ...endpoint, name: `${endpoint.method} ${endpoint.path}` }))
  const isPage = ({ hidden, unchecked, form }: (typeof endpoints)[number]) => hidden || unchecked || form
  const pages = endpoints.filter(isPage)
  const callers = [client(app.url), team.person.browser]
  /** Where the name is of no use to the page, it still reads the rest. */
  const NAMES = [
    'email',
    'state',
    'code',
    'redirect_uri',
    'return_to',
    'starts_at',
    'first_name',
    'q',
    '__proto__',
  ]
  const ODD_VALUES = {
    nothing: '',
    'U+0000': 'a%00b',
    'no hexadecimal': '%zz',
    'half of an escape': 'a%',
    'broken UTF-8': '%c3%28',
    'an overlong slash': '%c0%af',
    'half of a pair': '%ed%a0%80',
    'beyond Unicode': '%f8%88%80%80%80',
    'a line end': 'a%0d%0aSet-Cookie:x=1',
    'a very long one': 'a'.repeat(9_000),
    brackets: '[[[[{{{{((((',
  }
  type Page = (typeof pages)[number]
  const manners = Object.entries(ODD_VALUES).flatMap(([how, value], at) => [
    [`${how} as a value`, `${NAMES[at % NAMES.length]}=${value}`] as const,
    [`${how} as a name`, `${value}=1&${value}`] as const,
    [`${how} twice`, `email=${value}&email=${value}`] as const,
    [`${how} everywhere`, NAMES.map(name => `${name}=${value.slice(0, 1_000)}`).join('&')] as const,
  ])

  async function expectAnswer(page: Page, what: string, ask: (caller: Client) => Promise<Reply>) {
    for (const caller of callers) {
      const reply = await ask(caller)
      expect(reply.status, `${page.name}, ${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
    }
  }

  test('have an answer to every form, however broken', async () => {
    const addressOf = await addressesOf(team)
    const bytes = {
      'no UTF-8': new Uint8Array([0x61, 0x3d, 0xff, 0xfe]),
      'half of a character': new Uint8Array([0x61, 0x3d, 0xe2, 0x82]),
      zeros: new Uint8Array(1_000),
    }
    const forms = pages.filter(({ form }) => form)
    expect(forms.length).toBeGreaterThan(10)
    const attempt = async (page: Page, turn: number) => {
      for (const [what, body] of [...shareOf(manners, turn, 11), ...shareOf(Object.entries(bytes), turn, 3)])
        await expectAnswer(page, what, caller =>
          caller.raw(page.method, addressOf(page), body, {
            'content-type': 'application/x-www-form-urlencoded',
          }),
        )
    }
    expectNone(await failuresOf(forms, attempt, ONE_BY_ONE))
  })

  test('have an answer to every query, however broken', async () => {
    const addressOf = await addressesOf(team)
    const attempt = async (page: Page, turn: number) => {
      for (const [what, query] of shareOf(manners, turn, 22))
        await expectAnswer(page, what, caller =>
          caller.raw(page.method, `${addressOf(page)}?${query}`, undefined, {}),
        )
    }
    const read = endpoints.filter(({ media, auth }) => media !== 'text/event-stream' && !isOfCron(auth))
    expectNone(await failuresOf(full ? read : read.filter(isPage), attempt, ONE_BY_ONE))
  })

  test('have an answer to every header, however broken', async () => {
    const addressOf = await addressesOf(team)
    const headers = [
      'accept',
      'accept-language',
      'authorization',
      'content-type',
      'cookie',
      'if-match',
      'if-none-match',
      'origin',
      'range',
      'referer',
      'x-forwarded-for',
    ]
    const values = [
      '\x80\xff',
      ';;;,,,===',
      '"',
      'a=%zz; b=%00',
      'Basic %%%',
      'Basic /////w==',
      'Bearer a b',
      'bytes=-1-0,,',
      'W/"',
      'null',
      'a'.repeat(9_000),
    ]
    const pairs = headers.flatMap(name => values.map(value => ({ name, value })))
    const attempt = async (page: Page, turn: number) => {
      for (const { name, value } of shareOf(pairs, turn * 7, 60))
        await expectAnswer(page, `${name}: ${value.slice(0, 20)}`, caller =>
          caller.raw(page.method, addressOf(page), page.method === 'GET' ? undefined : 'a=1', {
            [name]: value,
          }),
        )
    }
    expectNone(await failuresOf(pages, attempt, ONE_BY_ONE))
  })

  function isOfCron(auth: Page['auth']): boolean {
    return typeof auth === 'object' && 'cron' in auth
  }
})

describe('the methods of each address', () => {
  const addresses = paths.map(([name, list]) => {
    const isReadable = list.some(({ method, access }) => method === 'GET' && access !== 'cron')
    const methods = list.flatMap(({ method }) =>
      method === 'GET' && isReadable ? ['GET', 'HEAD'] : [method],
    )
    const allowed = new Set([...methods, 'OPTIONS'])
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => !allowed.has(method))
    return { name, path: () => team.request(list[0]!).path, allowed, others }
  })
  type Address = (typeof addresses)[number]
  const allowedBy = (reply: Reply) => new Set(reply.headers.get('allow')?.split(', '))

  test('are told with a 405 to every other method, whatever it sends', async () => {
    const attempt = async ({ name, path, allowed, others }: Address, turn: number) => {
      for (const method of shareOf(others, turn, 2)) {
        const reads = method === 'GET' || method === 'HEAD'
        const reply = await cron.raw(method, path(), reads ? undefined : '{', reads ? {} : JSON_TYPE)
        expect(allowedBy(reply), method).toEqual(allowed)
        if (method === 'HEAD') expect(reply.status).toBe(405)
        else expectProblem(reply, 405, 'method_not_allowed')
      }
      expect(name).toMatch(/^\/api\//)
    }
    expectNone(await failuresOf(addresses, attempt))
  })

  test('are told to OPTIONS, which allows no other site anything', async () => {
    const attempt = async ({ path, allowed }: Address) => {
      const reply = await client(app.url).raw('OPTIONS', path(), undefined, {
        origin: 'https://evil.example',
        'access-control-request-method': 'DELETE',
      })
      expect(reply.status).toBe(204)
      expect(allowedBy(reply)).toEqual(allowed)
      expect([...reply.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    }
    expectNone(await failuresOf(addresses, attempt))
  })

  test('have HEAD wherever there is GET: it answers alike, without the body', async () => {
    const attempt = async (operation: Operation) => {
      const head = await team.withRecord(operation, () =>
        team.person.browser.raw('HEAD', team.request(operation).path, undefined),
      )
      expect(head.status).toBe(200)
      expect(head.headers.get('content-type')).toContain(operation.success.media)
      expect(head.text).toBe('')
    }
    // One piece of code drops the body of all; that each address says it has HEAD, the tests above see.
    expectNone(await failuresOf(shareOf(readable, 0, 3), attempt))
  })
})

describe('addresses that are none', () => {
  test.for([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/crm/leadsx',
    '/API/crm/leads',
    '/api//crm/leads',
    '/.env',
    '/.git/config',
    '/index.php',
  ])('%s is a 404 for everybody and every method', async path => {
    for (const caller of [client(app.url), team.person.browser]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        expectProblem(
          await caller.raw(method, path, method === 'GET' ? undefined : '{', JSON_TYPE),
          404,
          'not_found',
        )
      }
    }
  })

  test.for([
    '/api/crm/leads/',
    '/api/crm/leads/../../../etc/passwd',
    '/api/../../etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/api/crm/leads/%00',
    '/api/crm/leads/a%2fb',
    '/api/crm/leads;x=1',
    '/api/crm/leads/{id}',
    `/api/crm/leads/${'a'.repeat(9_000)}`,
    '//evil.example/api/crm/leads',
  ])('%s, sent as it is, is a 404', async path => {
    expectProblem(await sendRaw(path), 404, 'not_found')
  })

  test.for(['/api/crm/leads/%', '/api/crm/leads/%zz', '/api/crm/leads/%c3%28', '/api/nothing#%zz', '/%'])(
    '%s cannot be decoded: 400, whatever the method',
    async path => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND'])
        expectProblem(await sendRaw(path, method), 400, 'malformed_url')
    },
  )
})

describe('what is no HTTP', () => {
  test.for([
    ['nonsense', 'hello\r\n\r\n', 400, 'malformed'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'malformed'],
    [
      'two lengths',
      'POST /api/crm/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed',
    ],
    [
      'a length and chunks',
      'POST /api/crm/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ] as const)('%s is a problem like any other', async ([, bytes, status, code]) => {
    const answer = await sendBytes(bytes)
    const [head, body] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const headers = new Headers([['content-type', /content-type: (.*)/i.exec(head!)![1]!.trim()]])
    expectProblem({ status, headers, text: answer, body: JSON.parse(body!) }, status, code)
  })
})

/** Those that fit into an address many times. */
const shortTexts = hostileTexts.filter(text => encodeURIComponent(text.toWellFormed()).length < 500)

function hostileShare(texts: readonly string[], turn: number): string[] {
  return [...new Set([...ALWAYS_SENT, ...shareOf(texts, turn, HOSTILE_SHARE)])]
}

/** PostgreSQL keeps no other. */
function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** In each round every place has another of its texts: one round by turns, in the full tier as many as there are texts. */
function roundsOf(texts: readonly string[], turn: number): number[] {
  return full ? [...texts.keys()] : [turn]
}

type Filled = Place & { text: string }

function filledWith(places: readonly Place[], round: number, textsFor: (place: Place) => string[]): Filled[] {
  return places.flatMap((place, at) => {
    const texts = textsFor(place)
    return texts.length > 0 ? [{ ...place, text: texts[(round + at) % texts.length]! }] : []
  })
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += IN_PARALLEL)
    await Promise.all(items.slice(at, at + IN_PARALLEL).map(work))
}

function kindOfAccess({ access }: Operation): string {
  return JSON.stringify(access)
}

type Parts = { path?: string; query?: string; body?: string | undefined }

async function callerFor({ access, path }: Operation): Promise<Client> {
  if (path === '/api/auth/signout') return (await app.person()).browser
  return access === 'cron' ? cron : team.person.browser
}

/** The request that would succeed, with these parts exchanged. */
async function send(operation: Operation, { path, query, body }: Parts = {}): Promise<Reply> {
  const right = team.request(operation)
  const text = body ?? (operation.body ? JSON.stringify(right.body) : undefined)
  const address = `${path ?? right.path}${query === undefined ? '' : `?${query}`}`
  if (operation.success.media === 'text/event-stream') return glance(address)
  const caller = await callerFor(operation)
  if (operation.upload) return caller.raw(operation.method, address, right.body as Blob)
  return caller.raw(operation.method, address, text, text === undefined ? {} : JSON_TYPE)
}

async function sendJson(operation: Operation, body: unknown): Promise<Reply> {
  return send(operation, { body: JSON.stringify(body) })
}

async function sendText(
  operation: Operation,
  body: Body,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Reply> {
  const caller = await callerFor(operation)
  return caller.raw(operation.method, team.request(operation).path, body, headers)
}

/** Says how long its body will be, and sends none of it. */
async function announce(operation: Operation, bytes: number): Promise<{ status: number }> {
  const { headers } = await callerFor(operation)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>()
  const length = { 'content-length': String(bytes) }
  const request = httpRequest(
    app.url + team.request(operation).path,
    { method: operation.method, headers: { ...headers, ...JSON_TYPE, ...length }, agent: false },
    response => {
      resolve({ status: response.statusCode! })
      request.destroy()
    },
  )
  // Who does not refuse at once waits for what never comes.
  request.setTimeout(REFUSAL_MS, () => request.destroy(new Error('the length was not refused')))
  request.on('error', reject).flushHeaders()
  return promise
}

/** A stream of events never ends by itself: its status is all there is to see. */
async function glance(address: string): Promise<Reply> {
  const gone = new AbortController()
  const response = await fetch(app.url + address, {
    headers: team.person.browser.headers,
    signal: gone.signal,
  })
  const text = response.ok ? '' : await response.text()
  gone.abort()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text ? JSON.parse(text) : undefined,
  }
}

/** A body whose length is not told ahead. */
function inChunks(text: string): ReadableStream {
  return new Blob([text]).stream()
}

const STRANGE_VALUES = [{ a: [1] }, ['x', 1], 'surely \u0001 not', -1.5, true, null]

/** Values of other types; a field that takes anything has none. */
function wrongFor(schema: Schema): unknown[] {
  return STRANGE_VALUES.filter(value => !takes(schema, value))
}

function wrongTextFor(schema: Schema): string | undefined {
  const words = ['surely\u0001not', 'x'.repeat(3_000)]
  return words.find(word => !takes(schema, schema.type === 'array' ? [word] : word))
}

function isBelow(path: string, place: string): boolean {
  return path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

type Place = { place: string; schema: Schema }

/** All the wrong places at once: each must be told. */
async function expectRefused(operation: Operation, body: unknown, filled: Filled[]): Promise<void> {
  const faulty = filled.reduce((value, { place, text }) => withValue(value, place, text), body)
  const reply = await sendJson(operation, faulty)
  const { errors } = expectProblem(reply, 422, 'validation_failed')
  const told = new Set(errors!.map(({ path }) => path))
  const missing = filled.filter(({ place }) => !told.has(place.replaceAll('[]', '[0]')))
  expect(missing, reply.text).toEqual([])
}

/** An instant has one spelling, however it was given. */
function asKept(text: string, place: string): string {
  return place.endsWith('_at') ? new Date(text).toISOString() : text
}

/**
 * What these answer is not what they were given: an entry that is known stays as it is, a preview is filled in, what is
 * past is now, a call of the past is made at once and has no time, a draft leaves what runs.
 */
const ANSWER_SOMETHING_ELSE = [
  'POST /api/outreach/suppressions',
  'POST /api/outreach/templates/preview',
  'POST /api/outreach/enrolments/{id}/reschedule',
  'POST /api/softphone/sessions',
  'PUT /api/crm/workflows/{id}/draft',
  // The invoice has a note of its own.
  'POST /api/crm/invoices/{id}/payments',
  'POST /api/crm/invoices/{id}/payments/{payment_id}/resolution',
]

/** All the places where it fits: what a rule of the team refuses is left out, the rest must be stored as it is. */
async function expectTaken(operation: Operation, body: unknown, filled: Filled[]): Promise<void> {
  if (filled.length === 0) return
  const reply = await sendJson(
    operation,
    filled.reduce((value, { place, text }) => withValue(value, place, text), body),
  )
  if (reply.status === operation.success.status) {
    if (ANSWER_SOMETHING_ELSE.includes(operation.name)) return
    for (const { place, text } of filled.filter(({ place }) => Object.hasOwn(reply.body, place))) {
      expect(asKept(reply.body[place], place), `${place} of ${operation.name}`).toBe(asKept(text, place))
    }
  } else if (reply.status === 409) {
    // Two that do not go together, as a stage that is taken away while leads stand in it.
    if (filled.length > 1) for (const one of filled) await expectTaken(operation, body, [one])
  } else {
    const refused = (expectProblem(reply, 422).errors ?? []).map(({ path }) => path)
    const kept = filled.filter(({ place }) => !refused.includes(place.replaceAll('[]', '[0]')))
    expect(kept.length, reply.text).toBeLessThan(filled.length)
    await expectTaken(operation, body, kept)
  }
}

/** Success by the contract, or a problem: `onAnswer` of the test app turns any other success into a 500. */
async function expectNoSurprise(operation: Operation, parts: Parts): Promise<void> {
  const reply = await send(operation, parts)
  if (reply.status === operation.success.status) return
  expect([400, 422], `${parts.query}: ${reply.text}`).toContain(reply.status)
}

/** The places of a body that are maps with free names. */
function mapsOf(list: Operation[]) {
  return list.flatMap(operation =>
    fieldPlaces(operation.body!).flatMap(({ place, schema }) => {
      const [pattern] = Object.keys(schema.patternProperties ?? {})
      return pattern ? [{ operation, place, pattern }] : []
    }),
  )
}

/** Exactly this request line: fetch would tidy it up first. */
async function sendRaw(path: string, method = 'GET'): Promise<Reply> {
  const { hostname, port } = new URL(app.url)
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const request = httpRequest(
    { hostname, port, method, path, headers: team.person.browser.headers },
    async response => {
      const text = await readText(response)
      const headers = new Headers(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      )
      resolve({ status: response.statusCode!, headers, text, body: JSON.parse(text) })
    },
  )
  request.on('error', reject).end()
  return promise
}

async function sendBytes(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return readText(socket)
}

async function columnsOfAllTables() {
  return app.database.query(
    `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2`,
  )
}
