import { on } from '#platform/registry.ts'
import { memberLeft, memberRemoved } from '#domains/identity/contract.ts'
import { forgetMember } from './availability.ts'

export const reactions = [
  on(memberRemoved, 'meetings.forget_member', (ctx, event) => forgetMember(ctx, event.subject_id)),
  on(memberLeft, 'meetings.forget_member', (ctx, event) => forgetMember(ctx, event.subject_id)),
]
