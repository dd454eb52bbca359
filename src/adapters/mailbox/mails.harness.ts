/** The mail of ours that the ones below belong to. */
export const OURS = '<0199c0de-7a31@crm.example.com>'
export const EARLIER = '<0199c0de-0001@crm.example.com>'

/** Mails as servers and programs really write them, with the lines that do not matter left out. */
export const mails = {
  gmailReply: mail`
    Return-Path: <ada@customer.example>
    MIME-Version: 1.0
    References: ${EARLIER} ${OURS}
    In-Reply-To: ${OURS}
    From: Ada Lovelace <ada@customer.example>
    Date: Mon, 2 Mar 2026 10:15:00 +0100
    Message-ID: <CAF=abc123@mail.gmail.com>
    Subject: Re: Your new branch
    To: Grace Hopper <crm@example.com>
    Content-Type: multipart/alternative; boundary="000000000000a1"

    --000000000000a1
    Content-Type: text/plain; charset="UTF-8"
    Content-Transfer-Encoding: quoted-printable

    Hi Grace,

    Tuesday works =E2=80=93 call me at 3.

    Ada

    On Mon, Mar 2, 2026 at 9:58 AM Grace Hopper <crm@example.com>
    wrote:

    > Hello Ada,
    >
    > would Tuesday suit you?
    >

    --000000000000a1
    Content-Type: text/html; charset="UTF-8"

    <div dir="ltr">Hi Grace,<div>Tuesday works</div></div>
    --000000000000a1--
  `,

  outlookReply: mail`
    Return-Path: <ada@customer.example>
    From: "Lovelace, Ada" <ada@customer.example>
    To: Grace Hopper <crm@example.com>
    Subject: AW: Your new branch
    Thread-Topic: Your new branch
    Date: Mon, 2 Mar 2026 09:20:11 +0000
    Message-ID: <AM0PR01MB4321.eurprd01.prod.outlook.com@AM0PR01MB4321>
    References: ${OURS}
    In-Reply-To: ${OURS}
    X-MS-Has-Attach:
    X-MS-Exchange-Organization-SCL: -1
    Content-Type: text/plain; charset="iso-8859-1"
    Content-Transfer-Encoding: quoted-printable
    MIME-Version: 1.0

    Nein danke, wir haben gerade erst gewechselt. Viele Gr=FC=DFe, Ada

    ________________________________
    Von: Grace Hopper <crm@example.com>
    Gesendet: Montag, 2. M=E4rz 2026 09:58
    An: Lovelace, Ada <ada@customer.example>
    Betreff: Your new branch

    Hello Ada,
    would Tuesday suit you?
  `,

  outlookHtmlReply: mail`
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Subject: Re: Your new branch
    Message-ID: <DB7PR02.html@outlook.example>
    In-Reply-To: ${OURS}
    MIME-Version: 1.0
    Content-Type: text/html; charset=utf-8

    <html><body><div>Please call <a href="https://customer.example/x">our office</a>.</div>
    <div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Grace Hopper<br></div>
    <div>Hello Ada, would Tuesday suit you?</div></body></html>
  `,

  appleBottomReply: mail`
    From: Ada <ada@customer.example>
    To: crm@example.com
    Subject: Re: Your new branch
    Message-Id: <C0FFEE@customer.example>
    In-Reply-To: ${OURS}
    Content-Type: text/plain; charset=utf-8

    Am 02.03.2026 um 09:58 schrieb Grace Hopper <crm@example.com>:
    > Hello Ada,
    > would Tuesday suit you?
    Yes.
    > And who else should come?
    Charles, please.
  `,

  originalMessageReply: mail`
    From: ada@customer.example
    To: crm@example.com
    Subject: RE: Your new branch
    Message-ID: <old.outlook@customer.example>
    In-Reply-To: ${OURS}

    On second thought, no.

    -----Original Message-----
    From: Grace Hopper
    Sent: Monday
    Hello Ada
  `,

  replyWithoutThread: mail`
    Return-Path: <ada@customer.example>
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Subject: Re: Your new branch
    Message-ID: <loose@customer.example>

    Tell me more. On the phone you said 20 seats; is that what you wrote: twenty?
  `,

  outlookAbsence: mail`
    Return-Path: <>
    From: Ada Lovelace <ada@customer.example>
    To: Grace Hopper <crm@example.com>
    Subject: Automatic reply: Your new branch
    Date: Mon, 2 Mar 2026 09:00:01 +0000
    Message-ID: <ooo.1@customer.example>
    In-Reply-To: ${OURS}
    References: ${OURS}
    Auto-Submitted: auto-generated
    X-Auto-Response-Suppress: All
    X-MS-Exchange-Inbox-Rules-Loop: ada@customer.example
    Content-Type: text/plain; charset=us-ascii

    I am out of the office until Monday.
  `,

  gmailVacation: mail`
    Return-Path: <ada@customer.example>
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Subject: On holiday Re: Your new branch
    Message-ID: <vac@mail.gmail.com>
    In-Reply-To: ${OURS}
    References: ${OURS}
    Precedence: bulk
    X-Autoreply: yes
    Auto-Submitted: auto-replied
    Content-Type: text/plain; charset="UTF-8"

    I am on holiday.
  `,

  germanAbsenceWithoutHeaders: mail`
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Subject: =?utf-8?q?Abwesenheitsnotiz=3A_Your_new_branch?=
    Message-ID: <abw@customer.example>
    Content-Type: text/plain; charset=utf-8

    Ich bin bis Montag nicht im Haus.
  `,

  personAnsweringAnAbsence: mail`
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Subject: Automatic reply: Your new branch
    In-Reply-To: ${OURS}
    Message-ID: <person@customer.example>
    Auto-Submitted: no

    I am back, let us talk.

    > I am out of the office until Monday.
  `,

  postfixHard: mail`
    Return-Path: <>
    Date: Mon,  2 Mar 2026 09:58:03 +0000 (UTC)
    From: MAILER-DAEMON@mail.example.com (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: crm@example.com
    Auto-Submitted: auto-replied
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status;
    	boundary="A1B2C3.1772445483/mail.example.com"
    Message-Id: <20260302095803.9A1B2@mail.example.com>

    This is a MIME-encapsulated message.

    --A1B2C3.1772445483/mail.example.com
    Content-Description: Notification
    Content-Type: text/plain; charset=us-ascii

    This is the mail system at host mail.example.com.

    <ada@customer.example>: host mx.customer.example[192.0.2.7] said: 550 5.1.1
        <ada@customer.example>: Recipient address rejected: User unknown (in reply
        to RCPT TO command)

    --A1B2C3.1772445483/mail.example.com
    Content-Description: Delivery report
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com
    X-Postfix-Queue-ID: A1B2C3
    Arrival-Date: Mon,  2 Mar 2026 09:58:02 +0000 (UTC)

    Final-Recipient: rfc822; ada@customer.example
    Original-Recipient: rfc822;ada@customer.example
    Action: failed
    Status: 5.1.1
    Remote-MTA: dns; mx.customer.example
    Diagnostic-Code: smtp; 550 5.1.1 <ada@customer.example>: Recipient address
        rejected: User unknown

    --A1B2C3.1772445483/mail.example.com
    Content-Description: Undelivered Message Headers
    Content-Type: text/rfc822-headers

    Return-Path: <crm@example.com>
    From: Grace Hopper <crm@example.com>
    To: ada@customer.example
    Subject: Your new branch
    Message-ID: ${OURS}

    --A1B2C3.1772445483/mail.example.com--
  `,

  postfixSoft: mail`
    Return-Path: <>
    From: MAILER-DAEMON@mail.example.com (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: crm@example.com
    Auto-Submitted: auto-replied
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="soft"

    --soft
    Content-Type: text/plain

    The mail system

    <ada@customer.example>: connect to mx.customer.example: Connection timed out
    --soft
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Final-Recipient: rfc822; ada@customer.example
    Action: failed
    Status: 4.4.1
    Diagnostic-Code: X-Postfix; connect to mx.customer.example[192.0.2.7]:25: Connection timed out
    --soft
    Content-Type: message/rfc822

    From: Grace Hopper <crm@example.com>
    To: ada@customer.example
    Message-ID: ${OURS}
    Subject: Your new branch

    Hello Ada
    --soft--
  `,

  delayed: mail`
    Return-Path: <>
    From: MAILER-DAEMON@mail.example.com
    Subject: Delayed Mail (still being retried)
    Content-Type: multipart/report; report-type=delivery-status; boundary="late"

    --late
    Content-Type: text/plain

    Your message could not be delivered for more than 4 hours.
    YOU DO NOT NEED TO RESEND YOUR MESSAGE.
    --late
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Final-Recipient: rfc822; ada@customer.example
    Action: delayed
    Status: 4.4.1
    --late
    Content-Type: text/rfc822-headers

    Message-ID: ${OURS}
    --late--
  `,

  eximBounce: mail`
    Return-path: <>
    Envelope-to: crm@example.com
    Received: from Debian-exim by mail.example.com with local (Exim 4.96)
    X-Failed-Recipients: ada@customer.example
    Auto-Submitted: auto-replied
    From: Mail Delivery System <Mailer-Daemon@mail.example.com>
    To: crm@example.com
    References: ${OURS}
    Subject: Mail delivery failed: returning message to sender
    Message-Id: <E1abcd-0001@mail.example.com>

    This message was created automatically by mail delivery software.

    A message that you sent could not be delivered to one or more of its
    recipients. This is a permanent error. The following address(es) failed:

      ada@customer.example
        host mx.customer.example [192.0.2.7]
        SMTP error from remote mail server after RCPT TO:<ada@customer.example>:
        550 No such user here

    ------ This is a copy of the message, including all the headers. ------

    Return-path: <crm@example.com>
    From: Grace Hopper <crm@example.com>
    To: ada@customer.example
    Message-ID: ${OURS}
    Subject: Your new branch

    Hello Ada, I have 450 things to tell you
  `,

  qmailBounce: mail`
    Return-Path: <>
    From: MAILER-DAEMON@mail.example.com
    To: crm@example.com
    Subject: failure notice

    Hi. This is the qmail-send program at mail.example.com.
    I'm afraid I wasn't able to deliver your message to the following addresses.

    <ada@customer.example>:
    Sorry, no mailbox here by that name. (#5.1.1)

    --- Below this line is a copy of the message.

    Return-Path: <crm@example.com>
    Message-ID: ${OURS}
    Subject: Your new branch

    Hello
  `,

  microsoftNdr: mail`
    From: <postmaster@customer.onmicrosoft.com>
    To: <crm@example.com>
    Date: Mon, 2 Mar 2026 09:58:10 +0000
    Content-Type: multipart/report; report-type=delivery-status;
    	boundary="4a1b"
    X-MS-Exchange-Message-Is-Ndr:
    Message-ID: <d7f0-ndr@AM9PR10MB4321.EURPRD10.PROD.OUTLOOK.COM>
    In-Reply-To: ${OURS}
    References: ${OURS}
    Subject: Undeliverable: Your new branch
    Auto-Submitted: auto-replied
    X-Auto-Response-Suppress: DR, OOF, AutoReply
    MIME-Version: 1.0

    --4a1b
    Content-Type: multipart/alternative; differences=Content-Type; boundary="alt"

    --alt
    Content-Type: text/plain; charset="us-ascii"

    Your message to ada@customer.example couldn't be delivered.
    --alt
    Content-Type: text/html; charset="us-ascii"

    <p>Your message couldn't be delivered.</p>
    --alt--
    --4a1b
    Content-Type: message/delivery-status

    Reporting-MTA: dns;AM9PR10MB4321.EURPRD10.PROD.OUTLOOK.COM
    Received-From-MTA: dns;mail.example.com
    Arrival-Date: Mon, 2 Mar 2026 09:58:09 +0000

    Final-Recipient: rfc822;ada@customer.example
    Action: failed
    Status: 5.1.10
    Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found
    --4a1b
    Content-Type: message/rfc822

    Received: from mail.example.com (192.0.2.1) by AM9PR10MB4321
    From: Grace Hopper <crm@example.com>
    To: ada@customer.example
    Message-ID: ${OURS}
    Subject: Your new branch

    Hello Ada
    --4a1b--
  `,

  fullMailbox: mail`
    Return-Path: <>
    From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
    To: crm@example.com
    Subject: Delivery Status Notification (Failure)
    X-Failed-Recipients: ada@customer.example
    In-Reply-To: ${OURS}
    Content-Type: multipart/report; boundary="full"; report-type=delivery-status

    --full
    Content-Type: text/plain

    ** Message not delivered ** The inbox is full.
    --full
    Content-Type: message/delivery-status

    Reporting-MTA: dns; googlemail.com

    Final-Recipient: rfc822; ada@customer.example
    Action: failed
    Status: 5.2.2
    Diagnostic-Code: smtp; 552-5.2.2 The recipient's inbox is out of storage space
    --full--
  `,

  readReceipt: mail`
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Subject: Read: Your new branch
    In-Reply-To: ${OURS}
    Content-Type: multipart/report; report-type=disposition-notification; boundary="mdn"

    --mdn
    Content-Type: text/plain

    Your message was read.
    --mdn
    Content-Type: message/disposition-notification

    Final-Recipient: rfc822;ada@customer.example
    Disposition: automatic-action/MDN-sent-automatically; displayed
    --mdn--
  `,

  listDigest: mail`
    Return-Path: <community-bounces@lists.example.org>
    From: community-request@lists.example.org
    To: community@lists.example.org
    Subject: Community Digest, Vol 12, Issue 3
    Message-ID: <mailman.1.1772445.community@lists.example.org>
    Precedence: list
    List-Id: Community <community.lists.example.org>
    List-Unsubscribe: <https://lists.example.org/u>
    Content-Type: text/plain; charset=us-ascii

    Today's Topics: 1. Undelivered parcels (Ada)
  `,

  replyByWayOfAList: mail`
    From: Ada Lovelace <ada@customer.example>
    To: crm@example.com
    Cc: sales-team@customer.example
    Subject: Re: Your new branch
    In-Reply-To: ${OURS}
    Message-ID: <group@customer.example>
    Precedence: list
    List-Id: <sales-team.customer.example>

    Yes, gladly.
  `,

  postmasterWritesHimself: mail`
    From: Postmaster <postmaster@customer.example>
    To: crm@example.com
    Subject: Re: Your new branch
    Message-ID: <human@customer.example>

    I am the postmaster here, and yes, my own mail could not be delivered last week. Call me.
  `,
} as const

/** The lines of a mail, set in as the code around them is. */
function mail(parts: TemplateStringsArray, ...values: string[]): string {
  const text = String.raw({ raw: parts.map(part => part.replaceAll('\\\\', '\\')) }, ...values)
  return text
    .replace(/^\n/, '')
    .replace(/\n {2}$/, '')
    .replace(/^ {4}/gm, '')
    .replaceAll('\n', '\r\n')
}
