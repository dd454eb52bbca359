import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '#platform/storage-settings.ts'
import type { Storage } from '#platform/ports/storage.ts'
import { partsOf } from './key.ts'
import { signed } from './signature.ts'

/** For a whole file out, and until a file begins to come in. */
const CALL_TIMEOUT_MS = 60_000
/** As long as nothing of a file comes in. */
const IDLE_TIMEOUT_MS = 60_000
const TRIES_MAX = 3
const PAUSE_MS = 200
const ERROR_BYTES_MAX = 64 * 1024
const HASHED_AT_ONCE = 4 * 1024 * 1024

export type S3Limits = { timeoutMs?: number; idleTimeoutMs?: number }

/**
 * A bucket at AWS, or of any server that speaks S3; it is named in the path of the URL, which all of them understand.
 * Redirects are not followed: they would take a signed request somewhere else.
 */
export function openS3(settings: S3Settings, limits: S3Limits = {}): Storage {
  const { bucket, prefix, endpointUrl } = settings
  const { timeoutMs = CALL_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = limits
  const folder = [endpointUrl.replace(/\/+$/, ''), bucket, ...(prefix ? [prefix] : [])].join('/')

  async function call(method: Method, name: string, body: Uint8Array = EMPTY): Promise<IncomingMessage> {
    const url = new URL(`${folder}/${name}`)
    const bodyHash = await hashOf(body)
    for (let attempt = 1; ; attempt++) {
      // Signed again each time: a signature has a time, and S3 refuses an old one.
      const headers = signed(settings, { method, url, headers: {}, bodyHash }, new Date())
      const sent = method === 'PUT' ? { ...headers, 'content-length': String(body.length) } : headers
      const tried = await exchanged(url, { method, headers: sent, body, timeoutMs }).catch(asError)
      const isPassing = tried instanceof Unreachable || isBusy(tried)
      if (!isPassing || attempt === TRIES_MAX) {
        if (tried instanceof Error) throw tried
        return tried
      }
      if (!(tried instanceof Error)) tried.destroy()
      await sleep(PAUSE_MS * 2 ** (attempt - 1))
    }
  }

  async function put(name: string, bytes: Uint8Array): Promise<void> {
    const response = await call('PUT', name, bytes)
    if (!succeeded(response)) throw await failureOf(response, timeoutMs)
    response.destroy()
  }

  async function get(name: string): Promise<IncomingMessage | undefined> {
    const response = await call('GET', name)
    if (!succeeded(response)) return absentOrThrow(response)
    response.setTimeout(idleTimeoutMs, () =>
      response.destroy(new Error(`S3 sent nothing for ${idleTimeoutMs / 1_000} seconds`)),
    )
    return response
  }

  async function remove(name: string): Promise<void> {
    const response = await call('DELETE', name)
    if (!succeeded(response)) await absentOrThrow(response)
    else response.destroy()
  }

  async function absentOrThrow(response: IncomingMessage): Promise<undefined> {
    const failure = await failureOf(response, timeoutMs)
    if (failure.status !== 404 || failure.code === 'NoSuchBucket') throw failure
  }

  const nameOf = (key: string) => {
    const { team, id } = partsOf(key)
    return `${team}/${id}`
  }
  return {
    kind: 's3',
    put: async (key, bytes) => put(nameOf(key), bytes),
    get: async key => get(nameOf(key)),
    remove: async key => remove(nameOf(key)),
    async check() {
      const name = `check-${randomBytes(12).toString('hex')}`
      const bytes = randomBytes(16)
      await put(name, bytes)
      try {
        const read = await get(name)
        if (!read || !bytes.equals(Buffer.concat(await read.toArray())))
          throw new Error('S3 does not return what was written')
      } finally {
        await remove(name)
      }
      // Without the permission to list, AWS says of what is missing that it is forbidden.
      const after = await get(name).catch((error: S3Failure) => {
        throw error.status === 403
          ? new Error('S3 does not say whether a file exists: allow s3:ListBucket on the bucket')
          : error
      })
      if (!after) return
      after.destroy()
      throw new Error('S3 still has what was deleted')
    },
  }
}

type Method = 'GET' | 'PUT' | 'DELETE'
type Sent = { method: Method; headers: Record<string, string>; body: Uint8Array; timeoutMs: number }

const EMPTY = new Uint8Array()

/** No connection, or one that broke off: another may do. */
class Unreachable extends Error {}

class S3Failure extends Error {
  readonly status: number
  readonly code: string

  constructor(message: string, status: number, code: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What an operator can do about it. */
const advice: Record<string, string> = {
  AccessDenied: 'allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket',
  InvalidAccessKeyId: 'check AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'check AWS_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'check AWS_REGION',
  PermanentRedirect: 'check AWS_REGION',
  NoSuchBucket: 'check FILES_URL',
  RequestTimeTooSkewed: 'set the clock of this machine',
}

/** Until it begins to answer. Each call has its own connection: none was closed by the other side in the meantime. */
async function exchanged(url: URL, { method, headers, body, timeoutMs }: Sent): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    headers: { 'user-agent': 'Rapport', ...headers },
    agent: false,
  })
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    request.destroy(new Error('late'))
  }, timeoutMs)
  request.once('response', resolve)
  request.on('error', (error: NodeJS.ErrnoException) =>
    reject(
      isLate
        ? new Error(`S3 did not answer within ${timeoutMs / 1_000} seconds`)
        : // Several addresses that all refuse make an error without a message.
          new Unreachable(`S3 did not answer: ${error.message || error.code}`, { cause: error }),
    ),
  )
  request.end(body)
  return promise.finally(() => clearTimeout(late))
}

function succeeded({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}

function isBusy(tried: IncomingMessage | Error): boolean {
  if (tried instanceof Error) return false
  return tried.statusCode === 429 || tried.statusCode! >= 500
}

/** By its code alone: what S3 says beside it repeats the request, and with it what is secret. */
async function failureOf(response: IncomingMessage, timeoutMs: number): Promise<S3Failure> {
  const status = response.statusCode ?? 0
  const code = /<Code>(\w{1,100})<\/Code>/.exec(await beginningOf(response, timeoutMs))?.[1] ?? ''
  const hint = advice[code] ?? (status >= 300 && status < 400 ? advice.PermanentRedirect : undefined)
  const message = [`S3 answered ${status}`, ...(code ? [` ${code}`] : []), ...(hint ? [`: ${hint}`] : [])]
  return new S3Failure(message.join(''), status, code)
}

async function beginningOf(response: IncomingMessage, timeoutMs: number): Promise<string> {
  const late = setTimeout(() => response.destroy(), timeoutMs)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      if ((size += chunk.length) >= ERROR_BYTES_MAX) break
    }
  } catch {
    // The status says enough.
  } finally {
    clearTimeout(late)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Piece by piece: one thread serves everybody, and a file of 25 MiB would keep it busy. */
async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    if (at > 0) await nextRound()
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE))
  }
  return hash.digest('hex')
}

function asError(error: Error): Error {
  return error
}
