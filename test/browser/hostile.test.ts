import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { full, shareOf } from '#test/tier.ts'
import { inOrder } from '#test/in-order.ts'
import { DRAWN } from './axe.ts'
import { goOn, makeLead, QUIET, rowOf, startStage, type Stage } from './browser.ts'

inOrder()

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const script = '<script>window.broken=1;alert(1)</script>'
const image = '<img src=x onerror="window.broken=1">'
const quotes = `"'\`><svg onload=alert(1)>{{constructor.constructor('alert(1)')()}}`

test('whatever a stranger typed into any field never runs on any page, and is shown as it was typed', async () => {
  await stage.api.patch('/api/crm/leads/settings', {
    custom_fields: [
      { key: 'motto', label: image, kind: 'text' },
      { key: 'size', label: script, kind: 'choice', options: [image, 'b'] },
    ],
    pipeline_stages: ['New', image, quotes.slice(0, 60)],
  })
  const { id } = await makeLead(stage.api, {
    first_name: script,
    last_name: image,
    company: quotes,
    title: script,
    source: image,
    email: `"onload=alert(1)"@example.test`.replaceAll('"', "'").replace('(1)', ''),
    website: "https://example.test/'onmouseover=alert(1)",
    pipeline_stage: image,
    utm: { utm_source: script, utm_campaign: image },
    custom: { motto: script, size: image },
  })
  await stage.api.post(`/api/crm/leads/${id}/notes`, { text: `${script}\n${image}\njavascript:alert(1)` })
  await stage.api.patch(`/api/crm/leads/${id}`, { company: image })
  const { body: view } = await stage.api.post('/api/crm/views', {
    kind: 'leads',
    name: image,
    query: 'sort=-created_at',
  })
  await stage.api.post('/api/keys', { name: script, scopes: ['leads:read'] })
  const make = async (path: string, body: object) =>
    (await stage.api.post(`/api/crm/${path}`, body)).body.id as string
  const account = await make('accounts', {
    name: image,
    industry: script,
    website: "https://example.test/'onload=alert(1)",
  })
  const deal = await make('opportunities', {
    name: script,
    lead_id: id,
    account_id: account,
    stage: 'closed_won',
  })
  const project = await make('projects', {
    name: image,
    columns: [{ key: 'a', name: script, status: 'TODO' }],
    opportunity_id: deal,
  })
  const session = (await stage.api.get('/api/auth/session')).body
  await make('tasks', {
    title: image,
    description: script,
    project_id: project,
    lead_id: id,
    assignee_id: session.user.id,
    due_at: new Date().toISOString(),
  })
  const file = `First name,${image.replaceAll('"', '')},E-mail\n${script},${image.replaceAll('"', '')},no address\n`
  const uploaded = await stage.api.raw(
    'POST',
    `/api/crm/imports?file_name=${encodeURIComponent(image)}`,
    file,
    {
      'content-type': 'text/csv',
    },
  )

  const addresses = [
    '/leads',
    `/leads?view=${view.id}`,
    `/leads?q=${encodeURIComponent(script)}&company=${encodeURIComponent(image)}`,
    `/leads/${id}`,
    '/settings/leads',
    '/settings/keys',
    '/settings/jobs',
    '/',
    '/tasks',
    '/pipeline',
    '/pipeline?of=opportunities',
    '/accounts',
    `/accounts/${account}`,
    '/opportunities',
    `/opportunities/${deal}`,
    '/projects',
    `/projects/${project}`,
    '/imports',
    `/imports/${uploaded.body.id}`,
  ]
  // What is escaped is escaped at any width.
  for (const width of full ? [1280, 390] : [1280]) {
    const { page, complaints } = await stage.visit(QUIET, { viewport: { width, height: 844 } })
    // One way to show text serves all pages, and no other is allowed: see react/no-danger.
    for (const address of shareOf(addresses, 0, 5)) {
      await goOn(page, stage.app.url + address)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'hidden' })
      await page.evaluate(DRAWN)
      expect(await page.evaluate('window.broken'), address).toBeUndefined()
      expect(await page.locator('main img, main script, main svg[onload]').count(), address).toBe(0)
      expect(complaints, address).toEqual([])
    }
    if (width === 1280) await showsAsTyped(page)
    await page.context().close()
  }
})

async function showsAsTyped(page: Page): Promise<void> {
  await goOn(page, `${stage.app.url}/leads`)
  const row = rowOf(page, '<script>window.broken=1;alert(1)</script>')
  await row.first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('onerror')
  await page.getByRole('option').filter({ hasText: '<img src=x' }).first().waitFor()
  expect(await page.evaluate('window.broken')).toBeUndefined()
}

test('the policy of the page allows no inline script and no foreign origin', async () => {
  const answer = await fetch(`${stage.app.url}/leads`, {
    headers: { cookie: stage.api.headers.cookie!, accept: 'text/html' },
  })
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(await answer.text()).not.toContain('__CSP_NONCE__')
})
