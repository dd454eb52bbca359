import type { Handover } from './mail.ts'

/** One text message to one phone. `reference` is ours; a provider that can keeps it beside its own id. */
export type Sms = { to: string; text: string; reference: string }

export type SmsSender = {
  kind: 'outbox' | 'twilio'
  /** How many may be under way at once. */
  lanes: number
  /** The provider's id of it. A rejection means that it was certainly not taken, or `SmsUncertain`. */
  send(sms: Sms, handover?: Handover): Promise<{ provider_id: string | null }>
  check(): Promise<void>
  close(): Promise<void>
}

/** No answer came after the request had left: it may be on its way. */
export class SmsUncertain extends Error {}

/** The provider said no, and would say so again. `address`: because of the number itself. */
export class SmsRefused extends Error {
  readonly address: boolean

  constructor(message: string, { address, cause }: { address: boolean; cause?: unknown }) {
    super(message, { cause })
    this.address = address
  }
}
