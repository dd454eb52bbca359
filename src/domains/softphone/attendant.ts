import { systemContext, type Runtime } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { isHeld } from '#platform/hold.ts'
import { isoAt } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { setTimeout as rest } from 'node:timers/promises'
import { Attended, type Desk } from './desk.ts'
import * as limits from './limits.ts'
import { startLedger } from './ledger.ts'
import * as store from './store.ts'
import { watchTools } from './tool-watch.ts'
import { onWake } from './wake.ts'

/**
 * Handles calls as long as the process lives: claims free ones, renews all leases with one statement,
 * executes commands, and hands calls back when it is stopped. Any number of processes may do so on one
 * database.
 */
export function startAttendant(runtime: Runtime): { stop(): Promise<void> } {
  const ctx = systemContext(runtime)
  const owner = newId()
  const calls = new Map<string, Attended>()
  const tools = watchTools(runtime)
  const ledger = startLedger(runtime, owner, { lost, over: forget })
  const desk: Desk = { runtime, owner, tools, told: ledger.told, lost }
  const obeyed = new Set<string>()
  let stopping = false
  let strayLookedAt = -Infinity
  let woken = false
  let endRest = () => {}
  let beating: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  onWake(runtime, wake)
  const heartbeat = setInterval(() => {
    beating ??= beat().finally(() => (beating = undefined))
  }, limits.HEARTBEAT_MS)
  const loop = lookForever()

  async function lookForever(): Promise<void> {
    while (!stopping) {
      let more = false
      try {
        more = await claim()
        await obeyAll()
      } catch (error) {
        if (!isConnectionLoss(error)) runtime.log.error({ err: error }, 'handling calls failed')
      }
      if (!more) await restUntilWoken()
    }
  }

  /** Whether there may be more. After a restore, calls wait until outgoing work is released. */
  async function claim(): Promise<boolean> {
    const room = Math.min(limits.CALLS_MAX - calls.size, limits.CLAIM_MAX)
    if (room <= 0 || (await isHeld(ctx))) return false
    await endStrayLeases()
    const untilMs = runtime.clock.now() + limits.LEASE_MS
    const rows = await store.claimFree(ctx, owner, isoAt(untilMs), room)
    for (const row of rows) {
      // A call that we held is ours again, from its saved state.
      calls.get(row.call_id)?.leave()
      const call = new Attended(row, desk, untilMs)
      calls.set(row.call_id, call)
      call.begin()
    }
    return rows.length === room
  }

  async function endStrayLeases(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - strayLookedAt < limits.STRAY_LEASES_MS) return
    strayLookedAt = nowMs
    const count = await store.freeStray(ctx, limits.LEASE_MS)
    if (count > 0) runtime.log.warn({ calls: count }, 'calls were leased by a clock that was ahead')
  }

  async function obeyAll(): Promise<void> {
    if (calls.size === 0) return
    const commands = await store.findCommands(ctx, owner)
    const waiting = new Set(commands.map(({ id }) => id))
    for (const id of obeyed) if (!waiting.has(id)) obeyed.delete(id)
    const done: string[] = []
    for (const command of commands) {
      const call = calls.get(command.call_id)
      if (!call || obeyed.has(command.id)) continue
      try {
        if (await call.obey(command)) done.push(command.id)
      } catch (error) {
        // A prompt that the provider rejects is not sent twice.
        done.push(command.id)
        runtime.log.warn({ err: error, call: command.call_id }, 'a prompt was not accepted')
      }
    }
    for (const id of done) obeyed.add(id)
    await store.deleteCommands(ctx, done)
  }

  async function beat(): Promise<void> {
    if (calls.size === 0) return
    const held = [...calls.values()]
    const untilMs = runtime.clock.now() + limits.LEASE_MS
    try {
      const handles = held.map(call => call.held)
      const ours = await store.extend(ctx, owner, handles, isoAt(untilMs))
      for (const call of held)
        if (ours.has(call.held.call_id)) call.leaseUntilMs = untilMs
        else lost(call)
    } catch {
      // The next beat tries again; the fence guards whatever happens meanwhile.
    }
  }

  function lost(call: Attended): void {
    call.leave()
    forget(call)
  }

  function forget(call: Attended): void {
    if (calls.get(call.held.call_id) === call) calls.delete(call.held.call_id)
  }

  function wake(): void {
    woken = true
    endRest()
  }

  async function restUntilWoken(): Promise<void> {
    if (!woken && !stopping)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, runtime.lookEveryMs ?? limits.POLL_MS)
        endRest = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    woken = false
  }

  /** Nothing is waited for longer than a moment: what is not handed back is free when its lease is over. */
  async function stop(): Promise<void> {
    stopping = true
    wake()
    await loop
    const held = [...calls.values()]
    for (const call of held) call.leave()
    tools.stop()
    const underWay = Promise.allSettled(held.map(call => call.running)).then(() => ledger.stop())
    await Promise.race([underWay, rest(limits.STOP_MS, undefined, { ref: false })])
    clearInterval(heartbeat)
    await beating
    try {
      await store.handBack(ctx, owner)
    } catch (error) {
      runtime.log.warn({ err: error }, 'calls could not be handed back')
    }
  }

  return { stop: () => (stopped ??= stop()) }
}
