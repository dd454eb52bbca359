import type { LeadChange } from '#domains/leads/contract.ts'
import type { Member } from './members.ts'
import type { NoteKind } from './notes.ts'
import type { Random } from './random.ts'

export type Ending =
  | 'New'
  | 'Contacted'
  | 'Engage_AI'
  | 'Engage_Human'
  | 'Qualified'
  | 'Won'
  | 'Lost'
  | 'Trash'

/** One thing somebody does with a lead: a change, a note, or both at once. */
export type Act = { by: Member; change?: LeadChange; note?: NoteKind; trash?: true }

export type Cast = {
  random: Random
  ending: Ending
  /** Who makes the first call, and who takes over when it gets serious. */
  caller: Member
  closer: Member
  firstNote: NoteKind
  /** What is found out on the way. */
  found: { seats: number; current_tool: string; renewal_date: string }
}

/** What happened on the way to the lead's current stage. */
export function actsOf(cast: Cast): Act[] {
  const { random, ending, caller } = cast
  if (ending === 'Trash')
    return [
      { by: caller, note: 'discarded' },
      { by: caller, trash: true },
    ]
  const inbound = sometimes(random, 0.45, { by: caller, note: cast.firstNote })
  if (ending === 'Lost') return [...inbound, ...lost(cast)]
  const assistedShare = ending === 'Engage_AI' ? 1 : 0.4
  const way: [Ending, () => Act[]][] = [
    ['New', () => inbound],
    ['Contacted', () => contacted(cast)],
    ['Engage_AI', () => (random.chance(assistedShare) ? assisted(cast) : [])],
    ['Engage_Human', () => engaged(cast)],
    ['Qualified', () => qualified(cast)],
    ['Won', () => [move(cast.closer, 'Won', { status: 'CUSTOMER' }, 'won')]],
  ]
  return way.slice(0, way.findIndex(([stage]) => stage === ending) + 1).flatMap(([, acts]) => acts())
}

function contacted({ random, caller }: Cast): Act[] {
  const call = random.chance(0.6) ? ({ call_status: 'ENDED' } as const) : {}
  return [
    ...sometimes(random, 0.5, {
      by: caller,
      change: { call_status: random.pick(['NO_ANSWER', 'VOICEMAIL'] as const) },
    }),
    move(caller, 'Contacted', { status: 'WORKING', ...call }, 'contacted'),
    ...sometimes(random, 0.4, { by: caller, note: 'reminder' }),
  ]
}

function assisted({ random, caller }: Cast): Act[] {
  return [move(caller, 'Engage_AI'), ...sometimes(random, 0.8, { by: caller, note: 'assistant' })]
}

function engaged({ random, caller, closer, found: { seats, current_tool } }: Cast): Act[] {
  return [
    ...(closer === caller ? [] : [{ by: caller, change: { owner_id: closer.id } }]),
    move(closer, 'Engage_Human', { custom: { seats, current_tool } }, 'discovery'),
    ...sometimes(random, 0.6, { by: closer, note: 'followUp' }),
  ]
}

function qualified({ random, closer, found: { renewal_date } }: Cast): Act[] {
  return [
    move(closer, 'Qualified', { status: 'QUALIFIED', custom: { renewal_date } }, 'qualified'),
    ...sometimes(random, 0.5, { by: closer, change: { custom: { pilot: true } } }),
    ...sometimes(random, 0.4, { by: closer, note: 'followUp' }),
  ]
}

function lost(cast: Cast): Act[] {
  const { random, caller, closer } = cast
  const status = random.chance(0.5) ? 'NURTURING' : 'DISQUALIFIED'
  const late = random.chance(0.5)
  const before = late ? [...contacted(cast), ...engaged(cast)] : contacted(cast)
  return [...before, move(late ? closer : caller, 'Lost', { status }, 'lost')]
}

function move(by: Member, pipeline_stage: string, change: LeadChange = {}, note?: NoteKind): Act {
  return { by, change: { pipeline_stage, ...change }, ...(note && { note }) }
}

function sometimes(random: Random, share: number, act: Act): Act[] {
  return random.chance(share) ? [act] : []
}
