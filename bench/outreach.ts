/**
 * Due steps of a sequence, from the claim to the noted mail, through a real SMTP server of this machine, beside raw pooled
 * nodemailer into the same server, in turns; then a million enrolments that sleep. Run it with `npm run bench:outreach`.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { fillLeads } from './support/leads.ts'
import type { Result } from './support/result.ts'
import { median, onStage, type Stage, type Target } from './support/stage.ts'

const LEADS = 20_000
/** What is measured is how fast it goes on, not how fast a program becomes fast. */
const WHOLE = { rounds: 3, mails: 5_000, warmUp: 5_000, sleeping: 1_000_000 }
const LANES = 10
const RATIO_MIN = 0.7
const TICKS = 20
const TICK_MS_MAX = 50
const DUE = 10_000
const DRAINED_PER_S_MIN = 1_000
const SECRET = 'the cron secret of the benchmark'
const BODY = `Hi {{firstName | default: "there"}},

I saw that **{{company}}** is growing, and wondered how your team keeps track of everybody who asks for a call.

We help sales teams to answer each of them within the hour. Would [a short call](https://example.com/meet) make sense?

- no set-up
- your data stays with you

Best regards`

// Asked of the indexes, which end with what is due: counting a million that sleep would take the time that is measured.
const leftOf = (lane: string) => `exists (select from jobs where state = 'ready' and ${lane}
  and run_at < now() + interval '1 hour' and kind like 'enrolments.%')`
const LEFT = `select ${leftOf('not outgoing')} or ${leftOf('outgoing')} as any`

// Ids begin with the second: those of one second are told apart by their number.
let numbered = 0

if (import.meta.main) await onStage(benchOutreach)

export async function benchOutreach({ databaseUrl, serve, judge }: Stage, size = WHOLE): Promise<Result[]> {
  const { rounds: roundCount, mails, warmUp, sleeping } = size
  const { team_id } = await fillLeads(databaseUrl, LEADS)
  const db = new pg.Client(databaseUrl)
  db.on('error', () => {})
  await db.connect()
  const count = async (text: string) => Number((await db.query(text)).rows[0].count)
  const sequence_id = await addSequence(db, team_id)
  const sink = await serve('sink')

  const worker = await serve('outreach-product', { role: 'worker', sink: sink.url, secret: SECRET })
  await sendDue(db, team_id, sequence_id, warmUp)
  // What the server does by itself within its first minute: until then it plans for empty tables.
  await db.query('analyze')
  const { html, text } = (await db.query('select html, text from message_contents limit 1')).rows[0]
  const raw = await serve('raw-mailer', { sink: sink.url, lanes: String(LANES), html, text })
  await sendRaw(raw, warmUp)
  console.log(`${mails} mails of ${html.length + text.length} characters, ${roundCount} rounds in turns\n`)
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < roundCount; round++) {
    const bare = await sendRaw(raw, mails)
    const ours = await sendDue(db, team_id, sequence_id, mails)
    console.log(`  ${Math.round(ours)}/s against ${Math.round(bare)}/s`)
    rounds.push({ ours, bare })
  }
  const ratio = median(rounds.map(({ ours, bare }) => ours / bare))
  judge(
    'due steps sent, ratio to raw nodemailer',
    ratio.toFixed(2),
    ratio >= RATIO_MIN,
    `at least ${RATIO_MIN}`,
  )
  const sent = await count(`select count(*) from messages where status = 'SENT'`)
  if (sent !== warmUp + roundCount * mails) throw new Error(`${sent} messages were sent`)
  for (const { child } of [worker, raw, sink]) child.kill('SIGKILL')

  const what = 'raw pooled nodemailer, same SMTP server'
  const middle = (of: 'ours' | 'bare') => median(rounds.map(round => round[of]))
  const results: Result[] = [
    {
      job: 'Send a due outreach step by SMTP',
      value: middle('ours'),
      unit: '/s',
      beside: { what, value: middle('bare'), ratio },
    },
  ]
  if (sleeping === 0) {
    await db.end()
    return results
  }

  await fallAsleep(db, team_id, sequence_id, sleeping)
  const api = await serve('outreach-product', { role: 'api', secret: SECRET })
  await tick(api)
  const ticks: number[] = []
  for (let n = 0; n < TICKS; n++) ticks.push(await tick(api))
  const tickMs = median(ticks)
  judge(
    `a tick beside ${sleeping} that sleep`,
    `${tickMs.toFixed(1)} ms, at most ${Math.max(...ticks).toFixed(1)}`,
    tickMs <= TICK_MS_MAX,
    `at most ${TICK_MS_MAX} ms`,
  )
  await serve('outreach-product', { role: 'worker', secret: SECRET })
  const perSecond = await sendDue(db, team_id, sequence_id, DUE)
  const drained = (await count(`select count(*) from messages where status = 'SENT'`)) - sent
  if (drained !== DUE) throw new Error(`${drained} messages were sent`)
  judge(
    'due steps drained without SMTP',
    `${Math.round(perSecond)}/s`,
    perSecond >= DRAINED_PER_S_MIN,
    `at least ${DRAINED_PER_S_MIN}/s`,
  )
  await db.end()
  return results
}

