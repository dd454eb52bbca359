import type { Actor, Context } from '#platform/context.ts'
import type { Role } from '#platform/scopes.ts'
import { addMember } from '#domains/identity/members.ts'
import { ensurePerson } from '#domains/identity/people.ts'

/** Who a development installation belongs to until somebody else signs in. */
export const OPERATOR_EMAIL = 'maya.lindqvist@brightwater.test'

export const FOUNDER = { name: 'Maya Lindqvist', email: OPERATOR_EMAIL }

const colleagues = {
  jonas: { name: 'Jonas Weber', email: 'jonas.weber@brightwater.test', role: 'ADMIN' },
  priya: { name: 'Priya Raman', email: 'priya.raman@brightwater.test', role: 'MEMBER' },
  tom: { name: 'Tom Gallagher', email: 'tom.gallagher@brightwater.test', role: 'MEMBER' },
  elif: { name: 'Elif Kaya', email: 'elif.kaya@brightwater.test', role: 'VIEWER' },
} as const satisfies Record<string, { name: string; email: string; role: Role }>

export type Member = Actor & { kind: 'person'; id: string; name: string }
export type Members = Record<'maya' | keyof typeof colleagues, Member>

/** The team's people. Who has the address already joins as it is. */
export async function joinMembers(ctx: Context): Promise<Members> {
  const members: Record<string, Member> = { maya: await join(ctx, { ...FOUNDER, role: 'ADMIN' }) }
  for (const [key, person] of Object.entries(colleagues)) members[key] = await join(ctx, person)
  return members as Members
}

async function join(
  ctx: Context,
  { name, email, role }: { name: string; email: string; role: Role },
): Promise<Member> {
  const user = await ensurePerson(ctx, email, name)
  await addMember(ctx, user, role)
  return { kind: 'person', id: user.id, name: user.name }
}
