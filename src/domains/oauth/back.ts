import { redirect, type Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { withParameters } from './redirect-uri.ts'

/** Back to the client, with `iss` (RFC 9207), so that it cannot mix up who answered. */
export function back(
  ctx: Context,
  { redirect_uri, state }: { redirect_uri: string; state: string | undefined },
  answer: Record<string, string>,
): Answer {
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: ctx.runtime.settings.baseUrl }
  return redirect(withParameters(redirect_uri, parameters))
}
