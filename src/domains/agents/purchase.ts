import { Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import type { Ready } from '#platform/contract.ts'
import { isId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { PaymentFault, type Charge, type PaymentCode } from '#domains/settlements/charge.ts'
import { issueChallenge, settle } from '#domains/settlements/service.ts'
import { receiptOf } from './deployments.ts'
import type { ListingRow } from './listing-store.ts'
import { findListing, rememberedListing } from './listings.ts'
import { deliver } from './sales.ts'

type Asked = { params: { agent_id: string }; headers: Record<string, string | undefined>; method: string }

/** Without a proof of payment what to pay; with one what was bought, however often the proof is shown. */
export async function purchaseAgent(ctx: Context, asked: Asked): Promise<Answer> {
  const { params, headers } = asked
  const listing = isId(params.agent_id) ? await findListing(ctx, params.agent_id) : undefined
  if (!listing) throw notForSale()
  const sale: Sale = { ctx: ctx.forTeam(listing.team_id), listing, charge: chargeOf(listing) }
  const answer = await answerTo(sale, asked)
  return headers.origin === undefined ? answer : exposed(answer)
}

/** Whether it can be bought now: what is priced in another currency than the chain's is not. */
export function isOffered({ runtime }: Context, { withdrawn_at, currency }: ListingRow): boolean {
  const { chain } = runtime.ports
  return withdrawn_at === null && (!chain || chain.terms.currency === currency)
}

type Sale = { ctx: Context; listing: ListingRow; charge: Charge }

async function answerTo(sale: Sale, { headers, method }: Asked): Promise<Answer> {
  const proof = method === 'HEAD' ? undefined : proofIn(headers.authorization)
  try {
    return proof === undefined ? firstAnswer(sale) : await redeem(sale, proof)
  } catch (error) {
    if (error instanceof PaymentFault) return refusal(sale, error)
    throw error
  }
}

function chargeOf({ agent_id, team_id, amount }: ListingRow): Charge {
  return { purpose: 'agent', subject_id: agent_id, team_id, amount }
}

/** A buyer who pays for a recent offer gets the agent even if it was withdrawn since. */
async function redeem({ ctx, charge }: Sale, proof: string): Promise<Answer> {
  const { settlement } = await settle(ctx, proof, charge, (ctx, settlement) =>
    deliver(ctx, charge.subject_id, settlement),
  )
  const { id, receipt } = await receiptOf(ctx, settlement)
  const resource = `${ctx.runtime.settings.baseUrl}/api/agents/deployments/${id}`
  return json(200, { 'payment-receipt': receipt }, { success: true, resource })
}

/** A challenge says what to pay, not who pays: requests within the same second get the same one. */
function firstAnswer(sale: Sale): Answer {
  const { ctx, listing } = sale
  const now = ctx.runtime.clock.now()
  const told = answerAt(now, listing)
  if (told) return told
  const answer = challengeAnswer(sale, 'payment_required')
  firstAnswers.set(listing, { answer, at: now })
  return answer
}

/** The challenge of the current second, if there is one: a repeat needs no read and no signature. */
export const readyAnswer: Ready = (runtime, { agent_id }) => {
  const listing = rememberedListing(runtime, agent_id!)
  return listing && answerAt(runtime.clock.now(), listing)
}

function answerAt(now: number, listing: ListingRow): Answer | undefined {
  const told = firstAnswers.get(listing)
  return told && told.at <= now && now < told.at + SAME_ANSWER_MS ? told.answer : undefined
}
const SAME_ANSWER_MS = 1_000
/** Keyed by the row as it was read: a newly read row gets a new answer. */
const firstAnswers = new WeakMap<ListingRow, { answer: Answer; at: number }>()

function challengeAnswer({ ctx, listing, charge }: Sale, code: PaymentCode): Answer {
  if (!isOffered(ctx, listing)) throw notForSale()
  const { header, body } = issueChallenge(ctx, charge)
  return json(402, { 'www-authenticate': header, 'payment-error': code }, body)
}

/** Only who should pay sees a challenge: who sees one pays again. */
function refusal(sale: Sale, fault: PaymentFault): Answer {
  if (fault.status !== 402) throw waiting(fault)
  try {
    return challengeAnswer(sale, fault.code)
  } catch (error) {
    // There is nothing that could be asked for, as when the token cannot express the price.
    throw error instanceof PaymentFault ? waiting(error) : error
  }
}

function waiting({ code, message, status, retryAfterS }: PaymentFault): Problem {
  return new Problem(status === 409 ? 'conflict' : 'unavailable', message, {
    code,
    headers: {
      'retry-after': String(retryAfterS),
      'payment-error': code,
      'access-control-expose-headers': EXPOSED,
    },
  })
}

/** For pages of other sites: these are not among the headers that a script may read unasked. */
function exposed({ status, headers, body }: Answer): Answer {
  return new Answer(status, { ...headers, 'access-control-expose-headers': EXPOSED }, body)
}
const EXPOSED = 'WWW-Authenticate, Payment-Receipt, Payment-Error, Retry-After'

function json(status: number, headers: Record<string, string>, body: object): Answer {
  const always = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return new Answer(status, { ...always, ...headers }, JSON.stringify(body))
}

/** Any other scheme proves nothing here. */
function proofIn(authorization: string | undefined): string | undefined {
  return authorization !== undefined && /^Payment(?: |$)/i.test(authorization) ? authorization : undefined
}

function notForSale(): Problem {
  return new Problem('not_found', 'No such agent is for sale.')
}
