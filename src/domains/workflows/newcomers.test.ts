import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { openInbox, type Inbox } from '#domains/conversations/conversations.harness.ts'
import { takeMessage } from '#domains/conversations/receive.ts'
import { takeChat } from '#domains/conversations/chatting.ts'

const clock = new FakeClock('2026-03-02T09:00:00Z')
const path = '/api/crm/workflows'
let inbox: Inbox

beforeAll(async () => {
  inbox = await openInbox(clock)
})
afterAll(() => inbox.close())
beforeEach(async () => {
  const { body } = await api().get(`${path}?status=ACTIVE`)
  for (const { id } of body.data) await api().patch(`${path}/${id}`, { status: 'PAUSED' })
})

const api = () => inbox.ada.browser
const create = { type: 'action', action: 'create_lead' }

async function on(nodes: object[], more: object = {}) {
  const reply = await api().post(path, {
    name: 'Newcomers',
    trigger: 'conversation.received',
    nodes,
    ...more,
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id as string
}

/** The runs of a workflow in full, the oldest first. */
async function runsOf(id: string) {
  const { body } = await api().get(`${path}/${id}/runs`)
  const whole = body.data.map(async (run: { id: string }) => (await api().get(`${path}/runs/${run.id}`)).body)
  return (await Promise.all(whole)).toReversed()
}

/** Two that began in the same moment may stand in either order. */
async function runsWithAndWithoutLead(id: string) {
  const runs = await runsOf(id)
  return { some: runs.find(run => run.lead_id), none: runs.find(run => !run.lead_id) }
}

const leadsWith = async (address: string) =>
  (await api().get('/api/crm/leads?limit=200')).body.data.filter(
    ({ email, phone }: { email: string; phone: string }) => email === address || phone === address,
  )
const writes = (address: string, text = 'Hello', name: string | null = null) =>
  takeMessage(inbox.ada.ctx, {
    channel: address.includes('@') ? 'email' : 'sms',
    address,
    name,
    subject: 'Prices',
    text,
    automatic: false,
    answer_id: `<${address} ${text}>`,
  })

describe('create_lead', () => {
  test('makes a lead of who wrote, links the conversation, and what follows is about the lead', async () => {
    const id = await on([
      { ...create, company: 'From {{event.address}}' },
      { type: 'action', action: 'update_field', field: 'pipeline_stage', value: 'Qualified' },
      { type: 'action', action: 'reply', message: 'Welcome, {{firstName}}' },
    ])
    await writes('Dana@Newcomers.example', 'Do you ship?', 'Dana Okafor Smith')
    await inbox.settled()
    const [lead] = await leadsWith('dana@newcomers.example')
    expect(lead).toMatchObject({
      first_name: 'Dana',
      last_name: 'Okafor Smith',
      email: 'dana@newcomers.example',
      company: 'From dana@newcomers.example',
      source: 'Conversation',
      pipeline_stage: 'Qualified',
    })
    const conversation = await inbox.of(lead.id)
    const thread = await inbox.thread(conversation.id)
    expect(thread.map(({ text }) => text)).toEqual(['Welcome, Dana', 'Do you ship?'])
    const [run] = await runsOf(id)
    expect(run).toMatchObject({ status: 'DONE', lead_id: lead.id })
    expect(run.trace[0]).toMatchObject({
      note: 'Lead Dana Okafor Smith created.',
      result: { lead_id: lead.id, conversation_id: conversation.id },
    })
  })

  test('waits as any other step: a lead that came meanwhile is linked, and not made twice', async () => {
    const id = await on([{ ...create, delay: '1h' }])
    await writes('late@newcomers.example')
    await inbox.settled()
    const lead = await inbox.lead({ email: 'late@newcomers.example', first_name: 'Lou', last_name: 'Late' })
    await inbox.pass(3_600_000)
    expect(await leadsWith('late@newcomers.example')).toHaveLength(1)
    expect(await inbox.of(lead.id)).toMatchObject({ last_text: 'Hello' })
    const [run] = await runsOf(id)
    expect(run).toMatchObject({ status: 'DONE', lead_id: lead.id })
    expect(run.trace.at(-1).note).toBe('Linked to the lead Lou Late, who has this address.')
  })

  test('of two messages at once, and of two workflows, there is one lead and one conversation', async () => {
    const ids = [await on([create]), await on([create])]
    const texts = ['One', 'Two', 'Three']
    await Promise.all(texts.map(text => writes('both@newcomers.example', text)))
    await inbox.settled()
    const leads = await leadsWith('both@newcomers.example')
    expect(leads).toHaveLength(1)
    const thread = await inbox.thread((await inbox.of(leads[0].id)).id)
    expect(thread.map(({ text }) => text).toSorted()).toEqual(['One', 'Three', 'Two'])
    for (const id of ids)
      for (const run of await runsOf(id)) expect(run).toMatchObject({ status: 'DONE', lead_id: leads[0].id })
  })

  test('is skipped where there is a lead, and fails where there is no address to know them by', async () => {
    const id = await on([create])
    const lead = await inbox.lead()
    await writes(lead.email)
    await takeChat(
      inbox.ada.ctx,
      { address: 'chat:0123456789abcdef01234567', lead_id: null, name: 'Vic' },
      { text: 'Hi', key: 'first-key', file_ids: [] },
    )
    await inbox.settled()
    const { some, none } = await runsWithAndWithoutLead(id)
    expect(some.trace[0]).toMatchObject({ outcome: 'skipped', note: 'This run has a lead already.' })
    expect(none).toMatchObject({
      status: 'FAILED',
      error: 'There is no email address or phone number to create a lead with.',
    })
  })

  test('fills in what its texts say, and says what of it cannot be', async () => {
    const id = await on([
      { ...create, first_name: '{{event.subject}}', email: '{{event.text}}', on_error: 'continue' },
    ])
    await writes('one@texts.example', 'another@texts.example', 'Somebody Else')
    await writes('two@texts.example', 'not an address')
    await inbox.settled()
    const [lead] = await leadsWith('another@texts.example')
    expect(lead).toMatchObject({ first_name: 'Prices', last_name: null, phone: null })
    expect(await leadsWith('one@texts.example')).toEqual([])
    expect((await inbox.of(lead.id)).participants).toMatchObject([{ address: 'one@texts.example' }])
    const { none } = await runsWithAndWithoutLead(id)
    expect(none.trace[0].note).toMatch(/^email: must be an email address/)
  })

  test('a workflow that runs once per lead has run for the lead that it has made', async () => {
    const id = await on([create], { once_per_lead: true })
    await writes('once@newcomers.example', 'One')
    await inbox.settled()
    await writes('once@newcomers.example', 'Two')
    await inbox.settled()
    const [first, ...more] = await runsOf(id)
    expect(more).toEqual([])
    // Those who have been through it as a lead are linked, and the second run ends as well.
    await writes('twice@newcomers.example', 'One')
    await writes('twice@newcomers.example', 'Two')
    await inbox.settled()
    const others = (await runsOf(id)).filter(run => run.id !== first.id)
    expect(others.map(({ status }) => status)).toEqual(['DONE', 'DONE'])
    expect(new Set(others.map(({ lead_id }) => lead_id)).size).toBe(1)
  })

  test('a trial says what it would create, and creates nothing', async () => {
    const id = await on([create])
    const event = { channel: 'email', address: 'Try@newcomers.example', name: 'Tess Try' }
    const { body } = await api().post(`${path}/${id}/test`, { event })
    expect(body.trace[0]).toMatchObject({
      note: 'Would create the lead Tess Try.',
      input: { first_name: 'Tess', last_name: 'Try', email: 'try@newcomers.example' },
    })
    expect(await leadsWith('try@newcomers.example')).toEqual([])
  })
})

describe('new senders become leads', () => {
  const setting = (creates_leads: boolean) => api().patch('/api/conversations/settings', { creates_leads })

  test('never by default, and always once it is set: by email and by text message', async () => {
    await writes('never@senders.example')
    expect(await leadsWith('never@senders.example')).toEqual([])
    expect((await setting(true)).body).toMatchObject({ creates_leads: true })
    await writes('always@senders.example', 'Hello', 'Al Ways')
    await writes('+493055512345')
    const [byEmail] = await leadsWith('always@senders.example')
    expect(byEmail).toMatchObject({ first_name: 'Al', last_name: 'Ways', source: 'Conversation' })
    expect(await inbox.of(byEmail.id)).toMatchObject({ last_text: 'Hello', state: 'OPEN' })
    expect(await leadsWith('+493055512345')).toHaveLength(1)
    // Somebody of whom there is a conversation already is a new sender no more than once.
    await writes('never@senders.example', 'Me again')
    const [stray] = await leadsWith('never@senders.example')
    expect((await inbox.thread((await inbox.of(stray.id)).id)).map(({ text }) => text)).toEqual([
      'Me again',
      'Hello',
    ])
    await setting(false)
  })

  test('a sender that cannot be a lead is kept as a stranger, and nothing is lost', async () => {
    await setting(true)
    expect(await writes('PROVIDER', 'Your code')).toBe(true)
    const { body } = await api().get('/api/conversations?channel=sms')
    const [stray] = body.data.filter(({ last_text }: { last_text: string }) => last_text === 'Your code')
    expect(stray).toMatchObject({ lead_id: null, participants: [{ address: 'provider' }] })
    await setting(false)
  })
})
