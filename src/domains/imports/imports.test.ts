import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { domains } from '#app'
import { FakeClock } from '#platform/clock.ts'
import { on } from '#platform/registry.ts'
import { leadChanged, leadCreated, type Lead } from '#domains/leads/contract.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { type Client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { expectProblem } from '#test/problem.ts'
import { settle } from '#test/settle.ts'
import { full, further } from '#test/tier.ts'
import type { Import } from './contract.ts'
import { importPart } from './part.ts'
import { PART_JOB } from './service.ts'
import { PART_ROWS_MAX } from './upload.ts'
import { IMPORT_BYTES_MAX, IMPORT_COLUMNS_MAX, IMPORT_ROWS_MAX } from './values.ts'

const IMPORTS = '/api/crm/imports'
const LEADS = '/api/crm/leads'
const CSV = { 'content-type': 'text/csv' }
const DAY_MS = 86_400_000

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
})
afterAll(() => app.close())

const upload = (
  browser: Client,
  text: string | ReadableStream | Uint8Array<ArrayBuffer>,
  name = 'leads.csv',
) => browser.raw('POST', `${IMPORTS}?file_name=${name}`, text, CSV)

async function uploaded(browser: Client, text: string): Promise<Import> {
  const reply = await upload(browser, text)
  expect(reply.status, reply.text).toBe(201)
  return reply.body as Import
}

async function ended({ browser }: Person, id: string): Promise<Import> {
  return eventually(async () => {
    const { body } = await browser.get<Import>(`${IMPORTS}/${id}`)
    expect(['DONE', 'FAILED', 'CANCELLED']).toContain(body.status)
    return body
  })
}

/** Uploads, changes what is asked for, starts, and waits for the end. */
async function imported(person: Person, text: string, change?: object): Promise<Import> {
  const { id } = await uploaded(person.browser, text)
  if (change) {
    const reply = await person.browser.patch(`${IMPORTS}/${id}`, change)
    expect(reply.status, reply.text).toBe(200)
  }
  const started = await person.browser.post(`${IMPORTS}/${id}/start`)
  expect(started.status, started.text).toBe(200)
  return ended(person, id)
}

async function leadsOf({ browser }: Person): Promise<Lead[]> {
  const { body } = await browser.get(`${LEADS}?limit=200&sort=created_at`)
  return body.data
}

const rowsFile = (count: number, from = 0) =>
  `email,first_name\n${Array.from({ length: count }, (_, n) => `lead${from + n}@example.test,Lead ${from + n}\n`).join('')}`

/**
 * The same, with parts of so few rows: a column that is not imported fills them. A part ends with the row by which it has more
 * than 500,000 characters.
 */
const PART_ROWS = 5
const partsFile = (count: number, inEach = PART_ROWS) =>
  `email,first_name,more\n${Array.from({ length: count }, (_, n) => `lead${n}@example.test,Lead ${n},${filling(inEach)}\n`).join('')}`
const filling = (inEach: number) => 'x'.repeat(500_000 / inEach)

/** A row is read when it is clear that its line has ended: after this, which is no row itself. */
const READ_ON = '\n'.repeat(8)

/** A sender who begins and has more to say. */
function send(person: Person, first: string | Buffer, told: Record<string, number> = {}) {
  const { hostname, port } = new URL(app.url)
  const headers = { ...person.browser.headers, ...CSV, ...told }
  const sending = httpRequest({ hostname, port, path: IMPORTS, method: 'POST', headers })
  const answer = once(sending, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response!.statusCode,
    body: await json(response!),
  }))
  // Whoever is left in the middle gets none.
  answer.catch(() => {})
  onTestFinished(() => void sending.destroy())
  sending.write(first)
  return {
    answer,
    end(last: string) {
      sending.end(last)
      return answer
    },
    breakOff: () => sending.destroy(),
  }
}

async function kept({ team_id }: Person, parts: number): Promise<void> {
  await eventually(async () => expect(await countOf('import_parts', team_id)).toBe(parts), 60_000)
}

