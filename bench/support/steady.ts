import { Agent, request } from 'node:http'
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
): Promise<number[]> {
  const calls: Promise<number>[] = []
  const began = performance.now()
  for (let number = 0; number < perSecond * seconds; number++) {
    const due = began + (number * 1000) / perSecond
    const earlyMs = due - performance.now()
    if (earlyMs > 1) await pause(earlyMs)
    calls.push(timed(url, next()))
  }
  return Promise.all(calls)
}

function timed(url: string, { method, path, headers = {}, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request(url + path, { method, headers, agent }, response => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode! < 300) resolve(performance.now() - began)
        else reject(new Error(`${method} ${path} answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
