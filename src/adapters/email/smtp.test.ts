import { createHash, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, test } from 'vitest'
import { HeldBack, MailRefused, MailUncertain } from '#platform/ports/mail.ts'
import { freePort } from '#test/programs.ts'
import { closeAll, closeLater, letter, smtp, startServer } from './email.harness.ts'
import { inSlices } from './large-file.ts'
import type { Dkim } from './smtp.ts'

const MIB = 1024 * 1024

afterEach(closeAll)

describe('a mail server', () => {
  test('that refuses the recipient is heard, and the next mail goes through', async () => {
    const { url, arrived } = await startServer({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('ada')
            ? null
            : Object.assign(new Error('No such person'), { responseCode: 550 }),
        ),
    })
    const mailer = smtp(url)
    const refusal = await mailer.send({ ...letter, to: 'eve@example.org' }).catch((error: Error) => error)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    expect((refusal as Error).message).toContain('550 No such person')
    await mailer.send(letter)
    expect(arrived).toHaveLength(1)
  })

  test('that refuses the whole mail after reading it is certain as well', async () => {
    const { url } = await startServer({
      onData(stream, _session, done) {
        stream
          .resume()
          .on('end', () => done(Object.assign(new Error('Looks like spam'), { responseCode: 554 })))
      },
    })
    const refusal = await smtp(url)
      .send(letter)
      .catch((error: Error) => error)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    expect((refusal as Error).message).toContain('554 Looks like spam')
  })

  test.for<[string, number, string, boolean | undefined]>([
    ['RCPT', 550, 'No such person', true],
    ['RCPT', 551, 'Moved away', true],
    ['RCPT', 553, 'No such name', true],
    ['RCPT', 550, '5.1.1 User unknown', true],
    ['RCPT', 552, '5.1.2 Bad system', true],
    ['RCPT', 550, '5.2.1 Disabled', true],
    ['RCPT', 552, '5.2.2 Mailbox full', false],
    ['RCPT', 550, '5.7.1 Relaying denied', false],
    ['RCPT', 550, '5.1.8 Bad sender', false],
    ['RCPT', 554, 'Your network is listed', false],
    ['RCPT', 450, '4.2.1 Greylisted', undefined],
    ['RCPT', 421, 'Too busy', undefined],
    ['RCPT', 503, 'Out of step', undefined],
    ['MAIL', 550, 'Sender refused', undefined],
    ['DATA', 554, '5.7.1 Looks like spam', false],
    ['DATA', 550, '5.1.1 User unknown', true],
    ['DATA', 550, 'Unwanted', false],
    ['DATA', 451, '4.3.0 Later', undefined],
  ])('that says no at %s with %d %s', async ([where, responseCode, words, address]) => {
    const no = () => Object.assign(new Error(words), { responseCode })
    const { url } = await startServer({
      hideENHANCEDSTATUSCODES: true,
      ...(where === 'MAIL' && { onMailFrom: (_address, _session, done) => done(no()) }),
      ...(where === 'RCPT' && { onRcptTo: (_address, _session, done) => done(no()) }),
      ...(where === 'DATA' && {
        onData: (stream, _session, done) => void stream.resume().on('end', () => done(no())),
      }),
    })
    const refusal = await smtp(url)
      .send(letter)
      .catch((error: Error) => error)
    expect((refusal as Error).message).toContain(`${responseCode} ${words}`)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    if (address === undefined) expect(refusal).not.toBeInstanceOf(MailRefused)
    else expect(refusal).toMatchObject({ constructor: MailRefused, address })
  })

  describe('that takes a mail for some', () => {
    const refusing = (codes: Record<string, [number, string]>) =>
      startServer({
        hideENHANCEDSTATUSCODES: true,
        onRcptTo({ address }, _session, done) {
          const [responseCode, words] = codes[address] ?? []
          done(responseCode ? Object.assign(new Error(words), { responseCode }) : null)
        },
      })

    test.for(['Plainly', 'Größe'])('has it, and it is known who was refused: %s', async subject => {
      const { url, arrived } = await refusing({
        'bob@example.org': [550, 'No such person'],
        'ada@bücher.example': [450, 'Later'],
      })
      const mailer = smtp(url)
      const cc = ['bob@example.org', 'carol@example.org']
      const bcc = ['ada@bücher.example']
      expect(await mailer.send({ ...letter, subject, cc, bcc })).toEqual({ refused: [cc[0], bcc[0]] })
      expect(arrived.map(({ recipients }) => recipients)).toEqual([[letter.to, cc[1]]])
    })

    test('but not for the one it is to has it as well', async () => {
      const { url, arrived } = await refusing({ [letter.to]: [550, '5.1.1 User unknown'] })
      const sent = await smtp(url).send({ ...letter, cc: ['carol@example.org'] })
      expect(sent).toEqual({ refused: [letter.to] })
      expect(arrived[0]!.recipients).toEqual(['carol@example.org'])
    })

    test('has taken nothing when it refuses them all, and what it says of the first counts', async () => {
      const carol = 'carol@example.org'
      const send = async (codes: Record<string, [number, string]>) => {
        const { url, arrived } = await refusing(codes)
        const refusal = await smtp(url)
          .send({ ...letter, cc: [carol] })
          .catch((error: Error) => error)
        expect(arrived).toEqual([])
        return refusal
      }
      const unknown: [number, string] = [550, '5.1.1 User unknown']
      const policy: [number, string] = [550, '5.7.1 Not from you']
      expect(await send({ [letter.to]: unknown, [carol]: policy })).toMatchObject({ address: true })
      expect(await send({ [letter.to]: policy, [carol]: unknown })).toMatchObject({ address: false })
      // One of them may fare better later.
      const later = await send({ [letter.to]: unknown, [carol]: [450, '4.2.1 Greylisted'] })
      expect(later).toBeInstanceOf(Error)
      expect(later).not.toBeInstanceOf(MailRefused)
    })
  })

  test('that is tired of its connection gets a large file from the beginning over a new one', async () => {
    let asked = 0
    const { url, arrived } = await startServer({
      onMailFrom(_address, _session, done) {
        asked++
        done(asked === 2 ? Object.assign(new Error('Idle for too long'), { responseCode: 421 }) : null)
      },
    })
    const mailer = smtp(`${url}?maxConnections=1`)
    await mailer.send(letter)
    const bytes = randomBytes(3 * MIB)
    await mailer.send({
      ...letter,
      attachments: [{ name: 'a.bin', type: 'application/octet-stream', bytes }],
    })
    expect(asked).toBe(3)
    const { attachments } = await PostalMime.parse(arrived[1]!.bytes)
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer).equals(bytes)).toBe(true)
  })

  test('gets a file beyond a mebibyte piece by piece', async () => {
    const small = Buffer.alloc(MIB)
    expect(inSlices(small)).toBe(small)
    const large = randomBytes(MIB + 1)
    const slices: Buffer[] = []
    for await (const slice of inSlices(large) as Readable) slices.push(slice as Buffer)
    expect(Math.max(...slices.map(({ length }) => length))).toBe(64 * 1024)
    expect(Buffer.concat(slices).equals(large)).toBe(true)
  })

  test('is asked for its leave first; a mail that is then held back is no mail to it', async () => {
    const heard: string[] = []
    const { url, taken } = await startRude(socket => socket.write('250 taken\r\n'), undefined, heard)
    const mailer = smtp(url)
    let asked = 0
    const mayGo = () => {
      // The server has said that the mail may come: DATA was the last it heard of us.
      expect(heard.at(-1)).toBe('DATA')
      asked++
      return false
    }
    await expect(mailer.send(letter, { mayGo })).rejects.toBeInstanceOf(HeldBack)
    expect(asked).toBe(1)
    await expect.poll(() => heard.at(-1)).toBe('hung up')
    expect(heard).not.toContain('.')
    expect(taken()).toBe(0)
  })

  test('is not sent what nobody waits for any more', async () => {
    const heard: string[] = []
    let answer = () => {}
    const { url, taken } = await startRude(
      socket => (answer = () => void socket.write('250 taken\r\n')),
      undefined,
      heard,
    )
    const mailer = smtp(`${url}?maxConnections=1`, { sendMs: 1_500 })
    const first = mailer.send(letter).catch((error: Error) => error)
    const second = await mailer.send(letter).catch((error: Error) => error)
    expect(await first).toBeInstanceOf(MailUncertain)
    expect(second).not.toBeInstanceOf(MailUncertain)
    expect((second as Error).message).toContain('No response within')
    answer()
    await expect.poll(() => heard.at(-1)).toBe('hung up')
    expect(heard.filter(said => said === 'DATA')).toHaveLength(2)
    expect(taken()).toBe(1)
  })

  test('gets ten connections, or as many as its address says', () => {
    expect(smtp('smtp://127.0.0.1:1').lanes).toBe(10)
    expect(smtp('smtp://127.0.0.1:1?maxConnections=3').lanes).toBe(3)
  })

  test('that hangs up after the mail leaves it open whether it took it', async () => {
    const { url, taken } = await startRude(socket => socket.destroy())
    await expect(smtp(url).send(letter)).rejects.toThrow(MailUncertain)
    expect(taken()).toBe(1)
  })

  test('that falls silent after the mail leaves it open as well', async () => {
    const { url } = await startRude(() => {})
    await expect(smtp(url, { silenceMs: 1_000 }).send(letter)).rejects.toThrow(MailUncertain)
  })

  test('that speaks nonsense after the mail leaves it open as well', async () => {
    const { url } = await startRude(socket => socket.write('hello?\r\n'))
    await expect(smtp(url).send(letter)).rejects.toThrow(MailUncertain)
  })

  test('that never stops talking is left after a while', async () => {
    const { url } = await startRude(socket => {
      const timer = setInterval(() => socket.write('250-wait\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(smtp(url, { silenceMs: 5_000, sendMs: 1_500 }).send(letter)).rejects.toThrow(MailUncertain)
  })

  test('that hangs up before the mail has certainly not taken it', async () => {
    const { url } = await startRude(
      socket => socket.destroy(),
      socket => socket.destroy(),
    )
    const failure = await smtp(url)
      .send(letter)
      .catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailUncertain)
  })

  test('that is down is a plain failure, which the check names', async () => {
    const mailer = smtp(`smtp://127.0.0.1:${await freePort()}`)
    await expect(mailer.check()).rejects.toThrow('ECONNREFUSED')
    const failure = await mailer.send(letter).catch((error: Error) => error)
    expect((failure as Error).message).toContain('ECONNREFUSED')
    expect(failure).not.toBeInstanceOf(MailUncertain)
  })

  test('lets in who has the password, and tells the check who has not', async () => {
    const { url, arrived } = await startServer({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        if (username === 'crm@example.com' && password === 'p:a/s s') return done(null, { user: username })
        done(new Error('Invalid username or password'))
      },
    })
    const as = (password: string) =>
      smtp(url.replace('//', `//${encodeURIComponent('crm@example.com')}:${encodeURIComponent(password)}@`))
    await as('p:a/s s').check()
    await as('p:a/s s').send(letter)
    expect(arrived).toHaveLength(1)
    await expect(as('wrong').check()).rejects.toThrow('Invalid username or password')
    await expect(as('wrong').send(letter)).rejects.toThrow('Invalid username or password')
  })

  test('elsewhere gets no password in the clear', async () => {
    let asked = false
    const { url } = await startServer({
      disabledCommands: ['STARTTLS'],
      onAuth(_auth, _session, done) {
        asked = true
        done(null, { user: 'crm' })
      },
    })
    // Also an address of this machine, but not by one of its own names.
    const elsewhere = url.replace('127.0.0.1', '0.0.0.0')
    await expect(smtp(elsewhere.replace('//', '//crm:secret@')).check()).rejects.toThrow(/TLS/)
    expect(asked).toBe(false)
    await smtp(elsewhere).check()
  })
})

