import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'AWS4-HMAC-SHA256'

export type Credentials = { accessKeyId: string; secretAccessKey: string; region: string }

/** `headers` are those that are signed, with names in lower case; `bodyHash` is the SHA-256 of the body in hex. */
export type Unsigned = { method: string; url: URL; headers: Record<string, string>; bodyHash: string }

/** The headers that sign a request to S3 (AWS Signature Version 4). */
export function signed(
  { accessKeyId, secretAccessKey, region }: Credentials,
  { method, url, headers, bodyHash }: Unsigned,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
  }
  const names = Object.keys(all).toSorted()
  const request = [
    method,
    pathOf(url),
    queryOf(url),
    ...names.map(name => `${name}:${all[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const text = [ALGORITHM, time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  return {
    ...all,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function pathOf({ pathname }: URL): string {
  return pathname
    .split('/')
    .map(part => encoded(decodeURIComponent(part)))
    .join('/')
}

function queryOf({ searchParams }: URL): string {
  return [...searchParams]
    .map(pair => pair.map(encoded).join('='))
    .toSorted()
    .join('&')
}

/** As RFC 3986 has it, which is stricter than JavaScript. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
