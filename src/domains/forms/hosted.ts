import { Answer, page } from '#platform/answer.ts'
import { contentPolicy } from '#platform/content-policy.ts'
import type { Context } from '#platform/context.ts'
import type { Parameters } from '#platform/contract.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import { findAddress } from './addresses.ts'
import type { Form } from './contract.ts'
import type { Given } from './fields-html.ts'
import { own } from './model.ts'
import { frameAncestors, refuseForeignOrigin } from './origin.ts'
import { openToken, PAGE_MAX_MS, pageToken } from './page-token.ts'
import { absentPage, formPage, thanksPage } from './pages.ts'
import { initialValues } from './prefill.ts'
import { findForm } from './service.ts'
import { submit, type Body, type Shown, type Thanks } from './submissions.ts'
import { carriedBy } from './touch.ts'
import { LONG_ANSWER_LENGTH_MAX, OPTIONS_MAX } from './values.ts'
import { getShownVersion } from './versions.ts'

type Headers = Record<string, string | undefined>
type Asked = { params: { slug: string }; query: Parameters; headers: Headers }

export async function showForm(ctx: Context, { params, query, headers }: Asked): Promise<Answer> {
  const found = await findShown(ctx, params)
  if (!found) return nothingHere()
  const given = initialValues(found.content, query)
  const carried = carriedBy(query, addressOf(found), headers.referer)
  return formAnswer(found, { given, carried, faults: [], query })
}

/** Sent by the page itself, without a script: the answer is a page again. */
export async function sendForm(ctx: Context, asked: Asked & { body: unknown }): Promise<Answer> {
  const found = await findShown(ctx, asked.params)
  return found ? answerWithPage(found, bodyOf(asked.body), asked, { tokenNeeded: true }) : nothingHere()
}

export async function showThanks(ctx: Context, { params, query }: Asked): Promise<Answer> {
  const found = await findShown(ctx, params)
  if (!found) return nothingHere()
  return hostedPage(found, thanksPage(found.content, isEmbedded(query)), 200)
}

type Sent = { params: { id: string }; query: Parameters; headers: Headers; body: unknown }

/** The way of programs and of other sites' pages; a form of such a page is answered with a page. */
export async function submitForm(
  ctx: Context,
  { params, query, headers, body }: Sent,
): Promise<Thanks | Answer> {
  const found = await findShown(ctx, params)
  if (!found) throw new Problem('not_found', 'This form does not exist or is not published.')
  const sent = bodyOf(body)
  if (isPageForm(headers)) return answerWithPage(found, sent, { query, headers }, { tokenNeeded: false })
  refuseForeignOrigin(ctx.runtime.settings, found.form, headers)
  return submit(found.ctx, found, sent, { tokenNeeded: false })
}

/** As somebody who knows only its address finds it. */
type Found = Shown & { ctx: Context }

async function findShown(ctx: Context, at: { slug: string } | { id: string }): Promise<Found | undefined> {
  const address = await findAddress(ctx, at)
  if (!address) return undefined
  const own = ctx.forTeam(address.team_id)
  const form = await findForm(own, address.form_id)
  if (!form?.published) return undefined
  const { content } = await getShownVersion(own, form.id, form.version)
  return { ctx: own, form, content }
}

async function answerWithPage(
  found: Found,
  body: Body,
  { query, headers }: Omit<Asked, 'params'>,
  options: { tokenNeeded: boolean },
): Promise<Answer> {
  const { ctx, form, content } = found
  refuseForeignOrigin(ctx.runtime.settings, form, headers)
  try {
    const { redirect_url } = await submit(ctx, found, body, options)
    return seeOther(redirect_url ?? `/f/${form.slug}/thanks${isEmbedded(query) ? '?embed=1' : ''}`)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
    const carried = carriedBy(body, addressOf(found), undefined)
    const given = givenBy(content.fields, body)
    return formAnswer(found, { given, carried, faults: error.errors ?? [], query, token: body._token })
  }
}

type Filled = {
  given: Given
  carried: Record<string, string>
  faults: Fault[]
  query: Parameters
  /** The page stays the same one while its errors are fixed. */
  token?: unknown
}

function formAnswer(found: Found, { given, carried, faults, query, token }: Filled): Answer {
  const { ctx, form, content } = found
  const to = {
    id: form.id,
    slug: form.slug,
    token: keptToken(found, token) ?? pageToken(ctx.runtime, form.id),
  }
  const embedded = isEmbedded(query)
  return hostedPage(
    found,
    formPage({ to, content, given, faults, carried, embedded }),
    faults.length > 0 ? 422 : 200,
  )
}

function keptToken({ ctx, form }: Found, token: unknown): string | undefined {
  if (typeof token !== 'string') return undefined
  const seen = openToken(ctx.runtime, form.id, token)
  return seen && seen.ageMs >= 0 && seen.ageMs < PAGE_MAX_MS ? token : undefined
}

/** The policy says who may frame it; the older header knows no list, and would forbid everybody. */
function hostedPage({ form, content }: Shown, text: string, status: number): Answer {
  return page(text, status, {
    'content-security-policy': contentPolicy({
      ...(content.redirect_url && { formTarget: new URL(content.redirect_url).origin }),
      frameAncestors: frameAncestors(form),
    }),
    'x-frame-options': form.allowed_domains.length > 0 ? '' : 'SAMEORIGIN',
  })
}

function nothingHere(): Answer {
  return page(absentPage(), 404)
}

function seeOther(location: string): Answer {
  return new Answer(303, { location, 'cache-control': 'no-store' })
}

function addressOf({ ctx, form }: { ctx: Context; form: Form }): string {
  return `${ctx.runtime.settings.baseUrl}/f/${form.slug}`
}

function isEmbedded({ embed }: Parameters): boolean {
  return embed === '1'
}

function isPageForm({ 'content-type': type = '', accept = '' }: Headers): boolean {
  return type.startsWith('application/x-www-form-urlencoded') && accept.includes('text/html')
}

/** What was sent is shown again as it was sent, as far as it has room. */
function givenBy(fields: Shown['content']['fields'], body: Body): Given {
  return Object.fromEntries(
    fields.flatMap(({ key }): [string, string | string[]][] => {
      const value = own(body, key)
      if (typeof value === 'string') return [[key, value.slice(0, LONG_ANSWER_LENGTH_MAX * 2)]]
      return Array.isArray(value)
        ? [[key, value.filter(item => typeof item === 'string').slice(0, OPTIONS_MAX)]]
        : []
    }),
  )
}

function bodyOf(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  throw new Problem('malformed', 'Send the answers as an object or as a form.', { code: 'body_missing' })
}
