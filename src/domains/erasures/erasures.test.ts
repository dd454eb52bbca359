import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { writeBackup } from '#platform/database/backup.ts'
import { colleagueOf } from '#test/colleague.ts'
import { tell } from '#test/provider.ts'
import { publishedForm, visitor } from '../forms/forms.harness.ts'
import { startWorkshop, type Workshop } from '../workflows/workflows.harness.ts'
import { PASS_PAUSE_MS } from './jobs.ts'

const CANARY = {
  first_name: 'Zephyrine',
  last_name: "O'Quillfeather",
  email: 'Zephyrine.Quillfeather@canary.example.test',
  phone: '+4915199887766',
  company: 'Quillfeather & Daughters',
}
/** None of these may be anywhere, in whatever spelling of capitals. */
const TRACES = /zephyrine|quillfeather|4915199887766/i

let shop: Workshop
beforeAll(async () => {
  shop = await startWorkshop()
})
afterAll(() => shop.close())

const made = async (reply: Promise<{ status: number; text: string; body: any }>) => {
  const { status, text, body } = await reply
  expect([200, 201, 202], text).toContain(status)
  return body
}

/** How many rows of each table have a trace of the canary in them. */
async function traces(): Promise<Record<string, number>> {
  const tables = await shop.app.database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found: [string, number][] = []
  for (const { name } of tables) {
    const [row] = await shop.app.database.query<{ n: number }>(
      `select count(*)::int as n from ${name} as t where t::text ~* $1`,
      [TRACES.source],
    )
    if (row!.n > 0) found.push([name, row!.n])
  }
  return Object.fromEntries(found)
}

/** What people count: how many there are of each kind, and what they sum up to. */
async function sums(): Promise<unknown> {
  const { query } = shop.app.database
  const kinds = [
    'messages',
    'enrolments',
    'calls',
    'meetings',
    'submissions',
    'tasks',
    'opportunities',
    'invoices',
  ]
  const counts = await Promise.all(
    kinds.map(async name => (await query(`select count(*)::int as n from ${name}`))[0]),
  )
  const money = await query(
    'select sum(amount)::text as amount, sum(paid)::text as paid, sum(tax)::text as tax, min(number) as number from invoices',
  )
  const deals = await query('select sum(amount)::text as amount from opportunities')
  const payments = await query('select sum(amount)::text as amount, count(*)::int as n from invoice_payments')
  const { body } = await shop.api.get('/api/outreach/sequences')
  return { counts, money, deals, payments, sequences: body.data.map((row: any) => row.counts ?? row.stats) }
}

