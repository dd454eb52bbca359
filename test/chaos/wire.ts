import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Manner } from './schedule.ts'

const SLOW_MS = 120
/** Small enough that every message arrives in parts. */
const TRICKLE_BYTES = 7
const TRICKLE_PAUSE_MS = 1
const TRICKLE_PARTS_MAX = 40

/** A TCP proxy whose connections can be made slow, cut into small parts, reset, refused, or swallowed. */
export type Wire = {
  port: number
  /** Lasts until `heal`. A reset breaks what is open now; new connections work. */
  disturb(manner: Manner): void
  heal(): void
  close(): Promise<void>
}

export async function openWire(target: () => NetConnectOpts): Promise<Wire> {
  const open = new Set<Socket>()
  let manner: Manner | undefined
  let gate = Promise.resolve()
  let openGate = () => {}

  const server = createServer({ allowHalfOpen: true }, near => {
    if (manner === 'refuse') return void breakOff(near)
    const far = createConnection({ ...target(), allowHalfOpen: true } as NetConnectOpts)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => breakOff(to))
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      void forward(from, to)
    }
  })

  async function forward(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) await deliver(bytes, to)
      await gate
      to.end()
    } catch {
      // The listeners above have broken the other side.
    }
  }

  async function deliver(bytes: Buffer, to: Socket): Promise<void> {
    await gate
    if (manner === 'slow') await sleep(SLOW_MS)
    let rest = bytes
    for (
      let part = 0;
      manner === 'trickle' && part < TRICKLE_PARTS_MAX && rest.length > TRICKLE_BYTES;
      part++
    ) {
      await write(to, rest.subarray(0, TRICKLE_BYTES))
      rest = rest.subarray(TRICKLE_BYTES)
      await sleep(TRICKLE_PAUSE_MS)
    }
    await write(to, rest)
  }

  function heal(): void {
    manner = undefined
    openGate()
    openGate = () => {}
    gate = Promise.resolve()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    disturb(asked) {
      heal()
      if (asked === 'hole') ({ promise: gate, resolve: openGate } = Promise.withResolvers<void>())
      else if (asked !== 'reset') manner = asked
      if (asked === 'reset' || asked === 'refuse') for (const socket of open) breakOff(socket)
    },
    heal,
    async close() {
      heal()
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function write(to: Socket, bytes: Buffer): Promise<void> {
  if (to.destroyed) return
  if (!to.write(bytes)) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => {})
}

/** With a reset where there is such a thing: a socket in a folder knows none. */
function breakOff(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}
