import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { everyPage } from '#test/pages.ts'
import { inOrder } from '#test/in-order.ts'
import { publishedForm, visitor } from './forms.harness.ts'
import { purgeForms } from './service.ts'

inOrder()

let app: TestApp
let ada: Person
let key: Client
const clock = new FakeClock()

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
  key = await ada.key()
})
afterAll(() => app.close())

async function newForm(fields: Record<string, unknown> = {}) {
  const { status, body, text } = await key.post('/api/crm/forms', { name: 'Contact', ...fields })
  expect(status, text).toBe(201)
  return body
}

const change = (form: { id: string }, fields: object, headers?: Record<string, string>) =>
  key.patch(`/api/crm/forms/${form.id}`, fields, headers)
const publish = (form: { id: string }) => key.post(`/api/crm/forms/${form.id}/publish`)
const choice = { key: 'plan', type: 'choice', label: 'Plan', options: ['Small', 'Large'] }

describe('a new form', () => {
  test('asks for a name, an address and a message, makes a lead of them, and nobody sees it yet', async () => {
    const form = await newForm({ name: 'Ask us' })
    expect(form).toMatchObject({
      slug: 'ask-us',
      title: 'Ask us',
      steps: [],
      field_mapping: { first_name: 'first_name', last_name: 'last_name', email: 'email' },
      on_existing: 'fill_empty',
      published: false,
      version: 0,
      draft_changed: true,
      submissions: { received: 0, quarantined: 0, last_at: null },
      webhook_endpoint_id: null,
    })
    expect(form.fields.map((field: { key: string }) => field.key)).toEqual([
      'first_name',
      'last_name',
      'email',
      'message',
    ])
    expect((await visitor(app).open(form)).status).toBe(404)
  })

  test('with fields of its own makes no lead unless it says how', async () => {
    expect(await newForm({ fields: [choice] })).toMatchObject({ fields: [choice], field_mapping: {} })
  })

  test('can be published at once', async () => {
    const form = await publishedForm(key, { name: 'At once' })
    expect(form).toMatchObject({ published: true, version: 1, draft_changed: false })
    expect((await visitor(app).open(form)).status).toBe(200)
  })
})

describe('the address of a form', () => {
  test('comes of its name, and is unique among all teams', async () => {
    const grace = await (await app.person()).key()
    expect((await newForm({ name: 'Über uns & Kontakt!' })).slug).toBe('uber-uns-kontakt')
    expect((await grace.post('/api/crm/forms', { name: 'Über uns, Kontakt' })).body.slug).toBe(
      'uber-uns-kontakt-2',
    )
    expect((await newForm({ name: 'uber-uns-kontakt' })).slug).toBe('uber-uns-kontakt-3')
    expect((await newForm({ name: '你好' })).slug).toBe('form')
    expect((await newForm({ name: 'Assets' })).slug).toBe('assets-2')
  })

  test('that is taken is refused when it is asked for', async () => {
    await newForm({ slug: 'taken' })
    const refused = { status: 409, body: { code: 'slug_taken', errors: [{ path: 'slug' }] } }
    expect(await key.post('/api/crm/forms', { name: 'B', slug: 'taken' })).toMatchObject(refused)
    const other = await newForm({ name: 'Other' })
    expect(await change(other, { slug: 'taken' })).toMatchObject(refused)
    expect((await key.get(`/api/crm/forms/${other.id}`)).body.slug).toBe('other')
    expect(await key.post('/api/crm/forms', { name: 'B', slug: 'assets' })).toMatchObject(refused)
  })

  test('that twenty want at once is given to each under a name of its own', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => newForm({ name: 'Popular' })))
    expect(new Set(replies.map(({ slug }) => slug)).size).toBe(20)
  })

  test('can be changed, and the page moves with it', async () => {
    const form = await publishedForm(key, { slug: 'before' })
    expect((await change(form, { slug: 'after' })).status).toBe(200)
    expect((await visitor(app).open({ slug: 'before' })).status).toBe(404)
    expect((await visitor(app).open({ slug: 'after' })).status).toBe(200)
    expect((await newForm({ slug: 'before' })).slug).toBe('before')
  })

  test('is free while its form is in the trash, which comes back at another one', async () => {
    const form = await publishedForm(key, { slug: 'summer' })
    expect((await key.delete(`/api/crm/forms/${form.id}`)).status).toBe(204)
    expect((await visitor(app).open(form)).status).toBe(404)
    expect((await visitor(app).submit(form, {})).status).toBe(404)
    await publishedForm(key, { slug: 'summer', title: 'The second' })
    const back = await key.post(`/api/crm/forms/${form.id}/restore`)
    expect(back).toMatchObject({ status: 200, body: { slug: 'summer-2', published: true, deleted_at: null } })
    expect((await visitor(app).open({ slug: 'summer-2' })).text).toContain('Contact')
    expect((await visitor(app).open({ slug: 'summer' })).text).toContain('The second')
  })
})

