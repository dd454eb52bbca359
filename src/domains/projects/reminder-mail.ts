import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { html, letter } from '#platform/html.ts'
import { MailUncertain } from '#platform/ports/mail.ts'
import { findMember } from '#domains/identity/members.ts'
import type { taskReminded } from './contract.ts'
import * as store from './store.ts'

/**
 * Mails a reminder to whom the task is assigned. As with every mail of ours, the row says SENDING before the server is
 * called; whoever finds it so afterwards does not send again.
 */
export async function mailReminder(ctx: Context, event: EventOf<typeof taskReminded>): Promise<void> {
  const { title, assignee_id } = event.data
  const reminder = await store.findReminder(ctx, event.subject_id)
  if (reminder === 'SENDING') return note(ctx, event.subject_id, 'UNKNOWN')
  if (reminder !== 'DUE' && reminder !== 'FAILED') return
  const person = assignee_id ? await findMember(ctx, ctx.team_id, assignee_id) : undefined
  if (!person) return
  const { baseUrl } = ctx.runtime.settings
  const link = `${baseUrl}/tasks?task=${event.subject_id}`
  await note(ctx, event.subject_id, 'SENDING')
  try {
    await ctx.runtime.ports.mail.send({
      to: person.email,
      subject: `Reminder: ${title}`,
      message_id: `<reminder-${event.id}@${new URL(baseUrl).hostname}>`,
      text: `You asked to be reminded of this task:\n\n${title}\n\n${link}\n`,
      html: letter(
        title,
        html`<p>You asked to be reminded of this task:</p>
          <p><a href="${link}">${title}</a></p>`,
      ),
    })
  } catch (error) {
    await note(ctx, event.subject_id, error instanceof MailUncertain ? 'UNKNOWN' : 'FAILED')
    if (error instanceof MailUncertain) return
    throw error
  }
  await note(ctx, event.subject_id, 'SENT')
}

async function note(ctx: Context, id: string, reminder: store.Reminder): Promise<void> {
  await ctx.transaction(async ctx => store.noteReminder(ctx, id, reminder))
}
