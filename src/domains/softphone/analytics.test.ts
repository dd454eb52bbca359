import { afterAll, beforeAll, expect, test } from 'vitest'
import { endCall, startCall } from '#domains/calls/service.ts'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { inOrder } from '#test/in-order.ts'
import { removeOld } from '#domains/retention/removal.ts'
import { saveResponses } from './response-store.ts'
import { phoneOf, startPhone, type Phone } from './softphone.harness.ts'

inOrder()

const clock = new FakeClock('2026-03-10T12:30:00.000Z')
let desk: Phone
beforeAll(async () => {
  desk = await startPhone({ clock, role: 'all' })
})
afterAll(() => desk.close())

const hear = (event: object) => tell(desk.app.url, 'realtime', event, { at: new Date(clock.now()) })
const read = (query: string) => desk.key.get(`/api/voice/analytics?${query}`)
const day = 'from=2026-03-10T00:00:00Z&until=2026-03-11T00:00:00Z'

async function save(agent_id: string | null, at: string, latencies: (number | null)[], failed = 0) {
  await desk.person.ctx.transaction(async ctx =>
    saveResponses(
      ctx,
      latencies.map((latency_ms, n) => ({
        response_id: `resp ${agent_id} ${at} ${n}`,
        agent_id,
        call_id: null,
        status: n < failed ? 'failed' : 'completed',
        latency_ms,
        error_code: null,
        input_tokens: null,
        output_tokens: null,
        at,
      })),
    ),
  )
}

test('what the provider tells of its models is counted, with agent and call where it names them', async () => {
  const agent = await desk.agent()
  const { ctx } = desk.person
  const call = await startCall(ctx, {
    kind: 'agent',
    direction: 'inbound',
    status: 'CONNECTED',
    lead_id: null,
    agent_id: agent.id,
    agent_version: 1,
    user_id: null,
    from: null,
    to: null,
    provider: 'openai',
    provider_call_id: 'rtc_known',
  })
  // As OpenAI sends it, and with all that it might say.
  const plain = { id: 'evt_1', type: 'response.completed', data: { id: 'resp_1' } }
  const full = {
    id: 'evt_2',
    type: 'response.failed',
    data: {
      id: 'resp_2',
      call_id: 'rtc_known',
      latency_ms: 412.4,
      error: { code: 'server_error' },
      usage: { input_tokens: 10, output_tokens: 3 },
    },
  }
  const odd = {
    id: 'evt_3',
    type: 'response.completed',
    data: { id: 7, call_id: 'nobody', agentId: 'x', latency_ms: -1, usage: 'much', error: null },
  }
  for (const event of [plain, full, odd]) expect((await hear(event)).body.status).toBe('accepted')
  expect((await hear(full)).body.status).toBe('duplicate')
  await hear({ ...full, id: 'evt_4' })
  await eventually(async () =>
    expect(await desk.rows(`select status from inbound_events where endpoint = 'realtime'`)).toEqual(
      Array.from({ length: 4 }, () => ({ status: 'processed' })),
    ),
  )
  const rows = await desk.rows(
    `select response_id, agent_id, call_id, status, latency_ms, error_code, input_tokens, output_tokens
     from model_responses order by response_id`,
  )
  const nothing = { latency_ms: null, error_code: null, input_tokens: null, output_tokens: null }
  expect(rows).toEqual([
    { response_id: 'evt_3', agent_id: null, call_id: null, status: 'completed', ...nothing },
    { response_id: 'resp_1', agent_id: null, call_id: null, status: 'completed', ...nothing },
    {
      response_id: 'resp_2',
      agent_id: agent.id,
      call_id: call.id,
      status: 'failed',
      latency_ms: 412,
      error_code: 'server_error',
      input_tokens: 10,
      output_tokens: 3,
    },
  ])
  await endCall(ctx, call.id, { status: 'ENDED', at: ctx.now(), duration_sec: 90 })
  await desk.rows('delete from model_responses')
  await desk.rows('delete from calls')
})

