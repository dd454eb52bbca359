import { randomBytes, webcrypto } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { IncomingHttpHeaders } from 'node:http'
import type { Person } from '#test/app.ts'
import { startHttps } from '#test/https.ts'
import { notify, type Notice } from './service.ts'

const { subtle } = webcrypto

/** A browser that has subscribed, as RFC 8291 tells of it: written without a look at how the product encrypts. */
export async function newBrowser() {
  const pair = (await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ])) as webcrypto.CryptoKeyPair
  const own = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
  const auth = randomBytes(16)
  async function derived(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bits: number) {
    const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
    return Buffer.from(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bits))
  }
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    async open(message: Buffer): Promise<Buffer> {
      const salt = message.subarray(0, 16)
      const recordBytes = message.readUInt32BE(16)
      const keyEnd = 21 + message[20]!
      const theirs = message.subarray(21, keyEnd)
      const sealed = message.subarray(keyEnd)
      if (sealed.length > recordBytes) throw new Error('more than one record')
      const sender = await subtle.importKey('raw', theirs, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
      const agreed = await subtle.deriveBits({ name: 'ECDH', public: sender }, pair.privateKey, 256)
      const info = Buffer.concat([Buffer.from('WebPush: info'), Buffer.alloc(1), own, theirs])
      const secret = await derived(Buffer.from(agreed), auth, info, 256)
      const bits = await derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 128)
      const iv = await derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 96)
      const key = await subtle.importKey('raw', bits, 'AES-GCM', false, ['decrypt'])
      const padded = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed))
      const end = padded.findLastIndex(byte => byte !== 0)
      if (padded[end] !== 2) throw new Error('not the last record')
      return padded.subarray(0, end)
    },
  }
}

export type Browser = Awaited<ReturnType<typeof newBrowser>>

type Answer = { status: number; headers?: Record<string, string> }
export type Pushed = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/** A push service that answers as a test tells it; each path is a browser of its own. */
export async function startPushService() {
  const pushed: Pushed[] = []
  const answers = new Map<string, Answer[]>()
  const server = await startHttps(async (request, response) => {
    const path = request.url!
    pushed.push({ path, headers: request.headers, body: await buffer(request) })
    const [answer, ...others] = answers.get(path) ?? [{ status: 201 }]
    if (others.length > 0) answers.set(path, others)
    response.writeHead(answer!.status, answer!.headers).end()
  })
  return {
    url: server.url,
    to: (path: string) => pushed.filter(push => push.path === path),
    /** One after the other; the last goes on. */
    set: (path: string, ...list: Answer[]) => void answers.set(path, list),
    close: () => server.close(),
  }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>

const workflow = { kind: 'workflow', id: null, name: 'Hot leads' }

/** Tells the person itself unless others are named. */
export async function tell(person: Person, notice: Partial<Notice> = {}): Promise<string[]> {
  return person.ctx.transaction(ctx =>
    notify(ctx, { user_ids: [person.user_id], title: 'A hot lead', source: workflow, ...notice }),
  )
}

export async function subscribe(person: Person, url: string): Promise<{ id: string; browser: Browser }> {
  const browser = await newBrowser()
  // As PushSubscription.toJSON() gives it.
  const subscription = { endpoint: url, expirationTime: null, keys: browser.keys }
  const reply = await person.browser.post('/api/notifications/push', subscription)
  if (reply.status !== 201) throw new Error(reply.text)
  return { id: reply.body.id as string, browser }
}
