import { setTimeout as sleep } from 'node:timers/promises'
import { signed, webhookPaths } from '#test/provider.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import type { Ledger } from './ledger.ts'

const ANSWER_WITHIN_MS = 8_000
const PAUSE_MS = 100
const PAUSE_MAX_MS = 1_000
/** Come again later: in progress, too many, or not reachable just now. */
const LATER = [409, 429, 502, 503, 504]

type Ask = (url: string) => Promise<Response>

/** What went wrong is the laboratory itself. */
class LaboratoryError extends Error {}

/** A client and a provider that ask until they are answered with success, each time at the next address. */
export type Caller = {
  post(path: string, body: object, key: string): Promise<any>
  patch(path: string, body: object, key: string): Promise<any>
  tell(endpoint: SignedEndpoint, event: { eventId: string; type: string; data: object }): Promise<void>
  /** Asks until `take` takes the answer. */
  get<Taken>(path: string, headers: Record<string, string>, once: string, take: Take<Taken>): Promise<Taken>
}

/** Undefined: ask again. */
type Take<Taken> = (response: Response) => Promise<Taken | undefined>

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

  async function insist<Taken>(name: string, ask: Ask, take: Take<Taken>): Promise<Taken> {
    ledger.open.add(name)
    for (let tries = 0; ; tries++) {
      gaveUp.throwIfAborted()
      const all = ports()
      const url = `http://127.0.0.1:${all[turn++ % all.length]}`
      const taken = await ask(url)
        .then(response => takeOrNote(name, response, take))
        .catch((error: unknown): undefined => {
          if (error instanceof LaboratoryError) throw error
        })
      if (taken !== undefined) {
        ledger.open.delete(name)
        return taken
      }
      await sleep(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS))
    }
  }

  async function takeOrNote<Taken>(name: string, response: Response, take: Take<Taken>) {
    const copy = response.clone()
    const taken = await take(response)
    if (taken === undefined && !LATER.includes(copy.status))
      noteSurprise(name, copy.status, await copy.text())
    return taken
  }

  function noteSurprise(name: string, status: number, text: string): void {
    if (strict) throw new LaboratoryError(`${name} was answered ${status} ${text}`)
    const { code, title, detail }: Record<string, string> = text.startsWith('{') ? JSON.parse(text) : {}
    const what = `${status} ${name.split(' ')[0]} ${code ?? title ?? ''} ${detail ?? ''}`.trim()
    ledger.surprises.set(what, (ledger.surprises.get(what) ?? 0) + 1)
  }

  function ask(
    url: string,
    method: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Response> {
    const signal = AbortSignal.any([gaveUp, AbortSignal.timeout(ANSWER_WITHIN_MS)])
    return fetch(url, { method, headers, body: body ?? null, signal })
  }

  const send = (method: string, path: string, body: object, once: string) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'idempotency-key': once,
    }
    const name = `${method}:${withoutIds(path)} ${once}`
    return insist<any>(name, url => ask(url + path, method, headers, JSON.stringify(body)), success)
  }

  return {
    post: (path, body, once) => send('POST', path, body, once),
    patch: (path, body, once) => send('PATCH', path, body, once),
    async tell(endpoint, event) {
      const body = JSON.stringify(event)
      const path = webhookPaths[endpoint]
      const name = `event:${endpoint} ${event.eventId}`
      await insist(name, url => ask(url + path, 'POST', signed(endpoint, body), body), success)
      ledger.events.push({ endpoint, event_id: event.eventId, type: event.type })
    },
    get: (path, headers, once, take) =>
      insist(`GET:${withoutIds(path)} ${once}`, url => ask(url + path, 'GET', headers), take),
  }
}

async function success(response: Response): Promise<unknown> {
  if (!response.ok) return undefined
  const text = await response.text()
  return text ? JSON.parse(text) : null
}

function withoutIds(path: string): string {
  return path.replaceAll(/[0-9a-f]{24}/g, '_')
}
