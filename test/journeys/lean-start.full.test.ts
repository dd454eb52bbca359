import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#test/programs.ts'
import { eventually } from '#test/eventually.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const INSTALLED_MIB_MAX = 250
const IDLE_MIB_MAX = 170
const FIRST_START_MS_MAX = 300_000

let folder: string
let data: string
let url: string
let child: ChildProcess
let said = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-lean-'))
  data = mkdtempSync(join(tmpdir(), 'rapport-lean-data-'))
  const files = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.stdout.split('\n').filter(Boolean)) cpSync(join(ROOT, file), join(folder, file))
  await start()
}, FIRST_START_MS_MAX)
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
  rmSync(data, { recursive: true, force: true })
})

test('a first start installs what runs and nothing else', () => {
  const [size] = sh('du', '-sm', '-c', 'node_modules', 'dist').trim().split('\n').at(-1)!.split('\t')
  expect(Number(size)).toBeLessThan(INSTALLED_MIB_MAX)
  expect(sh('ls', 'node_modules')).not.toMatch(/vite|vitest|react|typescript/)
})

test('it keeps little memory while nobody uses it', () => {
  const pids = sh('pgrep', '-g', String(child.pid), '-f', 'src-main.mjs').trim().split('\n')
  const memory = pids.map(id => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
  expect(Math.max(...memory.map(Number)) / 1024).toBeLessThan(IDLE_MIB_MAX)
})

test('what reads files of packages, or works in threads, finds them: pages, an invoice as PDF, a template', async () => {
  const cookie = await signIn()
  const own = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const get = (path: string) => fetch(url + path, { headers: own })
  const page = await fetch(`${url}/leads`, { headers: { cookie, accept: 'text/html' } })
  expect(page.headers.get('content-type')).toContain('text/html')
  expect((await get('/docs')).status, 'docs').toBe(200)
  const { data: invoices } = (await (await get('/api/crm/invoices?limit=5')).json()) as {
    data: { id: string }[]
  }
  for (const { id } of invoices) {
    const pdf = await get(`/api/crm/invoices/${id}/pdf`)
    expect(pdf.status, await pdf.clone().text()).toBe(200)
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  }
  const body = JSON.stringify({ subject: 'Hi', body: 'Dear {{firstName}}', format: 'markdown' })
  const preview = await fetch(`${url}/api/outreach/templates/preview`, { method: 'POST', headers: own, body })
  expect(preview.status, await preview.text()).toBe(200)
  const customer = { name: 'Ольга Иванова', email: null, address: null, tax_id: null }
  const lines = [{ description: 'Δοκιμή', quantity: '1', unit_price: '10' }]
  const made = await fetch(`${url}/api/crm/invoices`, {
    method: 'POST',
    headers: own,
    body: JSON.stringify({ customer, lines }),
  })
  expect(made.status, await made.clone().text()).toBe(201)
  const { id } = (await made.json()) as { id: string }
  const drafted = await get(`/api/crm/invoices/${id}/pdf`)
  expect(drafted.status, await drafted.text()).toBe(200)
})

test('the command line works beside it, and a second start takes seconds', async () => {
  const doctor = spawnSync('node', ['bin/rapport.mjs', 'doctor'], { ...options(), encoding: 'utf8' })
  expect(doctor.stdout + doctor.stderr).toMatch(/PostgreSQL|database/i)
  await stop()
  const began = performance.now()
  await start()
  expect(performance.now() - began).toBeLessThan(60_000)
})

function options() {
  // What npm needs to find its registry stays; what the tests' own runner has set does not.
  const { BASE_URL: _base, NODE_ENV: _env, ...env } = process.env
  return { cwd: folder, env: { ...env, DATA_DIR: data, PORT: new URL(url).port } }
}

async function start(): Promise<void> {
  url ??= `http://127.0.0.1:${await freePort()}`
  said = ''
  child = spawn('npm', ['start'], { ...options(), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  await eventually(
    () => expect(said, said).toMatch(/Ctrl-C stops everything|Sign in: npx/),
    FIRST_START_MS_MAX / 2,
  )
}

async function stop(): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise(resolve => child.once('close', resolve))
  process.kill(-child.pid!, 'SIGTERM')
  await ended
}

async function signIn(): Promise<string> {
  const [link] = /http:\S+\/api\/auth\/link\/\S+/.exec(said)!
  const answer = await fetch(link, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  })
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

function sh(command: string, ...words: string[]): string {
  return spawnSync(command, words, { cwd: folder, encoding: 'utf8' }).stdout
}
