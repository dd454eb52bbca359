import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { path, setStage, startWorkshop, task, type Workshop } from './workflows.harness.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await startWorkshop()
})
afterAll(() => shop.close())

describe('a definition', () => {
  test('with faults is a 422 that tells the path of each, and nothing is kept', async () => {
    const before = (await shop.api.get(path)).body.data.length
    const reply = await shop.api.post(path, {
      name: 'Wrong',
      trigger: 'lead.eaten',
      nodes: [
        task,
        task,
        { type: 'condition', field: 'x', op: 'exists', else: [{ type: 'action', action: 'fly' }] },
      ],
    })
    expect(reply.status).toBe(422)
    expect(reply.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'trigger',
      'nodes[2].else[0].action',
    ])
    expect((await shop.api.get(path)).body.data).toHaveLength(before)
  })

  test('names actions by their labels too, as the interface writes them', async () => {
    const labels = {
      'Send Email': 'send_email',
      'Send SMS': 'send_sms',
      'Create Task': 'create_task',
      'Update Record Field': 'update_field',
      'Assign to Rep': 'assign_to_rep',
      'Push Notification': 'push_notification',
      'Create Project': 'create_project',
      'Generate Invoice': 'generate_invoice',
      'Call Webhook': 'call_webhook',
      ' schedule call ': 'schedule_call',
    }
    const fields: Record<string, object> = {
      send_email: { template: 'recap' },
      send_sms: { message: 'Hi' },
      update_field: { field: 'title', value: 'Create Task' },
      assign_to_rep: { member: shop.ada.user_id },
      generate_invoice: { amount: '5', currency: 'EUR' },
      call_webhook: { url: 'https://receiver.example.test/' },
    }
    const nodesBy = (name: (label: string, action: string) => string) =>
      Object.entries(labels).map(([label, action]) => ({
        type: 'action',
        action: name(label, action),
        ...fields[action],
      }))
    const around = (list: object[]) => [
      { type: 'condition', field: 'x', op: 'exists', then: list, else: list.slice(0, 1) },
      { type: 'split', paths: [{ name: 'A', nodes: list }] },
      { type: 'loop', times: 1, nodes: [{ ...list[1], catch: list.slice(2, 3) }] },
    ]
    const [written, kept] = [around(nodesBy(label => label)), around(nodesBy((_, action) => action))]
    const made = await shop.workflow(written)
    expect(made.nodes).toEqual(kept)
    const draft = { name: 'X', trigger: 'Call Ended', filters: [], once_per_lead: false, nodes: written }
    const saved = await shop.api.put(`${path}/${made.id}/draft`, draft)
    expect([saved.body.problems, saved.body.draft]).toEqual([
      [],
      { ...draft, trigger: 'call.ended', nodes: kept },
    ])
    const unknown = { ...task, action: 'Send Pigeon' }
    expect(
      (await shop.api.post(path, { name: 'X', trigger: 'lead.created', nodes: [unknown] })).body.errors,
    ).toEqual([{ path: 'nodes[0].action', message: expect.stringMatching(/^must be one of/) }])
    await shop.remove(made.id)
  })

  test('that sets a field nobody has is refused, and one whose field has gone can still be paused', async () => {
    const set = { type: 'action', action: 'update_field', field: 'custom.plan', value: 'x' }
    const wrong = await shop.api.post(path, { name: 'X', trigger: 'lead.created', nodes: [set] })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [{ path: 'nodes[0].field', message: 'must be a field of this team; there is no custom.plan' }],
    ])
    const settings = '/api/crm/leads/settings'
    const custom_fields = [{ key: 'plan', label: 'Plan', kind: 'text' }]
    expect((await shop.ada.browser.patch(settings, { custom_fields })).status).toBe(200)
    const { id } = await shop.workflow([set], { trigger: 'lead.created' })
    await shop.ada.browser.patch(settings, { custom_fields: [] })
    expect((await shop.api.get(`${path}/${id}`)).body.problems).toMatchObject([{ path: 'nodes[0].field' }])
    expect((await shop.api.patch(`${path}/${id}`, { status: 'PAUSED' })).status).toBe(200)
    expect((await shop.api.patch(`${path}/${id}`, { status: 'ACTIVE' })).status).toBe(422)
    await shop.remove(id)
  })

  test.for([
    'http://receiver.example.test/',
    'https://ada:secret@receiver.example.test/',
    'https://ada@receiver.example.test',
  ])('calls only https addresses, without a password: %s is refused', async url => {
    const call = (url: string) => ({ type: 'action', action: 'call_webhook', url })
    const wrong = { name: 'X', trigger: 'lead.created', nodes: [call(url)] }
    const { id } = await shop.workflow([call('https://receiver.example.test/')])
    await shop.api.put(`${path}/${id}/draft`, { ...wrong, filters: [], once_per_lead: false })
    for (const reply of [
      await shop.api.post(path, wrong),
      await shop.api.patch(`${path}/${id}`, { nodes: wrong.nodes }),
      await shop.api.post(`${path}/${id}/publish`),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([422, 'https_required'])
      expect(reply.body.errors).toMatchObject([{ path: 'nodes[0].url' }])
    }
    await shop.remove(id)
  })

  test('whose calls and messages would go out wrong is not published, and says where', async () => {
    const bob = (await shop.app.person()).browser
    expect((await bob.patch('/api/meetings/availability', { active: false })).status).toBe(200)
    const act = (action: string, more: object) => ({ type: 'action', action, ...more })
    const template = async (name: string, more: object) =>
      expect((await bob.post('/api/outreach/templates', { name, ...more })).status).toBe(201)
    await template('bare', { subject: ' ', body: 'Hi' })
    await template('linked', { subject: 'Hi', body: 'Book: {{meetingLink}}' })
    await template('hollow', { subject: 'Hi', body: '[Book a time]()' })
    await template('good', { subject: 'Hi', body: '{{meetingLink | default: "Just answer"}}' })
    const nodes = [
      act('schedule_call', { agent: 'Nobody' }),
      {
        type: 'condition',
        field: 'x',
        op: 'exists',
        else: [act('send_email', { template: 'follow_up' }), act('send_email', { template: 'bare' })],
      },
      act('send_email', { template: 'linked' }),
      act('send_sms', { template: 'linked' }),
      act('send_sms', { message: 'Pick a time: {{meetingLink}}' }),
      act('send_sms', { message: ' \n' }),
      act('send_email', { template: 'hollow' }),
      act('send_email', { template: 'good' }),
      act('send_sms', { template: 'bare' }),
      act('schedule_call', {}),
      act('send_email', { template: 'not_there_yet' }),
    ]
    const places = [
      'nodes[0].agent',
      'nodes[1].else[0].template',
      'nodes[1].else[1].template',
      'nodes[2].template',
      'nodes[3].template',
      'nodes[4].message',
      'nodes[5].message',
      'nodes[6].template',
    ]
    const pathsOf = (list: { path: string }[]) => list.map(({ path }) => path)
    const wanted = { name: 'X', trigger: 'lead.created', nodes }
    const draft = (await bob.post(path, { ...wanted, status: 'DRAFT' })).body
    expect(pathsOf(draft.problems)).toEqual(places)
    expect(pathsOf(draft.warnings)).toEqual(['nodes[10].template'])
    for (const reply of [
      await bob.post(`${path}/${draft.id}/publish`),
      await bob.patch(`${path}/${draft.id}`, { status: 'ACTIVE' }),
    ])
      expect([reply.status, pathsOf(reply.body.errors)]).toEqual([422, places])
    // Whoever sends a definition may make the rest later, and is warned.
    const sent = await bob.post(path, wanted)
    expect([sent.status, sent.body.problems, pathsOf(sent.body.warnings)]).toEqual([
      201,
      [],
      ['nodes[10].template', ...places],
    ])

    await bob.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/bob' })
    const agent = { name: 'Sam', kind: 'voice', instructions: 'Be kind.' }
    expect((await bob.post('/api/voice/agents', agent)).status).toBe(201)
    expect((await bob.get(`${path}/catalog`)).body.agents).toEqual(['Sam'])
    const good = nodes.flatMap(node => ('agent' in node ? { ...node, agent: ' sam' } : node))
    await bob.put(`${path}/${draft.id}/draft`, {
      ...wanted,
      filters: [],
      once_per_lead: false,
      nodes: [good[0], good[2], good[3], good[4], good[7], good[8], good[10]],
    })
    const published = await bob.post(`${path}/${draft.id}/publish`)
    expect([published.status, published.body.problems]).toEqual([200, []])
  })

  test('that is in the trash tells no address anything any more', async () => {
    const { id } = await shop.workflow([
      { type: 'action', action: 'call_webhook', url: 'https://one.example.test/' },
      { type: 'action', action: 'call_webhook', url: 'https://two.example.test/' },
    ])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    await eventually(async () => expect(await shop.runsOf(id)).toMatchObject([{ status: 'DONE' }]))
    const states = () =>
      shop.app.database.query('select status from webhook_endpoints where owner_id = $1', [id])
    expect(await states()).toEqual([{ status: 'ACTIVE' }, { status: 'ACTIVE' }])
    await shop.remove(id)
    expect(await states()).toEqual([{ status: 'REMOVED' }, { status: 'REMOVED' }])
  })

  test('names people and templates that are not there: 201, with warnings', async () => {
    const { id, warnings } = await shop.workflow([
      { type: 'action', action: 'send_email', template: 'gone' },
      { type: 'action', action: 'assign_to_rep', member: 'a'.repeat(24) },
      setStage('Nowhere'),
    ])
    expect(warnings.map(({ path }) => path)).toEqual([
      'nodes[0].template',
      'nodes[1].member',
      'nodes[2].value',
    ])
    await shop.remove(id)
  })

  test('is drafted, kept with its faults, and published once it has none', async () => {
    const { id } = await shop.workflow([task], { name: 'Drafted' })
    const base = { name: 'Drafted', trigger: 'webhook:call_ended', filters: [], once_per_lead: false }
    const wrong = await shop.api.put(`${path}/${id}/draft`, {
      ...base,
      nodes: [{ type: 'action', action: 'send_email' }],
    })
    expect(wrong.body).toMatchObject({
      version: 1,
      has_draft: true,
      problems: [{ path: 'nodes[0].template', message: 'is missing' }],
    })
    const refused = await shop.api.post(`${path}/${id}/publish`)
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'nodes[0].template'])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    expect((await shop.runOf(id)).status).toBe('DONE')
    await shop.api.put(`${path}/${id}/draft`, { ...base, name: 'Renamed', nodes: [task, task] })
    const published = await shop.api.post(`${path}/${id}/publish`)
    expect(published.body).toMatchObject({
      name: 'Renamed',
      version: 2,
      has_draft: false,
      draft: null,
      problems: [],
    })
    const { data } = (await shop.api.get(`${path}/${id}/versions`)).body
    expect(data.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    const changes = (await shop.api.get(`${path}/${id}/versions/2/changes`)).body
    expect(changes).toMatchObject({ since: 1, changes: [{ kind: 'added', path: 'nodes[1]' }] })
    await shop.api.put(`${path}/${id}/draft`, { ...base, nodes: [] })
    expect((await shop.api.delete(`${path}/${id}/draft`)).body).toMatchObject({
      has_draft: false,
      nodes: [task, task],
    })
    await shop.remove(id)
  })

  test('saved twice from the same page is refused the second time', async () => {
    const { id, updated_at } = await shop.workflow([task])
    const draft = { name: 'X', trigger: 'lead.created', filters: [], once_per_lead: false, nodes: [] }
    const headers = { 'if-match': `"${Date.parse(updated_at).toString(36)}"` }
    expect((await shop.api.put(`${path}/${id}/draft`, draft, headers)).status).toBe(200)
    expect((await shop.api.put(`${path}/${id}/draft`, draft, headers)).status).toBe(412)
    await shop.remove(id)
  })

  test('comes back from the trash paused', async () => {
    const { id } = await shop.workflow([task])
    await shop.remove(id)
    expect((await shop.api.post(`${path}/${id}/restore`)).body.status).toBe('PAUSED')
    await shop.remove(id)
  })

  test('the catalogue has a schema for every action and every kind of logic, and the starters are right', async () => {
    const { body } = await shop.api.get(`${path}/catalog`)
    expect(body.actions).toHaveLength(13)
    expect(body.logic).toHaveLength(6)
    for (const trigger of [
      'lead.created',
      'deal.stage_changed',
      'form.submitted',
      'task.overdue',
      'email.opened',
      'call.ended',
      'meeting.booked',
      'webhook:call_ended',
    ])
      expect(body.triggers.some(({ name }: { name: string }) => name === trigger)).toBe(true)
    for (const { name, definition } of body.starters) {
      const made = await shop.api.post(path, { name, ...definition, status: 'PAUSED' })
      expect([made.status, made.body.problems]).toEqual([201, []])
      await shop.remove(made.body.id)
    }
  })
})
