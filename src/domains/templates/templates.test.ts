import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { TRASH_LIFE_MS } from '#platform/records.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { findTemplates, purgeTemplates } from './service.ts'
import { BODY_LENGTH_MAX } from './values.ts'

const clock = new FakeClock()
let app: TestApp
let ada: Person
let key: Client
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.close())
beforeEach(async () => {
  ada = await app.person()
  key = await ada.key()
})

const PATH = '/api/outreach/templates'

async function names(query = ''): Promise<string[]> {
  const { status, body, text } = await key.get(PATH + query)
  expect(status, text).toBe(200)
  return body.data.map(({ name }: { name: string }) => name)
}

describe('the first templates', () => {
  test('are there for every team, whoever asks first and however many at a time', async () => {
    const lists = await Promise.all(Array.from({ length: 10 }, () => names('?sort=name')))
    for (const list of lists) expect(list).toEqual(['follow_up', 'intro', 'recap'])
    const other = await app.person()
    expect((await findTemplates(other.ctx, ['intro', 'nothing'])).map(({ name }) => name)).toEqual(['intro'])
    const [count] = await app.database.query('select count(*)::int from templates where team_id = any($1)', [
      [ada.team_id, other.team_id],
    ])
    expect(count).toEqual({ count: 6 })
    const { data } = (await ada.browser.get('/api/team/audit?type=template.created')).body
    expect(data).toHaveLength(3)
    expect(data[0].actor).toMatchObject({ kind: 'system' })
  })

  test('are made by the next who asks where the first had to give up', async () => {
    const givenUp = ada.ctx.transaction(async ctx => {
      expect(await findTemplates(ctx, ['intro'])).toHaveLength(1)
      throw new Error('given up')
    })
    await expect(givenUp).rejects.toThrow('given up')
    expect(await findTemplates(ada.ctx, ['intro'])).toHaveLength(1)
  })

  test('read well: the first names the lead and leaves room for an icebreaker, the second is an answer', async () => {
    const templates = await findTemplates(ada.ctx, ['intro', 'follow_up', 'recap'])
    const byName = new Map(templates.map(template => [template.name, template]))
    expect(byName.get('intro')!.body).toContain('{{firstName | default: "there"}}')
    expect(byName.get('intro')!.body).toContain('{{icebreaker}}')
    expect(byName.get('follow_up')!.subject).toBe('')
    for (const { subject, body } of templates) {
      const { status, body: seen, text } = await key.post(`${PATH}/preview`, { subject, body })
      expect(status, text).toBe(200)
      expect(seen.missing).toEqual([])
      expect(seen.text).not.toMatch(/[{}]/)
    }
  })

  test('do not come back when they were thrown away, not even after the trash is emptied', async () => {
    const { data } = (await key.get(PATH)).body
    for (const { id } of data) expect((await key.delete(`${PATH}/${id}`)).status).toBe(204)
    expect(await names()).toEqual([])
    expect(await findTemplates(ada.ctx, ['intro'])).toEqual([])
    clock.advance(TRASH_LIFE_MS + 1_000)
    expect(await purgeTemplates(ada.ctx)).toBe(3)
    // Another process knows nothing of the team but what the database says.
    const second = await startApp({ clock, database: app.database })
    const ctx = (await second.person()).ctx.forTeam(ada.team_id)
    expect(await findTemplates(ctx, ['intro'])).toEqual([])
    await second.close()
    expect(await names('?trashed=true')).toEqual([])
  })
})

