import { MailboxUnavailable, type MailAccounts, type MailLogin } from '#platform/ports/mailbox.ts'
import type { Outside } from '#platform/safe-fetch.ts'
import { ACCOUNT_LANES, openAccount, type AccountLimits } from './account.ts'
import { composeCopy } from './copy.ts'
import type { Transport } from './transport.ts'

/** Mailboxes whose connections are open at once; each has a few. */
const MAILBOXES_MAX = 200
const IDLE_MS = 3 * 60_000

export type AccountsLimits = AccountLimits & { mailboxesMax?: number }

/** `sending`: mails under way. `replaced`: by a newer login, and closed when they are through. */
type Line = { key: string; transport: Transport; sending: number; replaced: boolean; timer?: NodeJS.Timeout }

/** Keeps the connections of mailboxes open between mails, those that were used last. */
export function openAccounts(outside: Outside, limits: AccountsLimits = {}): MailAccounts {
  const { mailboxesMax = MAILBOXES_MAX, idleMs = IDLE_MS } = limits
  // By mailbox and version, in the order of use.
  const lines = new Map<string, Line>()
  const waiting: (() => void)[] = []
  let closed = false

  async function take(login: MailLogin, version: string): Promise<Line> {
    const mailbox = nameOf(login)
    const key = `${mailbox} ${version}`
    for (;;) {
      if (closed) throw new MailboxUnavailable('The process is shutting down.', { server: 'smtp' })
      const line = lines.get(key) ?? begin(login, mailbox, key)
      if (line) {
        clearTimeout(line.timer)
        lines.delete(key)
        lines.set(key, line)
        line.sending++
        return line
      }
      await new Promise<void>(resolve => waiting.push(resolve))
    }
  }

  /** Undefined where all the others are busy. */
  function begin(login: MailLogin, mailbox: string, key: string): Line | undefined {
    for (const line of [...lines.values()].filter(line => line.key.startsWith(`${mailbox} `))) {
      line.replaced = true
      if (line.sending === 0) end(line)
    }
    if (lines.size >= mailboxesMax) {
      const oldest = [...lines.values()].find(({ sending }) => sending === 0)
      if (!oldest) return undefined
      end(oldest)
    }
    const transport = openAccount(outside, login, { ...limits, idleMs })
    return { key, transport, sending: 0, replaced: false }
  }

  function giveBack(line: Line): void {
    line.sending--
    if (line.sending === 0) {
      if (line.replaced) end(line)
      else line.timer = setTimeout(() => end(line), idleMs).unref()
    }
    waiting.shift()?.()
  }

  function end(line: Line): void {
    clearTimeout(line.timer)
    if (lines.get(line.key) === line) lines.delete(line.key)
    void line.transport.close()
  }

  return {
    mailer(login, sender, version) {
      const using = async <Result>(work: (transport: Transport) => Promise<Result>): Promise<Result> => {
        const line = await take(login, version)
        try {
          return await work(line.transport)
        } finally {
          giveBack(line)
        }
      }
      return {
        kind: 'smtp',
        lanes: ACCOUNT_LANES,
        send: (mail, handover) => using(transport => transport.send(mail, sender, handover)),
        check: () => using(transport => transport.check()),
        // Its connections are shared with others, and close when nobody uses them.
        close: async () => {},
      }
    },
    async check(login) {
      const transport = openAccount(outside, login, limits)
      try {
        await transport.check()
      } finally {
        await transport.close()
      }
    },
    compose: composeCopy,
    async close() {
      closed = true
      for (const line of lines.values()) end(line)
      for (const resume of waiting.splice(0)) resume()
    },
  }
}

function nameOf({ address, username, smtp: { host, port } }: MailLogin): string {
  return JSON.stringify([address.toLowerCase(), username, host, port])
}
