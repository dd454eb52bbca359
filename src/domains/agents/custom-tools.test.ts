import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { attemptLimits } from '#domains/deliveries/attempt.ts'
import { startReceiver, secretOf, verify, type Receiver } from '#domains/deliveries/deliveries.harness.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { expectProblem } from '#test/problem.ts'
import type { Agent } from './contract.ts'
import { askTool } from './custom-tools.ts'

const agents = '/api/voice/agents'
const bare = { name: 'Front desk', instructions: 'Answer kindly.' }
const parameters = [{ name: 'article', type: 'string', required: true }]
const call = { id: 'c'.repeat(24), ref: 'item 1\r\nx: y', lead_id: null }

let app: TestApp
let ada: Person
let key: Client
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  app = await startApp({ role: 'api', config: { outboundAllowHosts: ['localhost'] } })
  ada = await app.person()
  key = await ada.key()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

const tool = (name: string, url = `${receiver.url}/${name}`) => ({
  name,
  description: 'Says what is there.',
  parameters,
  url,
})
const made = async (more: object): Promise<Agent> => {
  const reply = await key.post(agents, { ...bare, ...more })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const asked = (agent: Agent, name: string, more: object = {}) =>
  askTool(ada.ctx, agent, name, { article: '7' }, { ...call, ...more })
const endpointsOf = async ({ id }: Agent) =>
  (await key.get(`${agents}/${id}/session`)).body.webhooks as { tool: string; endpoint_id: string }[]

describe("a team's own tool", () => {
  test('is asked with a signed message, and its answer is what the model is told', async () => {
    receiver.set('/stock', { status: 200, body: '  Seven are left.\n' })
    const agent = await made({ tools: ['end_call', tool('stock')] })
    expect(await asked(agent, 'stock')).toEqual({ ok: true, text: 'Seven are left.' })
    const [webhook] = await endpointsOf(agent)
    const [request] = receiver.to('/stock')
    const secret = await secretOf(ada, webhook!.endpoint_id)
    expect(verify(secret, request!)).toEqual({
      eventId: request!.headers['webhook-id'],
      type: 'agent.tool_call',
      timestamp: expect.any(String),
      data: {
        agent: { id: agent.id, name: 'Front desk', version: 1 },
        tool: 'stock',
        arguments: { article: '7' },
        call: { id: call.id, lead_id: null },
      },
    })
    const other = await endpointsOf(await made({ tools: [tool('stock')] }))
    const wrong = await secretOf(ada, other[0]!.endpoint_id)
    expect(() => verify(wrong, request!)).toThrow()
  })

  test('sees the same webhook-id when the same asking is repeated, and another for another', async () => {
    const agent = await made({ tools: [tool('again')] })
    await asked(agent, 'again')
    await asked(agent, 'again')
    await asked(agent, 'again', { ref: 'item 2' })
    const ids = receiver.to('/again').map(({ headers }) => headers['webhook-id'])
    expect(ids[0]).toBe(ids[1])
    expect(new Set(ids).size).toBe(2)
  })

  test('tells no more than 4,000 characters, and something where it says nothing', async () => {
    const agent = await made({ tools: [tool('long'), tool('silent')] })
    receiver.set('/long', { status: 200, body: `${'x'.repeat(3_999)}😀${'y'.repeat(200_000)}` })
    receiver.set('/silent', { status: 204 })
    const { ok, text } = await asked(agent, 'long')
    expect([ok, text.length, text.isWellFormed()]).toEqual([true, 4_000, true])
    expect(await asked(agent, 'silent')).toEqual({ ok: true, text: 'Done.' })
  })

  test('that fails, hangs up or leads elsewhere is told in words and never throws', async () => {
    const agent = await made({ tools: [tool('broken'), tool('down'), tool('away')] })
    receiver.set('/broken', { status: 500, body: 'trace of everything' })
    receiver.set('/down', 'down')
    receiver.set('/away', { status: 302, headers: { location: 'http://169.254.169.254/' } })
    expect(await asked(agent, 'broken')).toEqual({
      ok: false,
      text: "The tool's service returned status 500.",
    })
    expect(await asked(agent, 'away')).toEqual({ ok: false, text: "The tool's service returned status 302." })
    const down = await asked(agent, 'down')
    expect(down).toEqual({
      ok: false,
      text: expect.stringMatching(/^The tool's service did not respond: ./),
    })
    expect(await asked(agent, 'unheard_of')).toEqual({ ok: false, text: 'This tool no longer exists.' })
  })

  test('is given five seconds', async () => {
    const agent = await made({ tools: [tool('slow')] })
    receiver.set('/slow', 'hang')
    expect(attemptLimits.timeoutMs).toBe(5_000)
    attemptLimits.timeoutMs = 200
    onTestFinished(() => void (attemptLimits.timeoutMs = 5_000))
    expect((await asked(agent, 'slow')).text).toContain('No response within 0.2 s.')
  })

  test('reaches no address of this machine, however it is written', async () => {
    const inside = ['https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.8/', 'https://169.254.169.254/']
    const agent = await made({ tools: inside.map((url, at) => tool(`inside_${at}`, url)) })
    for (const at of inside.keys())
      expect((await asked(agent, `inside_${at}`)).text).toContain('is not a public address')
  })

  test('travels encrypted only', async () => {
    for (const url of ['http://shop.example.test/', 'ftp://shop.example.test/', 'shop', '']) {
      const { errors } = expectProblem(
        await key.post(agents, { ...bare, tools: ['end_call', tool('stock', url)] }),
        422,
        'https_required',
      )
      expect(errors).toEqual([{ path: 'tools[1].url', message: 'must be an https URL' }])
    }
    const agent = await made({ tools: [tool('stock')] })
    const change = { tools: [tool('stock', 'http://shop.example.test/')] }
    expectProblem(await key.patch(`${agents}/${agent.id}`, change), 422, 'https_required')
    const named = { tools: [tool('stock', 'https://ada:secret@shop.example.test/')] }
    expectProblem(await key.patch(`${agents}/${agent.id}`, named), 422, 'validation_failed')
    expect((await key.get(`${agents}/${agent.id}`)).body).toEqual(agent)
  })

  test('keeps its secret while it is changed, and is asked no more once it is taken away', async () => {
    const agent = await made({ tools: [tool('kept'), tool('dropped')] })
    const before = await endpointsOf(agent)
    expect(before.map(each => each.tool).toSorted()).toEqual(['dropped', 'kept'])
    const kept = before.find(each => each.tool === 'kept')!
    const secret = await secretOf(ada, kept.endpoint_id)
    await key.patch(`${agents}/${agent.id}`, { tools: [tool('kept', `${receiver.url}/moved`)] })
    expect(await endpointsOf(agent)).toEqual([kept])
    expect(await secretOf(ada, kept.endpoint_id)).toBe(secret)
    expect((await asked(agent, 'kept')).ok).toBe(true)
    expect(receiver.to('/moved')).toHaveLength(1)
    expect((await asked(agent, 'dropped')).ok).toBe(false)
  })

  test('rests with its agent in the trash, and comes back by going back a version', async () => {
    const agent = await made({ tools: [tool('rests')] })
    await key.delete(`${agents}/${agent.id}`)
    expect((await asked(agent, 'rests')).ok).toBe(false)
    await key.post(`${agents}/${agent.id}/restore`)
    expect((await asked(agent, 'rests')).ok).toBe(true)
    await key.patch(`${agents}/${agent.id}`, { tools: [] })
    expect((await asked(agent, 'rests')).ok).toBe(false)
    await key.post(`${agents}/${agent.id}/versions/1/restore`)
    expect((await asked(agent, 'rests')).ok).toBe(true)
  })
})

describe('what an agent can do', () => {
  const faultsOf = async (fields: object) =>
    expectProblem(await key.post(agents, { ...bare, ...fields }), 422).errors!.map(({ path }) => path)

  test('is named once: two of its own with one name, or one named like a built-in, are refused', async () => {
    expect(await faultsOf({ tools: [tool('stock'), tool('stock')] })).toEqual([
      'tools[0].name',
      'tools[1].name',
    ])
    expect(await faultsOf({ tools: ['stock', tool('stock')] })).toEqual(['tools[1].name'])
    expect(await faultsOf({ tools: [tool('end_call')] })).toEqual(['tools[0].name'])
    const twice = { ...tool('stock'), parameters: [parameters[0], parameters[0]] }
    expect(await faultsOf({ tools: [twice] })).toEqual(['tools[0].parameters[1].name'])
  })

  test('is told what is wrong with each of its own tools, by its place', async () => {
    const { description: _, ...mute } = tool('mute')
    const odd = { ...tool('Odd'), parameters: [{ name: 'a', type: 'date' }], secret: 'x' }
    expect(await faultsOf({ tools: ['end_call', mute, odd, {}] })).toEqual([
      'tools[1].description',
      'tools[2].secret',
      'tools[2].name',
      'tools[2].parameters[0].type',
      'tools[3].name',
      'tools[3].description',
      'tools[3].parameters',
      'tools[3].url',
    ])
    expect(await faultsOf({ tools: [5] })).toEqual(['tools[0]'])
  })

  test('has bounds: twenty tools, and twenty parameters of each', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `p${at}`, type: 'string' }))
    const full = { ...tool('full'), parameters: many(20) }
    await made({ tools: [...Array.from({ length: 19 }, (_, at) => `t${at}`), full] })
    expect(await faultsOf({ tools: Array.from({ length: 21 }, (_, at) => `t${at}`) })).toEqual(['tools'])
    expect(await faultsOf({ tools: [{ ...full, parameters: many(21) }] })).toEqual(['tools[0].parameters'])
  })

  test('hands over only where there is somebody to hand over to', async () => {
    expect(await faultsOf({ tools: ['transfer'] })).toEqual(['transfer_to'])
    const agent = await made({ tools: ['transfer'], transfer_to: '+4930111111' })
    const path = `${agents}/${agent.id}`
    expectProblem(await key.patch(path, { transfer_to: null }), 422)
    expect((await key.patch(path, { transfer_to: null, tools: [] })).status).toBe(200)
  })

  test('ends its quiet hours at another time than they begin', async () => {
    const outbound = (from: string, until: string) => ({
      outbound: {
        consent: 'required',
        quiet_hours: { from, until },
        attempts_max: 1,
        retry_after_min: 5,
      },
    })
    expect(await faultsOf(outbound('08:00', '08:00'))).toEqual(['outbound.quiet_hours.until'])
    expect((await faultsOf(outbound('24:00', '08:00'))).length).toBeGreaterThan(0)
    await made(outbound('22:00', '08:00'))
  })
})
