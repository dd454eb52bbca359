import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const SALT_BYTES = 16
const RECORD_BYTES = 4_096
/** Ends the last record, of which there is one. */
const LAST = Buffer.from([2])

export type ReceiverKeys = { p256dh: string; auth: string }

/** Generated for every message. */
export type Once = { sender: ECDH; salt: Buffer }

/** A message that only the browser can read which made these keys: RFC 8291, in one record of RFC 8188. */
export function encrypt(plain: Buffer, { p256dh, auth }: ReceiverKeys, once: Once = newOnce()): Buffer {
  const { sender, salt } = once
  const [receiverKey, senderKey] = [Buffer.from(p256dh, 'base64url'), sender.getPublicKey()]
  const agreed = sender.computeSecret(receiverKey)
  const parties = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const secret = derive(agreed, Buffer.from(auth, 'base64url'), parties, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(plain), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([headerOf(salt, senderKey), ...sealed])
}

/** Whether it is a point of the curve: with any other nothing can be agreed. */
export function isReceiverKey(p256dh: string): boolean {
  try {
    const key = Buffer.from(p256dh, 'base64url')
    return key[0] === 4 && ECDH.convertKey(key, CURVE).length === key.length
  } catch {
    return false
  }
}

export function senderFrom(privateKey: Buffer): ECDH {
  const sender = createECDH(CURVE)
  sender.setPrivateKey(privateKey)
  return sender
}

function newOnce(): Once {
  const sender = createECDH(CURVE)
  sender.generateKeys()
  return { sender, salt: randomBytes(SALT_BYTES) }
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

function headerOf(salt: Buffer, senderKey: Buffer): Buffer {
  const lengths = Buffer.alloc(5)
  lengths.writeUInt32BE(RECORD_BYTES)
  lengths.writeUInt8(senderKey.length, 4)
  return Buffer.concat([salt, lengths, senderKey])
}
