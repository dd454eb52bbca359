import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { HeldBack } from '#platform/ports/mail.ts'
import { WhatsAppRefused, WhatsAppUncertain, type WhatsAppMessage } from '#platform/ports/whatsapp.ts'
import { freePort } from '#test/programs.ts'
import { startHttp, type Answered } from '#test/http-server.ts'
import { openCloud, type CloudLimits, type CloudOptions } from './cloud.ts'
import { openWhatsAppOutbox } from './outbox.ts'

const message: WhatsAppMessage = { to: '+4930123456', text: 'Grüße & bis Montag', reference: 'm.1' }
const accepted: Answered = { status: 200, body: { messages: [{ id: 'wamid.A' }] } }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

describe('the outbox', () => {
  test('says what each file is, and that nothing more will be told of it', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'rapport-whatsapp-')), 'outbox')
    closing.push(() => rm(folder, { recursive: true }))
    const sender = openWhatsAppOutbox({ folder })
    await sender.check()
    await expect(sender.send(message, { mayGo: () => false })).rejects.toBeInstanceOf(HeldBack)
    const template = { name: 'hello', language: 'en', values: [] }
    expect(await sender.send({ ...message, template })).toEqual({ provider_id: null, confirmed: true })
    const [name] = await readdir(folder)
    expect((await readFile(join(folder, name!), 'utf8')).split('\n')).toEqual([
      'WhatsApp message, saved here instead of being sent: WhatsApp is not configured.',
      'To: +4930123456',
      'Reference: m.1',
      'Template: hello (en)',
      '',
      'Grüße & bis Montag',
      '',
    ])
    expect(await sender.templates()).toBeUndefined()
  })
})

