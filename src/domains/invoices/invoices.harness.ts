import { expect } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import type { Client, Reply } from '#test/client.ts'
import { tell } from '#test/provider.ts'
import { settle } from '#test/settle.ts'
import type { Invoice, Payment } from './contract.ts'

export const DAY_MS = 86_400_000
const START = '2026-03-02T09:00:00.000Z'

/** A team that bills, on a clock that the test moves. */
export type Shop = Awaited<ReturnType<typeof startShop>>

export async function startShop(options: AppOptions & { clock?: FakeClock } = {}) {
  const clock = options.clock ?? new FakeClock(START)
  const app: TestApp = await startApp({ ...options, clock })
  const ada: Person = await app.person()
  const api: Client = await ada.key()
  const path = (id: string, more = '') => `/api/crm/invoices/${id}${more}`

  async function made(reply: Promise<Reply>): Promise<any> {
    const { status, text, body } = await reply
    expect([200, 201], text).toContain(status)
    return body
  }

  const draft = (fields: object = {}): Promise<Invoice> =>
    made(api.post('/api/crm/invoices', { lines: [line('100')], currency: 'EUR', ...fields }))
  const open = async (fields: object = {}): Promise<Invoice> =>
    made(api.post(path((await draft(fields)).id, '/open')))

  /** The payment provider says that money came. */
  async function told(data: object, type = 'payment.confirmed', eventId = newId()): Promise<string> {
    const event = { eventId, type, data }
    const reply = await tell(app.url, 'payment', event, { at: new Date(clock.now()) })
    expect(reply.status).toBe(200)
    return eventId
  }

  return {
    app,
    clock,
    ada,
    api,
    path,
    made,
    draft,
    open,
    told,
    settle: () => settle(app),
    read: (id: string): Promise<Invoice> => made(api.get(path(id))),
    lead: (fields: object = {}): Promise<{ id: string }> =>
      made(api.post('/api/crm/leads', { last_name: 'Hopper', ...fields })),
    deal: (fields: object = {}): Promise<{ id: string }> =>
      made(api.post('/api/crm/opportunities', { name: 'Deal', ...fields })),
    pay: (id: string, amount: string, more: object = {}): Promise<Reply> =>
      api.post(path(id, '/payments'), { method: 'manual', amount, ...more }),
    resolve: (id: string, payment: Payment, resolution: string, note?: string): Promise<Reply> =>
      api.post(path(id, `/payments/${payment.id}/resolution`), { resolution, ...(note && { note }) }),
    /** What the provider's event came to. */
    async inboxOf(eventId: string) {
      const { data } = (await ada.browser.get(`/api/webhooks/inbox?event_id=${eventId}`)).body
      return (await ada.browser.get(`/api/webhooks/inbox/${data[0].id}`)).body
    },
    eventsOf: async (id: string): Promise<string[]> =>
      (
        await app.database.query<{ type: string }>(
          'select type from events where subject_id = $1 order by id',
          [id],
        )
      ).map(({ type }) => type),
    close: () => app.close(),
  }
}

export function line(unit_price: string, more: object = {}) {
  return { description: 'Work', quantity: '1', unit_price, tax_percent: '0', ...more }
}
