import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { encrypt, isReceiverKey, senderFrom } from './encryption.ts'
import { newBrowser } from './notifications.harness.ts'

// RFC 8291, appendix A.
const example = {
  plain: 'When I grow up, I want to be a watermelon',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  receiver: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('the example of the standard comes out to the byte', () => {
  const once = {
    sender: senderFrom(Buffer.from(example.sender, 'base64url')),
    salt: Buffer.from(example.salt, 'base64url'),
  }
  const message = encrypt(Buffer.from(example.plain), { p256dh: example.receiver, auth: example.auth }, once)
  expect(message.toString('base64url')).toBe(example.message)
})

test('whoever has the keys of the browser can read it, and nobody else', async () => {
  const [browser, other] = [await newBrowser(), await newBrowser()]
  const texts = ['', 'a', 'Grüße 🐘', 'x'.repeat(3_993)]
  for (const text of texts) {
    const message = encrypt(Buffer.from(text), browser.keys)
    expect(message.length).toBeLessThanOrEqual(4_096)
    expect((await browser.open(message)).toString()).toBe(text)
    await expect(other.open(message)).rejects.toThrow()
  }
  const [first, second] = [0, 1].map(() => encrypt(Buffer.from('the same'), browser.keys))
  expect(first!.equals(second!)).toBe(false)
})

test('a key that is no point of the curve is none', () => {
  const key = createECDH('prime256v1').generateKeys()
  expect(isReceiverKey(key.toString('base64url'))).toBe(true)
  const bent = Buffer.from(key)
  bent[64]! ^= 1
  const compressed = Buffer.from(createECDH('prime256v1').generateKeys('hex', 'compressed'), 'hex')
  for (const wrong of [bent, compressed, key.subarray(1), Buffer.alloc(65, 4), Buffer.alloc(0)])
    expect(isReceiverKey(wrong.toString('base64url'))).toBe(false)
})
