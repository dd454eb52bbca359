import { describe, expect, onTestFinished, test } from 'vitest'
import { MailRefused } from '#platform/ports/mail.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { pauseAll, resumeAll } from '#domains/messages/settings.ts'
import { suppress } from '#domains/suppressions/service.ts'
import { type Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { actions } from './nodes/actions.ts'
import {
  act,
  actAll,
  acted,
  ada,
  anotherWorkflow,
  api,
  app,
  clock,
  counting,
  eventsOf,
  HOUR_MS,
  lead,
  onStage,
  read,
  requestFor,
  some,
  workflow,
} from './actions.harness.ts'

onStage()

describe('send_email', () => {
  const node = { action: 'send_email', template: 'intro' } as const

  test('sends the template to the lead, as the workflow', async () => {
    const grace = await lead({ first_name: 'Grace' })
    const { result, input } = await acted(node, { lead: grace })
    const mail = await eventually(() => {
      expect(app.mail.lastTo(grace.email!)).toBeDefined()
      return app.mail.lastTo(grace.email!)!
    })
    expect(mail.text).toContain('Grace')
    expect(input).toEqual({ template: 'intro', to: grace.email, subject: mail.subject })
    expect(mail.unsubscribe_url).toContain('/u/')
    const message = await eventually(async () => {
      const message = await read(`/api/outreach/messages/${result.message_id}`)
      expect(message.status).toBe('SENT')
      return message
    })
    expect(message).toMatchObject({
      lead_id: grace.id,
      source_kind: 'workflow',
      source_id: workflow.id,
      source_name: workflow.name,
    })
    expect(await eventsOf(result.message_id!)).toEqual([
      { type: 'email.sent', actor_kind: 'workflow', actor_id: workflow.id },
    ])
  })

  test('fails where there is no lead, no address or no such template, and says so', async () => {
    expect(await act(node)).toMatchObject({ ok: false, reason: 'This run has no lead.' })
    expect(await act(node, { lead: await lead({ email: null }) })).toMatchObject({
      ok: false,
      reason: 'The lead has no email address.',
    })
    expect(await act({ ...node, template: 'nowhere' }, { lead: await lead() })).toMatchObject({
      ok: false,
      reason: 'There is no template called nowhere.',
    })
  })

  test('is left out for whoever wants no mail, however the address is spelt', async () => {
    const grace = await lead({ email: 'Grace.Hopper@Leads.example.test' })
    const address = 'grace.hopper@leads.example.test'
    await suppress(ada.ctx, { channel: 'email', address, reason: 'manual', source: 'test' })
    const answer = await act(node, { lead: grace })
    expect(answer).toMatchObject({
      ok: true,
      skipped: true,
      note: expect.stringContaining('suppression list'),
    })
    expect(app.mail.lastTo(grace.email!)).toBeUndefined()
  })

  test('one in a batch that cannot be sent holds up none of the others', async () => {
    const [first, second] = [await lead(), await lead()]
    const answers = await actAll(node, [{ lead: first }, { lead: null }, { lead: second }])
    expect(answers.map(answer => 'ok' in answer && answer.ok)).toEqual([true, false, true])
    await eventually(() => {
      for (const { email } of [first, second])
        expect(app.mail.sent.filter(({ to }) => to === email)).toHaveLength(1)
    })
  })

  test('waits while all outreach is paused', async () => {
    await pauseAll(ada.ctx)
    try {
      expect(await act(node, { lead: await lead() })).toMatchObject({
        later: 15 * 60_000,
        reason: 'Outreach is paused for the whole team.',
      })
    } finally {
      await resumeAll(ada.ctx)
    }
  })

  test('that is paused after it was written does not leave the house', async () => {
    const grace = await lead()
    try {
      const [answer] = await ada.ctx.transaction(async ctx => {
        const done = await actions.send_email(ctx, [requestFor(ctx, node, { lead: grace })])
        await pauseAll(ctx)
        return done
      })
      const { message_id } = (answer as { result: Record<string, string> }).result
      await eventually(async () =>
        expect(await read(`/api/outreach/messages/${message_id}`)).toMatchObject({
          status: 'CANCELLED',
          reason: 'Outreach is paused for the whole team.',
        }),
      )
      expect(app.mail.lastTo(grace.email!)).toBeUndefined()
    } finally {
      await resumeAll(ada.ctx)
    }
  })

  test('that failed is sent again when somebody says so', async () => {
    const grace = await lead()
    app.mail.faults.push(new MailRefused('Not today', { address: false }))
    const { result } = await acted(node, { lead: grace })
    const path = `/api/outreach/messages/${result.message_id}`
    await eventually(async () => expect(await read(path)).toMatchObject({ status: 'FAILED' }))
    await api.post(`${path}/retry`)
    await eventually(() => expect(app.mail.lastTo(grace.email!)).toBeDefined())
  })

  test('costs a batch of fifty as few statements as one', async () => {
    const fifty = await some(50)
    const { counted, ctx } = counting(ada)
    await act(node, { lead: fifty[0]! }, ctx)
    const one = { ...counted }
    await actAll(
      node,
      fifty.map(lead => ({ lead })),
      ctx,
    )
    const many = counted.statements - one.statements
    expect(many).toBeLessThanOrEqual(one.statements + 2)
    expect(counted.trips - one.trips).toBeLessThanOrEqual(one.trips)
    await eventually(() => expect(app.mail.sent.filter(({ to }) => to === fifty[49]!.email)).toHaveLength(1))
  })
})

describe('send_sms', () => {
  const node = { action: 'send_sms', message: 'Hi {{firstName}}, that took {{event.durationSec}} s' } as const

  test('sends its message with the values of the lead and of the event', async () => {
    const grace = await lead({ first_name: 'Grace' })
    const { result, input } = await acted(node, { lead: grace, event: { durationSec: 200 } })
    expect(input).toEqual({ message: 'Hi Grace, that took 200 s', to: grace.phone })
    await eventually(() => expect(app.ports.sms.lastTo(grace.phone!)?.text).toBe('Hi Grace, that took 200 s'))
    expect(await read(`/api/outreach/messages/${result.message_id}`)).toMatchObject({
      channel: 'sms',
      source_kind: 'workflow',
      source_id: workflow.id,
    })
  })

  test('with a meeting link leads to a booking page, and without any it fails rather than leave a gap', async () => {
    const grace = await lead()
    const meet = { action: 'send_sms', message: 'Pick a time: {{meetingLink}}' } as const
    const { input } = await acted(meet, { lead: grace })
    expect(input.message).toMatch(/^Pick a time: http\S+\/book\/\S+\?for=\S+$/)
    await api.post('/api/outreach/templates', { name: 'meet', subject: 'Hi', body: 'Meet: {{meetingLink}}' })
    await ada.browser.patch('/api/meetings/availability', { active: false })
    try {
      const reason = expect.stringContaining('There is no meeting link')
      expect(await act(meet, { lead: grace })).toMatchObject({ ok: false, reason })
      expect(await act({ action: 'send_sms', template: 'meet' }, { lead: grace })).toMatchObject({ reason })
      expect(await act({ action: 'send_email', template: 'meet' }, { lead: grace })).toMatchObject({ reason })
    } finally {
      await ada.browser.patch('/api/meetings/availability', { active: true })
    }
  })

  test('sends the text of a template', async () => {
    await api.post('/api/outreach/templates', { name: 'ping', body: 'Are you **there**, {{firstName}}?' })
    const grace = await lead({ first_name: 'Grace' })
    const { input } = await acted({ action: 'send_sms', template: 'ping' }, { lead: grace })
    expect(input.message).toBe('Are you there, Grace?')
    expect(await act({ action: 'send_sms', template: 'nowhere' }, { lead: grace })).toMatchObject({
      ok: false,
      reason: 'There is no template called nowhere.',
    })
  })

  test('waits for the end of the quiet hours where the lead is', async () => {
    const there = await lead({ timezone: 'America/Los_Angeles' })
    expect(await act(node, { lead: there })).toMatchObject({
      later: 6 * HOUR_MS,
      reason: 'Quiet hours in America/Los_Angeles.',
    })
    clock.advance(6 * HOUR_MS)
    await acted(node, { lead: there })
    // In London it is afternoon then.
    await acted(node, { lead: await lead({ timezone: 'Europe/London' }) })
  })

  test('is left out, put off or refused for a reason', async () => {
    const grace = await lead()
    expect(await act(node, { lead: await lead({ phone: null }) })).toMatchObject({
      ok: false,
      reason: 'The lead has no phone number.',
    })
    expect(await act({ ...node, message: '{{event.nothing}}' }, { lead: grace })).toMatchObject({ ok: false })
    expect(await act({ ...node, message: 'x'.repeat(1_601) }, { lead: grace })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('the limit is 1600'),
    })
    await acted({ ...node, message: 'x'.repeat(1_600) }, { lead: grace })
    await suppress(ada.ctx, { channel: 'phone', address: grace.phone!, reason: 'stop', source: 'test' })
    expect(await act(node, { lead: grace })).toMatchObject({ ok: true, skipped: true })
    await pauseAll(ada.ctx)
    try {
      expect(await act(node, { lead: await lead() })).toMatchObject({ later: 15 * 60_000 })
    } finally {
      await resumeAll(ada.ctx)
    }
  })
})

