/** A settlement chain as the product sees it: what happened to a transaction, and whether a text was signed. */
export type Chain = {
  /** As configured: CAIP-2 and CAIP-19, the wallet that is paid, and how deep a payment must lie. */
  terms: ChainTerms
  /** The token's own decimals. */
  decimals(): Promise<number>
  /** The transfers of the token in a transaction, once it is mined; undefined while nobody knows it. */
  transaction(hash: string): Promise<ChainTransaction | undefined>
  /** How many blocks lie on the block, itself included; 0 when the chain no longer has it. */
  depth(block: { number: bigint; hash: string }): Promise<number>
  /** Whether the payer signed the text: EIP-191, or by its contract (ERC-1271, ERC-6492). */
  isSigned(text: string, signature: string, payer: string): Promise<boolean>
  /** Throws when the node does not answer, or is on another chain. */
  check(): Promise<void>
  close(): Promise<void>
}

export type ChainTerms = {
  network: string
  token: string
  recipient: string
  /** Of the token, as the operator says; `decimals()` is what the token itself says. */
  decimals: number
  confirmations: number
  /** The currency of one unit of the token. */
  currency: string
}

export type ChainTransaction = {
  hash: string
  succeeded: boolean
  block: { number: bigint; hash: string; time: string }
  /** Blocks on it, its own included. */
  depth: number
  /** Each Transfer of an ERC-20 in it, of whichever token, in the token's own unit; addresses in lower case. */
  transfers: readonly Transfer[]
}
export type Transfer = { token: string; from: string; to: string; amount: bigint }

/** No node answered, or not what was asked: nobody knows, so nobody is charged and nobody is served. */
export class ChainUnavailable extends Error {}
/** The node speaks of another chain than the configured one. */
export class WrongChain extends ChainUnavailable {}
