import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import { listAdmins } from '#domains/identity/members.ts'
import { sendMail } from '#domains/mail/service.ts'

const KIND = 'webhook.disabled'

type Given = { id: string; name: string; url: string; failing_since: string | null }

/** Notifies the admins that an endpoint was disabled, once, in the transaction that disables it. */
export async function mailDisabled(ctx: Context, { id, name, url, failing_since }: Given): Promise<void> {
  const link = `${ctx.runtime.settings.baseUrl}/settings/webhooks/deliveries`
  const since = new Date(failing_since ?? ctx.now()).toUTCString().slice(5, 16)
  const what = `Since ${since}, every webhook Rapport sent for “${name}” has failed at`
  const then =
    'The endpoint is now disabled. Once it works again, enable it and resend the failed deliveries:'
  for (const { email } of await listAdmins(ctx)) {
    sendMail(ctx, {
      kind: KIND,
      about: { kind: 'webhook_endpoint', id },
      to: email,
      subject: `Webhook for ${name} was disabled`,
      text: `${what}\n${url}\n\n${then}\n${link}\n`,
      html: letter(
        `Webhook for ${name} was disabled`,
        html`<p>${what} <code>${url}</code></p>
          <p>${then} <a href="${link}">Webhook deliveries</a></p>`,
      ),
    })
  }
}
