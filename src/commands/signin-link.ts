import { createSigninLink } from '#domains/identity/links.ts'
import { needEmail, type Command } from './command.ts'
import { withContext } from './database.ts'

export const signinLink: Command = {
  name: 'signin-link',
  summary: 'Print a link that signs a person in once, within the hour',
  details: 'Makes the person, and a team with it as SUPER_ADMIN, where the address is new.',
  options: { email: { type: 'string', describe: 'the address of the person' } },
  async run(values) {
    const email = needEmail(values)
    console.log(await withContext(ctx => createSigninLink(ctx, email)))
  },
}
