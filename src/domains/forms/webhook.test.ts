import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { startReceiver, type Receiver } from '#domains/deliveries/deliveries.harness.ts'
import { publishedForm, visitor } from './forms.harness.ts'

let app: TestApp
let ada: Person
let key: Client
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  app = await startApp({ config: { outboundAllowHosts: ['localhost'] } })
  ada = await app.person()
  key = await ada.key()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

async function secretOf(form: { webhook_endpoint_id: string }): Promise<string> {
  return (await ada.browser.get(`/api/webhooks/endpoints/${form.webhook_endpoint_id}/secret`)).body.secret
}

describe("a form's webhook", () => {
  test('is told of a submission, its lead and where it came from, signed with the secret of the form', async () => {
    const form = await publishedForm(key, { name: 'Ask us', webhook_url: `${receiver.url}/told` })
    const body = { first_name: 'Ada', email: 'told@example.com', utm_source: 'mail' }
    const { id } = (await visitor(app).submit(form, body)).body
    const request = await eventually(() => {
      expect(receiver.to('/told')).toHaveLength(1)
      return receiver.to('/told')[0]!
    })
    const told: any = new Webhook(await secretOf(form)).verify(request.body, request.headers as never)
    const [event] = await app.database.query<{ id: string }>(
      `select id from events where subject_id = $1 and type = 'form.submitted'`,
      [id],
    )
    expect(told).toMatchObject({
      eventId: event!.id,
      type: 'form.submitted',
      data: {
        form: { id: form.id, name: 'Ask us', slug: form.slug, version: 1 },
        submission: { id, values: { first_name: 'Ada', email: 'told@example.com' } },
        lead: {
          first_name: 'Ada',
          email: 'told@example.com',
          source: 'Form: Ask us',
          utm: { source: 'mail' },
        },
        utm: { source: 'mail' },
        first_touch: null,
        last_touch: { utm: { source: 'mail' } },
      },
    })
    expect(request.headers['webhook-id']).toBe(event!.id)
  })

  test('is told that there is no lead where none was made', async () => {
    const fields = [{ key: 'a', type: 'text', label: 'A' }]
    const form = await publishedForm(key, { fields, webhook_url: `${receiver.url}/no-lead` })
    await visitor(app).submit(form, { a: 'x' })
    await eventually(() => expect(receiver.to('/no-lead')).toHaveLength(1))
    expect(JSON.parse(receiver.to('/no-lead')[0]!.body).data).toMatchObject({
      lead: null,
      submission: { values: { a: 'x' } },
    })
  })

  test('moves with the form, and is gone with it', async () => {
    const form = await publishedForm(key, { webhook_url: `${receiver.url}/one` })
    const path = `/api/crm/forms/${form.id}`
    const moved = await key.patch(path, { webhook_url: `${receiver.url}/two`, name: 'Renamed' })
    expect(moved.body.webhook_endpoint_id).toBe(form.webhook_endpoint_id)
    const endpoint = async () =>
      (await ada.browser.get(`/api/webhooks/endpoints/${form.webhook_endpoint_id}`)).body
    expect(await endpoint()).toMatchObject({ url: `${receiver.url}/two`, name: 'Renamed', status: 'ACTIVE' })
    await key.delete(path)
    expect((await endpoint()).status).toBe('REMOVED')
    await key.post(`${path}/restore`)
    expect((await endpoint()).status).toBe('ACTIVE')
    expect((await key.patch(path, { webhook_url: null })).body).toMatchObject({
      webhook_url: null,
      webhook_endpoint_id: null,
    })
    expect((await endpoint()).status).toBe('REMOVED')
  })

  test('can be tried with made-up answers, of which nothing is kept', async () => {
    const form = await publishedForm(key, { webhook_url: `${receiver.url}/try` })
    const path = `/api/crm/forms/${form.id}/webhook-test`
    receiver.set('/try', { status: 202, body: 'fine' })
    const answer = await key.post(path, {})
    expect(answer).toMatchObject({
      status: 200,
      body: { delivered: true, response_status: 202, response_body: 'fine', error: null },
    })
    const request = receiver.to('/try')[0]!
    const told: any = new Webhook(await secretOf(form)).verify(request.body, request.headers as never)
    expect(told.data).toMatchObject({
      form: { id: form.id },
      submission: { values: { email: 'ada@example.com' } },
      lead: { email: 'ada@example.com' },
    })
    expect((await key.post(path, { webhook_url: `${receiver.url}/elsewhere` })).body.delivered).toBe(true)
    expect(receiver.to('/elsewhere')).toHaveLength(1)
    expect((await key.get(`/api/crm/forms/${form.id}/submissions`)).body.data).toEqual([])
    expect((await key.get('/api/crm/leads?email=ada@example.com')).body.data).toEqual([])
  })

  test('that is not there cannot be tried', async () => {
    const form = await publishedForm(key)
    expect(await key.post(`/api/crm/forms/${form.id}/webhook-test`, {})).toMatchObject({
      status: 409,
      body: { code: 'no_webhook_url' },
    })
  })
})
