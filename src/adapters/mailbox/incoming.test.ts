import { describe, expect, test } from 'vitest'
import { watchLoop } from '#test/loop.ts'
import { readIncoming } from './incoming.ts'
import { EARLIER, mails, OURS } from './mails.harness.ts'
import { withoutQuote } from './quoted-text.ts'
import { readMail } from './reader.ts'

const at = new Date('2026-03-02T10:00:00Z')
const read = (name: keyof typeof mails) => readIncoming(Buffer.from(mails[name]), at)

describe('a reply', () => {
  test('of Gmail: who, what, and which mails it answers, newest first', () => {
    expect(read('gmailReply')).toEqual({
      from: 'ada@customer.example',
      from_name: 'Ada Lovelace',
      to: [{ address: 'crm@example.com', name: 'Grace Hopper' }],
      cc: [],
      subject: 'Re: Your new branch',
      text: 'Hi Grace,\n\nTuesday works – call me at 3.\n\nAda',
      whole: expect.stringMatching(/^Hi Grace,[^]*\nOn Mon, Mar 2, 2026[^]*\n> would Tuesday suit you\?\n>$/),
      html: '<div dir="ltr">Hi Grace,<div>Tuesday works</div></div>',
      files: [],
      message_id: '<CAF=abc123@mail.gmail.com>',
      answers: [OURS, EARLIER],
      at: at.toISOString(),
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      kind: 'reply',
      bounce: null,
    })
  })

  test.for<[keyof typeof mails, string]>([
    ['outlookReply', 'Nein danke, wir haben gerade erst gewechselt. Viele Grüße, Ada'],
    ['outlookHtmlReply', 'Please call our office.'],
    ['appleBottomReply', 'Yes.\nCharles, please.'],
    ['originalMessageReply', 'On second thought, no.'],
    ['replyWithoutThread', 'Tell me more. On the phone you said 20 seats; is that what you wrote: twenty?'],
    ['personAnsweringAnAbsence', 'I am back, let us talk.'],
    ['replyByWayOfAList', 'Yes, gladly.'],
    [
      'postmasterWritesHimself',
      'I am the postmaster here, and yes, my own mail could not be delivered last week. Call me.',
    ],
  ])('%s is one, and reads: %s', ([name, text]) => {
    expect(read(name)).toMatchObject({ kind: 'reply', bounce: null, text })
  })

  test('without In-Reply-To answers nothing that is known', () => {
    expect(read('replyWithoutThread')).toMatchObject({ answers: [], from: 'ada@customer.example' })
  })
})

describe('a machine', () => {
  test.for<keyof typeof mails>([
    'outlookAbsence',
    'gmailVacation',
    'germanAbsenceWithoutHeaders',
    'listDigest',
    'readReceipt',
    'delayed',
  ])('wrote %s', name => {
    expect(read(name)).toMatchObject({ kind: 'automatic', bounce: null })
  })

  test.for([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated; owner-email=x',
    'X-Auto-Response-Suppress: OOF',
    'X-Autoreply: yes',
    'X-Autorespond: Re: hello',
    'Precedence: bulk',
    'Precedence: Junk',
    'Precedence: auto_reply',
    'Return-Path: <>',
    'Subject: Out of Office',
    'Subject: Automatische Antwort: Hallo',
    'Subject: =?utf-8?q?R=C3=A9ponse_automatique_:_Bonjour?=',
    'Subject: =?utf-8?b?6Ieq5Yqo5Zue5aSNOiDkvaDlpb0=?=',
  ])('says so by %s', header => {
    const raw = `From: ada@customer.example\r\n${header}\r\n\r\nBack on Monday.`
    expect(readIncoming(Buffer.from(raw), at)).toMatchObject({ kind: 'automatic' })
  })

  test.for([
    'Auto-Submitted: no',
    'Precedence: first-class',
    'Subject: Re: Automatic reply: Hello',
    'Subject: Out of officers?',
    'Subject: Automatic replying machines',
  ])('does not by %s', header => {
    const raw = `From: ada@customer.example\r\n${header}\r\n\r\nBack on Monday.`
    expect(readIncoming(Buffer.from(raw), at)).toMatchObject({ kind: 'reply' })
  })
})

