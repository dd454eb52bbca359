type Policy = {
  /** Of this page's style tags. */
  nonce?: string
  /** Where its form may lead besides our own pages: browsers hold the redirect after a form to it as well. */
  formTarget?: string
  /** The sites that may embed it in a frame; none by default. */
  frameAncestors?: string
}

/** No inline script anywhere, no foreign origin; styles from our own files, or with this page's nonce. */
export function contentPolicy({ nonce, formTarget, frameAncestors = "'none'" }: Policy = {}): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}
