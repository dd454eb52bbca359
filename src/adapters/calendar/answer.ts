import { calendarQuery, propfind, type DAVResponse } from 'tsdav'

const SMALL_PROPERTY_LENGTH_MAX = 10_000
export const RESPONSES_MAX = 10_000

export const calls = { propfind, calendarQuery }
export type Call = keyof typeof calls
export type Parameters = { url: string; depth: '0' | '1'; props: object; filters?: object }

/** What a server answered, as it came. */
export type Written = { url: string; status: number; headers: [string, string][]; text: string }
export type Question = { call: Call; parameters: Parameters; written: Written }

export type Answer = Pick<DAVResponse, 'href' | 'ok' | 'props'>

/** What we ask for. Of whatever else a server tells nothing is kept, nor of what is longer than it can be. */
const PROPERTIES = [
  'resourcetype',
  'displayname',
  'currentUserPrincipal',
  'currentUserPrivilegeSet',
  'supportedCalendarComponentSet',
  'calendarHomeSet',
  'getetag',
]

/** Answers at most one more than there may be. */
export async function readAnswer({ call, parameters, written }: Question): Promise<Answer[]> {
  const responses = await calls[call]({ ...parameters, fetch: async () => asResponse(written) } as never)
  return responses.slice(0, RESPONSES_MAX + 1).map(({ href, ok, props }) => ({
    ...(typeof href === 'string' && { href }),
    ok,
    props: kept(props ?? {}),
  }))
}

/** As fetch would have it: some statuses have no body, and the address is where the answer came from at last. */
function asResponse({ url, status, headers, text }: Written): Response {
  const made = new Response([204, 205, 304].includes(status) ? null : text, { status, headers })
  return Object.defineProperty(made, 'url', { value: url })
}

function kept(props: Record<string, unknown>): Record<string, unknown> {
  const small = PROPERTIES.filter(name => {
    const text = JSON.stringify(props[name])
    return text !== undefined && text.length <= SMALL_PROPERTY_LENGTH_MAX
  })
  return {
    ...Object.fromEntries(small.map(name => [name, props[name]])),
    ...(props.calendarData !== undefined && { calendarData: textIn(props.calendarData) }),
  }
}

function textIn(data: unknown): string {
  const text = (data as { _cdata?: unknown } | null)?._cdata ?? data
  return typeof text === 'string' ? text : ''
}
