import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { turns } from '#platform/turns.ts'
import { startApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { watchLoop } from '#test/loop.ts'
import { FORM, makeClient } from '#test/oauth.ts'
import { FORM_BYTES_MAX, FORM_PAIRS_MAX, LARGE_BYTES, REPEATED_PAIRS_MAX } from './body.ts'

/** So long at a stretch one request may keep all others waiting. */
const HELD_MAX_MS = 200
const app = await startApp({ role: 'api' })
afterAll(() => app.close())
const stranger = client(app.url)
const send = (path: string, form: string, headers = {}) =>
  stranger.raw('POST', path, form, { ...FORM, ...headers })
const names = (count: number) => Array.from({ length: count }, (_, n) => n).join('&')

describe('a form', () => {
  test('of as many names as a body can hold is refused at once', async () => {
    const body = names(80_000).slice(0, FORM_BYTES_MAX)
    const loop = watchLoop()
    onTestFinished(loop.stop)
    const reply = await send('/api/oauth/token', body)
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request'])
    expect(loop.worst()).toBeLessThan(HELD_MAX_MS)
  })

  test('has at most so many bytes', async () => {
    const padded = (bytes: number) => send('/api/oauth/token', 'a='.padEnd(bytes, '+'))
    expect((await padded(FORM_BYTES_MAX)).body.error_description).toBe('grant_type is missing.')
    const more = await padded(FORM_BYTES_MAX + 1)
    expect([more.status, more.body.error_description]).toEqual([
      413,
      `A form can have at most ${FORM_BYTES_MAX} bytes.`,
    ])
  })

  test('has at most so many values', async () => {
    const most = await send('/api/oauth/token', names(FORM_PAIRS_MAX))
    expect(most.body.error_description).toBe('grant_type is missing.')
    const more = await send('/api/oauth/token', names(FORM_PAIRS_MAX + 1))
    expect(more.body.error_description).toBe(`A form can have at most ${FORM_PAIRS_MAX} values.`)
    const ticked = (count: number) => send('/f/none', Array.from({ length: count }, () => 'a=1').join('&'))
    expect((await ticked(REPEATED_PAIRS_MAX)).status).toBe(404)
    expect((await ticked(REPEATED_PAIRS_MAX + 1)).status).toBe(400)
  })

  test('names each value once where names do not repeat', async () => {
    const reply = await send('/api/oauth/token', 'a=1&b=2&a=3')
    expect(reply.body.error_description).toBe('a is given more than once.')
  })
})

test('large bodies take turns: those of a team together, and those of strangers by their network', async () => {
  const take = vi.spyOn(turns, 'take')
  const ada = await app.person()
  const lead = (bytes: number) => ({ first_name: 'Ada', notes: 'x'.repeat(bytes) })
  await ada.browser.post('/api/crm/leads', lead(100))
  await send('/api/oauth/token', 'a='.padEnd(LARGE_BYTES, '+'))
  expect(take).not.toHaveBeenCalled()
  await ada.browser.post('/api/crm/leads', lead(LARGE_BYTES))
  await send('/api/oauth/token', 'a='.padEnd(LARGE_BYTES + 1, '+'))
  expect(take.mock.calls).toEqual([[ada.team_id], ['127.0.0.1']])
})

describe('U+0000 is refused, and is no fault of ours', () => {
  const paths = ['token', 'revoke', 'introspect', 'consent'].map(name => `/api/oauth/${name}`)
  const fields = 'client_id grant_type code token refresh_token redirect_uri code_verifier scope'.split(' ')
  test.for(paths)('in a form: %s', async path => {
    for (const field of fields) {
      const rest = fields.filter(name => name !== field).map(name => `${name}=x`)
      const reply = await send(path, [...rest, `${field}=a%00b`].join('&'), {
        'sec-fetch-site': 'same-origin',
      })
      expect([field, reply.status]).toEqual([field, 400])
    }
    expect((await send(path, 'a%00b=1', { 'sec-fetch-site': 'same-origin' })).status).toBe(400)
  })

  test.for(paths.slice(0, 3))('in JSON: %s', async path => {
    const reply = await stranger.post(path, { client_id: 'a\0b', token: 'x', grant_type: 'x' })
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request'])
  })

  test.for(paths.slice(0, 3))('in HTTP Basic: %s', async path => {
    for (const proof of ['a%00b:secret', 'a\0b:secret', 'client:a%00b']) {
      const authorization = `Basic ${Buffer.from(proof).toString('base64')}`
      const reply = await send(path, 'grant_type=authorization_code&code=x&token=x', { authorization })
      expect(reply.status).toBeLessThan(500)
      if (!proof.startsWith('client'))
        expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request'])
    }
  })

  test('in the query of an authorization request', async () => {
    const ada = await app.person()
    const zap = await makeClient(ada)
    const query = {
      response_type: 'code',
      client_id: zap.id,
      redirect_uri: 'https://app.example.test/callback',
      scope: 'leads:read',
      state: 'x',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      resource: app.url,
      prompt: 'consent',
    }
    for (const browser of [stranger, ada.browser])
      for (const [name, value] of Object.entries(query)) {
        const asked = new URLSearchParams({ ...query, [name]: `${value}\0` }).toString()
        const reply = await browser.get(`/api/oauth/authorize?${asked}`)
        expect([name, reply.status]).toEqual([name, 400])
        expect(reply.headers.get('content-type')).toContain('text/html')
      }
  })
})