describe('what is wrong with a form', () => {
  test('is told all at once, each by its place', async () => {
    const fields = [
      { key: 'a', type: 'text', label: 'A' },
      { key: 'a', type: 'choice', label: 'A again' },
      { ...choice, key: 'c', default_value: 'Medium' },
      { key: 'd', type: 'text', label: 'D', step: 1 },
    ]
    const field_mapping = { a: 'custom.nothing', gone: 'email' }
    const reply = await key.post('/api/crm/forms', {
      name: 'Wrong',
      fields,
      field_mapping,
      redirect_url: 'https://[',
    })
    expect(reply.status).toBe(422)
    expect(reply.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'fields[1].key',
      'fields[1].options',
      'fields[2].default_value',
      'fields[3].step',
      'field_mapping.a',
      'field_mapping.gone',
      'redirect_url',
    ])
  })

  test('a field that the mapping names cannot go alone', async () => {
    const form = await newForm()
    const refused = await change(form, { fields: [choice] })
    expect(refused.body.errors[0].path).toMatch(/^field_mapping\./)
    expect((await change(form, { fields: [choice], field_mapping: {} })).status).toBe(200)
  })

  test('a custom field that the team gave up since then does not stand in the way of other changes', async () => {
    const settings = (custom_fields: object[]) =>
      ada.browser.patch('/api/crm/leads/settings', { custom_fields })
    await settings([{ key: 'size', label: 'Size', kind: 'text' }])
    const form = await newForm({ fields: [choice], field_mapping: { plan: 'custom.size' } })
    await settings([])
    expect((await change(form, { title: 'Still here' })).status).toBe(200)
    expect((await change(form, { field_mapping: { plan: 'custom.sizes' } })).status).toBe(422)
  })

  test('webhook_url must be https', async () => {
    const refused = { status: 422, body: { code: 'https_required' } }
    const webhook_url = 'http://example.com/hook'
    expect(await key.post('/api/crm/forms', { name: 'W', webhook_url })).toMatchObject(refused)
    const form = await newForm()
    expect(await change(form, { webhook_url })).toMatchObject(refused)
    expect(await key.post(`/api/crm/forms/${form.id}/webhook-test`, { webhook_url })).toMatchObject(refused)
  })
})

describe('publishing', () => {
  test('shows visitors what was changed, as a new version; until then they see the one before', async () => {
    const form = await publishedForm(key, { title: 'Spring' })
    const draft = await change(form, { title: 'Summer' })
    expect(draft.body).toMatchObject({ title: 'Summer', version: 1, draft_changed: true, published: true })
    expect((await visitor(app).open(form)).text).toContain('Spring')
    expect((await publish(form)).body).toMatchObject({ version: 2, draft_changed: false })
    expect((await visitor(app).open(form)).text).toContain('Summer')
    const versions = await key.get(`/api/crm/forms/${form.id}/versions`)
    expect(versions.body.data).toMatchObject([
      { version: 2, content: { title: 'Summer' }, published_by: 'Test key' },
      { version: 1, content: { title: 'Spring' } },
    ])
  })

  test('without a change is the same version again', async () => {
    const form = await publishedForm(key)
    expect((await publish(form)).body).toMatchObject({ version: 1, updated_at: form.updated_at })
  })

  test('a change that is taken back, or writes the same in another order, is none', async () => {
    const form = await publishedForm(key, { title: 'As it was', fields: [choice] })
    await change(form, { title: 'Other' })
    expect((await change(form, { title: 'As it was' })).body.draft_changed).toBe(false)
    const reordered = Object.fromEntries(Object.entries(choice).toReversed())
    const same = await change(form, { fields: [reordered] })
    expect((await change(form, { fields: [reordered] })).body.updated_at).toBe(same.body.updated_at)
    expect(same.body.draft_changed).toBe(false)
  })

  test('hides and shows the page again', async () => {
    const form = await publishedForm(key)
    expect((await change(form, { published: false })).body).toMatchObject({ published: false, version: 1 })
    const hidden = await visitor(app).open(form)
    expect(hidden.status).toBe(404)
    expect(hidden.text).toContain('Form not found')
    expect((await visitor(app).submit(form, {})).status).toBe(404)
    expect((await change(form, { published: true })).body).toMatchObject({ published: true, version: 1 })
    await change(form, { published: false })
    await change(form, { title: 'New' })
    expect((await change(form, { published: true })).body).toMatchObject({ version: 2, draft_changed: false })
  })

  test('needs something to ask', async () => {
    const refused = { status: 409, body: { code: 'nothing_to_ask' } }
    const fields = [{ key: 'campaign', type: 'hidden', label: 'Campaign' }]
    const form = await newForm({ fields })
    expect(await publish(form)).toMatchObject(refused)
    expect(await change(form, { published: true })).toMatchObject(refused)
    expect(await key.post('/api/crm/forms', { name: 'N', fields, published: true })).toMatchObject(refused)
  })

  test('settings take effect at once', async () => {
    const form = await publishedForm(key)
    const { body } = await change(form, {
      name: 'Renamed',
      notify: ['a@example.com'],
      on_existing: 'overwrite',
    })
    expect(body).toMatchObject({ name: 'Renamed', draft_changed: false, version: 1 })
  })
})