async function countOf(table: string, team_id: string): Promise<number> {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::int as count from ${table} where team_id = $1`,
    [team_id],
  )
  return row!.count
}

describe('a file', () => {
  test('is uploaded, previewed, mapped, started, and its rows are leads with all they say', async () => {
    const person = await app.person()
    await person.browser.patch(`${LEADS}/settings`, {
      custom_fields: [
        { key: 'seats', label: 'Seats', kind: 'number' },
        { key: 'since', label: 'Customer since', kind: 'date' },
      ],
    })
    const text = [
      'Vorname;Surname;E-Mail;Mobile;Organisation;URL;Seats;Customer since;Stage;Owner;Nickname',
      `Ada;Lovelace;Ada@Example.test;0049 (0)30 12-34.56;Analytical;example.test;12,5;31.3.2026;contacted;${(await person.browser.get('/api/auth/session')).body.user.email};x`,
      'Grace;Hopper;;;Navy;;;;;;',
    ].join('\r\n')
    const ready = await upload(person.browser, text, 'my%20leads.csv')
    expect(ready.status, ready.text).toBe(201)
    expect(ready.headers.get('location')).toBe(`${IMPORTS}/${ready.body.id}`)
    expect(ready.body).toMatchObject({
      status: 'READY',
      file_name: 'my leads.csv',
      bytes: Buffer.byteLength(text),
      total: 2,
      mapping: [
        'first_name',
        'last_name',
        'email',
        'phone',
        'company',
        'website',
        'custom.seats',
        'custom.since',
        'pipeline_stage',
        'owner',
        null,
      ],
      duplicates: 'skip',
      duplicate_key: 'email',
    })
    expect(await leadsOf(person)).toEqual([])
    const preview = await person.browser.get(`${IMPORTS}/${ready.body.id}/preview`)
    expect(preview.body).toMatchObject({ checked: 2, faulty: 0, faulty_rows: [] })
    expect(preview.body.rows.map(({ row }: { row: number }) => row)).toEqual([2, 3])

    const changed = await person.browser.patch(
      `${IMPORTS}/${ready.body.id}`,
      { defaults: { source: 'Fair', status: 'WORKING' } },
      { 'if-match': ready.headers.get('etag')! },
    )
    expect(changed.status, changed.text).toBe(200)
    const started = await person.browser.post(`${IMPORTS}/${ready.body.id}/start`)
    expect(started.body.status).toBe('RUNNING')
    const done = await ended(person, ready.body.id)
    expect(done).toMatchObject({ status: 'DONE', processed: 2, created: 2, failed: 0, error: null })
    expect(done.finished_at).not.toBe(null)
    const leads = await leadsOf(person)
    expect(leads.find(({ first_name }) => first_name === 'Ada')).toMatchObject({
      last_name: 'Lovelace',
      email: 'Ada@Example.test',
      phone: '+4930123456',
      company: 'Analytical',
      website: 'https://example.test',
      owner_id: person.user_id,
      pipeline_stage: 'Contacted',
      status: 'WORKING',
      source: 'Fair',
      custom: { seats: 12.5, since: '2026-03-31' },
    })
    expect(leads.find(({ first_name }) => first_name === 'Grace')).toMatchObject({
      custom: {},
      owner_id: null,
    })
  })

  test('writes who started it on the timeline of each lead', async () => {
    const person = await app.person()
    await imported(person, rowsFile(1))
    const [lead] = await leadsOf(person)
    const { body } = await person.browser.get(`${LEADS}/${lead!.id}/timeline`)
    expect(body.data.map((entry: any) => [entry.type, entry.cause.id])).toEqual([
      ['lead.created', person.user_id],
    ])
  })

  test('may name the columns that exist by their export: what goes out comes in again unchanged', async () => {
    const [from, to] = [await app.person(), await app.person()]
    const lead = { first_name: '=1+1', last_name: '-x', phone: '+4930123456', company: 'A, "B"' }
    await from.browser.post(LEADS, lead)
    const { text } = await from.browser.get(`${LEADS}/export`)
    expect(await imported(to, text, { duplicates: 'create' })).toMatchObject({ created: 1, failed: 0 })
    expect((await leadsOf(to))[0]).toMatchObject(lead)
  })

  test('without a body, without a header, without rows or with an open quote is a 422 that says so', async () => {
    const before = await countOf('imports', ada.team_id)
    const bad: [string, string][] = [
      ['', 'empty_file'],
      ['\n\n\n', 'empty_file'],
      ['email,name\n', 'no_rows'],
      ['email,name\n"ada@example.test,Ada\nx,y\n', 'unreadable_csv'],
      [`email\n"${'x'.repeat(600_000)}"\n`, 'unreadable_csv'],
    ]
    for (const [text, code] of bad) expectProblem(await upload(ada.browser, text), 422, code)
    expectProblem(await ada.browser.raw('POST', IMPORTS, undefined), 422, 'empty_file')
    expect(await countOf('imports', ada.team_id)).toBe(before)
  })

  test('that is refused halfway leaves the connection as good as before', async () => {
    const began = performance.now()
    const bad = `email\n"${'x'.repeat(600_000)}"\n${'more@example.test\n'.repeat(100_000)}`
    for (let n = 0; n < 3; n++) {
      expectProblem(await upload(ada.browser, bad), 422, 'unreadable_csv')
      expect((await ada.browser.get(LEADS)).status).toBe(200)
    }
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('is text/csv, or it is a 415; nothing else is text/csv', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/vnd.ms-excel',
    ]) {
      const reply = await ada.browser.raw('POST', IMPORTS, '{}', { 'content-type': type })
      expectProblem(reply, 415, 'unsupported_media_type')
    }
    expectProblem(await ada.browser.raw('POST', LEADS, 'email\n', CSV), 415, 'unsupported_media_type')
    const named = await ada.browser.raw('POST', IMPORTS, 'email\na@b.test\n', {
      'content-type': 'text/csv; charset=utf-8',
    })
    expect(named.status, named.text).toBe(201)
  })

  test('takes no Idempotency-Key, and says so', async () => {
    const reply = await ada.browser.raw('POST', IMPORTS, rowsFile(1), { ...CSV, 'idempotency-key': 'x' })
    expectProblem(reply, 400, 'idempotency_key_not_taken')
  })

  test('may have 200 columns, and not one more', async () => {
    const file = (columns: number) => {
      const names = Array.from({ length: columns - 1 }, (_, n) => `c${n}`)
      return `${['email', ...names].join()}\na@example.test${','.repeat(columns - 1)}\n`
    }
    expect((await uploaded(ada.browser, file(IMPORT_COLUMNS_MAX))).columns).toHaveLength(IMPORT_COLUMNS_MAX)
    expectProblem(await upload(ada.browser, file(IMPORT_COLUMNS_MAX + 1)), 422, 'too_many_columns')
  })

  test('may have 500,000 rows, and not one more', async () => {
    const person = await app.person()
    const sending = send(person, `company\n${'a\n'.repeat(IMPORT_ROWS_MAX)}${READ_ON}`)
    // The last of them fills the last part.
    await kept(person, IMPORT_ROWS_MAX / PART_ROWS_MAX)
    expect(await sending.end('a\n')).toMatchObject({ status: 422, body: { code: 'too_many_rows' } })
    expect(await countOf('imports', person.team_id)).toBe(0)
    expect(await countOf('import_parts', person.team_id)).toBe(0)
  })

  further('may have 50 MiB, and not one byte more', async () => {
    const person = await app.person()
    // Half as many characters as bytes, nearly all of them rows that say nothing; the last two fill a part.
    const last = `${'y'.repeat(300_000)}\n`.repeat(2) + READ_ON
    const head = '\ufeffcompany\n'
    const blank = '\n'.repeat(IMPORT_BYTES_MAX / 2 - head.length - last.length)
    const sending = send(person, Buffer.from(head + blank + last, 'utf16le'))
    await kept(person, 1)
    expect(await sending.end('y')).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
    expect(await countOf('imports', person.team_id)).toBe(0)
    expect(await countOf('import_parts', person.team_id)).toBe(0)
  })

  test('that says ahead that it has more is refused before it comes', async () => {
    const person = await app.person()
    const sending = send(person, 'company\n', { 'content-length': IMPORT_BYTES_MAX + 1 })
    expect(await sending.answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
    expect(IMPORT_BYTES_MAX).toBe(50 * 1024 * 1024)
    expect(IMPORT_ROWS_MAX).toBe(500_000)
  })

  further('at its limits comes in', { timeout: 300_000 }, async () => {
    const person = await app.person()
    const rows = await uploaded(person.browser, `company\n${'a\n'.repeat(IMPORT_ROWS_MAX)}`)
    expect(rows.total).toBe(IMPORT_ROWS_MAX)
    const line = `${'x'.repeat(1_000)}\n`
    const lines = Math.floor(IMPORT_BYTES_MAX / line.length) - 1
    const head = `company\n${line.repeat(lines)}`
    const atTheLimit = head + 'y'.repeat(IMPORT_BYTES_MAX - head.length)
    expect((await uploaded(person.browser, atTheLimit)).bytes).toBe(IMPORT_BYTES_MAX)
    const before = await countOf('import_parts', person.team_id)
    expectProblem(await upload(person.browser, `${atTheLimit}y`), 413, 'file_too_large')
    const untold = Readable.toWeb(Readable.from([atTheLimit, 'y'])) as ReadableStream
    expectProblem(await upload(person.browser, untold), 413, 'file_too_large')
    expect(await countOf('import_parts', person.team_id)).toBe(before)
    expect(await countOf('imports', person.team_id)).toBe(2)
  })

  test('whose sender goes away leaves nothing behind', async () => {
    const person = await app.person()
    const sending = send(person, rowsFile(20_000))
    await eventually(async () => expect(await countOf('import_parts', person.team_id)).toBeGreaterThan(3))
    const [row] = await app.database.query<{ status: string }>(
      'select status from imports where team_id = $1',
      [person.team_id],
    )
    expect(row!.status).toBe('UPLOADING')
    sending.breakOff()
    await eventually(async () => expect(await countOf('imports', person.team_id)).toBe(0))
    expect(await countOf('import_parts', person.team_id)).toBe(0)
  })

  test('holds no connection while it comes in slowly', async () => {
    const person = await app.person()
    const slow = Array.from({ length: full ? 20 : 12 }, () => send(person, rowsFile(10_000)))
    // More of them than the pool has connections, and none of them has any.
    await eventually(async () => expect(await countOf('imports', person.team_id)).toBe(slow.length))
    await eventually(async () => {
      const busy = await app.database.query(
        `select state from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      )
      expect(busy).toEqual([])
    })
    expect((await person.browser.get(LEADS)).status).toBe(200)
  })
})

