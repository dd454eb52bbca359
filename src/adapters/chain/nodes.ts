import { ChainUnavailable, WrongChain } from '#platform/ports/chain.ts'

/** Of one call, and of everything that is asked for one answer over all nodes. */
const CALL_TIMEOUT_MS = 4_000
const ANSWER_TIMEOUT_MS = 10_000
const BYTES_MAX = 4 * 1_024 * 1_024

/** A contract refused what it was asked: the node's word, not its failure. */
export class Reverted extends Error {}

export type Call = <Result>(method: string, params: readonly unknown[]) => Promise<Result>

export type Nodes = {
  /** Asks one node all that belongs together; when it fails, the next one from the beginning. */
  ask<Answer>(question: (call: Call) => Promise<Answer>): Promise<Answer>
}

/**
 * Several URLs of one chain. Related queries go to one node, since two may be at different blocks, and each
 * node reports its chain every time: a URL may point elsewhere tomorrow.
 */
export function openNodes(
  urls: readonly string[],
  chainId: bigint,
  { callTimeoutMs = CALL_TIMEOUT_MS } = {},
): Nodes {
  let first = 0
  async function askOne<Answer>(
    url: string,
    deadline: AbortSignal,
    question: (call: Call) => Promise<Answer>,
  ) {
    const call: Call = (method, params) => {
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(callTimeoutMs)])
      return callNode(url, method, params, signal)
    }
    const [answer, actual] = await Promise.allSettled([question(call), call<string>('eth_chainId', [])])
    // Whatever was answered, and refused: from another chain it is worth nothing.
    if (actual.status === 'rejected') throw actual.reason
    if (!isQuantity(actual.value)) throw new ChainUnavailable(`${hostOf(url)} did not report its chain ID`)
    if (BigInt(actual.value) !== chainId)
      throw new WrongChain(`${hostOf(url)} is on chain ${BigInt(actual.value)}, not ${chainId}`)
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }
  return {
    async ask(question) {
      const deadline = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
      const faults: Error[] = []
      for (let at = 0; at < urls.length && !deadline.aborted; at++) {
        const place = (first + at) % urls.length
        try {
          const answer = await askOne(urls[place]!, deadline, question)
          first = place
          return answer
        } catch (error) {
          if (!(error instanceof ChainUnavailable)) throw error
          faults.push(error)
        }
      }
      const words = faults.map(({ message }) => message).join('; ')
      const options = { cause: faults }
      if (faults.some(fault => fault instanceof WrongChain)) throw new WrongChain(words, options)
      throw new ChainUnavailable(words || 'no node answered in time', options)
    },
  }
}

export function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i.test(value)
}

async function callNode<Result>(
  url: string,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<Result> {
  const { result, error } = await exchanged(url, { jsonrpc: '2.0', id: 1, method, params }, signal)
  if (error) {
    if (error.code === REVERTED || REVERT_WORDS.test(error.message ?? '')) throw new Reverted(error.message)
    throw new ChainUnavailable(`${hostOf(url)} refused ${method}: ${error.message ?? error.code}`)
  }
  if (result === undefined) throw new ChainUnavailable(`${hostOf(url)} returned no result for ${method}`)
  return result as Result
}

/** How nodes say it: the code of geth and of those who follow it, the words of the others. */
const REVERTED = 3
const REVERT_WORDS = /revert|VM execution error|invalid opcode/i

type Answer = { result?: unknown; error?: { code?: number; message?: string } }

/** The address may hold a key: only its host is ever named. */
async function exchanged(url: string, asked: object, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      redirect: 'error',
      signal,
    })
    const body = await textOf(response)
    // Some nodes put an error of the call under a status of its own.
    const answer = objectIn(body)
    if (answer && (response.ok || answer.error)) return answer
    throw new Error(`status ${response.status}`)
  } catch (error) {
    throw new ChainUnavailable(`${hostOf(url)} did not answer: ${reasonOf(error)}`, { cause: error })
  }
}

function objectIn(body: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) throw new Error(`more than ${BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function hostOf(url: string): string {
  return new URL(url).host
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time'
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message
}
