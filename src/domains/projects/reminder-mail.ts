import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { html, letter } from '#platform/html.ts'
import { findMember } from '#domains/identity/members.ts'
import { sendMail } from '#domains/mail/service.ts'
import type { taskReminded } from './contract.ts'

/** Emails a reminder to the task's assignee. */
export async function mailReminder(ctx: Context, event: EventOf<typeof taskReminded>): Promise<void> {
  const { title, assignee_id } = event.data
  const id = event.subject_id
  const person = assignee_id ? await findMember(ctx, ctx.team_id, assignee_id) : undefined
  if (!person) return
  const link = `${ctx.runtime.settings.baseUrl}/tasks?task=${id}`
  sendMail(ctx, {
    kind: 'task-reminder',
    about: { kind: 'task', id },
    to: person.email,
    subject: `Reminder: ${title}`,
    text: `Reminder for your task:\n\n${title}\n\n${link}\n`,
    html: letter(
      title,
      html`<p>Reminder for your task:</p>
        <p><a href="${link}">${title}</a></p>`,
    ),
  })
}