describe('a row', () => {
  const file = [
    'email,phone,owner,status',
    'ada@example.test,,,',
    'no address,030 123456,nobody@example.test,later',
    'grace@example.test,,,,too,many',
    ',,,new',
    'x@example.test,+4930123456,,qualified',
  ].join('\n')

  test('with errors is left out, and told with its column and what to do', async () => {
    const person = await app.person()
    const { id } = await uploaded(person.browser, file)
    const preview = (await person.browser.get(`${IMPORTS}/${id}/preview`)).body
    expect(preview).toMatchObject({ checked: 5, faulty: 3 })
    expect(preview.rows).toHaveLength(5)
    expect(
      preview.faulty_rows.map(({ row, errors }: any) => [row, errors.map((e: any) => e.column)]),
    ).toEqual([
      [3, [1, 2, 3, 0]],
      [4, [null]],
      [5, [null]],
    ])
    await person.browser.post(`${IMPORTS}/${id}/start`)
    expect(await ended(person, id)).toMatchObject({ status: 'DONE', created: 2, failed: 3, processed: 5 })
    const { text, headers } = await person.browser.get(`${IMPORTS}/${id}/errors.csv`)
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('email,phone,owner,status,errors')
    expect(lines[1]).toBe(
      'no address,030 123456,nobody@example.test,later,"phone has no country code: write it like +4930123456; owner is not a member of this team: use the email address of a member; status must be one of NEW, WORKING, NURTURING, QUALIFIED, DISQUALIFIED, CUSTOMER; email is not a valid email address: correct it or leave the cell empty"',
    )
    expect(lines).toHaveLength(4)
    expect(lines[2]).toMatch(/^grace@example.test,,,,"This row has 6 cells.*",too,many$/)
  })

  test('keeps the number that a spreadsheet shows, past empty rows, cells of two lines and the end of a part', async () => {
    const person = await app.person()
    const good = (count: number, more = '') => `ok,,${more}\n`.repeat(count)
    const rest = `${good(PART_ROWS, filling(PART_ROWS))}y,wrong,\n`
    const text = `company,email,more\n${good(9)}"two\nlines",,\nx,wrong,\n${good(8)}\n,,\nz,wrong,\n${rest}`
    const { id, total } = await uploaded(person.browser, text)
    expect(total).toBe(PART_ROWS + 21)
    expect(await countOf('import_parts', person.team_id)).toBe(2)
    const preview = (await person.browser.get(`${IMPORTS}/${id}/preview`)).body
    const expected = [12, 23, PART_ROWS + 24]
    expect(preview.faulty_rows.map(({ row }: { row: number }) => row)).toEqual(expected)
    await person.browser.patch(`${IMPORTS}/${id}`, { duplicates: 'create' })
    await person.browser.post(`${IMPORTS}/${id}/start`)
    expect(await ended(person, id)).toMatchObject({ created: PART_ROWS + 18, failed: 3 })
    const errors = await app.database.query('select row from import_errors where team_id = $1 order by row', [
      person.team_id,
    ])
    expect(errors).toEqual(expected.map(row => ({ row })))
  })

  test('that was corrected in the error file comes in from there', async () => {
    const person = await app.person()
    const { id } = await imported(person, 'email,company\n=no,+Formulas\n')
    const { text } = await person.browser.get(`${IMPORTS}/${id}/errors.csv`)
    expect(text).toContain(`"'=no","'+Formulas"`)
    const again = await imported(person, text)
    expect(again.columns).toEqual(['email', 'company', 'errors'])
    expect(again).toMatchObject({ mapping: ['email', 'company', null], failed: 1 })
    const second = await person.browser.get(`${IMPORTS}/${again.id}/errors.csv`)
    expect(second.text).toBe(text)
    expect(await imported(person, text.replace("'=no", 'now@right.test'))).toMatchObject({ created: 1 })
    expect((await leadsOf(person))[0]).toMatchObject({ email: 'now@right.test', company: '+Formulas' })
  })

  test('never brings in what the API would refuse', async () => {
    const person = await app.person()
    const bad = ['\u0001', 'x'.repeat(501), '\u0000', '\u007f']
    const text = `first_name,email,website\n${bad.map((cell, n) => `"a${cell}b",a${n}@example.test,\n`).join('')}A,b@example.test,"javascript:alert(1)"\n`
    expect(await imported(person, text)).toMatchObject({ status: 'DONE', created: 0, failed: 5 })
    expect((await person.browser.get(`${IMPORTS}?limit=1`)).body.data[0].failed).toBe(5)
  })
})

