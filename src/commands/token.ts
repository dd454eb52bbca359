import { createKey } from '#domains/identity/keys.ts'
import { ensureUser, homeTeam } from '#domains/identity/people.ts'
import { scopes } from '#platform/scopes.ts'
import { need, needEmail, parseScopes, type Command } from './command.ts'
import { withContext } from './database.ts'

export const token: Command = {
  name: 'token',
  summary: 'Print an API key, this one time',
  details: 'Makes the person, and a team with it as SUPER_ADMIN, where the address is new.',
  options: {
    email: { type: 'string', describe: 'whose first team the key belongs to' },
    scope: { type: 'string', describe: `space-separated: ${Object.keys(scopes).join(' ')}` },
    name: { type: 'string', describe: 'what the key is for' },
  },
  async run(values) {
    const email = needEmail(values)
    const wanted = parseScopes(need(values, 'scope'))
    const name = values.name ?? 'Command line'
    const key = await withContext(async ctx => {
      const user = await ensureUser(ctx, email)
      const team = await homeTeam(ctx, user.id)
      return createKey(ctx.forTeam(team), { name, scopes: wanted })
    })
    console.log(key.key)
  },
}
