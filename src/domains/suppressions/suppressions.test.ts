import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { further } from '#test/tier.ts'
import { findSuppressed, isSuppressed, lift, suppress } from './service.ts'
import { SUPPRESSION_IMPORT_ROWS_MAX } from './values.ts'

let app: TestApp
let ada: Person
let key: Client
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  ada = await app.person()
  key = await ada.key()
})

const PATH = '/api/outreach/suppressions'

async function list(query = ''): Promise<Record<string, unknown>[]> {
  const { status, body, text } = await key.get(PATH + query)
  expect(status, text).toBe(200)
  return body.data
}

async function eventsOf(type: string) {
  return app.database.query<{ data: Record<string, unknown> }>(
    'select data from events where team_id = $1 and type = $2 order by id',
    [ada.team_id, type],
  )
}

const send = (text: string | Buffer) => key.post(`${PATH}/import`, new Blob([text], { type: 'text/csv' }))

describe('an entry', () => {
  test('is made by hand for an address, a number, or both at once, and the address is kept in lower case', async () => {
    const made = await ada.browser.post(PATH, {
      email: 'Ada.L@Example.Test',
      phone: '+4930123456',
      note: 'Asked on the phone',
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        channel: 'email',
        address: 'ada.l@example.test',
        reason: 'manual',
        note: 'Asked on the phone',
        lifted_at: null,
      },
    })
    expect(made.body.source).toMatch(/^Person/)
    expect((await list()).map(({ address }) => address)).toEqual(['+4930123456', 'ada.l@example.test'])
    expect((await key.get(`${PATH}/${made.body.id}`)).body).toEqual(made.body)
    expect(await findSuppressed(ada.ctx, 'email', ['ADA.L@example.test', 'b@example.test'])).toEqual(
      new Set(['ada.l@example.test']),
    )
    expect(await isSuppressed(ada.ctx, 'phone', '+4930123456')).toBe(true)
    expect(await isSuppressed(ada.ctx, 'phone', '+4930123457')).toBe(false)
    expect((await eventsOf('suppression.added')).map(({ data }) => data.address)).toEqual([
      'ada.l@example.test',
      '+4930123456',
    ])
  })

  test('needs an address or a number that is one', async () => {
    expect(await key.post(PATH, { note: 'nobody' })).toMatchObject({ status: 422 })
    expect(await key.post(PATH, { email: 'a@example.test, b@example.test' })).toMatchObject({ status: 422 })
    expect(await key.post(PATH, { phone: '030 123456' })).toMatchObject({ status: 422 })
    expect(await list()).toEqual([])
  })

  test('is there once, whoever adds it and however many at a time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        key.post(PATH, { email: at % 2 ? 'x@example.test' : 'X@EXAMPLE.test' }),
      ),
    )
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await list()).toHaveLength(1)
    expect(await eventsOf('suppression.added')).toHaveLength(1)
    // What is known stays as it was.
    const entry = { channel: 'email', address: 'x@example.test', source: 'a link in a mail' } as const
    const again = await ada.ctx.transaction(ctx => suppress(ctx, { ...entry, reason: 'unsubscribed' }))
    expect(again).toMatchObject({ id: replies[0]!.body.id, reason: 'manual' })
  })

  test('that is lifted stays as history, and the address can be added anew', async () => {
    const { id } = (await key.post(PATH, { email: 'x@example.test' })).body
    expect((await key.delete(`${PATH}/${id}`)).status).toBe(204)
    expect((await key.delete(`${PATH}/${id}`)).status).toBe(204)
    expect(await isSuppressed(ada.ctx, 'email', 'x@example.test')).toBe(false)
    expect(await list()).toEqual([])
    expect(await list('?lifted=true')).toMatchObject([{ id, lifted_at: expect.any(String) }])
    expect(await eventsOf('suppression.lifted')).toHaveLength(1)
    const again = await key.post(PATH, { email: 'x@example.test' })
    expect(again.body.id).not.toBe(id)
    expect(await isSuppressed(ada.ctx, 'email', 'x@example.test')).toBe(true)
  })

  test('is lifted by its address where it is there for one of the reasons told', async () => {
    const number = { channel: 'phone', address: '+4930123456' } as const
    await ada.ctx.transaction(ctx => suppress(ctx, { ...number, reason: 'stop', source: 'STOP' }))
    expect(await lift(ada.ctx, { ...number, source: 'START', reasons: ['manual'] })).toBe(false)
    expect(await isSuppressed(ada.ctx, 'phone', number.address)).toBe(true)
    expect(await lift(ada.ctx, { ...number, source: 'START', reasons: ['stop'] })).toBe(true)
    expect(await lift(ada.ctx, { ...number, source: 'START' })).toBe(false)
    expect(await eventsOf('suppression.lifted')).toMatchObject([
      { data: { source: 'START', reason: 'stop' } },
    ])
  })

  test('of one team is nothing to another', async () => {
    const { id } = (await key.post(PATH, { email: 'x@example.test' })).body
    const other = await app.person()
    expect(await isSuppressed(other.ctx, 'email', 'x@example.test')).toBe(false)
    expect((await other.browser.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await other.browser.delete(`${PATH}/${id}`)).status).toBe(404)
    expect(await isSuppressed(ada.ctx, 'email', 'x@example.test')).toBe(true)
  })
})

