import { createOperatorClient } from '#domains/oauth/clients.ts'
import { allScopes } from '#platform/scopes.ts'
import { need, parseScopes, UsageError, type Values } from './command.ts'
import { withContext } from './database.ts'

export async function run(values: Values, [verb, ...rest]: string[]): Promise<void> {
  if (verb !== 'create' || rest.length > 0)
    throw new UsageError('Usage: rapport client create --name … --redirect-uri …')
  const name = need(values, 'name').trim()
  if (!name || name.length > 500 || /\p{Cc}/u.test(name))
    throw new UsageError('--name must be a single line of text.')
  const redirect_uris = need(values, 'redirect-uri').split(/\s+/).filter(Boolean)
  const wanted = values.scope === undefined ? allScopes : parseScopes(values.scope)
  const made = await withContext(ctx =>
    createOperatorClient(ctx, {
      name,
      redirect_uris,
      scopes: wanted,
      confidential: Boolean(values.confidential),
    }),
  )
  console.log(made.id)
  if (made.client_secret) console.log(made.client_secret)
}
