import type { TimelineEntry } from '#domains/leads/contract.ts'

type Cause = TimelineEntry['cause']

/** Who or what caused an event, as the start of a sentence. */
export function causeInWords({ kind, id, name }: Cause, userId: string): string {
  if (kind === 'person') return id === userId ? 'You' : (name ?? 'A former member')
  if (kind === 'system') return 'Rapport'
  const label = kinds[String(kind)] ?? 'Something'
  return name ? `${label} ${name}` : label
}

const kinds: Record<string, string> = {
  app: 'App',
  key: 'API key',
  workflow: 'Workflow',
  sequence: 'Sequence',
  agent: 'Agent',
  provider: 'Provider',
  form: 'Form',
}
