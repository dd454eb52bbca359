import type { BuiltInTool } from '#domains/agents/values.ts'

/** What each built-in tool does, for people. */
export const toolWords: Record<BuiltInTool, { label: string; about: string }> = {
  schedule_meeting: {
    label: 'Book meetings',
    about: 'Finds a free time and adds the meeting to your calendar during the call.',
  },
  look_up_lead: {
    label: 'Look up the caller',
    about: 'Finds the name, company and latest activity of the person on the phone.',
  },
  transfer: {
    label: 'Transfer to a person',
    about: 'Connects the caller to your team.',
  },
  end_call: {
    label: 'Hang up',
    about: 'Ends the call when the conversation is over. Otherwise the caller hangs up.',
  },
}
