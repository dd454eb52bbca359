import { contentPolicy } from '#platform/content-policy.ts'

const HTTPS_ONLY_S = 365 * 86_400

/** On every answer. The pages of the web app replace the policy by one that carries the nonce of their style tags. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), payment=()',
    ...httpsOnly(baseUrl),
  }
}

/** For JSON that browsers do not display: if one does, nothing of it is loaded, run or framed. */
export function leanSecurityHeaders(baseUrl: string): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...httpsOnly(baseUrl),
  }
}

function httpsOnly(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${HTTPS_ONLY_S}` } : {}
}
