import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { randomNumbers } from '#test/random.ts'
import type { Cluster } from '../chaos/cluster.ts'
import type { Member } from '../chaos/member.ts'
import { oneOf } from '../chaos/schedule.ts'
import type { Killed, Ledger } from './ledger.ts'
import type { Post } from './smtp.ts'

/**
 * When processes are killed. any: at any time. The others: right after the database, or the SMTP server, has got this far with
 * something.
 */
export const receivingMoments = ['any', 'file_row', 'mail_taken', 'place_moved'] as const
export const sendingMoments = ['any', 'in_hand', 'at_data', 'sent_noted', 'filing'] as const
export type Moment = (typeof receivingMoments)[number] | (typeof sendingMoments)[number]

export type PlannedKill = {
  n: number
  moment: Moment
  /** Before it is waited for, and after it has come. */
  pauseMs: number
  lateMs: number
  /** All workers, or the one of this share; and at any time it may be an api instead. */
  all: boolean
  target: number
  isApi: boolean
}

const PAUSE_MAX_MS = 1_500
const LATE_MAX_MS = 60
const API_SHARE = 0.2
/** What does not come for so long does not come. */
const MOMENT_WITHIN_MS = 25_000

type Asked = { seed: number; kills: number; moments: readonly Moment[] }

/** The same seed gives the same plan. */
export function planKills({ seed, kills, moments }: Asked): PlannedKill[] {
  const random = randomNumbers(seed)
  return Array.from({ length: kills }, (_, at) => {
    // Each in turn, so that a short run has them all.
    const moment = moments[at % moments.length]!
    return {
      n: at + 1,
      moment,
      pauseMs: Math.round(random() * PAUSE_MAX_MS),
      lateMs: random() < 0.5 ? 0 : Math.round(random() * LATE_MAX_MS),
      // The one that holds a mail is not known from outside.
      all: moment === 'at_data' || random() < 0.5,
      target: random(),
      isApi: moment === 'any' && random() < API_SHARE,
    }
  })
}

export type Killer = {
  /** Resolves once it is done: at its moment, or when that has not come for long. */
  kill(planned: PlannedKill): Promise<Killed>
  close(): Promise<void>
}

const CHANNEL = 'laboratory'

export async function openKiller(
  cluster: Cluster,
  post: Pick<Post, 'holdNext' | 'holdNone'>,
  ledger: Pick<Ledger, 'kills'>,
): Promise<Killer> {
  const client = new pg.Client({ connectionString: cluster.nodes[0]!.url })
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  for (const statement of TRIGGERS) await client.query(statement)
  const waiting = new Map<string, () => void>()
  client.on('notification', ({ payload = '' }) => waiting.get(payload)?.())

  function comes(moment: Moment): Promise<unknown> {
    if (moment === 'any') return Promise.resolve()
    if (moment === 'at_data') return post.holdNext()
    return new Promise<void>(resolve => waiting.set(moment, resolve))
  }

  return {
    async kill({ moment, pauseMs, lateMs, all, target, isApi }) {
      await sleep(pauseMs)
      const late = new AbortController()
      const came = await Promise.race([
        comes(moment).then(() => true),
        sleep(MOMENT_WITHIN_MS, false, { signal: late.signal }),
      ])
      late.abort()
      waiting.delete(moment)
      post.holdNone()
      if (lateMs > 0) await sleep(lateMs)
      const role = isApi ? 'api' : 'worker'
      const members = cluster.members.filter(member => member.role === role)
      const victims: Member[] = all && !isApi ? members : [oneOf(members, target)]
      for (const victim of victims) victim.kill()
      const killed = { at: Date.now(), moment: came ? moment : 'any', names: victims.map(({ name }) => name) }
      ledger.kills.push(killed)
      return killed
    },
    close: () => client.end(),
  }
}

/** The database says what was committed; nothing else comes of it. */
const TRIGGERS = [
  `create function tell_laboratory() returns trigger language plpgsql as
     $$ begin perform pg_notify('${CHANNEL}', tg_argv[0]); return null; end $$`,
  trigger('file_row', 'insert on files'),
  trigger('mail_taken', 'insert on conversation_entries'),
  trigger('place_moved', 'update on mailbox_readings'),
  trigger('in_hand', 'update on messages', `new.status = 'SENDING' and old.status <> 'SENDING'`),
  trigger('sent_noted', 'update on messages', `new.status = 'SENT' and old.status <> 'SENT'`),
  trigger(
    'filing',
    'update on jobs',
    `new.kind = 'conversations.file_sent' and new.owner is not null and old.owner is null`,
  ),
]

function trigger(moment: Moment, on: string, when = 'true'): string {
  return `create trigger tell_${moment} after ${on} for each row when (${when})
    execute function tell_laboratory('${moment}')`
}
