import type { Hex } from 'viem'
import { ChainUnavailable } from '#platform/ports/chain.ts'
import { Reverted, type Nodes } from './nodes.ts'

/**
 * Whether the wallet signed the text (EIP-191). A key of its own is recovered here, without asking anybody. A wallet that
 * is a contract is asked by the validator of ERC-6492, which knows ERC-1271 as well and runs without being deployed.
 */
export async function isSignedBy(nodes: Nodes, text: string, signature: Hex, payer: Hex): Promise<boolean> {
  // Recovering a key from an invalid signature yields this address, and new coins come from it: it has no
  // owner.
  if (BigInt(payer) === 0n) return false
  if (await isOwnKey(text, signature, payer)) return true
  const data = await validation(text, signature, payer)
  try {
    return await nodes.ask(async call => {
      const answer = await call<string>('eth_call', [{ data }, 'latest'])
      if (/^0x0*[01]$/.test(answer)) return BigInt(answer) === 1n
      throw new ChainUnavailable('a node returned an invalid result for a signature check')
    })
  } catch (error) {
    // Only the contract's own refusal is a no: a node that is away says nothing.
    if (error instanceof Reverted) return false
    throw error
  }
}

async function isOwnKey(text: string, signature: Hex, payer: Hex): Promise<boolean> {
  const { recoverMessageAddress } = await import('viem/utils')
  try {
    return (await recoverMessageAddress({ message: text, signature })).toLowerCase() === payer
  } catch {
    return false
  }
}

/** All of viem is loaded for wallets that are contracts alone. */
async function validation(text: string, signature: Hex, payer: Hex): Promise<Hex> {
  const { encodeDeployData, erc6492SignatureValidatorByteCode, hashMessage, parseAbi } = await import('viem')
  return encodeDeployData({
    abi: parseAbi(['constructor(address signer, bytes32 hash, bytes signature)']),
    bytecode: erc6492SignatureValidatorByteCode,
    args: [payer, hashMessage(text), signature],
  })
}
