import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import { CHALLENGE, PEOPLE, REDIRECT_URI } from './codes.ts'

/** `oidc-provider` with everything in memory: no disk, no database, and nothing that survives it. */
class Memory implements Adapter {
  private readonly rows = new Map<string, AdapterPayload>()
  async upsert(id: string, payload: AdapterPayload) {
    this.rows.set(id, payload)
  }
  async find(id: string) {
    return this.rows.get(id)
  }
  async consume(id: string) {
    this.rows.get(id)!.consumed = Math.floor(Date.now() / 1000)
  }
  async destroy(id: string) {
    this.rows.delete(id)
  }
  async revokeByGrantId() {}
  async findByUid() {
    return undefined
  }
  async findByUserCode() {
    return undefined
  }
}

const stores = new Map<string, Memory>()
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(url, {
  adapter: name => {
    let store = stores.get(name)
    if (!store) stores.set(name, (store = new Memory()))
    return store
  },
  clients: [
    {
      client_id: 'bench',
      token_endpoint_auth_method: 'none',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  scopes: ['leads:read'],
  pkce: { required: () => true },
  issueRefreshToken: async () => true,
  findAccount: async (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  ttl: { AuthorizationCode: 3_600, AccessToken: 3_600, RefreshToken: 86_400, Grant: 86_400 },
})
server.on('request', provider.callback())

const client = (await provider.Client.find('bench'))!
const grants: string[] = []
for (let person = 0; person < PEOPLE; person++) {
  const grant = new provider.Grant({ clientId: 'bench', accountId: `person${person}` })
  grant.addOIDCScope('leads:read')
  grants.push(await grant.save())
}

process.on('message', async ({ codes }: { codes: number }) => {
  const made: string[] = []
  for (let at = 0; at < codes; at++) {
    const code = new provider.AuthorizationCode({
      client,
      accountId: `person${at % PEOPLE}`,
      grantId: grants[at % PEOPLE]!,
      redirectUri: REDIRECT_URI,
      scope: 'leads:read',
      codeChallenge: CHALLENGE,
      codeChallengeMethod: 'S256',
      gty: 'authorization_code',
    } as never)
    made.push(await code.save())
  }
  process.send!({ codes: made })
})
process.send!({ url, headers: {}, memoryMiB: 0 })
