import { createOperatorClient } from '#domains/oauth/clients.ts'
import { allScopes, scopes } from '#platform/scopes.ts'
import { need, parseScopes, UsageError, type Command } from './command.ts'
import { withContext } from './database.ts'

export const client: Command = {
  name: 'client',
  summary: 'Create an OAuth client: rapport client create',
  details: 'Prints the client id, and for a confidential client the secret behind it, this one time.',
  positional: 'create',
  options: {
    name: { type: 'string', describe: 'what people read on the consent page' },
    'redirect-uri': {
      type: 'string',
      describe: 'https, or http on this machine; several are separated by spaces',
    },
    scope: {
      type: 'string',
      describe: `what it may ask for, everything unless told: ${Object.keys(scopes).join(' ')}`,
    },
    confidential: { type: 'boolean', describe: 'a server that can keep a secret; else the client is public' },
  },
  async run(values, [verb, ...rest]) {
    if (verb !== 'create' || rest.length > 0)
      throw new UsageError('Say: rapport client create --name … --redirect-uri …')
    const name = need(values, 'name').trim()
    if (!name || name.length > 500 || /\p{Cc}/u.test(name))
      throw new UsageError('--name is one line of text.')
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
  },
}
