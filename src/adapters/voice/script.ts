import type { VoiceEnd, VoiceSession } from '#platform/ports/voice.ts'
import { addWorkingDays, instantOf, wallTime } from '#platform/zone.ts'

/** Maximum number of alternative times offered; after that, times are sent in writing. */
const OFFERS_MAX = 4
const MEETING_MIN = 30
const MEETING_HOUR = 10
const PROMPT_REPEATED_MAX = 500
const PROMPTS_WAITING_MAX = 20
/** How fast people speak, and how long they wait before they do. */
const CHARACTERS_PER_SEC = 14
const BREATH_SEC = 1
const TOOL_SEC = 1

/** What a simulated call is about: all that its course depends on. */
export type Plot = {
  /** The last two digits of the number called; undefined for a call that came in. */
  digits: string | undefined
  session: VoiceSession
  name: string | null
  timezone: string
}

/** The position in a call: together with the plot, everything needed to continue it. */
export type Place = {
  scene: Scene
  step: number
  /** Counts what was told, so that each has a name of its own. */
  told: number
  connected: boolean
  spoken_sec: number
  /** The time that was offered last. */
  offered: string | null
  offers: number
  isBooked: boolean
  /** The tool whose answer is awaited. */
  waiting: Asked | null
  /** What was whispered and is not answered yet. */
  prompts: readonly string[]
}

export type Asked = { ref: string; name: string; arguments: Record<string, unknown> }

export type Telling =
  | { kind: 'ring' }
  | { kind: 'connected' }
  | { kind: 'line'; ref: string; speaker: 'agent' | 'caller'; text: string }
  | { kind: 'tool'; asked: Asked }
  | { kind: 'end'; end: VoiceEnd }

const scenes = ['opening', 'taken', 'booked', 'unbooked', 'farewell', 'over', 'handed_over'] as const
type Scene = (typeof scenes)[number]

type Step =
  | { kind: 'ring' }
  | { kind: 'connected' }
  | { kind: 'says'; speaker: 'agent' | 'caller'; text: string }
  | { kind: 'asks'; name: string; arguments: Record<string, unknown> }
  | { kind: 'ends'; status: VoiceEnd['status']; reason: string }

export const beginning: Place = {
  scene: 'opening',
  step: 0,
  told: 0,
  connected: false,
  spoken_sec: 0,
  offered: null,
  offers: 0,
  isBooked: false,
  waiting: null,
  prompts: [],
}

/** Whether nothing happens until somebody answers. */
export function isIdle(place: Place): boolean {
  return place.waiting !== null && place.prompts.length === 0
}

/**
 * The next thing that happens. A prompt is answered before the script continues, once someone is on the line.
 */
export function next(plot: Plot, place: Place, nowMs: number): { place: Place; telling: Telling } {
  const [prompt, ...prompts] = place.prompts
  if (prompt !== undefined && place.connected) {
    const text = `Understood: ${prompt}`
    const telling = { kind: 'line', ref: refOf(place), speaker: 'agent', text } as const
    return { place: told({ ...place, prompts }, speakingSec(text)), telling }
  }
  const offered = place.offered ?? firstOffer(plot, nowMs)
  const { steps, then } = sceneOf(plot, { ...place, offered })
  const step = steps[place.step]!
  const onward =
    place.step + 1 < steps.length
      ? { ...place, offered, step: place.step + 1 }
      : { ...place, offered, step: 0, scene: then }
  switch (step.kind) {
    case 'ring':
      return { place: onward, telling: { kind: 'ring' } }
    case 'connected':
      return { place: { ...onward, connected: true }, telling: { kind: 'connected' } }
    case 'says': {
      const { speaker, text } = step
      const telling = { kind: 'line', ref: refOf(place), speaker, text } as const
      return { place: told(onward, speakingSec(text)), telling }
    }
    case 'asks': {
      const asked = { ref: refOf(place), name: step.name, arguments: step.arguments }
      return { place: told({ ...onward, waiting: asked }, TOOL_SEC), telling: { kind: 'tool', asked } }
    }
    case 'ends':
      return { place, telling: { kind: 'end', end: endOf(place, step.status, step.reason) } }
  }
}

