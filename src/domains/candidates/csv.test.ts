import { afterAll, expect, test } from 'vitest'
import { grantCredits } from '#domains/credits/service.ts'
import { startApp, type Person } from '#test/app.ts'
import { hostileTexts } from '#test/hostile.ts'
import { expectProblem } from '#test/problem.ts'
import { csvLine } from '#platform/csv.ts'
import { CSV_COLUMNS_MAX, CSV_ROWS_MAX } from './csv.ts'
import { CSV_BYTES_MAX } from './values.ts'

const PATH = '/api/crm/candidates'
const app = await startApp({ role: 'api' })
afterAll(() => app.close())

const upload = (person: Person, file: string | Uint8Array<ArrayBuffer>) =>
  person.browser.post(`${PATH}/csv`, new Blob([file], { type: 'text/csv' }))

async function domainsOf({ team_id }: Person): Promise<string[]> {
  const rows = await app.database.query<{ domain: string }>(
    `select domain from candidates where team_id = $1 and origin = 'csv' order by domain`,
    [team_id],
  )
  return rows.map(({ domain }) => domain)
}

test.for<[string, string | Uint8Array<ArrayBuffer>]>([
  ['a column called Website', 'Name,Website,City\nA,a.example,Rome\nB,https://www.b.example/x,Oslo\n'],
  ['a column called Domain, between semicolons', 'Firma;Domain\r\nA;a.example\r\nB;b.example\r\n'],
  ['a column called E-Mail', 'E-Mail\tName\nada@a.example\tAda\ngrace@B.example\tGrace\n'],
  ['a site, and where that is missing the mail', 'Website,Email\na.example,x@other.example\n,y@b.example\n'],
  ['a mail where the site is none', 'Website,Email\nn/a,x@a.example\nhttps://b.example,y@gmail.com\n'],
  ['a column whose heading says nothing', 'Company,Where\nA,a.example\nB,b.example\n'],
  ['a plain list without headings', 'a.example\nb.example\n'],
  ['a file of UTF-16', Buffer.from('\ufeffWebsite\na.example\nb.example\n', 'utf16le')],
  ['rows that are short, empty or double', 'Name,Website\nA\n\nA,a.example\nB,b.example\nC,A.example\n'],
])('the addresses are found in %s', async ([, file]) => {
  const person = await app.person()
  const reply = await upload(person, file)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body).toMatchObject({ added: 2, known: 0, without_credit: 0, refused_count: 0 })
  expect(await domainsOf(person)).toEqual(['a.example', 'b.example'])
  expect((await upload(person, file)).body).toMatchObject({ added: 0, known: 2 })
})

test('international names become what they are on the net, and what is none is told', async () => {
  const person = await app.person()
  const { body } = await upload(
    person,
    'Website\nhttps://müller.example\nmüller.example:8443\nacme\nx@gmail.com\n',
  )
  expect(body).toMatchObject({ added: 2, refused_count: 2 })
  expect(body.refused).toEqual([
    { address: 'acme', why: expect.stringContaining('write it like acme.com') },
    { address: 'x@gmail.com', why: expect.stringContaining('a public provider') },
  ])
  expect(await domainsOf(person)).toEqual(['xn--mller-kva.example', 'xn--mller-kva.example:8443'])
})

test('text in a western code page is read as such', async () => {
  const person = await app.person()
  await upload(person, Uint8Array.from(Buffer.from('Website\nmüller.example\n', 'latin1')))
  expect(await domainsOf(person)).toEqual(['xn--mller-kva.example'])
})

test.for<[string, string, string]>([
  ['one column too many', `${'a,'.repeat(CSV_COLUMNS_MAX)}b\n`, 'too_many_columns'],
  ['as many columns as are read', `${'a,'.repeat(CSV_COLUMNS_MAX - 1)}b\n`, 'no_addresses'],
  ['an empty file', '', 'empty_file'],
  ['a file in which nothing is an address', 'Name,City\nAda,Rome\n', 'no_addresses'],
  ['a quote that is never closed', 'Website\n"a.example\n', 'unreadable_csv'],
])('%s is refused, and adds nothing', async ([, file, code]) => {
  const person = await app.person()
  expectProblem(await upload(person, file), 422, code)
  expect(await domainsOf(person)).toEqual([])
})

test('hostile text adds nothing but sites, and is told as it is', async () => {
  const person = await app.person()
  await grantCredits(person.ctx, { amount: 1_000, reference: 'gift', note: null })
  const cells = hostileTexts.filter(text => text.isWellFormed() && text.trim())
  const file = ['Website\r\n', ...cells.map(cell => csvLine([cell]))].join('')
  const reply = await upload(person, file)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.refused_count).toBeGreaterThan(150)
  for (const domain of await domainsOf(person))
    expect(domain).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]{2,}(?::\d+)?$/)
})

test('a file is at most 5 MiB, whether or not its length is declared', async () => {
  const person = await app.person()
  const head = 'Website,Note\na.example,'
  const atTheLimit = `${head}${'x'.repeat(400_000)}\n`
  // Long rows: the size ends it, and not the number of rows.
  const filler = atTheLimit.repeat(12)
  const whole = `${filler}${head}${'y'.repeat(CSV_BYTES_MAX - Buffer.byteLength(filler) - head.length)}`
  expect(Buffer.byteLength(whole)).toBe(CSV_BYTES_MAX)
  expect((await upload(person, whole)).body).toMatchObject({ added: 1 })
  expectProblem(await upload(person, `${whole}z`), 413, 'file_too_large')
  const stream = new Blob([`${whole}z`]).stream()
  const untold = await person.browser.raw('POST', `${PATH}/csv`, stream, { 'content-type': 'text/csv' })
  expectProblem(untold, 413, 'file_too_large')
})

test('a file has at most 10,000 rows, whatever there are credits for', async () => {
  const person = await app.person()
  const file = (rows: number) =>
    `Website\n${Array.from({ length: rows }, (_, n) => `s${n}.example`).join('\n')}\n`
  expectProblem(await upload(person, file(CSV_ROWS_MAX + 1)), 422, 'too_many_rows')
  expect(await domainsOf(person)).toEqual([])
  const reply = await upload(person, file(CSV_ROWS_MAX))
  expect(reply.body).toMatchObject({ added: 100, known: 0, without_credit: CSV_ROWS_MAX - 100 })
})

test('a file of more than 1,000 sites is added in blocks', async () => {
  const person = await app.person()
  await grantCredits(person.ctx, { amount: 2_000, reference: 'gift', note: null })
  const file = `Website\n${Array.from({ length: 2_500 }, (_, n) => `block${n}.example`).join('\n')}\n`
  expect((await upload(person, file)).body).toMatchObject({ added: 2_100, without_credit: 400 })
  expect(await domainsOf(person)).toHaveLength(2_100)
})
