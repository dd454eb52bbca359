import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A mail as it left the house. */
export type Sent = { file: string; subject: string; bytes: Buffer }

/** What a judge says of one mail: nothing, or what is wrong. `score`: of those that count. */
export type Verdict = { fault: string | null; score?: number; because?: string[] }

export type Key = { domain: string; selector: string; publicKey: string }

/** Debian's own: its packages are not in another one. */
const PYTHON = '/usr/bin/python3'

/** Spam from here on, by SpamAssassin's own default. */
const SPAM = 5

/** Programs of other people. Undefined: this machine does not have it. */
export type Judge = { name: string; judge(mails: readonly Sent[], key: Key): Verdict[] | undefined }

export const judges: Judge[] = [
  { name: 'dkimpy', judge: dkimpy },
  { name: 'Mail::DKIM', judge: mailDkim },
  { name: "Python's email", judge: pythonEmail },
  { name: 'SpamAssassin', judge: spamAssassin },
]

function dkimpy(mails: readonly Sent[], { domain, selector, publicKey }: Key): Verdict[] | undefined {
  const program = `
import sys, dkim
record = ("v=DKIM1; k=rsa; p=" + sys.argv[1]).encode()
def dns(name, timeout=5):
    return record if name.rstrip(b".").decode() == sys.argv[2] else None
for file in sys.argv[3:]:
    try:
        ok = dkim.verify(open(file, "rb").read(), dnsfunc=dns)
        print("ok" if ok else "the signature does not fit")
    except Exception as error:
        print(repr(error))
`
  return eachLine(
    PYTHON,
    ['-c', program, publicKey, `${selector}._domainkey.${domain}`],
    mails,
    'import dkim',
  )
}

function mailDkim(mails: readonly Sent[], { publicKey }: Key): Verdict[] | undefined {
  const program = `
use Mail::DKIM::Verifier; use Mail::DKIM::PublicKey;
my $key = shift @ARGV;
no warnings 'redefine';
my $made = Mail::DKIM::PublicKey->parse("v=DKIM1; k=rsa; p=$key");
*Mail::DKIM::PublicKey::fetch_async = sub {
  my ($class, %with) = @_;
  my $found = $with{Callbacks}{Success};
  return sub { $found ? $found->($made) : $made };
};
for my $file (@ARGV) {
  my $verifier = Mail::DKIM::Verifier->new();
  open my $mail, '<:raw', $file or die;
  my $bytes = do { local $/; <$mail> };
  $verifier->PRINT($bytes); $verifier->CLOSE;
  my $result = $verifier->result_detail;
  print $result eq 'pass' ? "ok\\n" : "$result\\n";
}
`
  const isThere = spawnSync('perl', ['-MMail::DKIM::Verifier', '-e', '1']).status === 0
  return isThere ? eachLine('perl', ['-e', program, '--', publicKey], mails) : undefined
}

/** What its parser finds wrong in the structure, the headers and the charsets. */
function pythonEmail(mails: readonly Sent[]): Verdict[] | undefined {
  const program = `
import sys, email, email.policy
for file in sys.argv[1:]:
    mail = email.message_from_binary_file(open(file, "rb"), policy=email.policy.default)
    wrong = []
    for part in mail.walk():
        wrong += [repr(defect) for defect in part.defects]
        wrong += [repr(defect) for value in part.values() for defect in getattr(value, "defects", [])]
        if part.get_content_maintype() == "text":
            part.get_content()
    for name in ("From", "To", "Date", "Message-ID", "Subject", "MIME-Version"):
        if len(mail.get_all(name, [])) != 1: wrong.append(name + " is there " + str(len(mail.get_all(name, []))) + " times")
    for line in open(file, "rb").read().split(b"\\r\\n"):
        if len(line) > 998: wrong.append("a line of " + str(len(line)) + " bytes")
    print("; ".join(wrong).replace("\\n", " ") or "ok")
`
  return eachLine(PYTHON, ['-c', program], mails, 'import email')
}

/** By its own rules, without the network and without what it has learned. */
function spamAssassin(mails: readonly Sent[]): Verdict[] | undefined {
  const first = mails[0]
  if (!first || spawnSync('spamassassin', ['--version']).error) return undefined
  const box = join(first.file, '..', 'all.mbox')
  writeFileSync(box, Buffer.concat(mails.flatMap(inBox)))
  const rules = [
    '--local',
    '--mbox',
    '--cf',
    'use_bayes 0',
    '--cf',
    'add_header all Rules _SCORE_ _TESTSSCORES(,)_',
  ]
  const { stdout, stderr } = spawnSync('spamassassin', [...rules, box], {
    maxBuffer: 1024 * 1024 * 1024,
    encoding: 'latin1',
  })
  const told = stdout
    .split(/^From judge@example\.net .*$/m)
    .slice(1)
    .map(mail => /^X-Spam-Rules: ((?:.|\n[ \t])*)/m.exec(mail)?.[1]?.replace(/\s+/g, ' ') ?? '')
  if (told.length !== mails.length)
    throw new Error(`${told.length} of ${mails.length} were judged: ${stderr}`)
  return told.map(line => {
    const [score = NaN, list = ''] = line.split(' ')
    const because = list.split(',').filter(rule => /^[A-Z0-9_]+=/.test(rule) && !rule.endsWith('=0'))
    const isSpam = !(Number(score) < SPAM)
    return { fault: isSpam ? `${score}: ${because.join(', ')}` : null, score: Number(score), because }
  })
}

/** As a server writes it down that took it from ours. */
function inBox({ bytes }: Sent): Buffer[] {
  const now = new Date().toUTCString().replace('GMT', '+0000')
  const head =
    'From judge@example.net Thu Jan  1 00:00:00 2026\n' +
    'Return-Path: <crm@example.com>\n' +
    'Received: from mail.example.com (mail.example.com [80.81.82.83])\n' +
    `\tby mx.example.net (Postfix) with ESMTPS id 1; ${now}\n`
  const text = bytes
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replaceAll(/^(>*From )/gm, '>$1')
  return [Buffer.from(`${head}${text}\n\n`, 'latin1')]
}

/** A program that prints a line for each file: "ok", or what is wrong. */
function eachLine(
  program: string,
  words: readonly string[],
  mails: readonly Sent[],
  check?: string,
): Verdict[] | undefined {
  if (check && spawnSync(program, ['-c', check]).status !== 0) return undefined
  const { stdout, stderr, status } = spawnSync(program, [...words, ...mails.map(({ file }) => file)], {
    encoding: 'utf8',
    maxBuffer: 1024 * 1024 * 1024,
  })
  const lines = stdout.trimEnd().split('\n')
  if (status !== 0 || lines.length !== mails.length)
    throw new Error(`${program} judged ${lines.length} of ${mails.length}: ${stderr}`)
  return lines.map(line => ({ fault: line === 'ok' ? null : line }))
}
