/** Who carries calls and lets a model speak in them. */
export type VoiceLine = {
  kind: 'simulator' | 'openai'
  /** What is missing for calls to go out, in words; null: they can. */
  dialFault: string | null
  /**
   * Calls somebody. The session begins when they answer; what happens is told by the channel. Where the call comes round to
   * us as one that comes in, it has another id from then on: the channel is left, and that id accepted and opened.
   */
  dial(call: Outgoing): Promise<{ provider_call_id: string }>
  /** Takes a call that comes in, so that the model answers it. */
  accept(provider_call_id: string, session: VoiceSession): Promise<void>
  reject(provider_call_id: string, statusCode: number): Promise<void>
  /** Hands the call over to somebody else, by `tel:` or `sip:`. */
  refer(provider_call_id: string, target: string): Promise<void>
  hangUp(provider_call_id: string): Promise<void>
  /**
   * Listens to a call and speaks into it. Reopened after a drop, it continues where `resume` says. A call
   * that is over is reported as ended, even if it ended unheard.
   */
  open(call: Opened, listener: VoiceListener): Promise<VoiceChannel>
  check(): Promise<void>
  close(): Promise<void>
}

/** What the model must know, whichever model it is. */
export type VoiceSession = {
  model: string | null
  voice: string | null
  instructions: string
  greeting: string | null
  tools: readonly VoiceTool[]
}

/** `parameters` is a JSON Schema. */
export type VoiceTool = { name: string; description: string; parameters: Record<string, unknown> }

/** `token` is ours: a provider that hands the call back to us names it, so that it is known again. */
export type Outgoing = {
  call_id: string
  token: string
  from: string | null
  to: string
  session: VoiceSession
}

export type Opened = {
  call_id: string
  provider_call_id: string
  session: VoiceSession
  /** The other party, for a simulator that plays both. */
  about: { name: string | null; timezone: string }
  /** What the channel last told to be kept. */
  resume: unknown
}

export type VoiceChannel = {
  /** Tells the model something that the other side does not hear, and lets it speak. */
  prompt(text: string): Promise<void>
  /** What came of a tool that the model asked for. */
  answerTool(ref: string, text: string): Promise<void>
  hangUp(): Promise<void>
  /** Leaves the call as it is, for another process to attend to. */
  leave(): void
}

/**
 * What happens in a call, in order. Each is reported once per channel, but again after a channel was
 * reopened: `ref` identifies it.
 */
export type VoiceListener = {
  connected(): void
  line(line: { ref: string; speaker: 'agent' | 'caller' | 'system'; text: string }): void
  tool(tool: { ref: string; name: string; arguments: Record<string, unknown> }): void
  response(response: {
    id: string
    status: 'completed' | 'failed'
    latency_ms: number | null
    error_code: string | null
    input_tokens: number | null
    output_tokens: number | null
  }): void
  /** How far it is, to be kept for who opens it again. */
  progress(resume: unknown): void
  ended(end: VoiceEnd): void
  /** The channel dropped; the call may continue. */
  lost(reason: string): void
}

export type VoiceEnd = {
  status: 'ENDED' | 'NO_ANSWER' | 'VOICEMAIL' | 'FAILED'
  reason: string
  /** How long they spoke, where the line knows better than the clock on our wall. */
  duration_sec?: number
  recording_url?: string
}

/** The provider said no, and would say so again. */
export class VoiceRefused extends Error {}
/** There is no such call, or no longer. */
export class VoiceGone extends VoiceRefused {}
/** It may have been heard: asked again, somebody might be called twice. */
export class VoiceUncertain extends VoiceRefused {}
/** It does not answer: later, perhaps. */
export class VoiceUnavailable extends Error {}
