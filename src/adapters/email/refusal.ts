import { domainToASCII } from 'node:url'
import type { NodemailerError } from 'nodemailer'
import { MailRefused } from '#platform/ports/mail.ts'

/** What a server says that took the mail: also whom it does not take it for. */
export type Answer = { rejected?: readonly string[] | undefined }

/** The recipients whom the server refused, as the mail has them. */
export function refusedOf({ rejected = [] }: Answer, recipients: readonly string[]): string[] {
  if (rejected.length === 0) return []
  const refused = new Set(rejected.map(onTheWire))
  return recipients.filter(address => refused.has(onTheWire(address)))
}

/**
 * The server's no to this mail, where it is one for good; undefined where another try may fare better. With several
 * recipients, what it says about the first is what counts: the mail is to them.
 */
export function refusalOf(error: NodemailerError, to: string): MailRefused | undefined {
  const { responseCode = 0, command = '', message, rejectedErrors = [] } = error
  if (!isPermanent(responseCode) || !ABOUT_THE_MAIL.includes(command)) return undefined
  const own = rejectedErrors.find(({ recipient = '' }) => onTheWire(recipient) === onTheWire(to)) ?? error
  const address = isAboutAddress(own.responseCode ?? 0, command, enhancedCode(own.response ?? ''))
  return new MailRefused(message, { address, cause: error })
}

/** A domain of another script has a second spelling. */
function onTheWire(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase()
}

/** A no to the greeting, the password or the sender is one to us: the next mail would hear it as well. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA']
const NO_SUCH_MAILBOX_CODES = [550, 551, 553]
/** Bad destination address; but .7 and .8 speak of the sender's. */
const BAD_DESTINATION = /^5\.1\.(?!7$|8$)\d+$/
const MAILBOX_DISABLED = '5.2.1'

/** 503 says that the session got out of step, not that the mail is unwanted. */
function isPermanent(code: number): boolean {
  return code >= 500 && code < 600 && code !== 503
}

/** What the server says exactly counts before what its number usually means: 550 5.7.1 is a matter of policy. */
function isAboutAddress(code: number, command: string, enhanced: string | undefined): boolean {
  if (enhanced !== undefined) return BAD_DESTINATION.test(enhanced) || enhanced === MAILBOX_DISABLED
  return command === 'RCPT TO' && NO_SUCH_MAILBOX_CODES.includes(code)
}

function enhancedCode(response: string): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
}
