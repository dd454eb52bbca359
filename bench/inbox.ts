/**
 * What somebody who lives in the inbox waits for, in a team with 100,000 conversations: its views, a search, opening a long
 * thread, an answer, and the report of 100,000 answers. Prints percentiles, and the ratio to one record read by its primary key. Run it with
 * `npm run bench:inbox`.
 */
import pg from 'pg'
import { fillLeads } from './support/leads.ts'
import { onStage, percentile } from './support/stage.ts'

const CONVERSATIONS = 100_000
const ANSWERS = 100_000
const LONG_THREAD = 600
const ROUNDS = 60
const WARM_UP = 5
const P95_MS_MAX = 100

await onStage(async ({ databaseUrl, serve, judge }) => {
  const { team_id, key } = await fillLeads(databaseUrl, CONVERSATIONS)
  const long = await fillInbox(databaseUrl, team_id)
  const { url, headers } = await serve('product', { key })
  const ask = async (path: string, body?: object): Promise<number> => {
    const began = performance.now()
    const response = await fetch(url + path, {
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`)
    return performance.now() - began
  }
  const list = (query: string) => () => ask(`/api/conversations?${query}`)
  const thread = `/api/conversations/${long}`
  const actions: [what: string, act: () => Promise<number>][] = [
    ['all, the latest first', list('')],
    ['open', list('state=OPEN')],
    ['open and unassigned', list('state=OPEN&assignee_id=none')],
    ['open, due first', list('state=OPEN&sort=answer_due_at')],
    ['snoozed', list('state=SNOOZED')],
    ['with a rare label', list('label=VIP')],
    ['with a frequent label', list('label=Billing')],
    ['search for a name', list('q=ada+lovelace')],
    ['search for an address', list('q=grace.hopper1')],
    ['counts of every view', () => ask('/api/conversations/counts')],
    ...['day', 'week', 'person', 'mailbox', 'channel'].map((by): [string, () => Promise<number>] => [
      `${ANSWERS} answers by ${by}`,
      () => ask(`/api/conversations/answer-times?by=${by}`),
    ]),
    ['one conversation', () => ask(thread)],
    ['its thread', () => ask(`${thread}/messages`)],
    ['its thread as a whole page', () => ask(`${thread}/messages?limit=200`)],
    [
      'an answer',
      () => ask(`${thread}/messages`, { kind: 'reply', channel: 'email', subject: 'Hi', text: 'Hello' }),
    ],
  ]
  const bare = await timesOf(() => ask('/api/conversations/saved-replies?limit=1'))
  console.log(`${CONVERSATIONS} conversations, ${LONG_THREAD} messages in the one that is opened\n`)
  for (const [what, act] of actions) {
    const times = await timesOf(act)
    const ratio = percentile(times, 50) / percentile(bare, 50)
    const at = [50, 95].map(part => `p${part} ${percentile(times, part).toFixed(1)} ms`).join(', ')
    judge(
      what,
      `${at}, ${ratio.toFixed(1)} × the smallest request`,
      percentile(times, 95) <= P95_MS_MAX,
      `p95 at most ${P95_MS_MAX} ms`,
    )
  }
})

async function timesOf(act: () => Promise<number>): Promise<number[]> {
  for (let round = 0; round < WARM_UP; round++) await act()
  const times = []
  for (let round = 0; round < ROUNDS; round++) times.push(await act())
  return times
}

/** A conversation for each lead, with a message in and one out; answers the id of one with many. */
async function fillInbox(url: string, team_id: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const second = `extract(epoch from now())::bigint - 2000000 + i * 15`
  const idOf = (kind: string) => `lpad(to_hex(${second}), 8, '0') || '${kind}' || lpad(to_hex(i), 12, '0')`
  const at = `to_timestamp(${second})`
  const numbered = `(select id as lead_id, email, row_number() over (order by id) as i from leads where team_id = $1) as numbered`
  await client.query(
    `insert into conversations (team_id, id, lead_id, address, name, channel, subject, state, snoozed_until, assignee_id, labels,
       last_message_at, last_direction, last_text, last_in_at, unanswered_since, answer_due_at, answered_at, created_at, updated_at)
     select $1, ${idOf('aaaa')}, lead_id, lower(email), 'Lead ' || i, 'email', 'A question',
       case when i % 10 < 3 then 'OPEN' when i % 10 < 7 then 'WAITING' when i % 500 = 7 then 'SNOOZED' else 'CLOSED' end,
       case when i % 500 = 7 then now() + interval '1 day' end,
       case when i % 11 > 0 then lpad((i % 11)::text, 24, '0') end,
       case when i % 5000 = 0 then '{VIP}'::text[] when i % 20 = 0 then '{Billing}'::text[] else '{}'::text[] end,
       ${at}, 'in', 'What does it cost?', ${at}, case when i % 10 < 3 then ${at} end,
       case when i % 10 < 3 then ${at} + interval '4 hours' end, ${at}, ${at}, ${at}
     from ${numbered}`,
    [team_id],
  )
  await client.query(
    `insert into conversation_labels (team_id, conversation_id, label)
     select team_id, id, unnest(labels) from conversations where team_id = $1`,
    [team_id],
  )
  const [{ rows }] = [
    await client.query<{ id: string; lead_id: string }>(
      'select id, lead_id from conversations where team_id = $1 order by id desc limit 1',
      [team_id],
    ),
  ]
  const long = rows[0]!
  await client.query(
    `insert into conversation_entries (team_id, id, conversation_id, kind, channel, address, text, at, created_at)
     select $1, ${idOf('bbbb')}, c.id, 'message', 'email', c.address, 'What does it cost?', ${at}, ${at}
     from (select id, address, row_number() over (order by id) as i from conversations where team_id = $1) as c`,
    [team_id],
  )
  const messages = (select: string, kind: string) =>
    client.query(
      `insert into messages (team_id, id, channel, lead_id, address, subject, links, thread, status, source_kind, tries,
         due_at, created_at, sent_at)
       select $1, ${idOf(kind)}, 'email', lead_id, 'a@b.example', 'Re: A question', '[]', '[]', 'SENT', 'person', 1, ${at}, ${at}, ${at}
       from ${select}`,
      [team_id],
    )
  await messages(numbered, 'cccc')
  await messages(
    `(select '${long.lead_id}' as lead_id, i from generate_series(1, ${LONG_THREAD / 2}) as i) as many`,
    'dddd',
  )
  await client.query(
    `insert into message_contents (team_id, message_id, text, html)
     select team_id, id, repeat('It costs ten. ', 20), '<p>It costs ten.</p>' from messages where team_id = $1`,
    [team_id],
  )
  await client.query(
    `insert into conversation_entries (team_id, id, conversation_id, kind, channel, address, text, at, created_at)
     select $1, ${idOf('eeee')}, $2, 'message', 'email', 'a@b.example', repeat('And with support? ', 20), ${at}, ${at}
     from generate_series(1, ${LONG_THREAD / 2}) as i`,
    [team_id, long.id],
  )
  // All of them within the days that the report has by default.
  await client.query(
    `insert into conversation_answers (team_id, id, conversation_id, is_answer, is_first, is_late, waited_since, ended_at, open_sec,
       channel, mailbox_id, author_kind, author_id)
     select $1, ${idOf('ffff')}, $2, i % 20 > 0, i % 3 = 0, i % 7 = 0, now() - i * interval '20 seconds' - interval '1 hour',
       now() - i * interval '20 seconds', (i * 7919) % 28800, case when i % 4 = 0 then 'sms' else 'email' end,
       case when i % 4 > 0 then lpad((i % 5)::text, 24, '0') end, 'person', lpad((i % 12)::text, 24, '0')
     from generate_series(1, ${ANSWERS}) as i`,
    [team_id, long.id],
  )
  const filled = [
    'conversations',
    'conversation_labels',
    'conversation_entries',
    'conversation_answers',
    'messages',
    'message_contents',
  ]
  for (const table of filled) await client.query(`vacuum analyze ${table}`)
  await client.end()
  return long.id
}
