import { randomBytes } from 'node:crypto'
import { Challenge, Credential } from 'mppx'
import { expect, test } from 'vitest'
import { plainSettings } from '#test/settings.ts'
import { workOf } from '#test/work.ts'
import type { ChainTerms } from '#platform/ports/chain.ts'
import { decimalOf, unitsOf } from './amount.ts'
import { CHALLENGE_LIFE_MS, makeChallenge, openChallenge } from './challenge.ts'
import { PaymentFault, type Charge } from './charge.ts'
import { PROOF_LENGTH_MAX, readProof } from './proof.ts'

const NOW = Date.parse('2026-03-02T09:00:00.000Z')
const terms: ChainTerms = {
  network: 'eip155:8453',
  token: 'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  recipient: '0x5E11E200000000000000000000000000000000ee',
  decimals: 6,
  confirmations: 3,
  currency: 'USD',
}
const charge: Charge = {
  purpose: 'agent',
  subject_id: 'a'.repeat(24),
  team_id: 'b'.repeat(24),
  amount: '12.50',
}
const settings = { ...plainSettings, baseUrl: 'https://crm.example.com', sessionSecrets: [randomBytes(32)] }
const made = (more: Partial<Charge> = {}) => makeChallenge(settings, terms, { ...charge, ...more }, NOW)
const hash = `0x${'ab'.repeat(32)}`
const payload = { type: 'hash', hash, signature: `0x${'12'.repeat(65)}` }
const source = 'did:pkh:eip155:8453:0x00000000000000000000000000000000000000AB'

/** As a client of the scheme hands it in. */
function credential(header = made().header): string {
  return Credential.serialize(Credential.from({ challenge: Challenge.deserialize(header), payload, source }))
}

test('another’s codec reads the challenge, and finds in it what the body says', () => {
  const { header, id, body, expires } = made()
  expect(body).toEqual({
    recipient: terms.recipient,
    amount: '12.50',
    network: 'eip155:8453',
    token: terms.token,
  })
  expect(Challenge.deserialize(header)).toMatchObject({
    id,
    realm: 'crm.example.com',
    method: 'evm',
    intent: 'charge',
    expires,
    request: {
      amount: '12500000',
      currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      recipient: terms.recipient,
      methodDetails: { chainId: 8453, decimals: 6 },
    },
  })
  expect(Challenge.serialize(Challenge.deserialize(header))).toBe(header)
  expect(Date.parse(expires)).toBe(NOW + CHALLENGE_LIFE_MS)
})

test('what comes back in another’s credential is known again', () => {
  const proof = readProof(credential())
  expect(proof).toMatchObject({
    hash,
    signature: payload.signature,
    chainId: '8453',
    payer: source.slice(-42).toLowerCase(),
  })
  expect(openChallenge(settings, proof.challenge)).toEqual({
    id: made().id,
    realm: 'crm.example.com',
    purpose: 'agent',
    subject_id: charge.subject_id,
    chainId: '8453',
    token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    recipient: terms.recipient,
    amount: '12.50',
    units: 12_500_000n,
    issuedAt: NOW,
    expiresAt: NOW + CHALLENGE_LIFE_MS,
  })
})

test('each parameter is bound: whoever changes one has another challenge, and none of ours', () => {
  const { challenge } = readProof(credential())
  const other = readProof(credential(made({ amount: '0.01', subject_id: 'c'.repeat(24) }).header)).challenge
  expect(openChallenge(settings, challenge)).toBeDefined()
  for (const name of Object.keys(challenge) as (keyof typeof challenge)[]) {
    const value = other[name] === challenge[name] ? `${challenge[name]}x` : other[name]
    expect([name, openChallenge(settings, { ...challenge, [name]: value })]).toEqual([name, undefined])
  }
  expect(openChallenge({ ...settings, sessionSecrets: [randomBytes(32)] }, challenge)).toBeUndefined()
})

test('after the secret is rotated, challenges of the one before are still good', () => {
  const { challenge } = readProof(credential())
  const rotated = { ...settings, sessionSecrets: [randomBytes(32), ...settings.sessionSecrets] }
  expect(openChallenge(rotated, challenge)).toMatchObject({ subject_id: charge.subject_id })
})

