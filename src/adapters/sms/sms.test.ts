import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { HeldBack } from '#platform/ports/mail.ts'
import { SmsRefused, SmsUncertain, type Sms, type SmsSender } from '#platform/ports/sms.ts'
import { freePort } from '#test/programs.ts'
import { startHttp, type Answered } from '#test/http-server.ts'
import { openSmsOutbox } from './outbox.ts'
import { openTwilio, type TwilioLimits, type TwilioOptions } from './twilio.ts'

const sms: Sms = { to: '+4930123456', text: 'Grüße & bis Montag =)', reference: '0199c0de-7a31' }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A sender, and how many messages have arrived. */
type Way = { sender: SmsSender; arrived(): Promise<number> }

const ways: Record<string, () => Promise<Way>> = {
  outbox: async () => {
    const folder = join(await temporaryFolder(), 'outbox')
    const arrived = async () => (await readdir(folder).catch(() => [])).length
    return { sender: openSmsOutbox({ folder }), arrived }
  },
  twilio: async () => {
    const { sender, heard } = await twilio(() => taken)
    return { sender, arrived: async () => heard.filter(({ method }) => method === 'POST').length }
  },
}

describe.each(Object.entries(ways))('%s', (kind, open) => {
  test('takes a message, and several at once', async () => {
    const { sender, arrived } = await open()
    expect(sender.kind).toBe(kind)
    expect(sender.lanes).toBe(10)
    await sender.check()
    await Promise.all([sender.send(sms), sender.send(sms), sender.send(sms, { mayGo: () => true })])
    expect(await arrived()).toBe(3)
    await sender.close()
  })

  test('holds back what may not go, and nothing leaves', async () => {
    const { sender, arrived } = await open()
    await expect(sender.send(sms, { mayGo: () => false })).rejects.toBeInstanceOf(HeldBack)
    expect(await arrived()).toBe(0)
  })
})

