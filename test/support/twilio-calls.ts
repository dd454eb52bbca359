import { startHttp } from './http-server.ts'

export type TwilioCall = {
  sid: string
  to: string
  from: string
  twiml: string
  status: 'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'failed' | 'no-answer' | 'canceled'
}

/** Calls that Twilio would make: a test says who answers. */
export async function startTwilioCalls() {
  const calls: TwilioCall[] = []
  /** Answered to the next requests instead, one each; `silent`: never, `rude`: it hangs up. */
  const faults: (number | 'silent' | 'rude')[] = []
  const provider = await startHttp(({ method, url, body }, response) => {
    const fault = faults.shift()
    if (fault === 'rude') response.destroy()
    if (fault === 'silent' || fault === 'rude') return undefined
    if (fault !== undefined) return { status: fault, body: { code: 20_000 + fault, message: 'because' } }
    if (url.endsWith('/Accounts/AC1.json')) return { body: { sid: 'AC1' } }
    const form = new URLSearchParams(body)
    if (url.endsWith('/Accounts/AC1/Calls.json') && method === 'POST') {
      const [to, from, twiml] = [form.get('To') ?? '', form.get('From') ?? '', form.get('Twiml') ?? '']
      const sid = `CA${String(calls.length + 1).padStart(32, '0')}`
      calls.push({ sid, to, from, twiml, status: 'queued' })
      return { status: 201, body: { sid, status: 'queued' } }
    }
    const call = calls.find(({ sid }) => url.endsWith(`/Accounts/AC1/Calls/${sid}.json`))
    if (!call) return { status: 404, body: { code: 20_404, message: 'not found' } }
    if (form.get('Status') === 'completed')
      call.status = call.status === 'in-progress' ? 'completed' : 'canceled'
    return { body: { sid: call.sid, status: call.status } }
  })
  return {
    url: provider.url,
    heard: provider.heard,
    calls,
    faults,
    settings: { accountSid: 'AC1', authToken: 'canary-token', from: '+15550100', baseUrl: provider.url },
    /** Somebody answers: the SIP address that is dialled then, and the headers that go along. */
    answer(call: TwilioCall): { address: string; headers: Record<string, string> } {
      call.status = 'in-progress'
      const [, text = ''] = /<Sip>(.*)<\/Sip>/.exec(call.twiml) ?? []
      const [address = '', query = ''] = text.replaceAll('&amp;', '&').split('?')
      return { address, headers: Object.fromEntries(new URLSearchParams(query)) }
    },
    close: () => provider.close(),
  }
}
