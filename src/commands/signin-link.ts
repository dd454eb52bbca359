import { createSigninLink } from '#domains/identity/links.ts'
import { needEmail, type Values } from './command.ts'
import { withContext } from './database.ts'

export async function run(values: Values): Promise<void> {
  const email = needEmail(values)
  console.log(await withContext(ctx => createSigninLink(ctx, email)))
}
