import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domains, type Domain } from '#app'
import { connectEndpoint, deliver, type Owner } from '#domains/deliveries/service.ts'
import { findLead, noteLead } from '#domains/leads/service.ts'
import { onInbound } from '#domains/webhooks/effects.ts'
import { newId } from '#platform/ids.ts'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { startHttps } from '#test/https.ts'
import { tell } from '#test/provider.ts'
import { inOrder } from '#test/in-order.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { addFilter, goOn, makeLead, startStage, type Stage, type Visitor } from './browser.ts'

inOrder()

/** In place of those that take up calls, so that the page has little to show: it notes on the lead that a call has ended. */
const calls: Domain = {
  name: 'calls',
  endpoints: {},
  api: {},
  reactions: [
    onInbound('call_ended', 'calls.note', async (ctx, { data }) => {
      const { leadId } = data.data as { leadId: string }
      if (!(await findLead(ctx, leadId))) return { matched: false, note: 'It names no lead of this team.' }
      await noteLead(ctx, leadId, 'Spoke on the phone.')
      return { matched: true }
    }),
  ],
}

const script = '<script>window.broken=1;alert(1)</script>'
const image = '<img src=x onerror="window.broken=1">'

let stage: Stage
let visitor: Visitor
let ada: Person
let viewer: Person
let leadId = ''
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  stage = await startStage({
    domains: [...domains.filter(({ name }) => name !== 'calls' && name !== 'softphone'), calls],
    config: { outboundAllowHosts: ['localhost'] },
  })
  ada = await stage.app.person('ada@example.test')
  viewer = await colleagueOf(stage.app, ada, 'VIEWER')
  leadId = (await makeLead(stage.api, { first_name: 'Grace', last_name: 'Hopper' })).id
  visitor = await stage.visit('/settings/webhooks/inbox')
})
afterAll(async () => {
  await stage.close()
  await receiver.close()
})

test('what a provider sends appears while one looks; its body is shown as it came, and runs nowhere', async () => {
  const { page, complaints } = visitor
  await page.getByRole('heading', { name: 'No events yet' }).waitFor()
  await page.getByText(`${stage.app.url}/api/voice/engage/webhook`).waitFor()
  await page.getByText('VOICE_WEBHOOK_SECRET').waitFor()

  const data = JSON.stringify({ leadId, said: `${script}${image}` })
  const body = `{ "eventId":"call-1",  "type":"call_ended", "data":${data}, "cents":12345678901234567890 }`
  expect((await tell(stage.app.url, 'voice', body)).status).toBe(200)
  const row = page.getByRole('listitem').filter({ hasText: 'call-1' })
  await row.getByText('Processed').waitFor()

  await row.getByRole('link').click()
  const drawer = page.getByRole('dialog', { name: 'call_ended' })
  await drawer.getByText('Signature verified').waitFor()
  await expect.poll(() => drawer.getByRole('region', { name: 'Payload' }).textContent()).toBe(body)
  await drawer.getByText('Formatted').click()
  const laidOut = await drawer.getByRole('region', { name: 'Payload' }).textContent()
  expect(laidOut).toContain('\n  "cents": 12345678901234567890\n')
  expect(laidOut).toContain(JSON.stringify(script).slice(1, -1))
  expect(await page.evaluate('window.broken')).toBeUndefined()

  await drawer.getByText('Calls: note').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('call_ended')

  // The same again: it counts once, and the list says how often it came.
  expect((await tell(stage.app.url, 'voice', body)).body.status).toBe('duplicate')
  await row.getByText('1 duplicate').waitFor()
  await page.keyboard.press('Enter')
  await drawer.getByText('Counted once.').waitFor()
  await drawer.getByRole('link', { name: 'Open lead' }).click()
  await page.getByText('Spoke on the phone.').waitFor()
  expect(complaints).toEqual([])
})

