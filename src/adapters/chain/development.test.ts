import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { expect, test } from 'vitest'
import { tokenAbi } from '#test/anvil.ts'
import contracts from '#test/token/contracts.json' with { type: 'json' }
import token from './development-token.json' with { type: 'json' }
import { DEMO_WALLET, startDevelopmentChain } from './development.ts'
import { openEvm } from './evm.ts'

test('the development chain has a token and a wallet with money, and is the same after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-chain-'))
  const account = privateKeyToAccount(DEMO_WALLET.key as `0x${string}`)
  expect(account.address).toBe(DEMO_WALLET.address)
  try {
    const first = (await startDevelopmentChain(folder))!
    await openEvm(first.settings).check()
    const { recipient, rpcUrls } = first.settings
    const address = first.settings.token.split(':').at(-1) as `0x${string}`
    const wallet = createWalletClient({ account, chain: anvil, transport: http(rpcUrls[0]) })
    const hash = await wallet.writeContract({
      address,
      abi: tokenAbi,
      functionName: 'transfer',
      args: [recipient as `0x${string}`, 25_000_000n],
    })
    await expect
      .poll(() => openEvm(first.settings).transaction(hash))
      .toMatchObject({ succeeded: true, transfers: [{ amount: 25_000_000n }] })
    await first.close()
    await expect(openEvm(first.settings).check()).rejects.toThrow(/did not answer/)

    const second = (await startDevelopmentChain(folder))!
    const reader = createWalletClient({ account, chain: anvil, transport: http(second.settings.rpcUrls[0]) })
    const balance = await reader
      .extend(publicActions)
      .readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [account.address] })
    expect(balance).toBe(10n ** 12n - 25_000_000n)
    expect(await openEvm(second.settings).transaction(hash)).toMatchObject({ succeeded: true })
    await second.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('its token is the one whose source is kept', () => {
  expect(token.bytecode).toBe(contracts.Stablecoin.bytecode)
})
