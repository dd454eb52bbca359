import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import { sendMail } from '#domains/mail/service.ts'

/** Tells an admin that the team can only be read from now on. */
export function mailExpiry(ctx: Context, to: string): void {
  const link = `${ctx.runtime.settings.baseUrl}/settings/credits`
  const title = 'The trial of your team is over'
  const kept = 'Nothing is lost: everything can still be read and exported.'
  const held = 'Nothing can be changed any more, and outreach is paused.'
  const goOn = 'Whoever runs this installation can go on with it.'
  sendMail(ctx, {
    kind: 'trial-expired',
    about: { kind: 'credits', id: ctx.team_id },
    to,
    subject: title,
    text: `${title}.\n\n${kept} ${held}\n${goOn}\n\n${link}\n`,
    html: letter(
      title,
      html`<p>${kept} ${held}</p>
        <p>${goOn}</p>
        <p><a href="${link}">See the plan and the credits</a></p>`,
    ),
  })
}