/** What the story makes of a tool's answer. An answer to another tool, or a second one, changes nothing. */
export function answered(place: Place, ref: string, text: string): Place {
  const { waiting } = place
  if (waiting === null || waiting.ref !== ref) return place
  const onward = { ...place, waiting: null, step: 0 }
  if (waiting.name === 'end_call') return { ...onward, scene: 'over' }
  if (waiting.name === 'transfer') return { ...onward, scene: 'handed_over' }
  if (BOOKED_PATTERN.test(text)) return { ...onward, scene: 'booked', isBooked: true }
  const offers = place.offers + 1
  const alternative = FREE_PATTERN.test(text)
    ? instantsIn(text).find(instant => instant !== place.offered)
    : undefined
  if (alternative === undefined || offers >= OFFERS_MAX) return { ...onward, offers, scene: 'unbooked' }
  return { ...onward, offers, offered: alternative, scene: 'taken' }
}

export function prompted(place: Place, text: string): Place {
  const short = text.length > PROMPT_REPEATED_MAX ? `${text.slice(0, PROMPT_REPEATED_MAX)}…` : text
  return { ...place, prompts: [...place.prompts, short].slice(-PROMPTS_WAITING_MAX) }
}

/** The end that somebody made, whatever the story had in mind. */
export function endOf(place: Place, status: VoiceEnd['status'], reason: string): VoiceEnd {
  return { status, reason, ...(place.connected && { duration_sec: place.spoken_sec }) }
}

/** What was kept of a place; the beginning where it is none. */
export function placeOf(kept: unknown): Place {
  const place = { ...beginning, ...(kept as Partial<Place> | null) }
  const whole = [place.step, place.told, place.spoken_sec, place.offers].every(
    count => Number.isSafeInteger(count) && count >= 0,
  )
  return whole && scenes.includes(place.scene) && Array.isArray(place.prompts) ? place : beginning
}

/** How a successful result starts; what follows may be a title with any words. */
const BOOKED_PATTERN = /^\W*(?:booked|scheduled|done|ok"? ?: ?true)/i
const FREE_PATTERN = /free|taken|available|alternative/i
const INSTANT_PATTERN = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})/g

function instantsIn(text: string): string[] {
  return [...text.matchAll(INSTANT_PATTERN)]
    .map(([found]) => new Date(found))
    .filter(date => !Number.isNaN(date.getTime()))
    .map(date => date.toISOString())
}

function sceneOf(plot: Plot, place: Place): { steps: readonly Step[]; then: Scene } {
  switch (place.scene) {
    case 'opening':
      return opening(plot, place)
    case 'taken':
      return {
        steps: [
          agent(`I am sorry, that time is taken. Would ${spoken(place.offered!, plot.timezone)} suit you?`),
          caller('Yes, let us do that.'),
          meeting(plot, place),
        ],
        then: 'booked',
      }
    case 'booked':
      return {
        steps: [
          agent(
            `Great, that's booked: ${spoken(place.offered!, plot.timezone)}. You will get an invitation.`,
          ),
          caller('Great, thank you.'),
        ],
        then: 'farewell',
      }
    case 'unbooked':
      return {
        steps: [
          agent("I can't book a time right now. May I email you a few options?"),
          caller('Yes, please do.'),
        ],
        then: 'farewell',
      }
    case 'farewell':
      return {
        steps: [
          agent('Thank you for your time. Goodbye.'),
          can(plot, 'end_call') ? asks('end_call', { outcome: outcomeOf(plot, place) }) : goodbye,
        ],
        then: 'over',
      }
    case 'over':
      return { steps: [goodbye], then: 'over' }
    case 'handed_over':
      return { steps: [ends('ENDED', 'The call was transferred.')], then: 'handed_over' }
  }
}

