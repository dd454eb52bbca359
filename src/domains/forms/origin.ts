import type { Settings } from '#platform/settings.ts'
import { Problem } from '#platform/problem.ts'
import type { Form } from './contract.ts'

type Headers = Record<string, string | undefined>

/** A page of another site may send only where the form says so. Without an origin it is no page that sends. */
export function refuseForeignOrigin(settings: Settings, { allowed_domains }: Form, headers: Headers): void {
  if (headers.origin === undefined || isFrom(settings, allowed_domains, headers)) return
  throw new Problem('forbidden', 'This site is not allowed to submit this form.', {
    code: 'origin_not_allowed',
  })
}

/** Whether a page of ours sends it, or one of these sites. */
export function isFrom(settings: Settings, sites: readonly string[], { origin, host }: Headers): boolean {
  if (origin === undefined) return false
  if (origin === settings.baseUrl) return true
  const from = URL.canParse(origin) ? new URL(origin) : undefined
  if (!from?.host) return false
  return from.host === host || sites.some(site => isOf(from.host, site))
}

/** `*.example.com` is every name below it, and not the name itself: as browsers read it in a policy. */
export function isOf(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain
}

/** Who may show the page in a frame: our own pages, and the sites of the form. */
export function frameAncestors({ allowed_domains }: Pick<Form, 'allowed_domains'>): string {
  return ["'self'", ...allowed_domains].join(' ')
}
