import type { Settings } from '#platform/settings.ts'
import { SESSION_LIFE_MAX_MS } from './sessions.ts'

/** `__Host-` binds a cookie to this host and to https; a browser refuses it on plain http, where development runs. */
export function cookieName({ baseUrl }: Settings, name = 'rapport_session'): string {
  return isSecure(baseUrl) ? `__Host-${name}` : name
}

/** Kept until the session's absolute end: when it ends before that is decided here, not in the browser. */
export function sessionCookie(settings: Settings, value: string): string {
  return cookie(settings, cookieName(settings), value, SESSION_LIFE_MAX_MS)
}

export function endedCookie(settings: Settings, name = cookieName(settings)): string {
  return cookie(settings, name, '', 0)
}

export function cookie({ baseUrl }: Settings, name: string, value: string, lifeMs: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : ''
  const maxAgeS = Math.floor(lifeMs / 1000)
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
}

export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}
