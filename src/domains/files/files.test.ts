import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDisk } from '#adapters/storage/disk.ts'
import { createKey } from '#domains/identity/keys.ts'
import { Context } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { allScopes } from '#platform/scopes.ts'
import { startApp, type Person } from '#test/app.ts'
import { client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { expectProblem } from '#test/problem.ts'
import { bytesOf, findFiles, insertFiles, keepFiles, takeFiles, type NewFile } from './service.ts'
import { FILE_BYTES_MAX } from './values.ts'

const PATH = '/api/files'
const folder = await mkdtemp(join(tmpdir(), 'rapport-files-test-'))
const storage = openDisk({ folder })
/** Thrown by the next writes, one each. */
const faults: Error[] = []
const app = await startApp({
  role: 'api',
  ports: {
    storage: {
      ...storage,
      async put(key, bytes) {
        const fault = faults.shift()
        if (fault) throw fault
        await storage.put(key, bytes)
      },
    },
  },
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

let ada: Person
beforeEach(async () => {
  faults.length = 0
  ada = await app.person()
})

const PDF = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="offer.pdf"' }

const upload = (
  person: Person,
  bytes: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = PDF,
) => person.browser.raw('POST', PATH, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, headers)

async function uploaded(person: Person, bytes = 'Hello', headers = PDF): Promise<string> {
  const reply = await upload(person, bytes, headers)
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id as string
}

/** The names of what is stored for the team. */
async function storedFor({ team_id }: Person): Promise<string[]> {
  return (await readdir(join(folder, team_id)).catch(() => [])).toSorted()
}

const rowsOf = ({ team_id }: Person) =>
  app.database.query<Record<string, unknown>>('select * from files where team_id = $1', [team_id])

/** The context of a request by that person. */
function asked({ ctx, user_id, team_id }: Person): Context {
  const actor = ctx.actor
  return new Context(app.runtime, {
    actor,
    team: team_id,
    principal: { actor, team_id, user_id, role: 'MEMBER', scopes: new Set(allScopes) },
  })
}

describe('an upload', () => {
  test('is a file with its name, type and size, and comes back byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 256))
    const reply = await upload(ada, bytes)
    expect(reply.status, reply.text).toBe(201)
    const { id } = reply.body
    expect(reply.body).toEqual({
      id,
      name: 'offer.pdf',
      type: 'application/pdf',
      size: 200_000,
      created_at: expect.any(String),
    })
    expect(reply.headers.get('location')).toBe(`${PATH}/${id}`)
    const response = await fetch(`${app.url}${PATH}/${id}`, { headers: ada.browser.headers })
    expect(bytes.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
    expect(await rowsOf(ada)).toEqual([
      expect.objectContaining({ id, used_at: null, private_to: null, created_by: ada.user_id }),
    ])
  })

  test.each([
    ['application/json', '{"broken":', 'application/json'],
    ['application/x-www-form-urlencoded', 'a=1&a=2', 'application/x-www-form-urlencoded'],
    ['text/csv; charset=utf-8', 'a,b', 'text/csv'],
    ['image/svg+xml', '<svg/>', 'image/svg+xml'],
    ['nonsense', 'x', 'application/octet-stream'],
    ['', 'x', 'application/octet-stream'],
  ])('may be of the type %j, and is not read as such', async (type, text, kept) => {
    const { body } = await upload(ada, text, { 'content-type': type })
    expect(body).toMatchObject({ type: kept, size: text.length, name: 'file' })
    expect((await ada.browser.get(`${PATH}/${body.id}`)).text).toBe(text)
  })

  test('without any type, or of nothing at all, is a file too', async () => {
    const send = (headers: Record<string, string>, bytes?: string) =>
      new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
        const all = { ...ada.browser.headers, ...headers }
        const sent = request(`${app.url}${PATH}`, { method: 'POST', headers: all }, async response => {
          const text = Buffer.concat(await response.toArray()).toString()
          resolve({ status: response.statusCode!, body: JSON.parse(text) })
        })
        sent.on('error', reject)
        sent.end(bytes)
      })
    const plain = { type: 'application/octet-stream', name: 'file' }
    expect(await send({}, 'abc')).toMatchObject({ status: 201, body: { ...plain, size: 3 } })
    expect(await send({})).toMatchObject({ status: 201, body: { ...plain, size: 0 } })
    const empty = await send({ 'content-type': 'text/plain', 'content-length': '0' })
    expect(empty).toMatchObject({ status: 201, body: { type: 'text/plain', size: 0 } })
    const reply = await ada.browser.get(`${PATH}/${empty.body.id}`)
    expect([reply.status, reply.text, reply.headers.get('content-length')]).toEqual([200, '', '0'])
  })

  test('in a form is refused: its envelope would be kept as the file', async () => {
    const form = new FormData()
    form.set('file', new Blob(['x']))
    const response = await fetch(app.url + PATH, { method: 'POST', body: form, headers: ada.browser.headers })
    const { code } = (await response.json()) as { code: string }
    expect([response.status, code]).toEqual([415, 'unsupported_media_type'])
    expect(await rowsOf(ada)).toEqual([])
  })

  test('elsewhere, a file is no body', async () => {
    const reply = await ada.browser.raw('POST', '/api/crm/leads', '{}', {
      'content-type': 'application/octet-stream',
    })
    expectProblem(reply, 415, 'unsupported_media_type')
  })

  test('has at most so many bytes, whether it says so before or not, and nothing is kept of a larger one', async () => {
    const whole = new Uint8Array(FILE_BYTES_MAX)
    expect((await upload(ada, whole)).body.size).toBe(FILE_BYTES_MAX)
    const larger = new Uint8Array(FILE_BYTES_MAX + 1)
    const before = await storedFor(ada)
    const told = expectProblem(await upload(ada, larger), 413, 'file_too_large')
    expect(told.detail).toContain('25 MiB')
    const untold = await ada.browser.raw('POST', PATH, new Blob([larger]).stream(), PDF)
    expectProblem(untold, 413, 'file_too_large')
    expect(await storedFor(ada)).toEqual(before)
    expect(await rowsOf(ada)).toHaveLength(1)
  })

  test('that breaks off is no file', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const headers = { ...ada.browser.headers, 'content-length': '1000' }
    const sent = request(`${app.url}${PATH}`, { method: 'POST', headers })
    sent.on('error', () => resolve())
    sent.on('close', () => resolve())
    sent.write('begin', () => sent.destroy())
    await promise
    // The next one has gone through the same door.
    await uploaded(ada)
    expect(await rowsOf(ada)).toHaveLength(1)
  })

  test('that cannot be stored says so, and is not there', async () => {
    faults.push(new Error('no space left: canary'))
    const reply = await upload(ada, 'x')
    expectProblem(reply, 503, 'files_unavailable')
    expect(reply.text).not.toContain('canary')
    // The row is there for the sweep: some of the bytes might be, too.
    const [row] = await rowsOf(ada)
    expectProblem(await ada.browser.get(`${PATH}/${row!.id}`), 404, 'file_gone')
  })

  test('takes no key: sent again, it is another file', async () => {
    const reply = await upload(ada, 'x', { ...PDF, 'idempotency-key': 'once' })
    expectProblem(reply, 400, 'idempotency_key_not_taken')
  })
})