describe('a template', () => {
  test('is made, read, changed, thrown away and brought back', async () => {
    const made = await key.post(PATH, { name: 'Hello', body: 'Hi {{firstName}}' })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Hello', subject: '', body: 'Hi {{firstName}}', format: 'markdown', deleted_at: null },
    })
    const { id } = made.body
    expect((await key.get(`${PATH}/${id}`)).body).toEqual(made.body)
    const etag = made.headers.get('etag')!
    const changed = await key.patch(`${PATH}/${id}`, { subject: 'For {{company}}' }, { 'if-match': etag })
    expect(changed).toMatchObject({ status: 200, body: { subject: 'For {{company}}' } })
    expect((await key.patch(`${PATH}/${id}`, { subject: 'x' }, { 'if-match': etag })).status).toBe(412)
    expect((await key.delete(`${PATH}/${id}`)).status).toBe(204)
    expect(await key.get(`${PATH}/${id}`)).toMatchObject({ status: 404, body: { code: 'in_trash' } })
    expect(await names('?trashed=true')).toEqual(['Hello'])
    expect((await key.post(`${PATH}/${id}/restore`)).body).toMatchObject({ name: 'Hello', deleted_at: null })
  })

  test('has a name of its own; one that was taken meanwhile is left to the other', async () => {
    const first = (await key.post(PATH, { name: 'Hello', body: 'x' })).body
    const taken = await key.post(PATH, { name: 'Hello', body: 'y' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(taken.body.detail).toContain('There is already a template called Hello.')
    expect(await key.post(PATH, { name: 'intro', body: 'y' })).toMatchObject({ status: 409 })
    const other = (await key.post(PATH, { name: 'Other', body: 'x' })).body
    expect((await key.patch(`${PATH}/${other.id}`, { name: 'Hello' })).status).toBe(409)
    expect((await key.patch(`${PATH}/${first.id}`, { name: 'Hello', body: 'z' })).status).toBe(200)
    await key.delete(`${PATH}/${first.id}`)
    expect((await key.patch(`${PATH}/${other.id}`, { name: 'Hello' })).status).toBe(200)
    expect((await key.post(`${PATH}/${first.id}/restore`)).body).toMatchObject({ name: 'Hello-2' })
  })

  test('of the same name is made once by many at a time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => key.post(PATH, { name: 'Race', body: 'x' })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
  })

  test('names only placeholders there are: all others are told, with their place', async () => {
    await ada.browser.patch('/api/crm/leads/settings', {
      custom_fields: [{ key: 'plan_name', label: 'Plan', kind: 'text' }],
    })
    const bad = { name: 'Bad', subject: '{{firstNam}}', body: 'Hi\n{{constructor}} {{firstName}' }
    const reply = await key.post(PATH, bad)
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(reply.body.errors).toEqual([
      {
        path: 'subject',
        message: 'character 1: {{firstNam}} is not a known placeholder. Did you mean {{firstName}}?',
      },
      { path: 'body', message: 'line 2, character 1: {{constructor}} is not a known placeholder.' },
      { path: 'body', message: expect.stringContaining('line 2, character 17: {{firstName}…') },
    ])
    const good = await key.post(PATH, { name: 'Good', body: '{{custom.plan_name}} {{planName}}' })
    expect(good.status).toBe(201)
    expect((await key.patch(`${PATH}/${good.body.id}`, { body: '{{nope}}' })).status).toBe(422)
    // A field that goes leaves the template as it is; it can still be renamed.
    await ada.browser.patch('/api/crm/leads/settings', { custom_fields: [] })
    expect((await key.patch(`${PATH}/${good.body.id}`, { name: 'Better' })).status).toBe(200)
    expect((await key.post(`${PATH}/preview`, { body: '{{planName}}' })).status).toBe(422)
  })

  test('is as long as allowed and no longer, and no quote is deeper than twenty', async () => {
    expect((await key.post(PATH, { name: 'Long', body: 'x'.repeat(BODY_LENGTH_MAX) })).status).toBe(201)
    expect((await key.post(PATH, { name: 'Longer', body: 'x'.repeat(BODY_LENGTH_MAX + 1) })).status).toBe(422)
    const deep = (depth: number) => key.post(PATH, { name: `Deep ${depth}`, body: `${'> '.repeat(depth)}x` })
    expect((await deep(20)).status).toBe(201)
    expect(await deep(21)).toMatchObject({ status: 422, body: { code: 'nested_too_deep' } })
  })

  test('is found by its name and its subject, and listed page by page', async () => {
    for (const name of ['alpha', 'beta_1', 'gamma'])
      await key.post(PATH, { name, subject: `About ${name}`, body: 'x' })
    expect(await names('?q=BETA_')).toEqual(['beta_1'])
    expect(await names('?q=about%20gam')).toEqual(['gamma'])
    expect(await names('?q=%25')).toEqual([])
    const first = await key.get(`${PATH}?sort=name&limit=4`)
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual([
      'alpha',
      'beta_1',
      'follow_up',
      'gamma',
    ])
    expect(await names(`?sort=name&limit=4&cursor=${first.body.next_cursor}`)).toEqual(['intro', 'recap'])
  })

  test('of one team is nothing to another', async () => {
    const { id } = (await key.post(PATH, { name: 'Mine', body: 'x' })).body
    const other = await app.person()
    expect((await other.browser.get(`${PATH}/${id}`)).status).toBe(404)
    expect(await findTemplates(other.ctx, ['Mine'])).toEqual([])
    expect((await other.browser.post(PATH, { name: 'Mine', body: 'y' })).status).toBe(201)
  })
})

