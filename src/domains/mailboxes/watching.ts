import { isoAt } from '#platform/clock.ts'
import { systemContext, type Context, type Runtime } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { isHeld } from '#platform/hold.ts'
import { newId } from '#platform/ids.ts'
import type { Attendant } from '#platform/registry.ts'
import { loginOf } from './login.ts'
import { waitForNext } from './reading.ts'
import * as store from './store.ts'
import { claimWatches, extendWatches, freeWatches, putOffWatch, type Watched } from './watch-store.ts'

/** So many connections that wait for news, per process; mailboxes beyond are read every two minutes. */
const WATCHES_MAX = 500
const CLAIM_MAX = 20
const LOOK_EVERY_MS = 5_000
const LEASE_MS = 30_000
/** A server that would not have it is asked again after this. */
const PUT_OFF_MS = 2 * 60_000

type Watch = { close(): void }

/**
 * Waits for news of mailboxes (IMAP IDLE) as long as the process lives, and has them read. Any number of processes share the
 * mailboxes between them. Nothing depends on it but the time it takes: each mailbox is read regularly as well.
 */
export const watchMailboxes: Attendant = runtime => {
  const ctx = systemContext(runtime)
  const owner = newId()
  const watches = new Map<string, Watch>()
  let stopping = false
  let looking: Promise<void> | undefined

  const timer = setInterval(lookAgain, LOOK_EVERY_MS)
  lookAgain()

  function lookAgain(): void {
    looking ??= look()
      .catch(error => {
        if (!isConnectionLoss(error)) runtime.log.error({ err: error }, 'watching mailboxes failed')
      })
      .finally(() => (looking = undefined))
  }

  async function look(): Promise<void> {
    if (stopping || (await isHeld(ctx))) return
    const until = isoAt(runtime.clock.now() + LEASE_MS)
    const ours = watches.size > 0 ? new Set((await extendWatches(ctx, owner, until)).map(keyOf)) : new Set()
    // Lost to another process, disconnected, or changed.
    for (const [key, watch] of watches) if (!ours.has(key)) end(key, watch)
    const room = Math.min(CLAIM_MAX, WATCHES_MAX - watches.size)
    if (room <= 0) return
    for (const watched of await claimWatches(ctx, owner, until, room)) {
      if (stopping) return
      await begin(watched)
    }
  }

  async function begin(watched: Watched): Promise<void> {
    const key = keyOf(watched)
    const own = systemContext(runtime, watched.team_id)
    try {
      const row = await store.findMailbox(own, watched.mailbox_id)
      if (!row) return
      const watch = runtime.ports.mailboxServers.watch(await loginOf(own, row), () => void tell(own, row.id))
      watches.get(key)?.close()
      watches.set(key, watch)
      void watch.ended.then(() => over(watched, watch))
    } catch {
      // The regular reading meets the same, and tells of it.
      await putOffWatch(ctx, owner, watched, isoAt(runtime.clock.now() + PUT_OFF_MS))
    }
  }

  async function over(watched: Watched, watch: Watch): Promise<void> {
    const key = keyOf(watched)
    if (stopping || watches.get(key) !== watch) return
    watches.delete(key)
    const until = isoAt(runtime.clock.now() + PUT_OFF_MS)
    await putOffWatch(ctx, owner, watched, until).catch(() => {})
  }

  function end(key: string, watch: Watch): void {
    watches.delete(key)
    watch.close()
  }

  return {
    async stop() {
      stopping = true
      clearInterval(timer)
      await looking
      for (const [key, watch] of watches) end(key, watch)
      await freeWatches(ctx, owner).catch(() => {})
    },
  }
}

function keyOf({ team_id, mailbox_id }: Watched): string {
  return `${team_id} ${mailbox_id}`
}

/** Has it read now; a reading that is under way goes on beside. */
async function tell(ctx: Context, id: string): Promise<void> {
  const { log }: Pick<Runtime, 'log'> = ctx.runtime
  try {
    await ctx.transaction(async ctx => {
      if (await store.lockMailbox(ctx, id)) waitForNext(ctx, id, 0)
    })
  } catch (error) {
    if (!isConnectionLoss(error))
      log.warn({ err: error, mailbox: id }, 'news of a mailbox could not be noted')
  }
}
