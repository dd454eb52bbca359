import type { Context } from '#platform/context.ts'
import { keyOf } from './model.ts'

/** From which the installation sends, without its name. */
export function senderAddress({ runtime: { settings } }: Context): string {
  const { emailFrom } = settings
  return keyOf((/<([^<>]+)>\s*$/.exec(emailFrom)?.[1] ?? emailFrom).trim())
}
