import { join } from 'node:path'
import type { Config } from '#config'
import type { Mailer } from '#platform/ports/mail.ts'
import type { SigninProvider } from '#platform/ports/signin.ts'
import { openPorts } from '../ports.ts'
import { bad, good, note, type Finding } from './finding.ts'

/** What reaches outside: each provider that is configured answers, or the reason why it does not. */
export async function* checkProviders(config: Config): AsyncGenerator<Finding> {
  const { mail, signin } = openPorts(config)
  // All at once: each waits for a network of its own.
  const findings = [...signin.map(checkSignin), checkMail(mail, config)]
  try {
    if (signin.length === 0) yield noSignin
    for (const finding of findings) yield await finding
  } finally {
    await mail.close()
  }
}

const noSignin = note(
  'sign-in',
  'by link only (rapport signin-link): GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID or ENTRA_CLIENT_ID with its _CLIENT_SECRET turns one on, ENTRA_TENANT beside the last',
)

async function checkSignin({ name, label, check }: SigninProvider): Promise<Finding> {
  try {
    await check()
    return good('sign-in', `${label} answers and knows this client`)
  } catch (error) {
    const variables = `${name.toUpperCase()}_CLIENT_ID, _CLIENT_SECRET and _ISSUER`
    return bad('sign-in', `${(error as Error).message}: are ${variables} right, and is the network?`)
  }
}

async function checkMail(mail: Mailer, { smtpUrl, dataDir }: Config): Promise<Finding> {
  const failure = await mail.check().then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (!smtpUrl) {
    const folder = join(dataDir, 'outbox')
    return failure === undefined
      ? note('mail', `mails are written to ${folder}, nobody receives them: set SMTP_URL and EMAIL_FROM`)
      : bad('mail', `${folder} cannot be written: ${failure}. Mend it, or set SMTP_URL and EMAIL_FROM`)
  }
  // The address without the password that stands in it.
  const { host } = new URL(smtpUrl)
  return failure === undefined
    ? good('mail', `${host} answers and lets us in`)
    : bad('mail', `${host}: ${failure}. Is SMTP_URL right, and does the server run?`)
}
