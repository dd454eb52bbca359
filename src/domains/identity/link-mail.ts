import { hashOf } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import { newSecret } from '#platform/ids.ts'
import { enqueue, fence, type Job } from '#platform/jobs/queue.ts'
import { MailUncertain, type Mail } from '#platform/ports/mail.ts'
import { seal, unseal } from '#platform/seal.ts'
import { linkAddress } from './links.ts'
import * as sessionStore from './session-store.ts'
import * as store from './store.ts'
import { MAILED_LINK_LIFE_MIN, MAILED_LINKS_PER_HOUR_MAX } from './values.ts'

export const LINK_JOB = 'signin.link'
const PURPOSE = 'mailed sign-in link'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Asked = { email: string; token: string; return_to: string }

/** The answer and its timing give nothing away: only the job looks the address up. */
export async function askForLink(ctx: Context, email: string, return_to: string): Promise<void> {
  const token = seal(ctx.runtime.settings, PURPOSE, newSecret())
  await ctx.transaction(
    async ctx => void enqueue(ctx, { kind: LINK_JOB, data: { email, token, return_to } satisfies Asked }),
  )
}

/**
 * Mails the link to a member. The row is written before the mail server is called. A retry that finds the row cannot know
 * whether the mail went out, so it sends nothing: the person can ask again.
 */
export async function mailLink(ctx: Context, job: Job): Promise<void> {
  const { email, token: sealed, return_to } = job.data as Asked
  const token = unseal(ctx.runtime.settings, PURPOSE, sealed)
  const user = token && (await store.findUserByEmail(ctx, email))
  if (!user || (await store.listMemberships(ctx, user.id)).length === 0) return
  if (!(await noteLink(ctx, job, user.id, token, return_to))) return
  try {
    await ctx.runtime.ports.mail.send(compose(ctx, user, token))
  } catch (error) {
    if (error instanceof MailUncertain) return
    // It certainly did not go out: the next try may send it.
    await ctx.transaction(async ctx => {
      fence(ctx, job)
      sessionStore.deleteLink(ctx, hashOf(token))
    })
    throw error
  }
}

/** Whether it is to be sent: once, and not more often than anybody can need it. */
async function noteLink(
  ctx: Context,
  job: Job,
  user_id: string,
  token: string,
  return_to: string,
): Promise<boolean> {
  return ctx.transaction(async ctx => {
    fence(ctx, job)
    await store.lockUser(ctx, user_id)
    const mailed = await sessionStore.countMailedLinks(ctx, user_id, ctx.in(-HOUR_MS))
    if (mailed >= MAILED_LINKS_PER_HOUR_MAX) return false
    return sessionStore.insertMailedLink(ctx, {
      hash: hashOf(token),
      user_id,
      expires_at: ctx.in(MAILED_LINK_LIFE_MIN * MINUTE_MS),
      used_at: null,
      mailed_at: ctx.now(),
      return_to,
    })
  })
}

function compose(ctx: Context, { email }: store.UserRow, token: string): Mail {
  const { baseUrl } = ctx.runtime.settings
  const link = linkAddress(ctx, token)
  const until = `The link can be used once and expires in ${MAILED_LINK_LIFE_MIN} minutes.`
  return {
    to: email,
    subject: 'Sign in to Rapport',
    message_id: `<signin-${ctx.newId()}@${new URL(baseUrl).hostname}>`,
    text: `Open this link to sign in to Rapport:\n${link}\n\n${until} If you did not request it, you can ignore this email: nobody can sign in without the link.\n`,
    html: letter(
      'Sign in to Rapport',
      html`<h1>Sign in to Rapport</h1>
        <p><a href="${link}">Sign in</a></p>
        <p>
          ${until} If you did not request it, you can ignore this email: nobody can sign in without the link.
        </p>`,
    ),
  }
}