describe('duplicates', () => {
  const existing = { first_name: 'Old', email: 'Ada@example.test', company: 'Kept', phone: '+4930123456' }
  const file =
    'first name,email,title\nNew,ada@EXAMPLE.test,CTO\nOne,one@example.test,\nTwo,ONE@example.test,Twice\nNobody,,\n'

  async function personWithLead() {
    const person = await app.person()
    const { body } = await person.browser.post(LEADS, existing)
    return { person, id: body.id as string }
  }

  test('are skipped: what is there stays as it is, and the first row of the file wins', async () => {
    const { person, id } = await personWithLead()
    expect(await imported(person, file)).toMatchObject({ created: 2, updated: 0, skipped: 2, failed: 0 })
    expect((await person.browser.get(`${LEADS}/${id}`)).body).toMatchObject(existing)
    expect((await leadsOf(person)).map(({ first_name }) => first_name).toSorted()).toEqual([
      'Nobody',
      'Old',
      'One',
    ])
  })

  test('are updated: cells that say something are merged, empty ones change nothing', async () => {
    const { person, id } = await personWithLead()
    expect(await imported(person, file, { duplicates: 'update' })).toMatchObject({ created: 2, updated: 2 })
    const lead = (await person.browser.get(`${LEADS}/${id}`)).body
    expect(lead).toMatchObject({ ...existing, first_name: 'New', email: 'ada@EXAMPLE.test', title: 'CTO' })
    const timeline = (await person.browser.get(`${LEADS}/${id}/timeline?type=lead.changed`)).body.data
    expect(timeline).toHaveLength(1)
    expect(timeline[0].data.after).toEqual({ first_name: 'New', email: 'ada@EXAMPLE.test', title: 'CTO' })
    const merged = (await leadsOf(person)).find(({ title }) => title === 'Twice')
    expect(merged).toMatchObject({ first_name: 'Two', email: 'ONE@example.test' })
  })

  test('are created, when that is asked for', async () => {
    const { person } = await personWithLead()
    expect(await imported(person, file, { duplicates: 'create' })).toMatchObject({ created: 4, skipped: 0 })
    expect(await leadsOf(person)).toHaveLength(5)
  })

  test('are found by phone, by website and by a field of the team', async () => {
    const person = await app.person()
    await person.browser.patch(`${LEADS}/settings`, {
      custom_fields: [{ key: 'number', label: 'Customer number', kind: 'text' }],
    })
    await person.browser.post(LEADS, {
      first_name: 'A',
      phone: '+4930123456',
      website: 'https://Example.test/',
      custom: { number: 'K-1' },
    })
    const text = 'first_name,phone,website,Customer number\nB,+49 30 123456,example.test,k-1\n'
    for (const duplicate_key of ['phone', 'website', 'custom.number']) {
      expect(await imported(person, text, { duplicate_key }), duplicate_key).toMatchObject({
        skipped: 1,
        created: 0,
      })
    }
  })

  test('in the trash do not count', async () => {
    const { person, id } = await personWithLead()
    await person.browser.delete(`${LEADS}/${id}`)
    expect(await imported(person, file)).toMatchObject({ created: 3, skipped: 1 })
  })

  test('do not slip through when two imports of a team run at once', async () => {
    const person = await app.person()
    const rows = 400
    const text = partsFile(rows, rows / 4)
    const ids = await Promise.all([1, 2].map(async () => (await uploaded(person.browser, text)).id))
    await Promise.all(ids.map(id => person.browser.post(`${IMPORTS}/${id}/start`)))
    const both = await Promise.all(ids.map(id => ended(person, id)))
    expect(both.map(({ status }) => status)).toEqual(['DONE', 'DONE'])
    expect(both[0]!.created + both[1]!.created).toBe(rows)
    expect(both[0]!.skipped + both[1]!.skipped).toBe(rows)
    expect(await countOf('leads', person.team_id)).toBe(rows)
  })
})

