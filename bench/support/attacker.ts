import { Agent, request } from 'node:http'
import { hardFiles, hardTexts } from '#test/worst.ts'

/** Sends so many of the hardest bodies at once, each again as soon as it is answered, until it is told that it is enough. */
const { url, key, at_once } = process.env as Record<string, string>

type Attack = { path: string; type?: string; body?: string; headers?: Record<string, string> }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const json = (path: string, body: unknown): Attack => ({
  path,
  type: JSON_TYPE,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const textOf = (name: string, length: number) => hardTexts.find(text => text.name === name)!.of(length)

const names = Array.from({ length: 80_000 }, (_, at) => at)
const forms: Attack[] = [
  ['/api/oauth/token', names.join('&')],
  ['/api/oauth/token', names.join('&').slice(0, 250_000)],
  [
    '/api/oauth/revoke',
    names
      .slice(0, 200)
      .map(at => `${at}=${'+'.repeat(1_200)}`)
      .join('&'),
  ],
  ['/f/none', 'a=1&'.repeat(6_000)],
].map(([path, body]) => ({ path: path!, type: FORM_TYPE, body: body! }))

const templates = [
  'spaces',
  'emphasis',
  'open brackets',
  'links',
  'tables',
  'lists',
  'references',
  'broken tags',
  'placeholders',
  'entities',
].map(name => json('/api/outreach/templates/preview', { body: textOf(name, 99_000), format: 'markdown' }))

const files = [
  'one long field',
  'a row of commas',
  'a heading of columns',
  'rows of commas',
  'quotes that are not closed',
  'quotes',
  'empty rows',
  'no telling what separates',
].map(name => ({
  path: '/api/crm/candidates/csv',
  type: 'text/csv',
  body: hardFiles.find(([what]) => what === name)![1],
}))

const step = { type: 'task', delay_days: 1, description: '{{first_nome}}'.repeat(140) }
const options = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(190, 'x'))
const bodies = [
  json('/api/crm/leads', `{${names.map(at => `"x${at}":1`).join()}}`),
  json('/api/crm/leads', `{"first_name":[${'"\\u0000",'.repeat(110_000)}1]}`),
  json('/api/crm/leads', '['.repeat(1_000_000)),
  json('/api/crm/leads', `{"first_name":"${'e\u0301'.repeat(300_000)}"}`),
  json('/api/crm/leads/bulk', `{"ids":[${'0,'.repeat(500_000)}0],"set":{}}`),
  json('/api/crm/candidates/convert', `{"ids":[${'"a",'.repeat(250_000)}"a"]}`),
  json('/api/crm/candidates/list', { addresses: Array.from({ length: 1_000 }, () => 'a.'.repeat(249)) }),
  json('/api/outreach/sequences', { name: 'x', steps: Array.from({ length: 50 }, () => step) }),
  json('/api/crm/workflows', {
    name: 'x',
    trigger: 'lead.created',
    nodes: Array.from({ length: 500 }, () => ({
      type: 'action',
      action: 'create_task',
      title: '{{first_nome}}'.repeat(20),
    })),
  }),
  json('/api/crm/forms/preview', {
    name: 'x',
    fields: Array.from({ length: 50 }, (_, at) => ({ key: `k${at}`, type: 'choice', label: 'x', options })),
  }),
]

const headers: Attack[] = ['commas', 'quotes', 'spaces', 'semicolons'].map(name => ({
  path: '/api/crm/leads?limit=1',
  headers: { 'if-none-match': textOf(name, 14_000), accept: 'text/html' },
}))
const queries: Attack[] = ['per cent signs', 'quotes', 'dots', 'open parentheses'].map(name => ({
  path: `/api/crm/leads?q=${encodeURIComponent(textOf(name, 200))}`,
}))

const attacks = [...forms, ...templates, ...files, ...bodies, ...headers, ...queries].slice(
  0,
  Number(at_once),
)
if (attacks.length < Number(at_once)) throw new Error(`There are only ${attacks.length} attacks.`)

const agent = new Agent({ keepAlive: true })
let answered = 0
let enough = false
const failed = new Set<string>()

process.send!({ url, headers: {}, memoryMiB: 0 })
process.once('disconnect', () => process.exit())
process.once('message', () => {
  enough = true
  process.send!({ answered, failed: [...failed] })
})
await Promise.all(attacks.map(again))

async function again(attack: Attack): Promise<void> {
  while (!enough) {
    const status = await send(attack)
    answered++
    if (status >= 500) failed.add(`${attack.path.split('?')[0]} ${status}`)
  }
}

/** Whoever is cut off begins anew. */
function send({ path, type, body, headers = {} }: Attack): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const sent = request(
    url + path,
    {
      agent,
      method: bytes ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(bytes && { 'content-type': type!, 'content-length': String(bytes.length) }),
        ...headers,
      },
    },
    response => response.resume().on('end', () => resolve(response.statusCode!)),
  )
  sent.on('error', () => resolve(0)).end(bytes)
  return promise
}