test('agents are compared by what they did and how fast their models answered', async () => {
  const [fast, slow] = [await desk.agent({ name: 'Fast' }), await desk.agent({ name: 'Slow' })]
  await save(fast.id, '2026-03-10T09:15:00.000Z', [100, 200, 300, 400, null], 1)
  await save(slow.id, '2026-03-10T10:00:00.000Z', [1_000])
  await save(slow.id, '2026-03-10T10:59:59.999Z', [2_000])
  await save(slow.id, '2026-03-11T00:00:00.000Z', [9_000])
  await save(null, '2026-03-10T10:00:00.000Z', [null])
  const { ctx } = desk.person
  for (const duration_sec of [60, 150]) {
    const call = await startCall(ctx, {
      kind: 'agent',
      direction: 'outbound',
      status: 'CONNECTED',
      lead_id: null,
      agent_id: fast.id,
      agent_version: 1,
      user_id: null,
      from: null,
      to: '+14155550100',
      provider: 'simulator',
    })
    await endCall(ctx, call.id, { status: 'ENDED', at: ctx.now(), duration_sec })
  }
  const reply = await read(day)
  expect(reply.status).toBe(200)
  const quiet = { calls: 0, connected: 0, minutes: 0, meetings: 0 }
  expect(reply.body.agents).toEqual([
    {
      agent_id: fast.id,
      name: 'Fast',
      responses: 5,
      failed: 1,
      latency_p50_ms: 250,
      latency_p95_ms: 385,
      calls: 2,
      connected: 2,
      minutes: 3.5,
      meetings: 0,
    },
    {
      agent_id: slow.id,
      name: 'Slow',
      responses: 2,
      failed: 0,
      latency_p50_ms: 1_500,
      latency_p95_ms: 1_950,
      ...quiet,
    },
    {
      agent_id: null,
      name: null,
      responses: 1,
      failed: 0,
      latency_p50_ms: null,
      latency_p95_ms: null,
      ...quiet,
    },
  ])
  expect(
    reply.body.buckets.map(({ at, responses }: { at: string; responses: number }) => [at, responses]),
  ).toEqual([
    ['2026-03-10T09:00:00.000Z', 5],
    ['2026-03-10T10:00:00.000Z', 2],
    ['2026-03-10T10:00:00.000Z', 1],
  ])
  const days = await read(`from=2026-03-09T00:00:00Z&until=2026-03-12T00:00:00Z&agent_id=${slow.id}`)
  expect(days.body.agents).toMatchObject([{ agent_id: slow.id, responses: 3 }])
  expect(days.body.buckets).toMatchObject([
    { at: '2026-03-10T00:00:00.000Z', responses: 2, latency_p50_ms: 1_500 },
    { at: '2026-03-11T00:00:00.000Z', responses: 1 },
  ])
  // Nobody else sees them.
  const stranger = await phoneOf(desk.app, await desk.app.person())
  expect((await stranger.key.get(`/api/voice/analytics?${day}`)).body.agents).toEqual([])
})

test('a time has an end, and is at most 92 days long', async () => {
  expect((await read('from=2026-03-10T00:00:00Z&until=2026-03-10T00:00:00Z')).status).toBe(422)
  expect((await read('from=2026-01-01T00:00:00Z&until=2026-04-03T00:00:00Z')).status).toBe(200)
  expect((await read('from=2026-01-01T00:00:00Z&until=2026-04-03T00:00:01Z')).status).toBe(422)
  expect((await read('')).body).toMatchObject({
    from: '2026-02-09T00:00:00.000Z',
    until: '2026-03-11T00:00:00.000Z',
  })
})

test('answers of models are kept for ninety days', async () => {
  await desk.rows('delete from model_responses')
  await save(null, desk.person.ctx.now(), [1])
  clock.advance(90 * 86_400_000)
  expect(await removeOld(systemContext(desk.app.runtime))).toMatchObject({ old_model_responses: 0 })
  clock.advance(1_000)
  expect(await removeOld(systemContext(desk.app.runtime))).toMatchObject({ old_model_responses: 1 })
})
