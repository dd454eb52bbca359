export type FieldFault = { path: string; message: string }

/** An error response, or that the server could not be reached (`status` 0). */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string | undefined
  readonly requestId: string | undefined
  readonly errors: FieldFault[]

  constructor(fields: {
    status: number
    code: string
    title: string
    detail?: string | undefined
    request_id?: string | undefined
    errors?: FieldFault[] | undefined
  }) {
    super(fields.detail ?? fields.title)
    this.name = 'ApiProblem'
    this.status = fields.status
    this.code = fields.code
    this.title = fields.title
    this.detail = fields.detail
    this.requestId = fields.request_id
    this.errors = fields.errors ?? []
  }
}

export async function problemFrom(response: Response): Promise<ApiProblem> {
  const told = response.headers.get('content-type')?.includes('json')
    ? await response.json().catch(() => null)
    : null
  return new ApiProblem({
    code: 'unexpected',
    title: response.status >= 500 ? 'Server error' : `Unexpected response (${response.status})`,
    ...told,
    status: response.status,
    request_id: told?.request_id ?? response.headers.get('x-request-id') ?? undefined,
  })
}

export function isProblem(error: unknown, status?: number): error is ApiProblem {
  return error instanceof ApiProblem && (status === undefined || error.status === status)
}

/** One sentence a person can act on. */
export function inWords(error: unknown): string {
  if (!isProblem(error)) return 'Something went wrong on this page.'
  if (error.status === 0) return "Couldn't reach the server. Check your connection and try again."
  if (error.code === 'trial_expired') return error.message
  if (error.status === 403) return "You don't have permission to do this."
  if (error.status === 429) return 'Too many requests. Wait a moment and try again.'
  if (error.errors.length) return error.errors.map(faultInWords).join('. ')
  return error.detail ?? error.title
}

/** `email` "must be an email address" → "Email must be …", where no field shows it. */
function faultInWords({ path, message }: FieldFault): string {
  const name = path.split('.').at(-1)?.replaceAll('_', ' ')
  const sentence = name && /^[a-z]/.test(message) ? `${name} ${message}` : message
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
