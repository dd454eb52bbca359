import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from '#platform/storage-settings.ts'

const CLOCK_SKEW_MAX_MS = 15 * 60_000

export type S3Server = {
  settings: S3Settings
  /** By the path below the bucket. */
  objects: Map<string, Buffer>
  /** Every request, as `PUT /path`. */
  heard: string[]
  /** What answers the next requests instead, one each; undefined: that one is served. */
  faults: (((response: ServerResponse) => void) | undefined)[]
  close(): Promise<void>
}

/** Objects in memory, for whoever signs as AWS wants it: another implementation than ours says how that is. */
export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const heard: string[] = []
  const faults: S3Server['faults'] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    heard.push(`${method} ${url}`)
    const fault = faults.shift()
    if (fault) return fault(response)
    const body = await buffer(request)
    const failure = await faultOf(request, body, settings)
    if (failure) return refuse(response, 403, failure)
    const bucket = `/${settings.bucket}/`
    if (!url.startsWith(bucket)) return refuse(response, 404, 'NoSuchBucket')
    const key = url.slice(bucket.length)
    if (method === 'PUT') objects.set(key, body)
    if (method === 'DELETE') objects.delete(key)
    const found = objects.get(key)
    if (method === 'GET' && !found) return refuse(response, 404, 'NoSuchKey')
    response.writeHead(method === 'DELETE' ? 204 : 200).end(method === 'GET' ? found : undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings: S3Settings = {
    bucket: 'rapport-files',
    prefix: 'crm/one',
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'canary/of+the=tests',
    region: 'eu-central-1',
    endpointUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  return {
    settings,
    objects,
    heard,
    faults,
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

/** As S3 says it, with what it repeats of the request. */
export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No canary/of+the=tests</Message></Error>`,
  )
}

async function faultOf(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  settings: S3Settings,
): Promise<string | undefined> {
  const [, keyId, names] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/.*SignedHeaders=([^,]+),/.exec(headers.authorization ?? '') ?? []
  if (names === undefined) return 'AccessDenied'
  if (keyId !== settings.accessKeyId) return 'InvalidAccessKeyId'
  const datetime = String(headers['x-amz-date'])
  const time = Date.parse(datetime.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(Date.now() - time) < CLOCK_SKEW_MAX_MS)) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
    return 'XAmzContentSHA256Mismatch'
  const signer = new AwsV4Signer({
    method: method!,
    url: `http://${headers.host}${url}`,
    headers: names.split(';').flatMap(name => (name === 'host' ? [] : [[name, String(headers[name])]])),
    service: 's3',
    region: settings.region,
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    datetime,
  })
  const right = (await signer.sign()).headers.get('authorization')
  return right === headers.authorization ? undefined : 'SignatureDoesNotMatch'
}