describe('the outbox', () => {
  test('says what each file is, and is for its owner alone', async () => {
    const folder = join(await temporaryFolder(), 'data', 'outbox')
    const sender = openSmsOutbox({ folder })
    expect(await sender.send({ ...sms, reference: 'a/../b c' })).toEqual({ provider_id: null })
    const [name, ...others] = await readdir(folder)
    expect(others).toEqual([])
    expect(name).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z-[0-9a-f]{8}-a\.\.bc\.txt$/)
    expect(await readFile(join(folder, name!), 'utf8')).toBe(
      [
        'Text message, saved here instead of being sent: no SMS provider is configured.',
        'To: +4930123456',
        'Reference: a/../b c',
        '',
        'Grüße & bis Montag =)',
        '',
      ].join('\n'),
    )
    expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('says so where it cannot be written', async () => {
    const folder = join(await temporaryFolder(), 'outbox')
    await writeFile(folder, 'a file')
    await expect(openSmsOutbox({ folder }).check()).rejects.toThrow('is not a folder')
    await expect(openSmsOutbox({ folder }).send(sms)).rejects.toThrow('EEXIST')
  })
})

describe('Twilio', () => {
  test('is asked in its own words, with the account and its token', async () => {
    const { sender, heard } = await twilio(() => taken)
    expect(await sender.send(sms)).toEqual({ provider_id: 'SM1' })
    const [asked] = heard
    expect(asked).toMatchObject({
      method: 'POST',
      url: '/2010-04-01/Accounts/AC1/Messages.json',
      headers: {
        authorization: `Basic ${Buffer.from('AC1:canary-token').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    expect(Object.fromEntries(new URLSearchParams(asked!.body))).toEqual({
      To: sms.to,
      From: '+15550100',
      Body: sms.text,
    })
  })

  test('is told where to tell what became of it, and which service sends', async () => {
    const service = `MG${'a'.repeat(32)}`
    const callbackUrl = 'https://crm.example.com/api/sms/twilio'
    const { sender, heard } = await twilio(() => taken, { from: service, callbackUrl })
    await sender.send(sms)
    expect(Object.fromEntries(new URLSearchParams(heard[0]!.body))).toEqual({
      To: sms.to,
      MessagingServiceSid: service,
      Body: sms.text,
      StatusCallback: callbackUrl,
    })
  })

  test('has taken it also where it forgets to say its id', async () => {
    const { sender } = await twilio(() => ({ status: 201, body: 'ok' }))
    expect(await sender.send(sms)).toEqual({ provider_id: null })
  })

  test.for<[number, number | undefined, 'address' | 'message' | 'later' | 'uncertain']>([
    [400, 21211, 'address'],
    [400, 21214, 'address'],
    [400, 21610, 'address'],
    [400, 21612, 'address'],
    [400, 21614, 'address'],
    [400, 21617, 'message'],
    [422, undefined, 'message'],
    [401, 20003, 'later'],
    [403, 20008, 'later'],
    [404, 20404, 'later'],
    [429, 20429, 'later'],
    [500, 20500, 'later'],
    [503, undefined, 'later'],
    [301, undefined, 'later'],
    [502, undefined, 'uncertain'],
    [504, undefined, 'uncertain'],
  ])('that answers %d (%s) has said no to the %s', async ([status, code, verdict]) => {
    const { sender } = await twilio(() => ({ status, body: { code, message: 'because' } }))
    const failure = await sender.send(sms).catch((error: Error) => error)
    expect((failure as Error).message).toContain(`${status}`)
    expect((failure as Error).message).not.toContain('canary')
    const refused = verdict === 'address' || verdict === 'message'
    if (refused) expect(failure).toMatchObject({ constructor: SmsRefused, address: verdict === 'address' })
    else expect(failure).not.toBeInstanceOf(SmsRefused)
    expect(failure instanceof SmsUncertain).toBe(verdict === 'uncertain')
  })

  test('that hangs up or falls silent after the request leaves it open', async () => {
    const rude = await twilio((_, response) => void response.destroy())
    await expect(rude.sender.send(sms)).rejects.toBeInstanceOf(SmsUncertain)
    const silent = await twilio(() => undefined, {}, { timeoutMs: 1_000 })
    await expect(silent.sender.send(sms)).rejects.toBeInstanceOf(SmsUncertain)
  })

  test('that is down has certainly not taken it', async () => {
    const sender = open(`http://127.0.0.1:${await freePort()}`)
    const failure = await sender.send(sms).catch((error: Error) => error)
    expect((failure as Error).message).toContain('ECONNREFUSED')
    expect(failure).not.toBeInstanceOf(SmsUncertain)
    await expect(sender.check()).rejects.toThrow('ECONNREFUSED')
  })

  test('tells the check who is not let in', async () => {
    const { sender } = await twilio(() => ({ status: 401, body: {} }))
    await expect(sender.check()).rejects.toThrow('rejected the account')
    const broken = await twilio(() => ({ status: 500, body: {} }))
    await expect(broken.sender.check()).rejects.toThrow('is unavailable (500)')
  })
})

const taken: Answered = { status: 201, body: { sid: 'SM1', status: 'queued' } }

function open(baseUrl: string, more: Partial<TwilioOptions> = {}, limits?: TwilioLimits): SmsSender {
  return openTwilio(
    { accountSid: 'AC1', authToken: 'canary-token', from: '+15550100', baseUrl, ...more },
    limits,
  )
}

/** One that lets itself be checked, and answers messages as told. */
async function twilio(
  answer: Parameters<typeof startHttp>[0],
  more?: Partial<TwilioOptions>,
  limits?: TwilioLimits,
) {
  const provider = await startHttp((heard, response) => {
    const answered = answer(heard, response)
    return heard.method === 'GET' && answered === taken ? { body: { sid: 'AC1' } } : answered
  })
  closing.push(() => provider.close())
  return { sender: open(provider.url, more, limits), heard: provider.heard }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-sms-'))
  closing.push(() => rm(folder, { recursive: true }))
  return folder
}
