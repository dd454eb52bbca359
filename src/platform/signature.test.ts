import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { isSigned, isTimely, signatureHeaders, signedHeaders, signingKey } from './signature.ts'

/** Messages whose signatures were made elsewhere and never change. */
const vectors = [
  {
    secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
    id: 'msg_loFOjxBNrRLzqYUf',
    timestamp: '1731705121',
    body: '{"event_type":"ping","data":{"success":true}}',
    signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  },
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
]

test.for(vectors)('the fixed message $id is known by its signature', ({ secret, body, ...headers }) => {
  const key = signingKey(secret)
  expect(isSigned([key], headers, Buffer.from(body))).toBe(true)
  expect(signedHeaders([key], headers.id, Number(headers.timestamp) * 1000, body)).toEqual({
    'webhook-id': headers.id,
    'webhook-timestamp': headers.timestamp,
    'webhook-signature': headers.signature,
  })
})

test('one of several signatures and one of several secrets are enough', () => {
  const { secret, body, ...headers } = vectors[0]!
  const other = signingKey('another secret')
  const several = { ...headers, signature: `v1,bm9uZQ== v2,${headers.signature} v1a,x ${headers.signature}` }
  expect(isSigned([other, signingKey(secret)], several, Buffer.from(body))).toBe(true)
  expect(isSigned([other], several, Buffer.from(body))).toBe(false)
  expect(isSigned([], several, Buffer.from(body))).toBe(false)
})

test('a secret that is plain text is used as it is', () => {
  const at = new Date()
  const signature = new Webhook('plain text', { format: 'raw' }).sign('m', at, '{}')
  const timestamp = String(Math.floor(at.getTime() / 1000))
  expect(isSigned([signingKey('plain text')], { id: 'm', timestamp, signature }, Buffer.from('{}'))).toBe(
    true,
  )
})

test('what we sign with two secrets is verified by the library with either', () => {
  const secrets = ['whsec_b25lIHNlY3JldA==', 'whsec_YW5vdGhlcg==']
  const headers = signedHeaders(secrets.map(signingKey), 'msg_1', Date.now(), '{"a":"ü"}')
  for (const secret of secrets) expect(new Webhook(secret).verify('{"a":"ü"}', headers)).toEqual({ a: 'ü' })
})

test.for([
  [300, true],
  [301, false],
  [-300, true],
  [-301, false],
])('a message %i s away from now is timely: %s', ([offset, timely]) => {
  const now = 1_731_705_121_000
  const timestamp = String(now / 1000 + (offset as number))
  expect(isTimely({ id: 'm', timestamp, signature: '' }, now)).toBe(timely)
})

test.for(['', 'soon', '-5', '1e9', '1731705121.5', '9'.repeat(13)])('%j is no time', timestamp => {
  expect(isTimely({ id: 'm', timestamp, signature: '' }, Date.now())).toBe(false)
})

test('the headers go by either name, and all three must be there once', () => {
  const values = { id: 'a', timestamp: '1', signature: 's' }
  const named = (prefix: string) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}-${name}`, value]))
  expect(signatureHeaders(named('webhook'))).toEqual(values)
  expect(signatureHeaders(named('svix'))).toEqual(values)
  expect(signatureHeaders({ ...named('webhook'), 'webhook-id': undefined })).toBeUndefined()
  expect(signatureHeaders({ ...named('webhook'), 'webhook-id': '' })).toBeUndefined()
  expect(signatureHeaders({ ...named('webhook'), 'webhook-signature': ['a', 'b'] })).toBeUndefined()
})