describe('a signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const dkim: Dkim = {
    domain: 'example.com',
    selector: 'crm',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }

  test('is over the body and over what says who, to whom, what and how to unsubscribe', async () => {
    const { url, arrived } = await startServer()
    await smtp(url, undefined, dkim).send({
      ...letter,
      from_name: 'Zoë "Z" Hopper',
      subject: 'Grüße '.repeat(30),
      text: 'Two  spaces,\ttabs  \n\n.\n\nGrüße\n\n\n',
      reply_to: 'zoe@example.com',
      thread: ['<1@x.example>'],
      unsubscribe_url: 'https://crm.example.com/u/1',
    })
    const bytes = arrived[0]!.bytes
    expect(verified(bytes)).toEqual({
      signature: true,
      body: true,
      tags: expect.objectContaining({ d: 'example.com', s: 'crm', a: 'rsa-sha256', c: 'relaxed/relaxed' }),
    })
    const names = verified(bytes).tags['h']!.split(':')
    for (const name of [
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'reply-to',
      'in-reply-to',
      'references',
    ])
      expect(names).toContain(name)
    expect(names).toContain('list-unsubscribe')
    expect(names).toContain('list-unsubscribe-post')
    const text = bytes.toString('latin1')
    expect(verified(Buffer.from(text.replace('/u/1>', '/u/2>'), 'latin1')).signature).toBe(false)
    // With its spaces, which no signature has: three letters alone stand in one of a thousand signatures.
    expect(verified(Buffer.from(text.replace('Two  ', 'Ten  '), 'latin1')).body).toBe(false)
  })

  test('fits whatever line breaks were written, with a file and without', async () => {
    const { url, arrived } = await startServer()
    const mailer = smtp(url, undefined, dkim)
    const words = { text: 'One\rtwo\r\nthree\nfour', html: '<p>One\r<br>two\r\n<br>three\n<br>four</p>' }
    const file = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('Hello') }
    await mailer.send({ ...letter, ...words })
    await mailer.send({ ...letter, ...words, attachments: [file] })
    expect(arrived.map(({ bytes }) => verified(bytes))).toMatchObject([
      { signature: true, body: true },
      { signature: true, body: true },
    ])
  })

  test('does not keep a mail from being held back', async () => {
    const { url, arrived } = await startServer()
    const mailer = smtp(url, undefined, dkim)
    await expect(mailer.send(letter, { mayGo: () => false })).rejects.toBeInstanceOf(HeldBack)
    await mailer.send(letter)
    expect(arrived).toHaveLength(1)
    expect(verified(arrived[0]!.bytes)).toMatchObject({ signature: true, body: true })
  })

  /** As a receiver does it by RFC 6376, relaxed for both parts. */
  function verified(bytes: Buffer): { signature: boolean; body: boolean; tags: Record<string, string> } {
    const [head, body] = splitOnce(bytes.toString('latin1'), '\r\n\r\n')
    const fields = head.split(/\r\n(?![ \t])/).map(field => splitOnce(field, ':'))
    const relaxed = (value: string) =>
      value
        .replace(/\r\n/g, '')
        .replace(/[ \t]+/g, ' ')
        .trim()
    const own = fields.find(([name]) => name.toLowerCase() === 'dkim-signature')![1]
    const tags = Object.fromEntries(
      own.split(';').map(tag => splitOnce(tag.replace(/\s+/g, ''), '=')),
    ) as Record<string, string>
    const signed = tags['h']!.split(':').map(
      name => `${name}:${relaxed(fields.findLast(([field]) => field.toLowerCase() === name)![1])}\r\n`,
    )
    const last = `dkim-signature:${relaxed(own.replace(/(;\s*b=)[^;]*$/, '$1'))}`
    const text = body
      .replace(/[ \t]+(?=\r\n)/g, '')
      .replace(/[ \t]+/g, ' ')
      .replace(/(?:\r\n)*$/, '\r\n')
    return {
      signature: createVerify('RSA-SHA256')
        .update(signed.join('') + last, 'latin1')
        .verify(publicKey, tags['b']!, 'base64'),
      body: createHash('sha256').update(text, 'latin1').digest('base64') === tags['bh'],
      tags,
    }
  }
})

function splitOnce(text: string, at: string): [string, string] {
  const place = text.indexOf(at)
  return [text.slice(0, place), text.slice(place + at.length)]
}

/** A server of few words, which ends a session as told: once it has the whole mail, or at the command for it. */
async function startRude(
  atTheEnd: (socket: Socket) => void,
  atData?: (socket: Socket) => void,
  heard: string[] = [],
) {
  let taken = 0
  const server = createServer(socket => {
    let text = ''
    let reading = false
    socket.on('error', () => {})
    socket.on('end', () => heard.push('hung up'))
    socket.write('220 rude\r\n')
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = reading ? '\r\n.\r\n' : '\r\n'
      for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end)) {
        const said = text.slice(0, at)
        text = text.slice(at + end.length)
        heard.push(reading ? '.' : said)
        if (reading) {
          taken++
          reading = false
          return atTheEnd(socket)
        }
        if (said === 'DATA' && atData) return atData(socket)
        reading = said === 'DATA'
        socket.write(reading ? '354 go on\r\n' : '250 fine\r\n')
        if (reading) return
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeLater(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, taken: () => taken }
}