further('an administrator replays what named nobody, one or a whole time; a viewer only reads', async () => {
  const early = 'e'.repeat(24)
  const query = `?team=${ada.team_id}`
  const late = { eventId: 'call-2', type: 'call_ended', data: { leadId: early } }
  await tell(stage.app.url, 'voice', late, { query })
  await tell(
    stage.app.url,
    'realtime',
    { eventId: 'said-1', type: 'response.completed', data: {} },
    { query },
  )
  const { page, complaints } = await stage.visit('/settings/webhooks/inbox?status=unmatched')
  await page.getByRole('link', { name: 'call_ended call-2' }).click()
  const drawer = page.getByRole('dialog', { name: 'call_ended' })
  await drawer.getByText('It names no lead of this team.').waitFor()
  await expect.poll(() => drawer.getByRole('link', { name: 'Open lead' }).count()).toBe(0)

  // The lead comes after the call.
  const { id } = await makeLead(stage.api, { first_name: 'Late' })
  await stage.app.database.query('update leads set id = $1 where id = $2', [early, id])
  await drawer.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('Replaying call_ended').waitFor()
  await drawer.getByText('Processed', { exact: true }).waitFor()
  await drawer.getByRole('link', { name: 'Open lead' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('listitem').filter({ hasText: 'call-2' }).getByText('1 replay').waitFor()

  await page.getByRole('button', { name: 'Replay events…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay events' })
  await choose(page, dialog.getByRole('combobox', { name: 'Events' }), 'Only processed')
  await dialog.getByLabel('Until').fill('2001-01-01T10:00')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await dialog.getByText('Must be after the start').waitFor()
  await dialog.getByLabel('From').fill('2001-01-01T09:00')
  await dialog.getByLabel('Until').fill('2999-01-01T10:00')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('Replaying 2 events').waitFor()
  const replays = async () =>
    (await stage.api.get('/api/webhooks/inbox?event_id=call-2')).body.data[0].replays as number
  await expect.poll(replays).toBe(2)
  expect(complaints).toEqual([])

  const { page: other } = await visitAs(viewer, '/settings/webhooks/inbox')
  await other.getByRole('link', { name: 'call_ended call-2' }).click()
  await other.getByRole('region', { name: 'Payload' }).waitFor()
  await expect.poll(() => other.getByRole('button', { name: /replay/i }).count()).toBe(0)
})

further('the filters of the inbox are in the URL and survive a reload', async () => {
  // What nobody understands is no filter.
  const { page } = await stage.visit('/settings/webhooks/inbox?status=nonsense&other=1')
  const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  await addFilter(page, 'Endpoint', 'Voice')
  await expect.poll(() => rows.count()).toBe(2)
  await addFilter(page, 'Event ID')
  await page.getByRole('textbox', { name: 'Event ID' }).fill('call-2')
  await page.keyboard.press('Enter')
  await addFilter(page, 'Received')
  await page.getByLabel('From').fill('2020-02-03')
  await page.keyboard.press('Escape')
  const filters = { endpoint: 'voice', event_id: 'call-2', from: '2020-02-03' }
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(filters)
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await page.getByRole('link', { name: 'call_ended call-2' }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('group', { name: 'Endpoint is Voice' }).waitFor()
  await page.getByRole('button', { name: /^Received from/ }).click()
  await page.getByLabel('Until').fill('2020-02-04')
  await page.getByRole('heading', { name: 'No matches' }).waitFor()
})

test('a receiver that fails shows every attempt, and gets it again', async () => {
  receiver.answer = { status: 410, body: `Gone ${script}${image}` }
  const owner: Owner = { kind: 'form', id: newId() }
  const url = `${receiver.url}/contact`
  await ada.ctx.transaction(ctx => connectEndpoint(ctx, owner, { name: 'Contact form', url }))
  for (const event_id of ['sub-1', 'sub-2'])
    await ada.ctx.transaction(ctx =>
      deliver(ctx, owner, { event_id, type: 'form.submitted', data: { said: image } }),
    )
  const { page, complaints } = visitor
  await goOn(page, `${stage.app.url}/settings/webhooks/deliveries`)
  const deliveries = page.getByRole('list', { name: 'Deliveries' })
  const row = deliveries.getByRole('listitem').filter({ has: page.getByLabel('form.submitted sub-1') })
  await row.getByText('Failed').waitFor()
  await row.getByText('HTTP 410').waitFor()
  await row.getByRole('link').click()
  const drawer = page.getByRole('dialog', { name: 'form.submitted' })
  const attempts = drawer.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  await attempts.first().waitFor()
  await expect.poll(() => attempts.count()).toBe(1)
  await expect.poll(() => attempts.getByRole('region').textContent()).toBe(`Gone ${script}${image}`)
  await expect
    .poll(() => drawer.getByRole('region', { name: 'Payload' }).textContent())
    .toContain('"eventId":"sub-1"')

  receiver.answer = { status: 204, body: '' }
  await drawer.getByRole('button', { name: 'Resend' }).click()
  await drawer.getByText('Delivered', { exact: true }).first().waitFor()
  await expect.poll(() => attempts.count()).toBe(2)
  await expect
    .poll(() => attempts.allTextContents())
    .toEqual([expect.stringContaining('HTTP 204'), expect.stringContaining('HTTP 410')])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Resend failed…' }).click()
  await page
    .getByRole('dialog', { name: 'Resend failed deliveries' })
    .getByRole('button', { name: 'Resend' })
    .click()
  await page.getByText('Resending 1 delivery').waitFor()
  await expect.poll(() => deliveries.getByText('Delivered').count()).toBe(2)
  expect(receiver.ids.toSorted()).toEqual(['sub-1', 'sub-1', 'sub-2', 'sub-2'])
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(complaints).toEqual([])
})

test('an address is tested, and its secret shown, copied and renewed', async () => {
  receiver.answer = { status: 500, body: `Broken ${script}` }
  const { page, complaints } = visitor
  await page.getByRole('button', { name: 'Send test to Contact form' }).click()
  await page.getByText('Test failed.').waitFor()
  await expect
    .poll(() => page.getByRole('region', { name: 'Test response' }).textContent())
    .toBe(`Broken ${script}`)

  await page.getByRole('button', { name: 'Secret of Contact form' }).click()
  const secret = page.getByTestId('webhook-secret')
  await expect.poll(() => secret.textContent()).toMatch(/^whsec_•+$/)
  await page.getByRole('button', { name: 'Reveal secret of Contact form' }).click()
  await expect.poll(() => secret.textContent()).toMatch(/^whsec_[\w+/]{20}/)
  const before = await secret.textContent()
  await page.getByRole('button', { name: 'Rotate secret of Contact form' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate secret of Contact form?' })
  await dialog.getByText('The old secret works for another 24 hours').waitFor()
  await dialog.getByRole('button', { name: 'Rotate secret of Contact form' }).click()
  await expect.poll(() => secret.textContent()).not.toBe(before)
  await page.getByText('The previous secret still works.').waitFor()
  expect(complaints).toEqual([])
})

further('a viewer sees the deliveries, and no way to send or change anything', async () => {
  const { page: other } = await visitAs(viewer, '/settings/webhooks/deliveries')
  await other.getByRole('link', { name: 'form.submitted sub-1' }).click()
  await other.getByRole('region', { name: 'Payload' }).waitFor()
  await expect
    .poll(() => other.getByRole('button', { name: /resend|send now|test|secret|enable|resume/i }).count())
    .toBe(0)
})

further('an address that was given up is enabled again', async () => {
  await stage.app.database.query(
    `update webhook_endpoints set status = 'DISABLED', failures = 9, failing_since = now() - interval '6 days',
       disabled_at = now()`,
  )
  const { page } = await stage.visit('/settings/webhooks/deliveries?status=DELIVERED&until=2020-01-01')
  await page.getByText('Disabled', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'No matches' }).waitFor()
  await page.getByRole('button', { name: 'Enable Contact form' }).click()
  await page.getByText('Deliveries to Contact form resumed').waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Deliveries to Contact form' }).click()
  await page.getByRole('link', { name: 'form.submitted sub-1' }).waitFor()
  await page.getByRole('group', { name: 'Endpoint is Contact form' }).waitFor()
})

further('axe finds nothing in the inbox and the deliveries', async () => {
  const scenes: Scene[] = [
    [
      '/settings/webhooks/inbox',
      async page => {
        await page.getByRole('link', { name: 'call_ended call-1' }).click()
        await page.getByRole('region', { name: 'Payload' }).waitFor()
      },
    ],
    ['/settings/webhooks/inbox', page => page.getByRole('button', { name: 'Endpoint URLs' }).click()],
    [
      '/settings/webhooks/deliveries',
      async page => {
        await page.getByRole('button', { name: 'Send test to Contact form' }).click()
        await page.getByRole('button', { name: 'Secret of Contact form' }).click()
        await page.getByText('Test failed.').waitFor()
      },
    ],
    [
      '/settings/webhooks/deliveries',
      async page => {
        await page.getByRole('link', { name: 'form.submitted sub-1' }).click()
        await page.getByRole('region', { name: 'Payload' }).waitFor()
      },
    ],
  ]
  expect(await faultsInEveryLook(stage, 'main ul li', scenes)).toEqual([])
})

async function visitAs(person: Person, path: string): Promise<Visitor> {
  const visitor = await stage.stranger()
  const [name = '', value = ''] = person.browser.headers.cookie!.split(/=(.*)/s)
  await visitor.page.context().addCookies([{ name, value, url: stage.app.url }])
  await goOn(visitor.page, stage.app.url + path)
  return visitor
}

async function choose(page: Page, field: ReturnType<Page['getByRole']>, option: string): Promise<void> {
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Somebody else's server, which answers what it is told to. */
async function startReceiver() {
  const ids: string[] = []
  const state = { ids, answer: { status: 204, body: '' } }
  const server = await startHttps((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    response.writeHead(state.answer.status).end(state.answer.body)
  })
  return Object.assign(state, { url: server.url, close: () => server.close() })
}