/** One person who left traces everywhere. */
async function liveThrough(): Promise<string> {
  const { api, ada, app, clock } = shop
  await shop.workflow(
    [
      {
        type: 'action',
        action: 'push_notification',
        title: 'New: {{firstName}} {{lastName}}',
        to: 'admins',
      },
      { type: 'action', action: 'create_task', title: 'Greet {{firstName}} {{lastName}}' },
    ],
    { trigger: 'lead.created' },
  )
  const lead = await made(api.post('/api/crm/leads', CANARY, { 'idempotency-key': 'canary' }))
  await shop.settle()
  await made(api.patch(`/api/crm/leads/${lead.id}`, { title: 'Friend of Zephyrine' }))
  await made(api.post(`/api/crm/leads/${lead.id}/notes`, { text: 'Zephyrine likes owls' }))
  await made(
    api.post('/api/crm/tasks', {
      title: `Call ${CANARY.first_name} ${CANARY.last_name}`,
      description: 'Ask Zephyrine for owls',
      lead_id: lead.id,
    }),
  )
  await made(
    api.post('/api/crm/opportunities', {
      name: `Owls for ${CANARY.first_name} ${CANARY.last_name}`,
      lead_id: lead.id,
      amount: '120.00',
      currency: 'EUR',
    }),
  )
  const sequence = await made(
    api.post('/api/outreach/sequences', { name: 'Owls', steps: [{ type: 'email', template: 'intro' }] }),
  )
  await made(api.post(`/api/outreach/sequences/${sequence.id}/enrolments`, { lead_ids: [lead.id] }))
  await shop.settle()
  await shop.callEnded({
    callId: 'canary-call',
    leadId: lead.id,
    durationSec: 60,
    outcome: 'interested',
    summary: 'Zephyrine wants owls',
    transcript: [{ speaker: 'lead', text: 'This is Zephyrine.' }],
  })
  const at = new Date(clock.now() + 86_400_000).toISOString().slice(0, 10)
  await made(
    ada.browser.post('/api/crm/meetings', {
      lead_id: lead.id,
      title: 'Zephyrine and owls',
      starts_at: `${at}T10:00:00.000Z`,
    }),
  )
  const form = await publishedForm(api, { webhook_url: 'https://hooks.example.test/canary' })
  await made(visitor(app).submit(form, { first_name: 'Zephyrine', email: CANARY.email }))
  const invoice = await made(
    api.post('/api/crm/invoices', {
      lead_id: lead.id,
      currency: 'EUR',
      customer: { name: 'Zephyrine Q', email: CANARY.email, address: null, tax_id: null },
      lines: [{ description: 'Owls', quantity: '1', unit_price: '100', tax_percent: '0' }],
    }),
  )
  await made(api.post(`/api/crm/invoices/${invoice.id}/open`))
  await made(api.post(`/api/crm/invoices/${invoice.id}/send`)).catch(() => {})
  await made(
    api.post(`/api/crm/invoices/${invoice.id}/payments`, {
      method: 'manual',
      amount: '40',
      note: 'from Zephyrine',
    }),
  )
  await made(api.post('/api/outreach/suppressions', { email: CANARY.email, note: 'Zephyrine asked' }))
  await tell(
    app.url,
    'email',
    {
      eventId: 'canary-mail',
      type: 'email.opened',
      data: { to: CANARY.email, email_id: 'nobody' },
    },
    { at: new Date(clock.now()), query: `?team=${ada.team_id}` },
  )
  await shop.settle()
  return lead.id
}

type Waiting = { messages: string; mails: string; webhook_deliveries: string }

/** An email of a person, one of ours and a webhook about the lead, none of which has gone out. */
async function waitingFor(lead_id: string): Promise<Waiting> {
  const { query } = shop.app.database
  const team = shop.ada.team_id
  const [message, mail, endpoint, delivery] = [newId(), newId(), newId(), newId()]
  await query(
    `insert into messages (team_id, id, channel, lead_id, address, links, thread, status, tries, source_kind, due_at, created_at, clicks)
     values ($1, $2, 'email', $3, 'waiting@erased.example.test', '[]', '[]', 'DUE', 0, 'person', now(), now(), '[]')`,
    [team, message, lead_id],
  )
  await query(
    `insert into mails (team_id, id, message_id, kind, about_kind, about_id, recipient, subject, text, html, status, created_at)
     values ($1, $2, 'm', 'x', 'lead', $3, 'waiting@erased.example.test', 's', 't', 'h', 'DUE', now())`,
    [team, mail, lead_id],
  )
  await query(
    `with endpoint as (insert into webhook_endpoints (team_id, id, owner_kind, owner_id, name, url, status, secrets, failures, pauses, created_at, updated_at, part)
       values ($1, $2, 'form', $2, 'F', 'https://hooks.example.test/', 'ACTIVE', '[]', 0, 0, now(), now(), ''))
     insert into webhook_deliveries (team_id, id, endpoint_id, event_id, type, body, status, attempts, tries, in_hand, created_at)
     values ($1, $3, $2, $3, 'x', $4, 'PENDING', 0, 0, false, now())`,
    [team, endpoint, delivery, JSON.stringify({ lead: lead_id })],
  )
  return { messages: message, mails: mail, webhook_deliveries: delivery }
}

