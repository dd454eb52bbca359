import pg from 'pg'

const CONNECT_TIMEOUT_MS = 5_000

/** A standby was reached, or a server that lost its role: SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = '25006'

/**
 * The URLs of a database that may be on any of several servers: `postgres://user@a,b:5433/db` names two. One of them is the
 * primary; after a failover it is another. pg itself connects to one host only.
 */
export function hostUrls(url: string): string[] {
  const [, scheme, login = '', hosts, rest] = PARTS.exec(url) ?? []
  if (!hosts) return [url]
  const tail = rest!.replace(TARGET, (_, mark: string, more: string) => (more ? mark : ''))
  return hosts.split(',').map(host => `${scheme}${login}${host}${tail}`)
}

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?@]*@)?([^/?]*)(.*)$/
const TARGET = /([?&])target_session_attrs=[^&]*(&?)/

/** Why this URL cannot be used; undefined when it can. */
export function faultOfHosts(url: string): string | undefined {
  const target = /[?&]target_session_attrs=([^&]*)/.exec(url)?.[1]
  if (target !== undefined && !['read-write', 'primary'].includes(target))
    return `target_session_attrs must be read-write, not ${target}`
  if (hostUrls(url).some(one => !URL.canParse(one.replace(/@\//, '@localhost/'))))
    return 'is not a URL like postgres://user:password@host:5432/database'
  return undefined
}

/** Which of the hosts is used now. Connections that are opened at the same time agree on it. */
export class Hosts {
  readonly urls: readonly string[]
  private at = 0

  constructor(url: string) {
    this.urls = hostUrls(url)
  }

  get current(): string {
    return this.urls[this.at]!
  }

  /** The next one, unless somebody else has moved on from this one already. */
  leave(url: string): void {
    if (this.current === url) this.at = (this.at + 1) % this.urls.length
  }
}

/** A connection to whichever of the servers takes writes. */
export async function connectTo(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  let failure: unknown
  for (const connectionString of hostUrls(url)) {
    const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config, connectionString })
    // The call under way carries the error; without a listener it would end the process as well.
    client.on('error', () => {})
    const standby = watchStandby(client)
    try {
      await client.connect()
      if (!standby()) return client
      failure = standbyError()
      await client.end()
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

type Telling = { connection: { on(name: string, listener: (message: Status) => void): void } }
type Status = { parameterName: string; parameterValue: string }

/** A server says at the start of a connection whether it is a standby, and again when it is promoted. */
export function watchStandby(client: pg.Client): () => boolean {
  let standby = false
  const { connection } = client as unknown as Telling
  connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'in_hot_standby') standby = parameterValue === 'on'
  })
  return () => standby
}

export function standbyError(): Error {
  return Object.assign(new Error('The server is a standby.'), { code: READ_ONLY })
}