describe('a file', () => {
  test('is only ever saved, and nothing in it runs', async () => {
    const id = await uploaded(ada, '<script>alert(1)</script>', {
      'content-type': 'text/html',
      'content-disposition': "attachment; filename*=UTF-8''na%C3%AFve%22.html",
    })
    const { status, headers, text } = await ada.browser.get(`${PATH}/${id}`)
    expect([status, text]).toEqual([200, '<script>alert(1)</script>'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '25',
      'content-disposition': `attachment; filename="na_ve_.html"; filename*=UTF-8''na%C3%AFve%22.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
      vary: 'Authorization, Cookie',
    })
  })

  test('can be asked about without being read', async () => {
    const id = await uploaded(ada)
    const { status, headers, text } = await ada.browser.raw('HEAD', `${PATH}/${id}`, undefined)
    expect([status, text, headers.get('content-length')]).toEqual([200, '', '5'])
    expect(headers.get('content-disposition')).toContain('offer.pdf')
    expect((await ada.browser.raw('HEAD', `${PATH}/${newId()}`, undefined)).status).toBe(404)
  })

  test('of another team is not there', async () => {
    const id = await uploaded(ada)
    const other = await app.person()
    expectProblem(await other.browser.get(`${PATH}/${id}`), 404, 'not_found')
    expect((await (await colleagueOf(app, ada, 'VIEWER')).browser.get(`${PATH}/${id}`)).status).toBe(200)
  })

  test('that came to a private mailbox is there for its owner alone, and for no key', async () => {
    const colleague = await colleagueOf(app, ada, 'SUPER_ADMIN')
    const [file] = await keepFiles(ada.ctx, [{ ...PLAIN, private_to: ada.user_id }])
    await ada.ctx.transaction(ctx => insertFiles(ctx, [file!]))
    expect((await ada.browser.get(`${PATH}/${file!.id}`)).text).toBe('Hello')
    const { key } = await createKey(asked(ada), { name: 'Mine', scopes: ['conversations:read'] })
    const ownKey = client(app.url, { authorization: `Bearer ${key}` })
    for (const caller of [colleague.browser, ownKey, await ada.key()])
      expectProblem(await caller.get(`${PATH}/${file!.id}`), 404, 'not_found')
    expect(await findFiles(asked(ada), [file!.id])).toHaveLength(1)
    expect(await findFiles(asked(colleague), [file!.id])).toEqual([])
    // What is sent is read by nobody in particular.
    expect((await bytesOf(ada.ctx, file!.id)).toString()).toBe('Hello')
  })

  test('whose bytes are gone says so', async () => {
    const id = await uploaded(ada)
    await storage.remove(`${ada.team_id}/${id}`)
    for (const method of ['GET', 'HEAD'])
      expect((await ada.browser.raw(method, `${PATH}/${id}`, undefined)).status).toBe(404)
    const { detail } = expectProblem(await ada.browser.get(`${PATH}/${id}`), 404, 'file_gone')
    expect(detail).toBe('The contents of this file are no longer stored.')
    await expect(bytesOf(ada.ctx, id)).rejects.toMatchObject({ code: 'file_gone' })
  })

  test('that a client leaves in the middle is let go', async () => {
    const id = await uploaded(ada, 'x'.repeat(5_000_000))
    const gone = new AbortController()
    const opened: { destroyed: boolean }[] = []
    const { get } = app.runtime.ports.storage
    app.runtime.ports.storage.get = async key => {
      const bytes = await get(key)
      if (bytes) opened.push(bytes)
      return bytes
    }
    try {
      const response = await fetch(`${app.url}${PATH}/${id}`, {
        headers: ada.browser.headers,
        signal: gone.signal,
      })
      await response.body!.getReader().read()
      gone.abort()
      await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([true])
      await ada.browser.raw('HEAD', `${PATH}/${id}`, undefined)
      await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([true, true])
    } finally {
      app.runtime.ports.storage.get = get
    }
  })
})

const PLAIN: NewFile = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('Hello'), private_to: null }

describe('files that are kept for a message', () => {
  test('are used once its transaction commits, and again changes nothing', async () => {
    const id = newId()
    const given = { ...PLAIN, id, name: '../\r\nweird.txt', type: 'TEXT/PLAIN; x=y' }
    const [first] = await keepFiles(ada.ctx, [given])
    expect(first).toMatchObject({ id, name: 'weird.txt', type: 'text/plain', size: 5, used_at: null })
    await expect(ada.ctx.transaction(ctx => keepFiles(ctx, [given]))).rejects.toThrow('outside a transaction')
    await ada.ctx.transaction(ctx => insertFiles(ctx, [first!]))
    const before = await rowsOf(ada)
    expect(before).toMatchObject([{ id, created_by: null }])
    expect(before[0]!.used_at).not.toBeNull()
    const [again] = await keepFiles(ada.ctx, [given])
    await ada.ctx.transaction(ctx => insertFiles(ctx, [again!]))
    expect(await rowsOf(ada)).toEqual(before)
    expect((await bytesOf(ada.ctx, id)).toString()).toBe('Hello')
  })

  test('stay unused where the transaction fails', async () => {
    const rows = await keepFiles(ada.ctx, [PLAIN, { ...PLAIN, name: 'b.txt' }])
    const failed = ada.ctx.transaction(async ctx => {
      await insertFiles(ctx, rows)
      throw new Error('not today')
    })
    await expect(failed).rejects.toThrow('not today')
    expect((await rowsOf(ada)).map(({ used_at }) => used_at)).toEqual([null, null])
  })

  test('are found in the order of their ids, without those that are not there', async () => {
    const rows = await keepFiles(ada.ctx, [PLAIN, { ...PLAIN, name: 'b.txt' }])
    const [a, b] = rows.map(({ id }) => id)
    const found = await findFiles(ada.ctx, [b!, newId(), a!])
    expect(found.map(({ name }) => name)).toEqual(['b.txt', 'a.txt'])
    expect(await findFiles(ada.ctx, [])).toEqual([])
    expect(await keepFiles(ada.ctx, [])).toEqual([])
  })
})

describe('files that are sent', () => {
  const take = (person: Person, ids: string[]) => asked(person).transaction(ctx => takeFiles(ctx, ids))

  test('are used from then on, and come in their order', async () => {
    const [a, b] = [await uploaded(ada, 'a'), await uploaded(ada, 'bb')]
    const files = await take(ada, [b, a])
    expect(files.map(({ id, size }) => [id, size])).toEqual([
      [b, 2],
      [a, 1],
    ])
    const used = await rowsOf(ada)
    expect(used.map(({ used_at }) => used_at)).not.toContain(null)
    // Sent on, they are used since the first time.
    expect(await take(ada, [a])).toHaveLength(1)
    expect(await rowsOf(ada)).toEqual(used)
    expect(await take(ada, [])).toEqual([])
  })

  test('that are not there, or private to somebody else, are faults of their places, and none is used', async () => {
    const mine = await uploaded(ada)
    const colleague = await colleagueOf(app, ada, 'ADMIN')
    const [secret] = await keepFiles(ada.ctx, [{ ...PLAIN, private_to: colleague.user_id }])
    const foreign = await uploaded(await app.person())
    await expect(take(ada, [newId(), mine, secret!.id, foreign])).rejects.toMatchObject({
      kind: 'invalid',
      errors: [0, 2, 3].map(at => ({ path: `file_ids[${at}]`, message: 'is not a file you uploaded' })),
    })
    expect((await rowsOf(ada)).map(({ used_at }) => used_at)).toEqual([null, null])
    expect(await take(colleague, [secret!.id])).toHaveLength(1)
  })

  test('are at most so large together', async () => {
    const half = new Uint8Array(FILE_BYTES_MAX / 2)
    const ids = await Promise.all(
      [half, half].map(async bytes => (await upload(ada, bytes)).body.id as string),
    )
    expect(await take(ada, ids)).toHaveLength(2)
    const drop = await uploaded(ada, 'x')
    await expect(take(ada, [...ids, drop])).rejects.toMatchObject({
      errors: [{ path: 'file_ids', message: 'are larger than 25 MiB together' }],
    })
    expect((await rowsOf(ada)).filter(({ used_at }) => used_at === null)).toHaveLength(1)
  })
})
