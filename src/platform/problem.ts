/** The kinds of failure a caller can be told about. `http/problems.ts` maps them to statuses; nothing here knows HTTP. */
export const problemKinds = [
  'malformed',
  'unauthenticated',
  'payment_required',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'precondition_failed',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'too_many_requests',
  'unavailable',
] as const
export type ProblemKind = (typeof problemKinds)[number]

export type Fault = { path: string; message: string }

export class Problem extends Error {
  readonly kind: ProblemKind
  /** A stable snake_case word for programs. The kind serves where no closer word is given. */
  readonly code: string
  readonly errors: Fault[] | undefined
  readonly headers: Record<string, string>

  constructor(
    kind: ProblemKind,
    message: string,
    options: { code?: string; errors?: Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'Problem'
    this.kind = kind
    this.code = options.code ?? kind
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

/** Whether somebody asked for what cannot be. A database that is away or full refuses nobody: it is asked again. */
export function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.kind !== 'unavailable'
}

/** A failure told in the words of another protocol: its code goes out as it is where that protocol is spoken. */
export class ProtocolProblem extends Problem {}

/** Every fault at once: a form should not have to be sent four times to learn of four mistakes. */
export function invalid(errors: Fault[]): Problem {
  const [{ path, message }] = errors as [Fault]
  const one = path ? `${path}: ${message}` : message
  const detail = errors.length === 1 ? one : `${errors.length} fields are invalid.`
  return new Problem('invalid', detail, { code: 'validation_failed', errors })
}

/** Errors in a part of the body get the path within the whole. */
export function within<Result>(place: string, check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw inside(place, error)
  }
}

/** The same for an error that is at hand. */
export function inside(place: string, error: unknown): unknown {
  if (!(error instanceof Problem) || !error.errors) return error
  return invalid(
    error.errors.map(({ path, message }) => ({ path: path ? `${place}.${path}` : place, message })),
  )
}
