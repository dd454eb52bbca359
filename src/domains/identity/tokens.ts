import type { Settings } from '#platform/settings.ts'
import { sessionTokens, type SessionTokens } from './session-token.ts'

const bySettings = new WeakMap<Settings, SessionTokens>()

/** The keys are derived once per process. */
export function tokensOf(settings: Settings): SessionTokens {
  let tokens = bySettings.get(settings)
  if (!tokens) bySettings.set(settings, (tokens = sessionTokens(settings.sessionSecrets)))
  return tokens
}
