import type { BuiltInTool } from '#domains/agents/values.ts'

/** What each built-in tool is to a person of the team. */
export const toolWords: Record<BuiltInTool, { label: string; about: string }> = {
  schedule_meeting: {
    label: 'Book meetings',
    about: 'Finds a time that is free and puts the meeting into your calendar while the caller waits.',
  },
  look_up_lead: {
    label: 'Know who is calling',
    about: 'Looks up the name, the company and what happened last with the person on the phone.',
  },
  transfer: {
    label: 'Hand over to a person',
    about: 'Puts the caller through to one of you.',
  },
  end_call: {
    label: 'Hang up',
    about: 'Ends the call when everything is said. Without it, the caller does.',
  },
}