describe('the plan', () => {
  test('names fields that there are, each once, one for each column, or nothing', async () => {
    const { id } = await uploaded(ada.browser, 'a,b\n1,2\n')
    const change = (body: object) => ada.browser.patch(`${IMPORTS}/${id}`, body)
    const faults = async (body: object) =>
      expectProblem(await change(body), 422, 'validation_failed').errors!.map(({ path }) => path)
    expect(await faults({ mapping: ['email'] })).toEqual(['mapping'])
    expect(await faults({ mapping: ['email', 'email'] })).toEqual(['mapping[1]'])
    expect(await faults({ mapping: ['nothing', 'custom.nothing'] })).toEqual(['mapping[0]', 'mapping[1]'])
    expect(await faults({ duplicate_key: 'first_name' })).toEqual(['duplicate_key'])
    expect(await faults({ defaults: { pipeline_stage: 'Nowhere', owner_id: 'a'.repeat(24) } })).toEqual([
      'defaults.owner_id',
      'defaults.pipeline_stage',
    ])
    expect((await change({ mapping: ['email', null] })).body.mapping).toEqual(['email', null])
  })

  test('must be whole before it starts', async () => {
    const { id } = await uploaded(ada.browser, 'a,b\n1,2\n')
    const start = async () =>
      expectProblem(await ada.browser.post(`${IMPORTS}/${id}/start`), 422, 'validation_failed').errors!
    expect((await start()).map(({ path }) => path)).toEqual(['mapping'])
    await ada.browser.patch(`${IMPORTS}/${id}`, { mapping: ['company', 'title'], duplicates: 'skip' })
    expect((await start()).map(({ path }) => path)).toEqual(['duplicate_key'])
  })

  test('cannot be changed once it has started, and it starts once', async () => {
    const done = await imported(ada, rowsFile(1, 900))
    const late = await ada.browser.patch(`${IMPORTS}/${done.id}`, { duplicates: 'create' })
    expectProblem(late, 409, 'not_ready')
    expectProblem(await ada.browser.post(`${IMPORTS}/${done.id}/start`), 409, 'not_ready')
  })

  test('is not for a VIEWER, and an import of another team is not there', async () => {
    const viewer = await colleagueOf(app, ada, 'VIEWER')
    expectProblem(await upload(viewer.browser, rowsFile(1)), 403, 'insufficient_scope')
    const { id } = await uploaded(ada.browser, rowsFile(1))
    expect((await viewer.browser.get(`${IMPORTS}/${id}`)).status).toBe(200)
    expectProblem(await viewer.browser.post(`${IMPORTS}/${id}/start`), 403, 'insufficient_scope')
    const eve = await app.person()
    for (const path of ['', '/preview', '/errors.csv']) {
      expectProblem(await eve.browser.get(`${IMPORTS}/${id}${path}`), 404)
    }
    for (const path of ['start', 'cancel'])
      expectProblem(await eve.browser.post(`${IMPORTS}/${id}/${path}`), 404)
    expectProblem(await eve.browser.patch(`${IMPORTS}/${id}`, { duplicates: 'create' }), 404)
    expectProblem(await eve.browser.delete(`${IMPORTS}/${id}`), 404)
  })
})