describe('a person who left traces everywhere', { shuffle: false }, () => {
  let id: string
  let before: unknown
  let waiting: Waiting

  test('is found in what can be read of them, table by table', async () => {
    id = await liveThrough()
    waiting = await waitingFor(id)
    before = await sums()
    const known = await traces()
    expect(Object.keys(known).length).toBeGreaterThan(15)
    const { status, body } = await shop.ada.browser.get(`/api/crm/leads/${id}/personal-data`)
    expect(status).toBe(200)
    // The live log forgets by itself within a day, and what an automation is called is no data of a person.
    const told = Object.keys(known).filter(name => name !== 'changes')
    expect(Object.keys(body.data)).toEqual(expect.arrayContaining(told))
    expect(body.data.leads).toMatchObject([{ email: CANARY.email }])
    expect(JSON.stringify(body.data.call_lines)).toContain('This is Zephyrine.')
    const { body: log } = await shop.ada.browser.get('/api/team/audit?type=personal_data.read')
    expect(log.data).toMatchObject([{ subject: { kind: 'lead', id }, actor: { id: shop.ada.user_id } }])
  })

  test('is not erased by who may not, nor without being named', async () => {
    const member = await colleagueOf(shop.app, shop.ada, 'MEMBER')
    for (const [method, path] of [
      ['get', 'personal-data'],
      ['post', 'erase'],
    ] as const)
      expect(
        (await member.browser[method](`/api/crm/leads/${id}/${path}`, { confirm: CANARY.email })).status,
      ).toBe(403)
    const { status, body } = await shop.ada.browser.post(`/api/crm/leads/${id}/erase`, {
      confirm: 'Zephyrine',
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path: 'confirm', message: "must be the lead's email address" }])
    expect((await shop.api.get(`/api/crm/leads/${id}`)).status).toBe(200)
  })

  test('is gone from every table and from a backup, and what was counted stays', async () => {
    const { status, body } = await shop.ada.browser.post(`/api/crm/leads/${id}/erase`, {
      confirm: CANARY.email.toUpperCase(),
    })
    expect(status).toBe(202)
    const again = await shop.ada.browser.post(`/api/crm/leads/${id}/erase`, { confirm: CANARY.email })
    expect(again.body).toEqual(body)
    await shop.settle()
    await shop.pass(PASS_PAUSE_MS)
    const { body: receipt } = await shop.ada.browser.get(`/api/team/erasures/${body.erasure_id}`)
    expect(receipt).toMatchObject({ status: 'DONE', lead_id: id, requested_by: shop.ada.user_id })
    expect(receipt.erased_at).not.toBeNull()
    for (const kind of [
      'leads',
      'events',
      'messages',
      'message_contents',
      'calls',
      'call_lines',
      'submissions',
      'invoices',
    ])
      expect([kind, receipt.counts[kind] > 0]).toEqual([kind, true])
    expect(await traces()).toEqual({})
    expect(await sums()).toEqual(before)
    const folder = await mkdtemp(join(tmpdir(), 'rapport-erasure-'))
    try {
      const file = join(folder, 'after.backup')
      await writeBackup(shop.app.database.url, file, '2026-03-02T09:00:00.000Z')
      expect(TRACES.test(gunzipSync(readFileSync(file)).toString())).toBe(false)
    } finally {
      await rm(folder, { recursive: true })
    }
    const { data } = (await shop.ada.browser.get('/api/team/erasures')).body
    expect(data).toContainEqual(expect.objectContaining({ id: body.erasure_id }))
  })

  test('what was still to be sent to them is sent no more', async () => {
    const statusOf = async (table: keyof Waiting) =>
      (
        await shop.app.database.query<{ status: string }>(`select status from ${table} where id = $1`, [
          waiting[table],
        ])
      )[0]!.status
    expect(await statusOf('messages')).toBe('CANCELLED')
    expect(await statusOf('mails')).toBe('FAILED')
    expect(await statusOf('webhook_deliveries')).toBe('FAILED')
  })

  test('is nowhere in the app: no lead, no trash, no search, and an audit log of what happened without them', async () => {
    for (const path of [
      `/api/crm/leads/${id}`,
      `/api/crm/leads/${id}/timeline`,
      `/api/crm/leads/${id}/personal-data`,
    ])
      expect([path, (await shop.ada.browser.get(path)).status]).toEqual([path, 404])
    expect((await shop.ada.browser.post(`/api/crm/leads/${id}/restore`)).status).toBe(404)
    expect((await shop.ada.browser.get('/api/crm/leads?trashed=true')).body.data).toEqual([])
    const { body } = await shop.ada.browser.get(`/api/team/audit?subject_kind=lead&subject_id=${id}`)
    expect(body.data.map(({ type }: { type: string }) => type)).toContain('lead.created')
    expect(body.data.find(({ type }: { type: string }) => type === 'lead.created').data).toEqual({
      erased: true,
    })
  })

  let back: { id: string }

  test('who asked not to be written to is still not written to', async () => {
    back = await shop.lead({
      first_name: 'Back',
      email: CANARY.email.toLowerCase(),
      phone: '+4915100000001',
    })
    const sequence = (await shop.api.get('/api/outreach/sequences')).body.data[0]
    const { body } = await shop.api.post(`/api/outreach/sequences/${sequence.id}/enrolments`, {
      lead_ids: [back.id],
    })
    expect(body.data).toEqual([])
    expect(JSON.stringify(body.skipped)).toContain('suppressed')
  })

  test('is erased again when they came back, and an erasure that was given up begins anew', async () => {
    const { query } = shop.app.database
    const email = CANARY.email.toLowerCase()
    await made(shop.api.post('/api/outreach/suppressions', { email }))
    const erase = (confirm: string) => shop.ada.browser.post(`/api/crm/leads/${back.id}/erase`, { confirm })
    const { erasure_id } = await made(erase(email))
    await shop.settle()
    await query(`update erasures set status = 'FAILED' where id = $1`, [erasure_id])
    await query(`delete from jobs where kind = 'erasures.erase'`)
    const again = await erase('whatever')
    expect([again.status, again.body]).toEqual([202, { erasure_id }])
    await shop.settle()
    await shop.pass(PASS_PAUSE_MS)
    expect((await shop.ada.browser.get(`/api/team/erasures/${erasure_id}`)).body.status).toBe('DONE')
    const kept = await query(
      `select address from suppressions where lifted_at is null and address = forgotten_address($1)`,
      [email],
    )
    expect(kept).toHaveLength(1)
  })
})

test('what two people share is left to the one who stays', async () => {
  const phone = '+4915155512345'
  const [gone, stays] = [
    await shop.lead({ first_name: 'Kim', last_name: 'Sato', email: 'kim@shared.example.test', phone }),
    await shop.lead({ first_name: 'Kim', last_name: 'Sato', email: 'akim@shared.example.test', phone }),
  ]
  await shop.api.post(`/api/crm/leads/${stays.id}/notes`, {
    text: 'akim@shared.example.test, Kim Sato, +4915155512345',
  })
  await made(shop.ada.browser.post(`/api/crm/leads/${gone.id}/erase`, { confirm: 'kim sato' }))
  await shop.settle()
  await shop.pass(PASS_PAUSE_MS)
  expect((await shop.api.get(`/api/crm/leads/${stays.id}`)).body).toMatchObject({
    email: 'akim@shared.example.test',
    phone,
    last_name: 'Sato',
  })
  const { body } = await shop.api.get(`/api/crm/leads/${stays.id}/timeline`)
  expect(JSON.stringify(body.data)).toContain('akim@shared.example.test, Kim Sato, +4915155512345')
})
