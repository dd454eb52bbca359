import type { Settings } from '#platform/settings.ts'
import { SESSION_LIFE_MS } from './sessions.ts'

/** `__Host-` binds the cookie to this host and to https; a browser refuses it on plain http, where development runs. */
export function cookieName({ baseUrl }: Settings): string {
  return isSecure(baseUrl) ? '__Host-rapport_session' : 'rapport_session'
}

export function sessionCookie(settings: Settings, value: string): string {
  return cookie(settings, value, Math.floor(SESSION_LIFE_MS / 1000))
}

export function endedCookie(settings: Settings): string {
  return cookie(settings, '', 0)
}

function cookie(settings: Settings, value: string, maxAgeS: number): string {
  const secure = isSecure(settings.baseUrl) ? '; Secure' : ''
  return `${cookieName(settings)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}
