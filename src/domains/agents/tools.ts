import type { VoiceTool } from '#platform/ports/voice.ts'
import type { Agent, CustomTool } from './contract.ts'
import { CALL_TOOLS, TEXT_TOOLS, type BuiltInTool } from './values.ts'

/** The tools offered to the model in a call, in the order the team listed them. Unknown names are left out. */
export function toolsOf({ tools, transfer_to }: Pick<Agent, 'tools' | 'transfer_to'>): VoiceTool[] {
  return offered(tools, tool => !TEXT_TOOLS.includes(tool) && (tool !== 'transfer' || transfer_to !== null))
}

/** The same where somebody writes. */
export function textToolsOf({ tools }: Pick<Agent, 'tools'>): VoiceTool[] {
  return offered(tools, tool => !CALL_TOOLS.includes(tool))
}

function offered(tools: Agent['tools'], isOffered: (tool: BuiltInTool) => boolean): VoiceTool[] {
  return tools.flatMap(tool => {
    if (typeof tool !== 'string') return [asVoiceTool(tool)]
    return isBuiltIn(tool) && isOffered(tool) ? [{ name: tool, ...builtIns[tool] }] : []
  })
}

export function customTools({ tools }: Pick<Agent, 'tools'>): CustomTool[] {
  return tools.filter(tool => typeof tool !== 'string')
}

export function toolName(tool: Agent['tools'][number]): string {
  return typeof tool === 'string' ? tool : tool.name
}

export function isBuiltIn(name: string): name is BuiltInTool {
  return Object.hasOwn(builtIns, name)
}

const builtIns: Record<BuiltInTool, Omit<VoiceTool, 'name'>> = {
  schedule_meeting: {
    description:
      'Books a meeting between the person you talk with and a member of the team. Ask for a day and a time first. If the time is ' +
      'taken, the result lists other free times: offer those.',
    parameters: objectOf(
      {
        startsAt: {
          type: 'string',
          description: 'Start time in ISO 8601 with offset, like 2026-03-02T10:00:00+01:00',
        },
        durationMin: { type: 'integer', minimum: 5, maximum: 480, description: 'Duration in minutes' },
        title: { type: 'string', description: 'What it is about, in a few words' },
        timezone: {
          type: 'string',
          description: "The person's IANA time zone, like Europe/Berlin",
        },
      },
      ['startsAt'],
    ),
  },
  look_up_lead: {
    description:
      'Returns what the team knows about the person you talk with: name, company and recent activity.',
    parameters: objectOf({}, []),
  },
  update_field: {
    description:
      'Stores what the person you talk with has told you about themselves: first_name, last_name, phone, company, title, timezone, ' +
      'or custom.<key> for a text field of the team.',
    parameters: objectOf(
      {
        field: { type: 'string', description: 'Like company' },
        value: { type: 'string', description: 'What it is, in their words' },
      },
      ['field', 'value'],
    ),
  },
  hand_over: {
    description:
      'Hands the conversation over to a person of the team: if you are asked for one, or cannot help. You write nothing more.',
    parameters: objectOf(
      {
        reason: { type: 'string', description: 'Why, in one sentence' },
        summary: { type: 'string', description: 'What they want, in two or three sentences' },
      },
      ['reason'],
    ),
  },
  transfer: {
    description: 'Transfers the call to a member of the team. Tell the person first.',
    parameters: objectOf({ reason: { type: 'string', description: 'Why, in one sentence' } }, []),
  },
  end_call: {
    description: 'Hangs up. Say goodbye first.',
    parameters: objectOf(
      {
        outcome: {
          type: 'string',
          description: 'Outcome in a few words, like meeting booked or not interested',
        },
        summary: { type: 'string', description: 'Summary of the conversation, in two or three sentences' },
      },
      [],
    ),
  },
}

function asVoiceTool({ name, description, parameters }: CustomTool): VoiceTool {
  const properties = parameters.map(({ name, type, description }) => [
    name,
    { type, ...(description !== undefined && { description }) },
  ])
  const required = parameters.filter(parameter => parameter.required).map(parameter => parameter.name)
  return { name, description, parameters: objectOf(Object.fromEntries(properties), required) }
}

function objectOf(properties: Record<string, object>, required: string[]): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false }
}
