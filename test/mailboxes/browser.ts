import { setTimeout as sleep } from 'node:timers/promises'

const ANSWER_WITHIN_MS = 20_000
const PAUSE_MS = 150
/** A server that is started again is there within this. */
const PATIENCE_MS = 120_000
/** Come again later: in progress, too many, or not reachable just now. */
const LATER = [409, 429, 502, 503, 504]

/** A person in a browser, who asks again until there is an answer. Anything but success is a mistake of the laboratory. */
export type Browser = {
  get(path: string): Promise<any>
  post(path: string, body: object, key?: string): Promise<any>
  upload(file: { name: string; bytes: Buffer }): Promise<{ id: string }>
  download(id: string): Promise<Buffer>
}

/** Signs in with a link of the command line. */
export async function openBrowser(url: () => string, link: string): Promise<Browser> {
  const token = link.trim().split('/').at(-1)
  const signedIn = await fetch(`${url()}/api/auth/link/${token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  })
  const cookie = signedIn.headers.getSetCookie().map(line => line.split(';')[0])
  if (cookie.length === 0)
    throw new Error(`nobody could sign in: ${signedIn.status} ${await signedIn.text()}`)
  const always = { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' }

  async function ask(
    method: string,
    path: string,
    headers: object,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Buffer> {
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      const request = {
        method,
        signal,
        headers: { ...always, ...headers },
        ...(body !== undefined && { body }),
      }
      const answer = await fetch(url() + path, request)
        .then(async answer => ({ status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }))
        .catch((error: Error) => ({ status: 503, bytes: Buffer.from(String(error.cause ?? error)) }))
      if (answer.status < 400) return answer.bytes
      if (!LATER.includes(answer.status) || performance.now() > until)
        throw new Error(`${method} ${path} was answered ${answer.status} ${answer.bytes.toString()}`)
      await sleep(PAUSE_MS)
    }
  }

  const parsed = (bytes: Buffer) => (bytes.length === 0 ? undefined : JSON.parse(bytes.toString()))
  return {
    get: async path => parsed(await ask('GET', path, {})),
    post: async (path, body, key) => {
      const headers = {
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      }
      return parsed(await ask('POST', path, headers, JSON.stringify(body)))
    },
    upload: async ({ name, bytes }) => {
      const headers = {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=utf-8''${encodeURIComponent(name)}`,
      }
      return parsed(await ask('POST', '/api/files', headers, new Uint8Array(bytes)))
    },
    download: id => ask('GET', `/api/files/${id}`, {}),
  }
}