describe('a bounce', () => {
  test.for<[keyof typeof mails, boolean, string]>([
    ['postfixHard', true, '550 5.1.1 <ada@customer.example>: Recipient address rejected: User unknown'],
    ['postfixSoft', false, 'connect to mx.customer.example[192.0.2.7]:25: Connection timed out'],
    ['eximBounce', true, '550 No such user here'],
    ['qmailBounce', true, 'Sorry, no mailbox here by that name. (#5.1.1)'],
    ['microsoftNdr', true, '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'],
    ['fullMailbox', false, "552-5.2.2 The recipient's inbox is out of storage space"],
  ])('%s: for good %s, because %s', ([name, permanent, reason]) => {
    expect(read(name)).toMatchObject({
      kind: 'bounce',
      bounce: { message_id: OURS, recipient: 'ada@customer.example', permanent, reason },
    })
  })

  test('of several recipients is about the one that failed', () => {
    const raw = mails.postfixHard.replace(
      'Final-Recipient: rfc822; ada@customer.example',
      [
        'Final-Recipient: rfc822; bob@customer.example',
        'Action: relayed',
        'Status: 2.0.0',
        '',
        'Final-Recipient: rfc822; ada@customer.example',
      ].join('\r\n'),
    )
    expect(readIncoming(Buffer.from(raw), at)).toMatchObject({
      bounce: { recipient: 'ada@customer.example', permanent: true },
    })
  })

  test('that brings nothing back and names nobody is not guessed at', () => {
    const raw = 'Return-Path: <>\r\nFrom: mailer-daemon@x.example\r\nSubject: Undeliverable\r\n\r\nSorry.'
    expect(readIncoming(Buffer.from(raw), at)).toMatchObject({ kind: 'automatic', bounce: null })
  })

  test('cut off in the middle still says what it said until then', () => {
    const raw = mails.postfixHard.slice(0, mails.postfixHard.indexOf('Content-Description: Undelivered'))
    expect(readIncoming(Buffer.from(raw), at)).toMatchObject({
      kind: 'bounce',
      bounce: { recipient: 'ada@customer.example', permanent: true, message_id: null },
    })
  })
})

const WORK_MAX_MS = 5_000

describe('whatever strangers send', () => {
  test.for<[string, string]>([
    ['nothing', ''],
    ['no headers', 'hello'],
    ['a binary', '\0\u0001\u0002'.repeat(1_000)],
    ['a header without end', `Subject: ${'a'.repeat(100_000)}`],
    ['a thousand ids', `References: ${'<a@b> '.repeat(50_000)}\r\n\r\nx`],
    ['deep parts', 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(500)],
    ['deep tags', `Content-Type: text/html\r\n\r\n${'<div>'.repeat(40_000)}x`],
    ['a page as deep as is read', `Content-Type: text/html\r\n\r\n${'<div>'.repeat(5_000)}x`],
    ['many quotes', `Subject: x\r\n\r\n${'On 1 wrote:\r\n> a\r\n'.repeat(10_000)}`],
    ['long openings', `Subject: x\r\n\r\n${`On ${'wrote : '.repeat(30_000)}\r\n`.repeat(2)}`],
    ['no spaces', `Subject: x\r\n\r\n${'a'.repeat(250_000)}`],
    ['an endless report', `X-Failed-Recipients: a@b.example\r\n\r\n${'5.1.1 '.repeat(40_000)}`],
    ['a recipient without an end', `X-Failed-Recipients: ${'a'.repeat(200_000)}\r\n\r\nx`],
    ['references of nothing but @', `References: <${'@'.repeat(200_000)}\r\n\r\nx`],
    ['an id without an end', `X-Failed-Recipients: a\r\n\r\nMessage-ID: <${'@'.repeat(200_000)}`],
    ['words returned', `X-Failed-Recipients: a\r\n\r\n${'a'.repeat(200_000)}`],
    ['dashes returned', `X-Failed-Recipients: a\r\n\r\n${'-'.repeat(200_000)}`],
    ['no quotes', `Subject: x\r\n\r\n${`Am 1 ${'schrieb <'.repeat(50)}:x:\n`.repeat(200)}`],
    ['dashes', `Return-Path: <>\r\nFrom: postmaster@x\r\nSubject: failed\r\n\r\n${'-'.repeat(200_000)}`],
  ])('%s is read within a moment', ([, raw]) => {
    const before = process.cpuUsage()
    const mail = readIncoming(Buffer.from(raw), at)
    // Its own work, since a busy machine makes it wait; what takes time by the square takes minutes.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(WORK_MAX_MS)
    expect(mail.text.length).toBeLessThanOrEqual(100_000)
    expect(mail.whole.length).toBeLessThanOrEqual(200_000)
    expect(mail.answers.length).toBeLessThanOrEqual(50)
    expect(mail.subject.length).toBeLessThanOrEqual(500)
  })

  test('words at the limit stay, and the rest goes', () => {
    const words = (length: number) => {
      const { text, whole } = readIncoming(
        Buffer.from(`Subject: x\r\n\r\n${'a '.repeat(length / 2 - 1)}aa`),
        at,
      )
      return [text.length, whole.length]
    }
    expect(words(100_000)).toEqual([100_000, 100_000])
    expect(words(100_002)).toEqual([100_000, 100_002])
    expect(words(200_000)).toEqual([100_000, 200_000])
    expect(words(200_002)).toEqual([100_000, 200_000])
  })
})

