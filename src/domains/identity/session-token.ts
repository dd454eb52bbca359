import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'

const CACHED_TOKENS_MAX = 10_000

export type SessionTokens = {
  seal(session_id: string): Promise<string>
  /** The session a cookie names, or undefined when it was not sealed by us. Whether it still lives, the database says. */
  open(token: string): Promise<string | undefined>
}

/** The cookie is an encrypted JWT (dir, A256GCM) around nothing but the session's id. */
export function sessionTokens(secrets: readonly Buffer[]): SessionTokens {
  const keys = secrets.map(secret => new Uint8Array(hkdfSync('sha256', secret, '', 'rapport session', 32)))
  // Decrypting costs more than everything else about a request; the same cookie always opens to the same id.
  const opened = new Map<string, string>()
  return {
    seal: session_id =>
      new EncryptJWT({ sid: session_id })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(keys[0]!),
    async open(token) {
      const known = opened.get(token)
      if (known) return known
      for (const key of keys) {
        const sid = await decrypt(token, key)
        if (!sid) continue
        if (opened.size >= CACHED_TOKENS_MAX) opened.clear()
        opened.set(token, sid)
        return sid
      }
      return undefined
    },
  }
}

async function decrypt(token: string, key: Uint8Array): Promise<string | undefined> {
  try {
    const { payload } = await jwtDecrypt(token, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    return typeof payload.sid === 'string' ? payload.sid : undefined
  } catch {
    return undefined
  }
}
