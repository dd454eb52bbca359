import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { loadDemo, OPERATOR_EMAIL } from '../../src/demo/demo.ts'
import { patterns } from '../../src/web/patterns.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { startStage, type Stage } from './browser.ts'

/** Where the record comes from that a page is about. */
const lists: Partial<Record<keyof typeof patterns, string>> = {
  conversation: '/api/conversations',
  lead: '/api/crm/leads',
  candidate: '/api/crm/candidates',
  account: '/api/crm/accounts',
  opportunity: '/api/crm/opportunities',
  invoice: '/api/crm/invoices',
  agent: '/api/voice/agents',
  call: '/api/voice/calls',
  project: '/api/crm/projects',
  import: '/api/crm/imports',
  form: '/api/crm/forms',
  sequence: '/api/outreach/sequences',
  workflow: '/api/crm/workflows',
  workflowRuns: '/api/crm/workflows',
  template: '/api/outreach/templates',
  chatWidget: '/api/chat/widgets',
}

let stage: Stage
beforeAll(async () => {
  stage = await startStage({ prepare: ({ runtime }) => loadDemo(runtime), email: OPERATOR_EMAIL })
  const message = { channel: 'email', to: 'grace@example.test', subject: 'Hello', text: 'Hello Grace' }
  await stage.api.post('/api/conversations', message)
  await stage.api.post('/api/chat/widgets', { name: 'Website' })
  const file = 'First name,E-mail\nGrace,grace@example.test\n'
  await stage.api.raw('POST', '/api/crm/imports?file_name=people.csv', file, { 'content-type': 'text/csv' })
})
afterAll(() => stage.close())

async function addressOf(name: keyof typeof patterns): Promise<string> {
  const pattern: string = patterns[name]
  if (!pattern.includes('$')) return pattern
  if (name === 'workflowRun') return pattern.replace('$id', await someRun())
  const list = lists[name]
  if (!list) throw new Error(`Say in this file which record the page ${name} shows.`)
  const [first] = (await stage.api.get(`${list}?limit=1`)).body.data
  return pattern.replace('$id', first.id)
}

async function someRun(): Promise<string> {
  const lead_ids = [(await stage.api.get('/api/crm/leads?limit=1')).body.data[0].id]
  const { id } = (
    await stage.api.post('/api/crm/workflows', {
      name: 'Say hello',
      trigger: 'lead.created',
      nodes: [{ type: 'action', action: 'create_task', title: 'Say hello' }],
      status: 'ACTIVE',
    })
  ).body
  await stage.api.post(`/api/crm/workflows/${id}/start`, { lead_ids })
  return eventually(async () => {
    const { data } = (await stage.api.get(`/api/crm/workflows/${id}/runs`)).body
    expect(data[0]).toMatchObject({ status: 'DONE' })
    return data[0].id as string
  })
}

async function isThere(page: Page): Promise<void> {
  expect(await page.title(), page.url()).not.toMatch(/Something went wrong|Not found/)
}

test('every page of a team that has worked for months opens, complains of nothing, fits and can be read by everybody', async () => {
  const scenes: Scene[] = []
  for (const name of Object.keys(patterns))
    scenes.push([await addressOf(name as keyof typeof patterns), isThere, { still: true }])
  expect(scenes.length).toBeGreaterThan(40)
  expect(await faultsInEveryLook(stage, 'main h1, main h2', scenes)).toEqual([])
}, 300_000)