describe('the list', () => {
  test('comes newest first, page by page, and is narrowed by beginning, channel and reason', async () => {
    for (let at = 0; at < 5; at++) await key.post(PATH, { email: `p${at}@example.test` })
    await key.post(PATH, { phone: '+4930123456' })
    await ada.ctx.transaction(ctx =>
      suppress(ctx, {
        channel: 'email',
        address: 'q_1@example.test',
        reason: 'bounced',
        source: 'mail server',
      }),
    )
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await key.get(`${PATH}?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ address }: { address: string }) => address))
      if (!body.next_cursor) break
      cursor = body.next_cursor
    }
    const mails = ['p4', 'p3', 'p2', 'p1', 'p0'].map(name => `${name}@example.test`)
    expect(seen).toEqual(['q_1@example.test', '+4930123456', ...mails])
    expect((await list('?q=P1')).map(({ address }) => address)).toEqual(['p1@example.test'])
    expect(await list('?q=p_')).toEqual([])
    expect((await list('?q=q_')).map(({ address }) => address)).toEqual(['q_1@example.test'])
    expect(await list('?channel=phone')).toHaveLength(1)
    expect(await list('?reason=bounced&reason=stop')).toHaveLength(1)
    expect(await list('?reason=imported')).toEqual([])
    expect((await key.get(`${PATH}?cursor=nonsense`)).status).toBe(400)
  })

  test('is exported so that no spreadsheet takes a number for a formula, and is read in again', async () => {
    await key.post(PATH, { email: 'x@example.test', note: '=1+1' })
    await key.post(PATH, { phone: '+4930123456' })
    const { text } = await key.get(`${PATH}/export`)
    expect(text.split('\r\n')[0]).toBe('id,channel,address,reason,source,note,created_at')
    expect(text).toContain(`"'+4930123456"`)
    expect(text).toContain(`"'=1+1"`)
    expect((await key.get(`${PATH}/export?channel=email`)).text).not.toContain('4930123456')
    expect((await send(text)).body).toEqual({ added: 0, known: 2, faults: [], faulty: 0 })
  })
})

describe('a file', () => {
  test('adds what its columns email, phone and note hold; bad rows are told and hinder no other', async () => {
    await key.post(PATH, { email: 'known@example.test' })
    const file = [
      'Name;E-Mail;Phone;NOTE',
      'Ada;ADA@example.test;+49 (0)30 123-456;asked twice',
      'Known;known@example.test;;',
      'Twice;ada@example.test;;',
      '',
      'Bad;ada at example;;',
      'Half;half@example.test;030 123;',
      'Nothing;;;',
    ].join('\n')
    const reply = await send(file)
    expect(reply).toMatchObject({ status: 200, body: { added: 3, known: 2, faulty: 3 } })
    expect(reply.body.faults).toEqual([
      { row: 6, message: 'ada at example is not a valid email address' },
      { row: 7, message: '030 123 has no country code: write it like +4930123456' },
      { row: 8, message: 'has no email address or phone number' },
    ])
    expect(await list('?q=ada')).toMatchObject([{ reason: 'imported', note: 'asked twice' }])
    expect(await list('?channel=phone')).toMatchObject([{ address: '+4930123456' }])
    expect(await eventsOf('suppression.imported')).toEqual([{ data: { added: 3, known: 2, faulty: 3 } }])
    expect(await eventsOf('suppression.added')).toHaveLength(1)
  })

  test('of one column needs no heading', async () => {
    expect((await send('a@example.test\r\n+4930123456\r\nb@example.test\r\n')).body).toMatchObject({
      added: 3,
    })
    expect(await list()).toHaveLength(3)
  })

  test.for([
    ['', 'empty_file'],
    ['email\n', 'no_rows'],
    ['name,city\nAda,London\n', 'no_address_column'],
  ])('that is of no use is refused: %j', async ([file, code]) => {
    expect(await send(file!)).toMatchObject({ status: 422, body: { code } })
    expect(await eventsOf('suppression.imported')).toEqual([])
  })

  test('that breaks off keeps what came before, and tells of it', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => `p${at}@example.test`)
    expect(await send(`email\n${rows.join('\n')}\n"never closed`)).toMatchObject({
      status: 422,
      body: { code: 'unreadable_csv' },
    })
    const [count] = await app.database.query('select count(*)::int from suppressions where team_id = $1', [
      ada.team_id,
    ])
    expect(count).toEqual({ count: 2_000 })
    expect(await eventsOf('suppression.imported')).toEqual([{ data: { added: 2_000, known: 0, faulty: 0 } }])
    expect((await send(`email\n${rows.join('\n')}\n`)).body).toMatchObject({ added: 500, known: 2_000 })
  })

  const row = (at: number) => `p${at}@example.test\n`
  const most = () =>
    `email\n${Array.from({ length: SUPPRESSION_IMPORT_ROWS_MAX }, (_, at) => row(at)).join('')}`

  further('may have a hundred thousand rows', async () => {
    const body = { added: SUPPRESSION_IMPORT_ROWS_MAX }
    expect(await send(most())).toMatchObject({ status: 200, body })
  })

  test('may not have more than a hundred thousand rows', async () => {
    expect(SUPPRESSION_IMPORT_ROWS_MAX).toBe(100_000)
    const body = { code: 'too_many_rows' }
    // One and the same address each time: the others take longer.
    expect(await send(`email\n${row(0).repeat(SUPPRESSION_IMPORT_ROWS_MAX + 1)}`)).toMatchObject({
      status: 422,
      body,
    })
  })
})
