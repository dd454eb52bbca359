import type { Context } from '#platform/context.ts'
import { findLetters as findLettersNamed, type Letters } from '#domains/messages/letters.ts'
import type { Step } from '#domains/sequences/contract.ts'
import { templatesOf } from '#domains/sequences/model.ts'

export async function findLetters(ctx: Context, steps: readonly Step[]): Promise<Letters> {
  return findLettersNamed(ctx, templatesOf(steps))
}
