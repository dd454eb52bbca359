const HTTPS_ONLY_S = 365 * 86_400

/** On every answer. The pages of the web app replace the policy by one that carries the nonce of their style tags. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    'content-security-policy': policy(),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), payment=()',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': `max-age=${HTTPS_ONLY_S}` }),
  }
}

/** No inline script anywhere, no foreign origin; styles from our own files, or with this page's nonce. */
export function policy(nonce?: string): string {
  const styles = nonce ? `'self' 'nonce-${nonce}'` : "'self'"
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
