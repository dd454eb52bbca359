import type { Context } from '#platform/context.ts'
import { countSteps } from '#domains/messages/service.ts'
import { getSequence } from '#domains/sequences/service.ts'
import type { SequenceNumbers } from './contract.ts'
import { countDecisions, countEnrolments, countWaiting } from './count-store.ts'

/** How a sequence is doing: of its enrolments as a whole, and of what each step sent. */
export async function readNumbers(ctx: Context, name: string): Promise<SequenceNumbers> {
  const { id, steps } = await getSequence(ctx, name)
  const [whole, sent, decided, waiting] = await Promise.all([
    countEnrolments(ctx, id),
    countSteps(ctx, id),
    countDecisions(ctx, id),
    countWaiting(ctx, id),
  ])
  const length = Math.max(steps.length, ...sent.map(({ step_index }) => step_index + 1))
  return {
    ...whole,
    steps: Array.from({ length }, (_, step_index) => {
      const messages = sent.find(row => row.step_index === step_index)
      const other = decided.filter(row => row.step_index === step_index)
      const of = (decision: string) => other.find(row => row.decision === decision)?.count ?? 0
      return {
        step_index,
        sent: messages?.sent ?? 0,
        delivered: messages?.delivered ?? 0,
        opened: messages?.opened ?? 0,
        clicked: messages?.clicked ?? 0,
        replied: messages?.replied ?? 0,
        bounced: messages?.bounced ?? 0,
        failed: messages?.failed ?? 0,
        unknown: messages?.unknown ?? 0,
        tasks: of('task'),
        skipped: of('skipped'),
        waiting: waiting.find(row => row.step_index === step_index)?.count ?? 0,
      }
    }),
  }
}
