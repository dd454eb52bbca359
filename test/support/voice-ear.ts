import type { VoiceEnd, VoiceListener } from '#platform/ports/voice.ts'

type Line = Parameters<VoiceListener['line']>[0]
type Tool = Parameters<VoiceListener['tool']>[0]
type Response = Parameters<VoiceListener['response']>[0]

export type Ear = {
  /** What is handed to the line. */
  listener: VoiceListener
  connected: number
  lines: Line[]
  tools: Tool[]
  responses: Response[]
  /** What is to be kept, as told last. */
  resume: unknown
  ends: VoiceEnd[]
  lost: string[]
  /** Done when a tool is asked for; nothing unless told. */
  onTool: (tool: Tool) => void
}

/** Hears everything that a channel tells, and keeps it where a test can look. */
export function voiceEar(): Ear {
  const ear: Ear = {
    connected: 0,
    lines: [],
    tools: [],
    responses: [],
    resume: null,
    ends: [],
    lost: [],
    onTool: () => {},
    listener: {
      connected: () => void ear.connected++,
      line: line => void ear.lines.push(line),
      tool(tool) {
        ear.tools.push(tool)
        ear.onTool(tool)
      },
      response: response => void ear.responses.push(response),
      progress: resume => void (ear.resume = resume),
      ended: end => void ear.ends.push(end),
      lost: reason => void ear.lost.push(reason),
    },
  }
  return ear
}