function opening(plot: Plot, place: Place): { steps: readonly Step[]; then: Scene } {
  const { digits, session, name } = plot
  const ring = { kind: 'ring' } as const
  const connected = { kind: 'connected' } as const
  const greeting = agent(session.greeting ?? `Hello${name ? `, ${name}` : ''}! Do you have a minute?`)
  const rings = digits === undefined ? [] : [ring]
  if (digits === '00') return only(ring, ring, ring, ring, ends('NO_ANSWER', 'No answer.'))
  if (digits === '01')
    return only(
      ring,
      ring,
      caller('You have reached voicemail. Please leave a message after the tone.'),
      agent(`Hello${name ? `, ${name}` : ''}, we tried to reach you and will call again. Goodbye.`),
      ends('VOICEMAIL', 'Voicemail answered.'),
    )
  if (digits === '02') return only(ring, ends('FAILED', 'The line was busy.'))
  const talk = [...rings, connected, greeting]
  if (digits === '03')
    return only(
      ...talk,
      caller('Sorry, this is a bad moment.'),
      ends('ENDED', 'The other party hung up after a few seconds.'),
    )
  if (digits === '04')
    return {
      steps: [
        ...talk,
        caller('Yes, what is it about?'),
        agent('We would like to show you what has changed. Shall we meet for half an hour?'),
        caller("Thank you, but we don't need that."),
        agent("I understand. I'll make a note of it."),
      ],
      then: 'farewell',
    }
  if (digits === '05' && can(plot, 'transfer'))
    return {
      steps: [
        ...talk,
        caller('I would rather speak to a person.'),
        agent('Of course, one moment please.'),
        asks('transfer', { reason: 'The caller wants to speak to a person.' }),
      ],
      then: 'handed_over',
    }
  const interest = [
    ...talk,
    caller('Yes, what is it about?'),
    agent('We would like to show you what has changed, and to hear what you need.'),
    caller('That sounds interesting.'),
  ]
  if (!can(plot, 'schedule_meeting'))
    return {
      steps: [...interest, agent("I'll send you more by email, and a colleague will get in touch.")],
      then: 'farewell',
    }
  return {
    steps: [
      ...interest,
      agent(`Shall we meet for half an hour? Would ${spoken(place.offered!, plot.timezone)} suit you?`),
      caller('Yes, that suits me.'),
      meeting(plot, place),
    ],
    then: 'booked',
  }
}

const goodbye = ends('ENDED', 'They said goodbye.')

function only(...steps: Step[]): { steps: readonly Step[]; then: Scene } {
  return { steps, then: 'over' }
}

function agent(text: string): Step {
  return { kind: 'says', speaker: 'agent', text }
}

function caller(text: string): Step {
  return { kind: 'says', speaker: 'caller', text }
}

function asks(name: string, args: Record<string, unknown>): Step {
  return { kind: 'asks', name, arguments: args }
}

function ends(status: VoiceEnd['status'], reason: string): Step {
  return { kind: 'ends', status, reason }
}

function can({ session }: Plot, tool: string): boolean {
  return session.tools.some(({ name }) => name === tool)
}

function outcomeOf({ digits }: Plot, { isBooked }: Place): string {
  if (isBooked) return 'Meeting booked'
  return digits === '04' ? 'Not interested' : 'Interested'
}

function meeting({ name, timezone }: Plot, { offered }: Place): Step {
  return asks('schedule_meeting', {
    startsAt: offered,
    durationMin: MEETING_MIN,
    title: `Meeting${name ? ` with ${name}` : ''}`,
    timezone,
  })
}

/** The next working day at ten, where the other side lives. */
function firstOffer({ timezone }: Plot, nowMs: number): string {
  const wall = wallTime(addWorkingDays(nowMs, 1, timezone), timezone)
  return new Date(instantOf(wall.setUTCHours(MEETING_HOUR, 0, 0, 0), timezone)).toISOString()
}

function spoken(instant: string, timezone: string): string {
  return clockOf(timezone)!.format(new Date(instant))
}

/** The zone, if there is one of that name. */
export function zoneOr(timezone: string, unless: string): string {
  return clockOf(timezone) ? timezone : unless
}

/** Making one is dear, and each line of each call would. */
const clocks = new Map<string, Intl.DateTimeFormat>()
const CLOCKS_MAX = 500

function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = clocks.get(timeZone)
  if (known) return known
  try {
    const made = new Intl.DateTimeFormat('en-GB', { ...SPOKEN, timeZone })
    if (clocks.size >= CLOCKS_MAX) clocks.clear()
    clocks.set(timeZone, made)
    return made
  } catch {
    return undefined
  }
}

const SPOKEN = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const

function refOf({ told: count }: Place): string {
  return `sim-${count + 1}`
}

function told(place: Place, takesSec: number): Place {
  return { ...place, told: place.told + 1, spoken_sec: place.spoken_sec + takesSec }
}

function speakingSec(text: string): number {
  return BREATH_SEC + Math.ceil(text.length / CHARACTERS_PER_SEC)
}
