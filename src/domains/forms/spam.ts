import type { Context } from '#platform/context.ts'
import { networkOf } from '#platform/network.ts'
import type { Policy } from '#platform/rate-windows.ts'
import type { Answers, FormContent } from './contract.ts'
import { own } from './model.ts'
import { openToken, PAGE_MAX_MS, PAGE_MIN_MS, type PageSeen } from './page-token.ts'
import type { Suspicion } from './values.ts'

/** The field that people do not see. No field of a form can be called so. */
export const HONEYPOT = '_website'
/** So many of one form from one network within a minute are people; more are not. */
export const SUBMISSIONS_PER_MINUTE_MAX = 10
/** So many links in the answers are an advertisement. */
export const LINKS_SUSPICIOUS = 3

export type Judgement = { reasons: Suspicion[]; page_key: string | null }

type Sent = {
  form_id: string
  content: FormContent
  values: Answers
  body: Readonly<Record<string, unknown>>
  /** Our own page always has one; a program need not. */
  tokenNeeded: boolean
}

/** Why this may be no person's doing; nothing where all is well. */
export async function judge(
  ctx: Context,
  { form_id, content, values, body, tokenNeeded }: Sent,
): Promise<Judgement> {
  const { _token } = body
  const page = typeof _token === 'string' ? openToken(ctx.runtime, form_id, _token) : undefined
  const reasons: (Suspicion | false)[] = [
    isFilled(own(body, HONEYPOT)) && 'honeypot',
    ...(tokenNeeded || isFilled(_token) ? [doubtOf(page)] : []),
    (await isTooMany(ctx, form_id)) && 'too_many',
    linksIn(content, values) >= LINKS_SUSPICIOUS && 'many_links',
  ]
  return { reasons: reasons.filter(reason => reason !== false), page_key: page?.key ?? null }
}

export function linksIn({ fields }: Pick<FormContent, 'fields'>, values: Answers): number {
  const texts = fields.map(({ key }) => own(values, key)).filter(value => typeof value === 'string')
  return texts.reduce((count, text) => count + (text.match(LINK)?.length ?? 0), 0)
}

const LINK = /(?:https?:\/\/|www\.)\S/gi

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function doubtOf(page: PageSeen | undefined): Suspicion | false {
  if (!page || !(page.ageMs >= 0) || page.ageMs > PAGE_MAX_MS) return 'bad_token'
  return page.ageMs < PAGE_MIN_MS && 'too_quick'
}

const policy: Policy = { name: 'form', quota: SUBMISSIONS_PER_MINUTE_MAX, windowS: 60 }

/** Counts this one, in all processes together. */
async function isTooMany({ runtime, request }: Context, form_id: string): Promise<boolean> {
  if (!runtime.settings.rateLimit || !request?.ip) return false
  const { used } = await runtime.windows.count(policy, `${form_id} ${networkOf(request.ip)}`)
  return used > policy.quota
}
