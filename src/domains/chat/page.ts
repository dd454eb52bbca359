import { Answer, page } from '#platform/answer.ts'
import { contentPolicy } from '#platform/content-policy.ts'
import type { Context } from '#platform/context.ts'
import type { Parameters } from '#platform/contract.ts'
import { isId } from '#platform/ids.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import { isFrom } from '#domains/forms/origin.ts'
import type { ShownWidget } from './contract.ts'
import { absentPage, chatPage, HONEYPOT, MESSAGE, pageFields, thanksPage } from './page-html.ts'
import { leaveMessageAsVisitor, shownWidget } from './sessions.ts'
import { CHAT_TEXT_LENGTH_MAX } from './values.ts'
import { languageOf } from './words.ts'

type Headers = Record<string, string | undefined>
type Asked = { params: { id: string }; query: Parameters; headers: Headers }

/** With JavaScript the widget takes the whole page; without, it is a form. */
export async function showChatPage(ctx: Context, asked: Asked): Promise<Answer> {
  const widget = await findShown(ctx, asked)
  if (!widget) return nothingHere(asked)
  if (asked.query.sent === 'yes') return framedByUs(thanksPage(widget), 200)
  return framedByUs(chatPage(widget, { given: {}, faults: [] }), 200)
}

/** Sent by that form. */
export async function leaveMessage(ctx: Context, asked: Asked & { body: unknown }): Promise<Answer> {
  refuseForeignOrigin(ctx.runtime, asked.headers)
  const widget = await findShown(ctx, asked)
  if (!widget) return nothingHere(asked)
  const given = givenBy(widget, asked.body)
  const { [MESSAGE]: text = '', [HONEYPOT]: trap, ...answers } = given
  const thanks = new Answer(303, { location: `/chat/${widget.id}?sent=yes`, 'cache-control': 'no-store' })
  // A program that fills in what nobody sees learns nothing.
  if (trap) return thanks
  const faults = pageFields(widget).flatMap((field): Fault[] =>
    field.required && !given[field.key] ? [{ path: field.key, message: widget.words.required! }] : [],
  )
  if (faults.length > 0) return framedByUs(chatPage(widget, { given, faults }), 422)
  try {
    await leaveMessageAsVisitor(ctx, widget, answers, text)
    return thanks
  } catch (error) {
    if (!(error instanceof Problem) || !ANSWERED.has(error.kind)) throw error
    return framedByUs(chatPage(widget, { given, faults: faultsOf(widget, error) }), statusOf(error))
  }
}

const ANSWERED: ReadonlySet<string> = new Set(['invalid', 'too_many_requests'])

function statusOf({ kind }: Problem): number {
  return kind === 'invalid' ? 422 : 429
}

/** In the visitor's language, as the widget says it. */
function faultsOf(widget: ShownWidget, { kind, errors = [] }: Problem): Fault[] {
  if (kind !== 'invalid') return [{ path: '', message: widget.words.too_many! }]
  const types = new Map(pageFields(widget).map(({ key, type }) => [key, type]))
  return errors.map(({ path, message }) => {
    const key = path === 'text' ? MESSAGE : path.replace(/^answers\./, '')
    // One without a text is not sent at all.
    if (key === MESSAGE) return { path: key, message: tooLong(widget) }
    const type = types.get(key)
    const known = type === 'email' ? 'email_wrong' : type === 'phone' ? 'phone_wrong' : undefined
    return { path: key, message: (known && widget.words[known]) ?? message }
  })
}

function tooLong({ words, language }: ShownWidget): string {
  return words.too_long!.replace('{max}', CHAT_TEXT_LENGTH_MAX.toLocaleString(language))
}

/** Only what the form asks, and no more than it takes. */
function givenBy(widget: ShownWidget, body: unknown): Record<string, string> {
  const sent = new Map(Object.entries((body ?? {}) as object))
  const keys = [...pageFields(widget).map(({ key }) => key), HONEYPOT]
  return Object.fromEntries(
    keys.flatMap(key => {
      const value: unknown = sent.get(key)
      return typeof value === 'string' && value.trim() !== '' ? [[key, value.trim()]] : []
    }),
  )
}

async function findShown(ctx: Context, { params, query, headers }: Asked): Promise<ShownWidget | undefined> {
  if (!isId(params.id)) return undefined
  try {
    const widget = await shownWidget(ctx, params.id, languageAsked({ query, headers }))
    return widget.is_on ? widget : undefined
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found') return undefined
    throw error
  }
}

function languageAsked({ query, headers }: Pick<Asked, 'query' | 'headers'>): string {
  return languageOf(typeof query.language === 'string' ? query.language : headers['accept-language'])
}

function nothingHere(asked: Asked): Answer {
  return page(absentPage(languageOf(languageAsked(asked))), 404)
}

/** The settings preview it; no other site puts a frame around what is written here. */
function framedByUs(text: string, status: number): Answer {
  return page(text, status, {
    'content-security-policy': contentPolicy({ frameAncestors: "'self'" }),
    'x-frame-options': 'SAMEORIGIN',
  })
}

/** A browser always says where its form comes from. */
function refuseForeignOrigin({ settings }: Context['runtime'], headers: Headers): void {
  if (headers.origin === undefined || isFrom(settings, [], headers)) return
  throw new Problem('forbidden', 'This site is not allowed to submit this form.', {
    code: 'origin_not_allowed',
  })
}