describe('without a worker of its own', () => {
  const clock = new FakeClock()
  let still: TestApp
  let person: Person
  beforeAll(async () => {
    still = await startApp({ role: 'api', clock })
  })
  afterAll(() => still.close())

  async function started(rows: number): Promise<string> {
    person = await still.person()
    const { id } = await uploaded(person.browser, partsFile(rows))
    const reply = await person.browser.post(`${IMPORTS}/${id}/start`)
    expect(reply.body.status).toBe('RUNNING')
    return id
  }

  const jobFor = (id: string, n: number) => ({
    id: 'x',
    kind: PART_JOB,
    team_id: person.team_id,
    event_id: null,
    data: { id, n },
    attempts: 1,
    lost: 0,
    owner: 'x',
  })
  const runPart = (id: string, n: number) => person.ctx.transaction(ctx => importPart(ctx, jobFor(id, n)))
  const read = async (id: string) => (await person.browser.get<Import>(`${IMPORTS}/${id}`)).body

  test('a part that is run twice adds nothing the second time', async () => {
    const id = await started(PART_ROWS + 5)
    await runPart(id, 0)
    expect(await read(id)).toMatchObject({
      status: 'RUNNING',
      processed: PART_ROWS,
      created: PART_ROWS,
    })
    await runPart(id, 0)
    await Promise.all([runPart(id, 0), runPart(id, 1), runPart(id, 1)])
    await runPart(id, 1)
    expect(await read(id)).toMatchObject({ status: 'DONE', processed: PART_ROWS + 5, skipped: 0 })
    const rows = await still.database.query('select id from leads where team_id = $1', [person.team_id])
    expect(rows).toHaveLength(PART_ROWS + 5)
  })

  test('a part that fails halfway leaves nothing of itself, and goes on from there', async () => {
    const id = await started(PART_ROWS + 5)
    await runPart(id, 0)
    const broken = person.ctx.transaction(async ctx => {
      await importPart(ctx, jobFor(id, 1))
      throw new Error('killed')
    })
    await expect(broken).rejects.toThrow('killed')
    expect(await read(id)).toMatchObject({ status: 'RUNNING', processed: PART_ROWS })
    // Another process takes up the work where it stopped.
    const worker = await startApp({ role: 'worker', clock, database: still.database })
    onTestFinished(() => worker.close())
    await eventually(async () => {
      clock.advance(100)
      expect((await read(id)).status).toBe('DONE')
    })
    const rows = await still.database.query('select id from leads where team_id = $1', [person.team_id])
    expect(rows).toHaveLength(PART_ROWS + 5)
  })

  test('cancelled between two parts it keeps what came in and begins no other', async () => {
    const id = await started(PART_ROWS * 2)
    expectProblem(await person.browser.delete(`${IMPORTS}/${id}`), 409, 'import_running')
    await runPart(id, 0)
    const cancelled = await person.browser.post(`${IMPORTS}/${id}/cancel`)
    expect(cancelled.body).toMatchObject({ status: 'CANCELLED', processed: PART_ROWS })
    await runPart(id, 1)
    expect(await read(id)).toMatchObject({
      status: 'CANCELLED',
      processed: PART_ROWS,
      created: PART_ROWS,
    })
    expect((await person.browser.delete(`${IMPORTS}/${id}`)).status).toBe(204)
    expectProblem(await person.browser.get(`${IMPORTS}/${id}`), 404)
    const rows = await still.database.query('select id from leads where team_id = $1', [person.team_id])
    expect(rows).toHaveLength(PART_ROWS)
  })

  test('what was never finished goes after a day, and what ended after thirty', async () => {
    const id = await started(1)
    await runPart(id, 0)
    await still.database.query(
      `update imports set status = 'UPLOADING', finished_at = null where team_id = $1 and id = $2`,
      [person.team_id, (await uploaded(person.browser, rowsFile(1))).id],
    )
    const names = async () =>
      (
        await still.database.query<{ status: string }>('select status from imports where team_id = $1', [
          person.team_id,
        ])
      ).map(({ status }) => status)
    const tidyUp = () =>
      fetch(`${still.url}/api/cron/housekeeping`, {
        method: 'POST',
        headers: { authorization: `Bearer ${still.runtime.settings.cronSecret}` },
      })
    clock.advance(DAY_MS)
    await tidyUp()
    expect((await names()).toSorted()).toEqual(['DONE', 'UPLOADING'])
    clock.advance(1)
    await tidyUp()
    expect(await names()).toEqual(['DONE'])
    clock.advance(29 * DAY_MS)
    await tidyUp()
    expect(await names()).toEqual([])
    const parts = await still.database.query('select from import_parts where team_id = $1', [person.team_id])
    expect(parts).toEqual([])
  })
})