describe('the list of forms', () => {
  test('is sorted, searched, narrowed and paged', async () => {
    const person = await app.person()
    const own = await person.key()
    for (const name of ['Beta', 'alpha', 'Gamma']) await own.post('/api/crm/forms', { name })
    await publishedForm(own, { name: 'Delta' })
    const names = async (query: string) =>
      (await own.get(`/api/crm/forms?${query}`)).body.data.map((form: { name: string }) => form.name)
    expect(await names('sort=name')).toEqual(['alpha', 'Beta', 'Delta', 'Gamma'])
    expect(await names('published=true')).toEqual(['Delta'])
    expect(await names('q=gam')).toEqual(['Gamma'])
    const pages = await everyPage(own, '/api/crm/forms?sort=-name&limit=3')
    expect(pages.map((form: { name: string }) => form.name)).toEqual(['Gamma', 'Delta', 'Beta', 'alpha'])
  })

  test('pages through versions', async () => {
    const form = await publishedForm(key)
    for (const title of ['B', 'C', 'D']) {
      await change(form, { title })
      await publish(form)
    }
    const versions = await everyPage(key, `/api/crm/forms/${form.id}/versions?limit=2`)
    expect(versions.map((one: { version: number }) => one.version)).toEqual([4, 3, 2, 1])
    const forged = Buffer.from('["x"]').toString('base64url')
    expect((await key.get(`/api/crm/forms/${form.id}/versions?cursor=${forged}`)).status).toBe(400)
  })
})

describe('a form', () => {
  test('changes only as it was read, when If-Match says so', async () => {
    const { id, headers } = { ...(await newForm()), headers: {} }
    const read = await key.get(`/api/crm/forms/${id}`)
    const etag = { 'if-match': read.headers.get('etag')! }
    expect((await change({ id }, { title: 'One' }, { ...headers, ...etag })).status).toBe(200)
    expect((await change({ id }, { title: 'Two' }, etag)).status).toBe(412)
    expect((await key.post(`/api/crm/forms/${id}/publish`, undefined, etag)).status).toBe(412)
  })

  test('is gone for good after thirty days in the trash', async () => {
    const form = await publishedForm(key)
    await visitor(app).submit(form, { first_name: 'Ada', email: 'ada@example.com' })
    await key.delete(`/api/crm/forms/${form.id}`)
    clock.advance(31 * 86_400_000)
    await purgeForms(systemContext(app.runtime, ada.team_id))
    expect((await key.post(`/api/crm/forms/${form.id}/restore`)).status).toBe(404)
    expect(await app.database.query('select from submissions where form_id = $1', [form.id])).toEqual([])
  })

  test('can be looked at before it is published', async () => {
    const { title, description, fields, steps, submit_label, thank_you, redirect_url, field_mapping } =
      await newForm({ title: 'A <b>look</b>' })
    const content = {
      title,
      description,
      fields,
      steps,
      submit_label,
      thank_you,
      redirect_url,
      field_mapping,
    }
    const { body } = await key.post('/api/crm/forms/preview', content)
    expect(body.html).toContain('A &lt;b&gt;look&lt;/b&gt;')
    expect(body.html).not.toMatch(/action=|_token/)
    const wrong = await key.post('/api/crm/forms/preview', {
      ...content,
      fields: [{ ...choice, options: [] }],
    })
    expect(wrong.status).toBe(422)
  })
})
