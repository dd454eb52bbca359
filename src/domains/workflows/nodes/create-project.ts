import { isRefusal } from '#platform/problem.ts'
import { livingAccounts } from '#domains/accounts/service.ts'
import { nameOf } from '#domains/leads/model.ts'
import { createProject } from '#domains/projects/projects.ts'
import type { Done } from '../state.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed, refused, skipped } from './answers.ts'
import { ask, asLine, lineOf, type Asked } from './asked.ts'

type Wanted = Request<'create_project'> & Asked<'create_project'>

export const perform: Perform<'create_project'> = async (ctx, requests) => {
  const wanted = await ask(ctx, requests)
  const accounts = await livingAccounts(
    ctx,
    wanted.flatMap(({ lead }) => lead?.account_id ?? []),
  )
  const answers: Done[] = []
  for (const request of wanted) answers.push(await create(request, accounts))
  return answers
}

export function given(asked: Asked<'create_project'>): { name?: string } {
  const name = lineOf(asked.node.title, asked) || (asked.lead && asLine(nameOf(asked.lead)))
  return name ? { name } : {}
}

async function create(request: Wanted, accounts: ReadonlySet<string>): Promise<Done> {
  const { ctx, node, lead, run } = request
  const opportunity_id = run.subject_kind === 'opportunity' ? run.subject_id : null
  const own = given(request)
  // A deal has a name of its own, which its project takes.
  const { name } = opportunity_id && !lineOf(node.title, request) ? {} : own
  if (!name && !opportunity_id) return { ...NO_LEAD, input: own }
  const account_id = lead?.account_id && accounts.has(lead.account_id) ? lead.account_id : null
  const input = {
    ...(name && { name }),
    ...(account_id && { account_id }),
    ...(opportunity_id && { opportunity_id }),
  }
  try {
    const project = await createProject(ctx, input)
    return done(
      { ...input, name: project.name },
      { project_id: project.id },
      `Project ${project.name} created.`,
    )
  } catch (error) {
    // It refuses before it writes anything.
    if (!isRefusal(error)) throw error
    if (error.code === 'project_exists') return skipped(input, 'This deal already has a project.')
    if (error.errors?.some(({ path }) => path === 'opportunity_id'))
      return failed(input, 'This deal is not won, so no project was created.')
    return refused(input, error)
  }
}