describe('a quote is cut', () => {
  test.for<[string, string]>([
    ['Yes.\n\nOn 2 March 2026, Grace wrote:\n> Hello', 'Yes.'],
    ['Yes.\n\nOn Mon, 2 Mar 2026 at 09:58,\nGrace Hopper <crm@example.com>\nwrote:\nHello', 'Yes.'],
    ['Ja.\n\nAm Mo., 2. März 2026 um 09:58 Uhr schrieb Grace Hopper <\ncrm@example.com>:\n\n> Hallo', 'Ja.'],
    ['Oui.\n\nLe lun. 2 mars 2026 à 09:58, Grace <crm@example.com> a écrit :\n> Bonjour', 'Oui.'],
    ['Sí.\n\nEl lun, 2 mar 2026, Grace (<crm@example.com>) escribió:\n> Hola', 'Sí.'],
    ['Sì.\n\nIl giorno lun 2 mar 2026 Grace ha scritto:\n> Ciao', 'Sì.'],
    ['Ja.\n\nOp ma 2 mrt 2026 om 09:58 schreef Grace <crm@example.com>:\n> Dag', 'Ja.'],
    ['Yes.\n\n> Hello\n>> Earlier\n\nThanks', 'Yes.\n\nThanks'],
    ['Yes.\n\n-----Ursprüngliche Nachricht-----\nVon: Grace', 'Yes.'],
    ['Yes.\n\nFrom: Grace\nSent: Monday\nTo: Ada\nSubject: Hello\n\nHello', 'Yes.'],
  ])('from %j', ([text, written]) => {
    expect(withoutQuote(text)).toEqual({ text: written, quotes: true })
  })

  test.for([
    'On Monday I wrote: not interested.',
    'On Monday\nI called. He wrote:\nno.',
    'From: our side all is well.\nTalk soon.',
    'Am Montag habe ich Zeit.\nGrüße',
    'a > b',
  ])('but %j is no quote', text => {
    expect(withoutQuote(text)).toEqual({ text, quotes: false })
  })
})

test('a mail is read in a thread, however hard it is, and holds up nobody', async () => {
  const loop = watchLoop()
  await readMail({ raw: Buffer.from(`Subject: x\r\n\r\n${'\n'.repeat(250_000)}`), at })
  const plain = await readMail({ raw: Buffer.from(mails.gmailReply), at })
  loop.stop()
  expect(loop.worst()).toBeLessThan(200)
  expect(plain).toEqual(read('gmailReply'))
})
