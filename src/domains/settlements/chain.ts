import type { Context } from '#platform/context.ts'
import { ChainUnavailable, WrongChain, type Chain } from '#platform/ports/chain.ts'
import { PaymentFault } from './charge.ts'

const OUTAGE_RETRY_S = 30

export function getChain(ctx: Context): Chain {
  const { chain } = ctx.runtime.ports
  if (!chain)
    throw new PaymentFault('chain_not_configured', 'On-chain payments are not configured.', OUTAGE_RETRY_S)
  return chain
}

/** Asks the chain. While nobody can tell, nothing is settled and nobody is asked to pay again. */
export async function asking<Answer>(ctx: Context, ask: (chain: Chain) => Promise<Answer>): Promise<Answer> {
  const chain = getChain(ctx)
  try {
    return await ask(chain)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    ctx.log.error({ err: error }, 'the chain is not reachable')
    if (error instanceof WrongChain)
      throw new PaymentFault('wrong_rpc_chain', 'The node is on a different chain.', OUTAGE_RETRY_S)
    throw new PaymentFault('chain_unavailable', 'The chain is not responding right now.', OUTAGE_RETRY_S)
  }
}
