import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { getSequence } from '#domains/sequences/service.ts'
import type { Enrolment, ListEnrolments } from './contract.ts'
import { asEnrolment } from './enrol.ts'
import * as lists from './list-store.ts'
import * as store from './store.ts'
import type { Decision } from './values.ts'

export async function listEnrolments(ctx: Context, query: ListEnrolments) {
  return lists.listEnrolments(ctx, query)
}

export async function listSequenceEnrolments(ctx: Context, name: string, query: Page) {
  const { id } = await getSequence(ctx, name)
  return lists.listEnrolments(ctx, { ...query, sequence_id: [id] })
}

export async function getEnrolment(ctx: Context, id: string): Promise<Enrolment> {
  const row = await store.findEnrolment(ctx, id)
  if (!row) throw new Problem('not_found', 'No such enrolment.')
  return asEnrolment(row)
}

type Page = { limit?: number; cursor?: string }

export async function readTrace(ctx: Context, id: string, query: Page) {
  await getEnrolment(ctx, id)
  return lists.listTrace(ctx, id, query)
}

export async function readSequenceTrace(ctx: Context, name: string, query: Page & { decision?: Decision[] }) {
  const { id } = await getSequence(ctx, name)
  return lists.listSequenceTrace(ctx, id, query)
}
