import type { BuiltInTool } from '#domains/agents/values.ts'

/** What each built-in tool does, for people. */
export const toolWords: Record<BuiltInTool, { label: string; about: string }> = {
  schedule_meeting: {
    label: 'Book meetings',
    about: 'Finds a free time and adds the meeting to your calendar.',
  },
  look_up_lead: {
    label: 'Look up the lead',
    about: 'Finds the name, company and latest activity of the person on the phone, or who writes.',
  },
  update_field: {
    label: 'Update lead fields',
    about: 'Stores what people say about themselves: name, phone, company, title, time zone and text fields.',
  },
  hand_over: {
    label: 'Hand over to a person',
    about: 'In text only: stops answering, and notifies your team.',
  },
  transfer: {
    label: 'Transfer to a person',
    about: 'In calls only: connects the caller to your team.',
  },
  end_call: {
    label: 'Hang up',
    about: 'In calls only: ends the call when the conversation is over. Otherwise the caller hangs up.',
  },
}
