import type { Endpoint } from '#platform/contract.ts'

/** What an operation needs and answers, in sentences. */
export function describe(endpoint: Endpoint): string {
  return [endpoint.description, access(endpoint), paging(endpoint), answer(endpoint)]
    .filter(sentence => sentence !== undefined)
    .join(' ')
}

function access({ auth }: Endpoint): string {
  if (auth === 'public') return 'Open to everyone; a session counts if there is one.'
  if (auth === 'open') return 'Open to everyone, from any site; cookies are ignored.'
  if ('scope' in auth) return `Requires the scope \`${auth.scope}\`${auth.or ? ` or \`${auth.or}\`` : ''}.`
  if ('role' in auth) return `Requires a signed-in person with the role \`${auth.role}\` or higher.`
  if ('cron' in auth) return 'Requires the `CRON_SECRET` of the installation as bearer token.'
  return 'Requires a Standard Webhooks signature over the raw body.'
}

function paging({ query, output }: Endpoint): string | undefined {
  const takes = (query as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
  const gives = (output as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
  return 'cursor' in takes && 'next_cursor' in gives
    ? 'Answers a page; send its `next_cursor` as `cursor` to get the next one.'
    : undefined
}

function answer({ media }: Endpoint): string | undefined {
  return media === undefined ? undefined : answers[media]
}

const answers: Record<string, string> = {
  'text/csv': 'Answers a CSV file, streamed.',
  'text/event-stream': 'Answers a stream of server-sent events that stays open.',
  'text/html': 'Answers a page for a browser.',
  'application/pdf': 'Answers a PDF file.',
}