describe('push_notification', () => {
  const node = { action: 'push_notification' } as const

  async function told(ids: unknown) {
    return app.database.query<Record<string, string>>(
      'select user_id, title, text, link, source_kind, source_id from notifications where id = any ($1) order by user_id',
      [ids],
    )
  }

  test('reaches the owner of the lead, with the name of the workflow and the way to the lead', async () => {
    const bea = await colleagueOf(app, ada, 'MEMBER')
    // Whoever can be met gives a meeting link to the others.
    onTestFinished(async () => void (await ada.browser.delete(`/api/team/members/${bea.user_id}`)))
    const grace = await lead({ first_name: 'Grace', owner_id: bea.user_id })
    const { result } = await acted({ ...node, message: '{{firstName}} waits' }, { lead: grace })
    expect(await told(result.notification_ids)).toEqual([
      {
        user_id: bea.user_id,
        title: workflow.name,
        text: 'Grace waits',
        link: `/leads/${grace.id}`,
        source_kind: 'workflow',
        source_id: workflow.id,
      },
    ])
  })

  test('reaches the admins where nobody owns the lead, everybody, or one person of the team', async () => {
    const bob = await app.person()
    const [admin, member] = [await colleagueOf(app, bob, 'ADMIN'), await colleagueOf(app, bob, 'MEMBER')]
    const of = await anotherWorkflow(bob)
    const heard = async (to?: string, lead: Lead | null = null) => {
      const { result } = await acted({ ...node, ...(to && { to }), title: 'Look' }, { of, lead }, bob.ctx)
      return (await told(result.notification_ids)).map(({ user_id }) => user_id)
    }
    const sorted = (...people: Person[]) => people.map(({ user_id }) => user_id).toSorted()
    expect(await heard()).toEqual(sorted(bob, admin))
    const unowned = (await bob.browser.post('/api/crm/leads', { first_name: 'Grace' })).body
    expect(await heard('owner', { ...unowned, owner_id: ada.user_id })).toEqual(sorted(bob, admin))
    expect(await heard('admins')).toEqual(sorted(bob, admin))
    expect(await heard('everybody')).toEqual(sorted(bob, admin, member))
    expect(await heard(member.user_id)).toEqual(sorted(member))
    expect(await act({ ...node, to: ada.user_id }, { of }, bob.ctx)).toMatchObject({
      ok: false,
      reason: 'The recipient is no longer a member of this team.',
    })
  })
})

