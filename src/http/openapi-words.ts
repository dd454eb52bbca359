import type { Endpoint } from '#platform/contract.ts'

/** What an operation needs and answers, in sentences. */
export function describe(endpoint: Endpoint): string {
  return [endpoint.description, access(endpoint), paging(endpoint), answer(endpoint)]
    .filter(sentence => sentence !== undefined)
    .join(' ')
}

function access({ auth }: Endpoint): string {
  if (auth === 'public') return 'No authentication required; a session is used if there is one.'
  if (auth === 'open') return 'No authentication required, callable from any site; cookies are ignored.'
  if ('scope' in auth) return `Requires the scope \`${auth.scope}\`${auth.or ? ` or \`${auth.or}\`` : ''}.`
  if ('role' in auth) return `Requires a signed-in user with the role \`${auth.role}\` or higher.`
  if ('cron' in auth) return "Requires the installation's `CRON_SECRET` as a bearer token."
  return 'Requires a Standard Webhooks signature over the raw body.'
}

function paging({ query, output }: Endpoint): string | undefined {
  const takes = (query as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
  const gives = (output as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
  return 'cursor' in takes && 'next_cursor' in gives
    ? 'Returns one page; send its `next_cursor` as `cursor` to get the next one.'
    : undefined
}

function answer({ media }: Endpoint): string | undefined {
  return media === undefined ? undefined : answers[media]
}

const answers: Record<string, string> = {
  'text/csv': 'Returns a CSV file, streamed.',
  'text/event-stream': 'Returns an open stream of server-sent events.',
  'text/html': 'Returns an HTML page.',
  'application/pdf': 'Returns a PDF file.',
}
