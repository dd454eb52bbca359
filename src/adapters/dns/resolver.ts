import { Resolver } from 'node:dns/promises'
import { DnsUnavailable, type Dns } from '#platform/ports/dns.ts'

const TRY_MS = 2_000
const TRIES = 2
const LOOKUP_MS = 5_000
const NONE = ['ENOTFOUND', 'ENODATA']

type Options = { servers?: readonly string[]; tryMs?: number; lookupMs?: number }

/** Asks the name servers of this machine, unless others are given. */
export function openResolver({ servers, tryMs = TRY_MS, lookupMs = LOOKUP_MS }: Options = {}): Dns {
  return {
    async texts(name) {
      // Cancelling ends everything that a resolver was asked: each lookup has its own.
      const resolver = new Resolver({ timeout: tryMs, tries: TRIES })
      if (servers) resolver.setServers(servers)
      const timer = setTimeout(() => resolver.cancel(), lookupMs)
      try {
        const records = await resolver.resolveTxt(name)
        return records.map(parts => parts.join(''))
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException
        if (NONE.includes(code)) return []
        throw new DnsUnavailable(message, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
