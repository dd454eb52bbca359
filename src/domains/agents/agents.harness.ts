import { randomBytes } from 'node:crypto'
import { claimText } from '#domains/settlements/service.ts'
import type { TestApp } from '#test/app.ts'
import { client, type Client, type Reply } from '#test/client.ts'
import type { MemoryChain } from '#test/memory-chain.ts'

export const PRICE = { amount: '25.00', currency: 'USD' }
const UNITS = 25_000_000n

export async function listedAgent(key: Client, more: object = {}): Promise<{ id: string; name: string }> {
  const body = { name: 'Front desk', instructions: 'Answer kindly.', price: PRICE, listed: true, ...more }
  const reply = await key.post('/api/voice/agents', body)
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body as { id: string; name: string }
}

export const purchasePath = ({ id }: { id: string }) => `/api/v1/agent/purchase/${id}`

export function newWallet(): string {
  return `0x${randomBytes(20).toString('hex')}`
}

/** Somebody without an account, with a wallet. */
export function buyer(app: TestApp, chain: MemoryChain, wallet = newWallet()) {
  const stranger = client(app.url)

  /** What proves that this payment was for what that challenge asked, in the header's own words. */
  function proofFor(
    asked: Reply,
    hash: string,
    more: { payer?: string; signature?: string; agent?: string } = {},
  ) {
    const { payer = wallet } = more
    const challenge = challengeIn(asked)
    const subject_id = more.agent ?? subjectOf(challenge)
    const text = claimText(
      { ...challenge, body: asked.body } as never,
      { purpose: 'agent', subject_id },
      hash,
    )
    const signature = more.signature ?? chain.sign(text, payer)
    const credential = {
      challenge,
      payload: { type: 'hash', hash, signature },
      source: `did:pkh:eip155:31337:${payer}`,
    }
    return `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`
  }

  const show = (agent: { id: string }, authorization: string) =>
    stranger.get(purchasePath(agent), { authorization })

  return {
    wallet,
    stranger,
    proofFor,
    show,
    ask: (agent: { id: string }) => stranger.get(purchasePath(agent)),
    /** Asks, pays and shows the proof. */
    async buy(agent: { id: string }, amount = UNITS) {
      const asked = await stranger.get(purchasePath(agent))
      const hash = chain.pay({ from: wallet, amount, at: new Date(app.runtime.clock.now()).toISOString() })
      const proof = proofFor(asked, hash)
      return { asked, hash, proof, reply: await show(agent, proof) }
    },
  }
}

type Parameters = Record<'id' | 'realm' | 'method' | 'intent' | 'request' | 'expires' | 'opaque', string>

export function challengeIn({ headers }: Reply): Parameters {
  const value = headers.get('www-authenticate') ?? ''
  return Object.fromEntries(
    [...value.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
  ) as Parameters
}

function subjectOf({ opaque }: Parameters): string {
  return (JSON.parse(Buffer.from(opaque, 'base64url').toString()) as { subject: string }).subject
}

/** The key that the receipt carries. */
export function keyIn(receipt: string): string {
  return (JSON.parse(Buffer.from(receipt, 'base64url').toString()) as { externalId: string }).externalId
}
