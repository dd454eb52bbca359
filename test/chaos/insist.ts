import { setTimeout as sleep } from 'node:timers/promises'
import { signed, webhookPaths } from '#test/provider.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import type { Ledger } from './ledger.ts'

const ANSWER_WITHIN_MS = 8_000
const PAUSE_MS = 100
const PAUSE_MAX_MS = 1_000
/** Come again later: in progress, too many, or not reachable just now. */
const LATER = [409, 429, 502, 503, 504]

type Reply = { status: number; body: any }

/** A client and a provider that ask until they are answered with success, each time at the next address. */
export type Caller = {
  post(path: string, body: object, key: string): Promise<any>
  patch(path: string, body: object, key: string): Promise<any>
  tell(endpoint: SignedEndpoint, event: { eventId: string; type: string; data: object }): Promise<void>
}

export type CallerOptions = {
  ledger: Ledger
  key: string
  /** The ways in, in turns. */
  ports: () => number[]
  /** Nobody waits for an answer any more. */
  gaveUp: AbortSignal
  /** Where nothing is disturbed, an answer that asks nobody to come back is a mistake of the laboratory. */
  strict?: boolean
}

export function callerOf({ ledger, key, ports, gaveUp, strict = false }: CallerOptions): Caller {
  let turn = 0

  async function insist(name: string, ask: (url: string) => Promise<Reply>): Promise<any> {
    ledger.open.add(name)
    for (let tries = 0; ; tries++) {
      gaveUp.throwIfAborted()
      const all = ports()
      const url = `http://127.0.0.1:${all[turn++ % all.length]}`
      const reply = await ask(url).catch((): undefined => undefined)
      if (reply && reply.status >= 200 && reply.status < 300) {
        ledger.open.delete(name)
        return reply.body
      }
      if (reply && !LATER.includes(reply.status)) {
        if (strict) throw new Error(`${name} was answered ${reply.status} ${JSON.stringify(reply.body)}`)
        noteSurprise(name, reply)
      }
      await sleep(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS))
    }
  }

  function noteSurprise(name: string, { status, body }: Reply): void {
    const what =
      `${status} ${name.split(' ')[0]} ${body?.code ?? body?.title ?? ''} ${body?.detail ?? ''}`.trim()
    ledger.surprises.set(what, (ledger.surprises.get(what) ?? 0) + 1)
  }

  async function ask(url: string, method: string, headers: Record<string, string>, body: string) {
    const signal = AbortSignal.any([gaveUp, AbortSignal.timeout(ANSWER_WITHIN_MS)])
    const response = await fetch(url, { method, headers, body, signal })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

  const send = (method: string, path: string, body: object, once: string) =>
    insist(`${method}:${path.replaceAll(/[0-9a-f]{24}/g, '_')} ${once}`, url => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'idempotency-key': once,
      }
      return ask(url + path, method, headers, JSON.stringify(body))
    })

  return {
    post: (path, body, once) => send('POST', path, body, once),
    patch: (path, body, once) => send('PATCH', path, body, once),
    async tell(endpoint, event) {
      const body = JSON.stringify(event)
      await insist(`event:${endpoint} ${event.eventId}`, url =>
        ask(url + webhookPaths[endpoint], 'POST', signed(endpoint, body), body),
      )
      ledger.events.push({ endpoint, event_id: event.eventId, type: event.type })
    },
  }
}
