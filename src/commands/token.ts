import { createKey } from '#domains/identity/keys.ts'
import { ensureUser, homeTeam } from '#domains/identity/people.ts'
import { need, needEmail, parseScopes, type Values } from './command.ts'
import { withContext } from './database.ts'

export async function run(values: Values): Promise<void> {
  const email = needEmail(values)
  const wanted = parseScopes(need(values, 'scope'))
  const name = values.name ?? 'Command line'
  const key = await withContext(async ctx => {
    const user = await ensureUser(ctx, email)
    const team = await homeTeam(ctx, user.id)
    const own = ctx.forTeam(team).as({ kind: 'person', id: user.id, name: user.name })
    return createKey(own, { name, scopes: wanted })
  })
  console.log(key.key)
}