describe('call_webhook', () => {
  const node = { action: 'call_webhook', url: 'https://hooks.example.invalid/a' } as const
  const endpoints = async () =>
    (await read('/api/webhooks/endpoints?limit=200')).data.filter(
      (endpoint: { owner: { kind: string } }) => endpoint.owner.kind === 'workflow',
    )

  test('tells another system of the lead and the event, from an address of the workflow', async () => {
    const of = await anotherWorkflow(ada, 'Tell them')
    const grace = await lead({ first_name: 'Grace' })
    const { result } = await acted(node, { lead: grace, event: { durationSec: 200 }, of, path: 'nodes[2]' })
    const delivery = await read(`/api/webhooks/deliveries/${result.delivery_id}`)
    expect(delivery.type).toBe('workflow.webhook')
    expect(JSON.parse(delivery.body).data).toMatchObject({
      workflow: { id: of.id, name: of.name },
      node: 'nodes[2]',
      lead: { id: grace.id, first_name: 'Grace' },
      event: { durationSec: 200 },
    })
    const endpoint = await read(`/api/webhooks/endpoints/${delivery.endpoint_id}`)
    expect(endpoint).toMatchObject({
      name: 'Tell them',
      url: node.url,
      owner: { kind: 'workflow', id: of.id },
    })
  })

  test('each address of a workflow is one endpoint, told of once, and the same doing is one delivery', async () => {
    const of = await anotherWorkflow()
    const before = (await endpoints()).length
    const first = await acted(node, { of, key: 'same' })
    const again = await acted(node, { of, key: 'same' })
    expect(again.result).toEqual(first.result)
    await acted(node, { of, key: 'other' })
    await acted({ ...node, url: 'https://hooks.example.invalid/b' }, { of, key: 'same' })
    const mine = (await endpoints()).filter(({ owner }: { owner: { id: string } }) => owner.id === of.id)
    expect(mine).toHaveLength(2)
    expect((await endpoints()).length).toBe(before + 2)
    for (const { id } of mine)
      expect((await eventsOf(id)).filter(({ type }) => type.includes('changed'))).toHaveLength(1)
  })

  test('many runs that call an address for the first time at the same moment make one endpoint', async () => {
    const of = await anotherWorkflow()
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(node, { of })))
    expect(answers.every(answer => 'ok' in answer && answer.ok)).toBe(true)
    const mine = (await endpoints()).filter(({ owner }: { owner: { id: string } }) => owner.id === of.id)
    expect(mine).toHaveLength(1)
    expect(await eventsOf(mine[0].id)).toHaveLength(1)
  })

  test('nothing but https is called, and no address with a password in it', async () => {
    for (const url of ['http://a.example/', 'https://me:secret@a.example/', 'https://'])
      expect(await act({ ...node, url })).toMatchObject({ ok: false, reason: expect.stringContaining('url') })
  })
})
