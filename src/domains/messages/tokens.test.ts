import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { keysFor } from '#platform/seal.ts'
import { plainSettings } from '#test/settings.ts'
import { readToken, tokenFor } from './tokens.ts'

const settings = { ...plainSettings, sessionSecrets: [Buffer.alloc(32, 7), Buffer.alloc(32, 9)] }
const before = { ...plainSettings, sessionSecrets: [Buffer.alloc(32, 9)] }
const tracked = { team_id: newId(), message_id: newId(), link: 3 }

test('a token ends in the beginning of the HMAC-SHA256 of what it says', () => {
  const bytes = Buffer.from(tokenFor(settings, tracked), 'base64url')
  const [body, mac] = [bytes.subarray(0, -10), bytes.subarray(-10)]
  const [key] = keysFor(settings, 'message links')
  expect(mac).toEqual(createHmac('sha256', key!).update(body).digest().subarray(0, 10))
  expect(readToken(settings, bytes.toString('base64url'))).toEqual(tracked)
})

test('one made under the secret before is read; with any bit changed it is not', () => {
  const token = tokenFor(before, tracked)
  expect(readToken(settings, token)).toEqual(tracked)
  const bytes = Buffer.from(token, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(readToken(settings, changed.toString('base64url'))).toBeUndefined()
  }
})
