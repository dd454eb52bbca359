import { systemActor, type Context, type Runtime } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { filledFields } from '#platform/records.ts'
import { templateEvents, type NewTemplate, type Template } from './contract.ts'
import * as store from './store.ts'
import { records } from './store.ts'

/** What every team begins with. Without a subject it goes out as an answer to the mail before it. */
const starters: readonly NewTemplate[] = [
  {
    name: 'intro',
    subject: 'A quick question, {{firstName | default: "if I may"}}',
    body: `Hi {{firstName | default: "there"}},

{{icebreaker}}

I help teams like {{company | default: "yours"}} follow up on every lead without it taking over the day. Would it be worth fifteen minutes next week to see whether that fits?

If someone else handles this, could you point me to them?

Best,
{{senderName}}`,
  },
  {
    name: 'follow_up',
    subject: '',
    body: `Hi {{firstName | default: "there"}},

I know how busy weeks get, so here's a quick note in case my last email slipped by.

Is this worth a look now, later, or not at all? A one-word reply is fine.

Best,
{{senderName}}`,
  },
  {
    name: 'recap',
    subject: 'What we talked about',
    body: `Hi {{firstName | default: "there"}},

Thank you for your time. Here is what I took away:

- what you want to change at {{company | default: "your company"}}
- what has kept it from happening so far
- what we agreed to do next

Did I get anything wrong? Just reply and I will correct it.

Best,
{{senderName}}`,
  },
]

const TEAMS_MAX = 10_000
const begun = new WeakMap<Runtime, Set<string>>()

/**
 * Creates the starter templates when a team's templates are first read: once, even with concurrent readers.
 * Deleted ones do not come back.
 */
export async function ensureStarters(ctx: Context): Promise<void> {
  const teams = begunIn(ctx.runtime)
  if (teams.has(ctx.team_id)) return
  await ctx.transaction(async ctx => {
    if (await store.begin(ctx)) makeStarters(ctx.as(systemActor))
    ctx.afterCommit(() => teams.add(ctx.team_id))
  })
}

/** Teams that are known to have begun, so that they are asked once per process. */
function begunIn(runtime: Runtime): Set<string> {
  let teams = begun.get(runtime)
  if (!teams || teams.size >= TEAMS_MAX) begun.set(runtime, (teams = new Set()))
  return teams
}

function makeStarters(ctx: Context): void {
  for (const { name, subject = '', body } of starters) {
    const at = ctx.now()
    const template: Template = {
      id: ctx.newId(),
      name,
      subject,
      body,
      format: 'markdown',
      created_at: at,
      updated_at: at,
      deleted_at: null,
    }
    records.insert(ctx, template)
    record(ctx, templateEvents.created, records.about(template), { template: filledFields(template) })
  }
}