test('a part that the queue gives up on ends the import, which can be started again and goes on', async () => {
  const clock = new FakeClock()
  const failing = await startApp({ clock })
  onTestFinished(() => failing.close())
  const person = await failing.person()
  const { id } = await uploaded(person.browser, rowsFile(3))
  await failing.database.query('alter table leads add constraint broken check (first_name is null) not valid')
  await person.browser.post(`${IMPORTS}/${id}/start`)
  const read = async () => (await person.browser.get<Import>(`${IMPORTS}/${id}`)).body
  await eventually(async () => {
    await settle(failing)
    clock.advance(DAY_MS / 24)
    expect((await read()).status).toBe('FAILED')
  })
  expect(await read()).toMatchObject({ processed: 0, error: expect.stringContaining('Start it again') })
  await failing.database.query('alter table leads drop constraint broken')
  expect((await person.browser.post(`${IMPORTS}/${id}/start`)).body).toMatchObject({
    status: 'RUNNING',
    error: null,
  })
  expect(await ended(person, id)).toMatchObject({ status: 'DONE', created: 3 })
})

test('automations take no notice, unless they are asked to; everything else does', async () => {
  const seen: string[] = []
  const note = (name: string) => async () => void seen.push(name)
  const listening = await startApp({
    domains: [
      ...domains,
      {
        name: 'listening',
        endpoints: {},
        api: {},
        reactions: [
          on(leadCreated, 'test.workflow', note('workflow created'), { automation: true }),
          on(leadChanged, 'test.workflow', note('workflow changed'), { automation: true }),
          on(leadCreated, 'test.always', note('always')),
        ],
      },
    ],
  })
  onTestFinished(() => listening.close())
  const person = await listening.person()
  await listening.database.query(
    `insert into automation_listeners values ($1, 'lead.created'), ($1, 'lead.changed')`,
    [person.team_id],
  )
  await imported(person, rowsFile(2))
  await imported(person, 'email,title\nlead0@example.test,CTO\n', { duplicates: 'update' })
  await eventually(() => expect(seen).toEqual(['always', 'always']))
  const jobs = await listening.database.query(`select from jobs where kind like 'test.workflow%'`)
  expect(jobs).toEqual([])
  await imported(person, 'email,title\nlead0@example.test,CEO\nnew@example.test,\n', {
    duplicates: 'update',
    automations: true,
  })
  await eventually(() =>
    expect(seen.slice(2).toSorted()).toEqual(['always', 'workflow changed', 'workflow created']),
  )
})
