import { setTimeout as wait } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { newClient, type Account } from './session.ts'

/** Servers end an IDLE after 30 minutes (RFC 2177), and what is between us and them often sooner. */
const REISSUE_MS = 9 * 60_000
const POLL_MS = 60_000
const ANSWER_TIMEOUT_MS = 30_000

export type WatchLimits = { reissueMs?: number; pollMs?: number; answerMs?: number }

/** Tells of new mails in the inbox until the connection is gone, which `ended` says without saying why. */
export function watchInbox(
  account: Account,
  news: () => void,
  limits: WatchLimits = {},
): { ended: Promise<void>; close(): void } {
  const { reissueMs = REISSUE_MS, pollMs = POLL_MS, answerMs = ANSWER_TIMEOUT_MS } = limits
  // It is quiet for as long as nothing comes; whether the server is still there is asked with each new IDLE.
  const client = newClient(account, { silenceMs: 2 * Math.max(reissueMs, pollMs) })
  const stop = new AbortController()
  client.on('close', () => stop.abort())
  client.on('exists', ({ count, prevCount }) => {
    if (count > prevCount) news()
  })

  async function watch(): Promise<void> {
    await answered(open(client))
    news()
    let idles = client.capabilities.has('IDLE')
    while (client.usable) {
      if (idles) idles = await idle()
      else await poll()
    }
  }

  /** False for a server that would not have it after all. */
  async function idle(): Promise<boolean> {
    const timer = setTimeout(() => void check(), reissueMs)
    try {
      return (await client.idle()) !== false
    } finally {
      clearTimeout(timer)
    }
  }

  async function poll(): Promise<void> {
    await wait(pollMs, undefined, { signal: stop.signal })
    await check()
  }

  /** Any command ends an IDLE, and its answer has what came meanwhile. */
  async function check(): Promise<void> {
    await answered(client.noop()).catch(() => client.close())
  }

  async function answered(work: Promise<unknown>): Promise<void> {
    const timer = setTimeout(() => client.close(), answerMs)
    try {
      await work
    } finally {
      clearTimeout(timer)
    }
  }

  const ended = watch()
    .catch(() => {})
    .finally(() => client.close())
  return { ended, close: () => client.close() }
}

async function open(client: ImapFlow): Promise<void> {
  await client.connect()
  await client.mailboxOpen('INBOX', { readOnly: true })
}
