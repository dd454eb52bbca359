import { isoAt } from '#platform/clock.ts'
import type { Offers } from '#platform/offers.ts'
import { after } from '../duration.ts'
import type { Done } from '../state.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done } from './answers.ts'
import { ask, asLine, calledOf, lineOf, type Asked } from './asked.ts'
import { makeTasks } from './create-tasks.ts'

type Invoice = Request<'generate_invoice'> & Asked<'generate_invoice'>

export const perform: Perform<'generate_invoice'> = async (ctx, requests) => {
  const asked = await ask(ctx, requests)
  const { generateInvoice } = ctx.runtime.registry.offers
  const doable = asked.filter(({ lead }) => lead)
  const answers = generateInvoice ? await written(generateInvoice, doable) : await toWrite(ctx, doable)
  return asked.map(({ lead }) => (lead ? answers.shift()! : NO_LEAD))
}

export function given(asked: Asked<'generate_invoice'>) {
  const { node, zone, nowMs } = asked
  const description = lineOf(node.description, asked)
  return {
    amount: node.amount!,
    currency: node.currency!,
    description: description || null,
    due_at: node.due === undefined ? null : isoAt(after(nowMs, node.due, zone)),
  }
}

async function written(
  generateInvoice: NonNullable<Offers['generateInvoice']>,
  invoices: Invoice[],
): Promise<Done[]> {
  const answers: Done[] = []
  for (const invoice of invoices) {
    const { ctx, lead, run, key } = invoice
    const input = given(invoice)
    const { id, number } = await generateInvoice(ctx, {
      ...input,
      lead_id: lead!.id,
      account_id: lead!.account_id,
      opportunity_id: run.subject_kind === 'opportunity' ? run.subject_id : null,
      key,
    })
    answers.push(done(input, { invoice_id: id, number }, `Invoice ${number} created.`))
  }
  return answers
}

/** Where invoices are not kept, somebody of the team writes it. */
async function toWrite(ctx: Request['ctx'], invoices: Invoice[]): Promise<Done[]> {
  return makeTasks(
    ctx,
    invoices.map(invoice => {
      const { lead } = invoice
      const input = given(invoice)
      const { amount, currency, description, due_at } = input
      const title = asLine(`Send ${calledOf(lead)} an invoice for ${amount} ${currency}`)
      const lines = [description, due_at && `Due on ${due_at.slice(0, 10)}.`].filter(Boolean)
      const task = {
        title,
        ...(lines.length > 0 && { description: lines.join('\n') }),
        assignee_id: lead!.owner_id,
        due_at: null,
      }
      return {
        request: invoice,
        input,
        task,
        note: 'Invoicing is not set up, so a task was created instead.',
      }
    }),
  )
}