test.each([
  ['0', undefined],
  ['0.0000001', undefined],
  ['1.0000001', undefined],
  ['-1', undefined],
  ['+1', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['01', undefined],
  ['1.', undefined],
  ['.5', undefined],
  ['1,5', undefined],
  [' 1', undefined],
  ['1\n', undefined],
  ['NaN', undefined],
  ['', undefined],
  ['0.000001', 1n],
  ['12.50', 12_500_000n],
  ['1.0000000', 1_000_000n],
  ['123456789012345678901234567890', 123456789012345678901234567890n * 1_000_000n],
])('an amount of %j is %s of the smallest unit', (text, units) => {
  expect(unitsOf(text, 6) || undefined).toBe(units)
  if (units === undefined)
    expect(() => made({ amount: text })).toThrow(expect.objectContaining({ code: 'chain_not_configured' }))
})

test('amounts are written out exactly', () => {
  expect([0n, 1n, 100n, 12_500_000n, 12_345_678n].map(units => decimalOf(units, 6))).toEqual([
    '0.00',
    '0.000001',
    '0.0001',
    '12.50',
    '12.345678',
  ])
  expect([decimalOf(5n, 0), decimalOf(5n, 1), decimalOf(500n, 2)]).toEqual(['5.00', '0.50', '5.00'])
})

test('whatever is not exactly a credential is refused, and why is told', () => {
  const { challenge } = readProof(credential())
  const whole = { challenge, payload, source }
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(readProof(encoded(whole)).hash).toBe(hash)
  expect(readProof(`payment ${encoded(whole)}`).hash).toBe(hash)
  const wrong: [unknown, RegExp][] = [
    [null, /object/],
    [[], /object/],
    ['text', /object/],
    [{ payload, source }, /challenge must be an object/],
    [{ ...whole, more: 1 }, /more does not belong/],
    [{ ...whole, payload: { ...payload, type: 'authorization' } }, /payload\.type/],
    [{ ...whole, payload: { ...payload, more: 1 } }, /more does not belong/],
    [{ ...whole, payload: { type: 'hash', hash } }, /payload\.signature/],
    [{ ...whole, payload: { ...payload, signature: '0x1' } }, /payload\.signature/],
    [{ ...whole, payload: { ...payload, hash: hash.slice(0, -1) } }, /payload\.hash/],
    [{ ...whole, payload: { ...payload, hash: hash.slice(2) } }, /payload\.hash/],
    [{ ...whole, payload: { ...payload, hash: [hash] } }, /payload\.hash/],
    [{ challenge, payload }, /source/],
    [{ ...whole, source: source.slice(0, -1) }, /source/],
    [{ ...whole, source: 'did:pkh:eip155:08453:0x00000000000000000000000000000000000000AB' }, /source/],
    [{ ...whole, challenge: { ...challenge, id: 7 } }, /challenge\.id/],
    [{ ...whole, challenge: { ...challenge, digest: 'x' } }, /challenge\.digest/],
    [{ ...whole, challenge: { ...challenge, opaque: {} } }, /challenge\.opaque/],
  ]
  for (const [value, reason] of wrong) {
    expect(() => readProof(encoded(value))).toThrow(PaymentFault)
    expect(() => readProof(encoded(value))).toThrow(reason)
  }
  for (const text of ['', 'Payment', '{}', hash, `${encoded(whole)}, Bearer x`, encoded(whole).slice(0, -9)])
    expect(() => readProof(text)).toThrow(expect.objectContaining({ code: 'malformed_proof' }))
})

test('a credential has a length, and no more', () => {
  const { challenge } = readProof(credential())
  const long = (bytes: number) =>
    Buffer.from(
      JSON.stringify({ challenge, payload: { ...payload, signature: `0x${'12'.repeat(bytes)}` }, source }),
    ).toString('base64url')
  const over = Array.from({ length: 4_000 }, (_, at) => at + 1).find(
    at => long(at).length > PROOF_LENGTH_MAX,
  )!
  expect(readProof(long(over - 1)).signature).toHaveLength(2 + 2 * (over - 1))
  expect(() => readProof(long(over))).toThrow(/more than 8000 characters/)
})

test('one is made in a few dozen microseconds at most', () => {
  const rounds = 1_000
  const eachUs = Array.from({ length: 5 }, () => {
    const ms = workOf(() => {
      for (let at = 0; at < rounds; at++) made()
    })
    return (ms * 1_000) / rounds
  })
  // The best of five: whatever else the machine does now and then is not its fault.
  expect(Math.min(...eachUs)).toBeLessThan(100)
})
