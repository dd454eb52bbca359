import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as control from './control.ts'
import { enrolLeads, reviewEnrolment } from './enrol.ts'
import * as icebreakers from './icebreakers.ts'
import { readNumbers } from './numbers.ts'
import { previewSequence } from './preview.ts'
import * as enrolments from './service.ts'

export const api: Handlers<typeof endpoints> = {
  enrolLeads: (ctx, { params, body }) => enrolLeads(ctx, params.id, body),
  listSequenceEnrolments: (ctx, { params, query }) =>
    enrolments.listSequenceEnrolments(ctx, params.id, query),
  reviewEnrolment: (ctx, { params, body }) => reviewEnrolment(ctx, params.id, body),
  previewSequence: async (ctx, { params, body }) => ({
    data: await previewSequence(ctx, params.id, body.lead_id),
  }),
  readSequenceNumbers: (ctx, { params }) => readNumbers(ctx, params.id),
  moveEnrolments: (ctx, { params }) => control.moveEnrolments(ctx, params.id),
  listEnrolments: (ctx, { query }) => enrolments.listEnrolments(ctx, query),
  readEnrolment: (ctx, { params }) => enrolments.getEnrolment(ctx, params.id),
  pauseEnrolment: (ctx, { params }) => control.pauseEnrolment(ctx, params.id),
  resumeEnrolment: (ctx, { params }) => control.resumeEnrolment(ctx, params.id),
  rescheduleEnrolment: (ctx, { params, body }) =>
    control.rescheduleEnrolment(ctx, params.id, body.next_step_at),
  skipStep: (ctx, { params }) => control.skipStep(ctx, params.id),
  stopEnrolment: (ctx, { params }) => control.stopEnrolment(ctx, params.id),
  readTrace: (ctx, { params, query }) => enrolments.readTrace(ctx, params.id, query),
  readSequenceTrace: (ctx, { params, query }) => enrolments.readSequenceTrace(ctx, params.id, query),
  listIcebreakers: async (ctx, { params }) => ({ data: await icebreakers.listIcebreakers(ctx, params.id) }),
  writeIcebreakers: (ctx, { params }) => icebreakers.writeAhead(ctx, params.id),
  reviewIcebreaker: (ctx, { params, body }) =>
    icebreakers.reviewIcebreaker(ctx, params.id, Number(params.step_index), body.text),
}
