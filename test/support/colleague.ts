import type { Role } from '#platform/scopes.ts'
import type { Person, TestApp } from './app.ts'

/** Another person of the same team, in that role. */
export async function colleagueOf(app: TestApp, person: Person, role: Role): Promise<Person> {
  const colleague = await app.person()
  // The team a first sign-in made gives way to the colleague's: the session carries over with the membership.
  await app.database.query('update memberships set team_id = $1, role = $2 where user_id = $3', [
    person.team_id,
    role,
    colleague.user_id,
  ])
  await app.database.query('update sessions set team_id = $1 where user_id = $2', [
    person.team_id,
    colleague.user_id,
  ])
  return { ...colleague, team_id: person.team_id }
}
