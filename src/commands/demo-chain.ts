import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_WALLET, startDevelopmentChain, type DevelopmentChain } from '#adapters/chain/development.ts'
import type { Config } from '#config'

export type DemoChain = DevelopmentChain & { words: string }

/** A chain to try payments with, where none is configured: it comes with the demo, and stays as long as its state does. */
export async function openChainOfDemo(config: Config, withDemo: boolean): Promise<DemoChain | undefined> {
  const folder = chainFolder(config)
  if (config.chain || config.production || !(withDemo || existsSync(folder))) return undefined
  try {
    const chain = await startDevelopmentChain(folder)
    return chain && { ...chain, words: wordsOf(chain) }
  } catch (error) {
    console.warn(`On-chain payments cannot be demonstrated: ${(error as Error).message}.`)
    return undefined
  }
}

/** Where the state of that chain lies. */
export function chainFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'chain')
}

function wordsOf({ settings: { rpcUrls, network, token } }: DevelopmentChain): string {
  return `  chain     ${rpcUrls.join(' ')} (${network}), to try payments with play money
  token     ${token}
  wallet    ${DEMO_WALLET.address}, which holds a million; its key is
            ${DEMO_WALLET.key}`
}