describe('a preview', () => {
  test('shows a lead its mail, and what it lacks', async () => {
    const lead = (await key.post('/api/crm/leads', { first_name: '<b>Ada', email: 'ada@example.test' })).body
    const { status, body } = await ada.browser.post(`${PATH}/preview`, {
      subject: '{{company}} & {{firstName}}',
      body: 'Hi {{firstName}},\n\n{{icebreaker}}\n\n[Book]({{meetingLink}})\n\n{{senderName}}',
      lead_id: lead.id,
      icebreaker: 'Nice hat.',
    })
    expect(status).toBe(200)
    expect(body.subject).toBe('& <b>Ada')
    expect(body.html).toContain('<p>Hi &lt;b&gt;Ada,</p>')
    expect(body.text).toMatch(/^Hi <b>Ada,\n\nNice hat\.\n\nBook \(http\S+\/book\/\S+\)\n\nRapport\n/)
    expect(body.missing).toEqual(['company'])
    const other = await app.person()
    const foreign = await other.browser.post(`${PATH}/preview`, { body: 'x', lead_id: lead.id })
    expect(foreign.status).toBe(404)
    expect((await key.get(PATH)).body.data).toHaveLength(3)
  })

  test('is only the text where somebody goes on writing with it, and no value becomes a placeholder', async () => {
    const lead = (await key.post('/api/crm/leads', { first_name: '{{{senderEmail}}', last_name: 'Byron' }))
      .body
    const { body } = await ada.browser.post(`${PATH}/preview`, {
      subject: 'For {{lastName}}',
      body: 'Hi {{firstName}},\n\nsee **this**.\n\n{{unsubscribeLink}}',
      lead_id: lead.id,
      bare: true,
    })
    expect(body).toMatchObject({ subject: 'For Byron', missing: ['unsubscribeLink'] })
    expect(body.text).toBe('Hi { { {senderEmail}},\n\nsee this.')
  })

  test('shows somebody made up where no lead is named', async () => {
    const { body } = await key.post(`${PATH}/preview`, {
      body: '<p>{{fullName}}</p><script>x</script>',
      format: 'html',
    })
    expect(body).toMatchObject({ subject: '', missing: [] })
    expect(body.text).toMatch(/^Ada Lovelace\n\nUnsubscribe: /)
    expect(body.html).not.toContain('script')
  })

  test('every placeholder that is listed can be used', async () => {
    await ada.browser.patch('/api/crm/leads/settings', {
      custom_fields: [{ key: 'size', label: 'Size', kind: 'choice', options: ['S', 'L'] }],
    })
    const { data } = (await key.get('/api/outreach/placeholders')).body
    expect(data).toContainEqual({ name: 'custom.size', label: 'Size', sample: 'S' })
    expect(data).toContainEqual({ name: 'firstName', label: 'First name', sample: 'Ada' })
    const body = data.map(({ name }: { name: string }) => `{{${name}}}`).join('\n')
    const seen = await key.post(`${PATH}/preview`, { body })
    expect(seen).toMatchObject({ status: 200, body: { missing: [] } })
  })
})
