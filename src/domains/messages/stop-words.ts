import { systemContext, type Actor, type Context } from '#platform/context.ts'
import { lift } from '#domains/suppressions/service.ts'
import { recordAnswer } from './answer-store.ts'
import { findLatestTo, findTeamsThatTexted, type Heard } from './engagement-store.ts'
import { noteResubscribed, noteUnsubscribed } from './outcomes.ts'

/** Twilio's own words for it, and those that carriers have to take since 2025. */
const STOP_WORDS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const START_WORDS = ['START', 'UNSTOP', 'YES']
const channels = ['sms', 'whatsapp'] as const

export type Word = {
  phone: string
  text: string
  /** The same word is brought twice. */
  answer_id?: string
  provider: Actor
}

/** Whether it was a word that ends or restarts all messages to this number, rather than an answer. */
export async function takeWord(ctx: Context, word: Word): Promise<boolean> {
  const said = word.text
    .trim()
    .replace(/[.!]+$/, '')
    .toUpperCase()
  if (STOP_WORDS.includes(said)) return stop(ctx, word)
  return START_WORDS.includes(said) && startAgain(ctx, word)
}

/** All teams text from one number, so the person cannot have meant only one of them. */
async function stop(ctx: Context, word: Word): Promise<boolean> {
  const found = await latestOfEach(ctx, word)
  for (const { own, message } of found)
    await own.transaction(async ctx => {
      if (await isNew(ctx, message, word)) await noteUnsubscribed(ctx, message, { source: sourceOf(word) })
    })
  return found.length > 0
}

/** Whether there was a STOP to take back: without one, "yes" is an answer like any other. */
async function startAgain(ctx: Context, word: Word): Promise<boolean> {
  const lifted = []
  for (const { own, message } of await latestOfEach(ctx, word)) {
    const isLifted = await own.transaction(async ctx => {
      const { address } = message
      const which = { channel: 'phone' as const, address, source: sourceOf(word), reasons: ['stop' as const] }
      await noteResubscribed(ctx, message)
      return lift(ctx, which)
    })
    lifted.push(isLifted)
  }
  return lifted.includes(true)
}

async function latestOfEach(
  ctx: Context,
  { phone, provider }: Word,
): Promise<{ own: Context; message: Heard }[]> {
  const found = []
  for (const team_id of await findTeamsThatTexted(ctx, phone)) {
    const own = systemContext(ctx.runtime, team_id).as(provider)
    const messages = await Promise.all(
      channels.map(channel => findLatestTo(own, { channel, address: phone })),
    )
    // The later one: their ids begin with the time.
    const [message] = messages.filter(one => one !== undefined).toSorted((a, b) => (a.id < b.id ? 1 : -1))
    if (message) found.push({ own, message })
  }
  return found
}

async function isNew(ctx: Context, { id }: Heard, { answer_id }: Word): Promise<boolean> {
  return answer_id === undefined || recordAnswer(ctx, id, answer_id)
}

function sourceOf({ provider }: Word): string {
  return provider.name ?? 'provider'
}
