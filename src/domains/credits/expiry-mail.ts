import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import { sendMail } from '#domains/mail/service.ts'

/** Tells an admin that the team can only be read from now on. */
export function mailExpiry(ctx: Context, to: string): void {
  const link = `${ctx.runtime.settings.baseUrl}/settings/credits`
  const title = "Your team's trial has ended"
  const kept = 'Your data is safe: you can still view and export everything.'
  const held = 'Changes are disabled and outreach is paused.'
  const goOn = 'To continue, contact the administrator of this installation.'
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
        <p><a href="${link}">View plan and credits</a></p>`,
    ),
  })
}
