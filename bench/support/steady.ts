import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

export type Call = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }

const agent = new Agent({ keepAlive: true, maxSockets: 200 })

/**
 * Calls that come evenly, as those of many people do, whether the ones before were answered or not: a tool whose
 * connections take turns sends them in bunches. Answers how long each took, in milliseconds.
 */
export async function steady(
  url: string,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  next: () => Call,
  /** Hears of a call that failed; without it, one such ends everything. */
  onFailure?: (error: Error) => void,
): Promise<number[]> {
  const calls: Promise<number>[] = []
  const began = performance.now()
  for (let number = 0; number < perSecond * seconds; number++) {
    const due = began + (number * 1000) / perSecond
    const earlyMs = due - performance.now()
    if (earlyMs > 1) await pause(earlyMs)
    const call = timed(url, next())
    // Told at the end: until then there is nobody to hear it.
    call.catch(() => {})
    calls.push(call)
  }
  const outcomes = await Promise.allSettled(calls)
  const failures = outcomes.filter(outcome => outcome.status === 'rejected')
  if (failures.length > 0 && !onFailure) throw failures[0]!.reason
  for (const { reason } of failures) onFailure?.(reason as Error)
  return outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

function timed(url: string, { method, path, headers = {}, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request(url + path, { method, headers, agent }, async response => {
      const told = await text(response)
      if (response.statusCode! < 300) resolve(performance.now() - began)
      else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${told.slice(0, 500)}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
