import { expect } from 'vitest'
import type { Person, TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'

type Data = Record<string, unknown>
export type VoiceEvent = { eventId: string; type: string; data: Data }

let events = 0

export function voiceEvent(
  type: string,
  data: Data,
  eventId = `voice_${++events}_${Math.random()}`,
): VoiceEvent {
  return { eventId, type, data }
}

/** What a team sees of its calls, and a provider that tells of them. */
export function voiceTeam(app: TestApp, person: Person) {
  const { browser } = person
  const inbox = async (eventId: string) => {
    const [found] = (await browser.get(`/api/webhooks/inbox?event_id=${encodeURIComponent(eventId)}`)).body
      .data
    return found && (await browser.get(`/api/webhooks/inbox/${found.id}`)).body
  }
  const settled = async (event: VoiceEvent, status = 'processed') =>
    eventually(async () => expect(await inbox(event.eventId)).toMatchObject({ status }))
  const send = async (event: VoiceEvent, query = '') => tell(app.url, 'voice', event, { query })
  return {
    inbox,
    settled,
    send,
    /** Sends it, and waits until everything that comes of it at once is done. */
    async tell(type: string, data: Data, status = 'processed') {
      const event = voiceEvent(type, data)
      await send(event)
      await settled(event, status)
      return event
    },
    /** The same for a tool, whose result is waited for. */
    async use(data: Data) {
      return (await send(voiceEvent('tool_call', data), '?wait=4')).body as Answered
    },
    async newLead(fields: object = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.test' }) {
      return (await browser.post('/api/crm/leads', fields)).body as { id: string }
    },
    lead: async (id: string) => (await browser.get(`/api/crm/leads/${id}`)).body,
    calls: async (query = '') => (await browser.get(`/api/voice/calls${query}`)).body.data,
    call: async (id: string) => (await browser.get(`/api/voice/calls/${id}`)).body,
    async onlyCallOf(lead_id: string) {
      const calls = (await browser.get(`/api/voice/calls?lead_id=${lead_id}`)).body.data
      expect(calls).toHaveLength(1)
      return (await browser.get(`/api/voice/calls/${calls[0].id}`)).body
    },
    timeline: async (id: string) => (await browser.get(`/api/crm/leads/${id}/timeline?limit=100`)).body.data,
    tasks: async (id: string) => (await browser.get(`/api/crm/tasks?lead_id=${id}`)).body.data,
    meetings: async (id: string) => (await browser.get(`/api/crm/meetings?lead_id=${id}`)).body.data,
  }
}

type Answered = {
  status: string
  result?: { ok: boolean; text: string }
  results?: { toolCallId: string; result: { ok: boolean; text: string } }[]
}

/** A weekday in office hours, some weeks from now, so that the usual availability has it free. */
export function officeHour(weeksAhead: number, hour = 10): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7 || 7) + 7 * weeksAhead)
  day.setUTCHours(hour, 0, 0, 0)
  return day.toISOString()
}
