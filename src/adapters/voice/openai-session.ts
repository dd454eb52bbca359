import type { VoiceSession } from '#platform/ports/voice.ts'

const MODEL = 'gpt-realtime'
/** The model hears sound; what the other side said comes as text from this one. */
const TRANSCRIPTION_MODEL = 'gpt-transcribe'

export type SessionBody = {
  type: 'realtime'
  model: string
  instructions: string
  output_modalities: ['audio']
  audio: { input: { transcription: { model: string } }; output?: { voice: string } }
  tools: { type: 'function'; name: string; description: string; parameters: Record<string, unknown> }[]
  tool_choice: 'auto'
}

/** The session as the provider wants to have it told. When somebody has finished speaking, it knows best itself. */
export function sessionBody({ model, voice, instructions, tools }: VoiceSession): SessionBody {
  return {
    type: 'realtime',
    model: model ?? MODEL,
    instructions,
    output_modalities: ['audio'],
    audio: {
      input: { transcription: { model: TRANSCRIPTION_MODEL } },
      ...(voice !== null && { output: { voice } }),
    },
    tools: tools.map(tool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
    })),
    tool_choice: 'auto',
  }
}

/** Begins the conversation: the agent speaks first, also where nothing says with which words. */
export function greetingEvent({ greeting }: VoiceSession) {
  if (greeting === null) return { type: 'response.create' as const }
  const instructions = `Begin the call. Say exactly this, then wait for a reply: ${greeting}`
  return { type: 'response.create' as const, response: { instructions } }
}

export function promptEvent(text: string) {
  return {
    type: 'conversation.item.create' as const,
    item: {
      type: 'message' as const,
      role: 'system' as const,
      content: [{ type: 'input_text' as const, text }],
    },
  }
}

export function toolAnswerEvent(ref: string, output: string) {
  return {
    type: 'conversation.item.create' as const,
    item: { type: 'function_call_output' as const, call_id: ref, output },
  }
}

export type SentEvent =
  | ReturnType<typeof greetingEvent>
  | ReturnType<typeof promptEvent>
  | ReturnType<typeof toolAnswerEvent>