async function sendRaw({ child }: Target, mails: number): Promise<number> {
  child.send(mails)
  const [{ tookMs }] = (await once(child, 'message')) as [{ tookMs: number }]
  return mails / (tookMs / 1000)
}

/** So many enrolments whose step falls due now; how many were sent and noted each second. */
async function sendDue(db: pg.Client, team_id: string, sequence_id: string, due: number): Promise<number> {
  await enrol(db, team_id, sequence_id, due, 'now()')
  // They are there for the worker from their commit on.
  const began = performance.now()
  while ((await db.query(LEFT)).rows[0].any) await pause(50)
  return due / ((performance.now() - began) / 1000)
}

/** Straight into the tables, each for another lead; those that are through make room for the next. */
async function enrol(
  db: pg.Client,
  team_id: string,
  sequence_id: string,
  rows: number,
  at: string,
): Promise<void> {
  const base = newId()
  await db.query('begin')
  await db.query('update enrolments set ended_at = now() where ended_at is null and sequence_id = $1', [
    sequence_id,
  ])
  await db.query(
    `with chosen as (select id as lead_id, row_number() over () as n from leads order by random() limit $1),
      made as (select lead_id, substr($2, 1, 16) || lpad(to_hex($5::bigint + n), 8, '0') as id,
        substr($2, 1, 15) || 'f' || lpad(to_hex($5::bigint + n), 8, '0') as job_id from chosen),
      waiting as (insert into jobs (id, kind, team_id, data, run_at, outgoing)
        select job_id, 'enrolments.step', $3, jsonb_build_object('enrolment_id', id), ${at}, false from made)
    insert into enrolments (team_id, id, lead_id, sequence_id, version, status, step_index, round, next_step_at, wait_id, created_at, updated_at)
      select $3, id, lead_id, $4, 1, 'PENDING', 0, 0, ${at}, job_id, now(), now() from made`,
    [rows, base, team_id, sequence_id, numbered],
  )
  await db.query('commit')
  numbered += LEADS
}

/** In many sequences, so that each lead is in some of them. */
async function fallAsleep(db: pg.Client, team_id: string, like: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += LEADS) {
    const id = newId()
    await db.query(
      `insert into sequences (team_id, id, sequence_id, name, steps, status, settings, version, created_at, updated_at)
       select team_id, $2, $2, 'Sleeping', steps, status, settings, 1, now(), now() from sequences where team_id = $1 and id = $3`,
      [team_id, id, like],
    )
    await enrol(db, team_id, id, LEADS, `now() + interval '30 days'`)
  }
  // What the server does by itself in the minutes after so many rows at once.
  await db.query('vacuum analyze')
  await db.query('checkpoint')
}

async function tick({ url }: Target): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/api/cron/outreach`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}` },
  })
  await answer.json()
  if (answer.status !== 200) throw new Error(`the job route answered ${answer.status}`)
  return performance.now() - began
}

async function addSequence(db: pg.Client, team_id: string): Promise<string> {
  const id = newId()
  const steps = JSON.stringify([
    { type: 'email', delay_days: 0, template: 'bench' },
    { type: 'email', delay_days: 3, template: 'bench' },
  ])
  const settings = JSON.stringify({
    window: null,
    timezone: null,
    daily_cap: null,
    delay_unit: 'calendar_days',
    stop_rules: { reply: true, meeting_booked: true },
    track_opens: true,
    track_clicks: true,
    review_icebreakers: false,
  })
  await db.query(
    `insert into templates (team_id, id, name, subject, body, format, created_at, updated_at)
     values ($1, $2, 'bench', 'A question for you, {{firstName}}', $3, 'markdown', now(), now())`,
    [team_id, newId(), BODY],
  )
  await db.query(
    `insert into sequences (team_id, id, sequence_id, name, steps, status, settings, version, created_at, updated_at)
     values ($1, $2, 'bench', 'Bench', $3, 'ACTIVE', $4, 1, now(), now())`,
    [team_id, id, steps, settings],
  )
  await db.query(
    `insert into sequence_versions (team_id, sequence_id, version, steps, created_at) values ($1, $2, 1, $3, now())`,
    [team_id, id, steps],
  )
  return id
}