describe('the Cloud API', () => {
  test('is asked in its own words, and has only accepted what it takes', async () => {
    const { port, heard } = await cloud(() => accepted)
    expect(await port.send(message)).toEqual({ provider_id: 'wamid.A', confirmed: false })
    expect(heard[0]).toMatchObject({
      method: 'POST',
      url: '/v24.0/10555/messages',
      headers: { authorization: 'Bearer canary-token', 'content-type': 'application/json' },
    })
    expect(JSON.parse(heard[0]!.body)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '4930123456',
      biz_opaque_callback_data: 'm.1',
      type: 'text',
      text: { body: message.text, preview_url: false },
    })
    await port.send({ ...message, to: 'whatsapp:DE.123' })
    expect(JSON.parse(heard[1]!.body)).toMatchObject({ recipient: 'DE.123' })
    expect(JSON.parse(heard[1]!.body)).not.toHaveProperty('to')
  })

  test('gets the values of a template by place or by name', async () => {
    const { port, heard } = await cloud(() => accepted)
    const values = [
      { part: 'header' as const, name: null, value: 'Ada' },
      { part: 'body' as const, name: 'day', value: 'Monday' },
    ]
    await port.send({ ...message, template: { name: 'visit', language: 'en_US', values } })
    expect(JSON.parse(heard[0]!.body)).toMatchObject({
      type: 'template',
      template: {
        name: 'visit',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'text', text: 'Ada' }] },
          { type: 'body', parameters: [{ type: 'text', parameter_name: 'day', text: 'Monday' }] },
        ],
      },
    })
  })

  test('gets a file first; where that fails, nothing was sent', async () => {
    const { port, heard } = await cloud(({ url }) =>
      url.endsWith('/media') ? { body: { id: 'M1' } } : accepted,
    )
    const file = { name: 'a"b.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1') }
    await port.send({ ...message, file })
    expect(heard[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    for (const part of ['name="messaging_product"\r\n\r\nwhatsapp', 'filename="a_b.pdf"', '%PDF-1'])
      expect(heard[0]!.body).toContain(part)
    expect(JSON.parse(heard[1]!.body)).toMatchObject({
      type: 'document',
      document: { id: 'M1', caption: message.text, filename: 'a"b.pdf' },
    })
    const image = { ...file, type: 'image/png' }
    await port.send({ ...message, file: image })
    expect(JSON.parse(heard[3]!.body)).toMatchObject({ type: 'image', image: { id: 'M1' } })
    const rude = await cloud((_, response) => void response.destroy())
    const failure = await rude.port.send({ ...message, file }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(WhatsAppUncertain)
  })

  test.for<[number, number | undefined, 'refused' | 'later' | 'uncertain', string]>([
    [400, 131047, 'refused', 'More than 24 hours'],
    [400, 131026, 'refused', 'cannot deliver to this number'],
    [400, 132001, 'refused', 'no such template'],
    [400, 100, 'refused', 'because'],
    [429, 130429, 'later', 'because'],
    [400, 131056, 'later', 'because'],
    [400, 80007, 'later', 'because'],
    [401, 190, 'later', 'because'],
    [403, 200, 'later', 'because'],
    [404, undefined, 'later', 'no reason given'],
    [500, 131000, 'later', 'because'],
    [503, undefined, 'later', 'no reason given'],
    [502, undefined, 'uncertain', '502'],
    [504, undefined, 'uncertain', '504'],
  ])('that answers %d (%s) means %s', async ([status, code, verdict, words]) => {
    const { port } = await cloud(() => ({
      status,
      body: code === undefined ? {} : { error: { code, message: 'because' } },
    }))
    const failure = await port.send(message).catch((error: Error) => error)
    expect((failure as Error).message).toContain(words)
    expect((failure as Error).message).not.toContain('canary')
    expect(failure instanceof WhatsAppRefused).toBe(verdict === 'refused')
    expect(failure instanceof WhatsAppUncertain).toBe(verdict === 'uncertain')
  })

  test('that hangs up or falls silent after the request leaves it open; down, it has not taken it', async () => {
    const rude = await cloud((_, response) => void response.destroy())
    await expect(rude.port.send(message)).rejects.toBeInstanceOf(WhatsAppUncertain)
    const silent = await cloud(() => undefined, {}, { timeoutMs: 300 })
    await expect(silent.port.send(message)).rejects.toBeInstanceOf(WhatsAppUncertain)
    const down = open(`http://127.0.0.1:${await freePort()}`)
    const failure = await down.send(message).catch((error: unknown) => error)
    expect(failure).not.toBeInstanceOf(WhatsAppUncertain)
    expect((failure as Error).message).toContain('ECONNREFUSED')
    const held = await cloud(() => accepted)
    await expect(held.port.send(message, { mayGo: () => false })).rejects.toBeInstanceOf(HeldBack)
    expect(held.heard).toEqual([])
  })

  test('hands over what somebody sent, up to a size, and only from a safe place', async () => {
    const { port, url } = await cloud(({ url: asked, headers }) => {
      if (headers.authorization !== 'Bearer canary-token') return { status: 401, body: {} }
      if (asked.startsWith('/file')) return { status: 200, body: 'twelve bytes' }
      if (asked.endsWith('/gone')) return { status: 400, body: { error: { code: 100, message: 'gone' } } }
      const at = asked.endsWith('/elsewhere') ? 'http://example.com/file' : `${url}/file`
      const size = asked.endsWith('/told') ? 13 : undefined
      return { body: { url: at, mime_type: 'image/png', file_size: size } }
    })
    const found = await port.media('good', 12)
    expect([found?.type, Buffer.from(found!.bytes).toString()]).toEqual(['image/png', 'twelve bytes'])
    expect(await port.media('good', 11)).toBeUndefined()
    expect(await port.media('told', 12)).toBeUndefined()
    expect(await port.media('gone', 12)).toBeUndefined()
    await expect(port.media('elsewhere', 12)).rejects.toThrow('not safe')
  })

  test('lists the approved templates that consist of text, page by page', async () => {
    const body = (text: string) => ({ type: 'BODY', text })
    const one = (name: string, more: object = {}) => ({
      name,
      language: 'en',
      status: 'APPROVED',
      category: 'UTILITY',
      components: [body(`Hello {{1}}, ${name}`)],
      ...more,
    })
    const { port, heard } = await cloud(({ url }) =>
      url.includes('after=')
        ? { body: { data: [one('last')], paging: { cursors: { after: 'x' } } } }
        : {
            body: {
              data: [
                one('plain'),
                one('rejected', { status: 'REJECTED' }),
                one('picture', { components: [{ type: 'HEADER', format: 'IMAGE' }, body('Look')] }),
                one('link', {
                  components: [
                    body('Go'),
                    { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://x/{{1}}' }] },
                  ],
                }),
              ],
              paging: { next: 'https://…', cursors: { after: 'p2' } },
            },
          },
    )
    const found = await port.templates()
    expect(found!.templates.map(({ name }) => name)).toEqual(['plain', 'last'])
    expect(found!.skipped).toBe(3)
    expect(heard.map(({ url }) => url)).toEqual([
      '/v24.0/777/message_templates?limit=100',
      '/v24.0/777/message_templates?limit=100&after=p2',
    ])
  })

  test('tells the check who is not let in', async () => {
    const fine = await cloud(() => ({ body: { id: '10555' } }))
    await fine.port.check()
    const no = await cloud(() => ({ status: 400, body: { error: { code: 190, message: 'expired' } } }))
    await expect(no.port.check()).rejects.toThrow('rejected the token')
    const broken = await cloud(() => ({ status: 500, body: {} }))
    await expect(broken.port.check()).rejects.toThrow('is unavailable (500)')
  })
})

function open(url: string, more: Partial<CloudOptions> = {}, limits?: CloudLimits) {
  const options = { token: 'canary-token', phoneNumberId: '10555', businessAccountId: '777' }
  return openCloud({ ...options, apiUrl: `${url}/v24.0`, ...more }, limits)
}

async function cloud(
  answer: Parameters<typeof startHttp>[0],
  more?: Partial<CloudOptions>,
  limits?: CloudLimits,
) {
  const provider = await startHttp(answer)
  closing.push(() => provider.close())
  return { port: open(provider.url, more, limits), heard: provider.heard, url: provider.url }
}
