import { existsSync } from 'node:fs'
import type { Config } from '#config'
import type { Ports } from '#platform/ports/ports.ts'
import type { SigninProvider } from '#platform/ports/signin.ts'
import { chainFolder } from '../demo-chain.ts'
import { ledgerFile, openPorts, outboxFolder } from '../ports.ts'
import { checkDkim } from './dkim.ts'
import { bad, good, note, type Finding } from './finding.ts'

/** What reaches outside: each provider that is configured answers, or the reason why it does not. */
export async function* checkProviders(config: Config): AsyncGenerator<Finding> {
  const ports = openPorts(config)
  // All at once: each waits for a network of its own.
  const findings = [
    ...ports.signin.map(checkSignin),
    checkMail(ports, config),
    ...(config.dkim ? [checkDkim(config.dkim)] : []),
    checkReplies(ports, config),
    ...(config.resend ? [checkDeliveryLog(ports, config.resend.baseUrl)] : []),
    checkSms(ports, config),
    checkWriter(ports, config),
    checkVoice(ports, config),
    checkBank(ports, config),
    checkChain(ports, config),
  ]
  try {
    if (ports.signin.length === 0) yield noSignin
    for (const finding of findings) yield await finding
  } finally {
    await Promise.all([
      ports.mail.close(),
      ports.sms.close(),
      ports.mailbox?.close(),
      ports.bank.close(),
      ports.chain?.close(),
      ports.voice.close(),
    ])
  }
}

const noSignin = note(
  'sign-in',
  'by link only (rapport signin-link): GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID or ENTRA_CLIENT_ID with its _CLIENT_SECRET turns one on, ENTRA_TENANT beside the last',
)

async function checkSignin({ name, label, check }: SigninProvider): Promise<Finding> {
  const failure = await failureOf(check)
  if (failure === undefined) return good('sign-in', `${label} answers and knows this client`)
  const variables = `${name.toUpperCase()}_CLIENT_ID, _CLIENT_SECRET and _ISSUER`
  return bad('sign-in', `${failure}: are ${variables} right, and is the network?`)
}

async function checkMail({ mail }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => mail.check())
  if (!config.smtpUrl) {
    const folder = outboxFolder(config)
    return failure === undefined
      ? note('mail', `mails are written to ${folder}, nobody receives them: set SMTP_URL and EMAIL_FROM`)
      : bad('mail', `${folder} cannot be written: ${failure}. Mend it, or set SMTP_URL and EMAIL_FROM`)
  }
  // The address without the password that stands in it.
  const { host } = new URL(config.smtpUrl)
  return failure === undefined
    ? good('mail', `${host} answers and lets us in`)
    : bad('mail', `${host}: ${failure}. Is SMTP_URL right, and does the server run?`)
}

async function checkReplies({ mailbox }: Ports, { imapUrl }: Config): Promise<Finding> {
  if (!mailbox || imapUrl === undefined)
    return note('replies', 'are not read, nor are bounces that come by mail: set IMAP_URL')
  const { host, pathname } = new URL(imapUrl)
  const failure = await failureOf(() => mailbox.check())
  return failure === undefined
    ? good('replies', `${host} lets us read ${decodeURIComponent(pathname.slice(1)) || 'INBOX'}`)
    : bad('replies', `${failure}. Is IMAP_URL right, and does the server run?`)
}

async function checkDeliveryLog({ deliveryLog }: Ports, baseUrl: string): Promise<Finding> {
  const failure = await failureOf(() => deliveryLog.check())
  return failure === undefined
    ? good('delivery log', `${new URL(baseUrl).host} answers and knows the key`)
    : bad('delivery log', `${failure}: are RESEND_API_KEY and RESEND_BASE_URL right, and is the network?`)
}

async function checkSms({ sms }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => sms.check())
  const variables = 'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM'
  if (!config.twilio) {
    const folder = outboxFolder(config)
    return failure === undefined
      ? note('text messages', `are written to ${folder}, nobody receives them: set ${variables}`)
      : bad('text messages', `${folder} cannot be written: ${failure}. Mend it, or set ${variables}`)
  }
  return failure === undefined
    ? good('text messages', `${new URL(config.twilio.baseUrl).host} answers and knows the account`)
    : bad('text messages', `${failure}: are ${variables} right, and is the network?`)
}

async function checkWriter({ writer }: Ports, { openai }: Config): Promise<Finding> {
  if (!openai) return note('writer', 'writes by rules: OPENAI_API_KEY turns a model on')
  const failure = await failureOf(() => writer.check())
  return failure === undefined
    ? good('writer', `${new URL(openai.baseUrl).host} answers and has ${openai.model}`)
    : bad('writer', `${failure}: are OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL right?`)
}

async function checkVoice({ voice }: Ports, { openai }: Config): Promise<Finding> {
  if (!openai)
    return note('calls', 'are played, nobody is called: OPENAI_API_KEY turns a real line on (docs/voice.md)')
  const failure = await failureOf(() => voice.check())
  if (failure !== undefined)
    return bad('calls', `${failure}: are OPENAI_API_KEY, OPENAI_BASE_URL and TWILIO_* right?`)
  return voice.dialFault === null
    ? good('calls', `${new URL(openai.baseUrl).host} and Twilio answer: agents call and are called`)
    : note('calls', voice.dialFault)
}

async function checkBank({ bank }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => bank.check())
  if (!config.bank) {
    const file = ledgerFile(config)
    return failure === undefined
      ? note('bank', `is told of nothing, paid invoices are noted in ${file}: set BANK_URL and BANK_TOKEN`)
      : bad('bank', `${file} cannot be written: ${failure}. Mend it, or set BANK_URL and BANK_TOKEN`)
  }
  return failure === undefined
    ? good('bank', `${new URL(config.bank.url).host} answers and knows the token`)
    : bad('bank', `${failure}: are BANK_URL and BANK_TOKEN right, and is the network?`)
}

async function checkChain({ chain }: Ports, config: Config): Promise<Finding> {
  if (!chain || !config.chain) {
    const instead = existsSync(chainFolder(config))
      ? 'a development chain runs with rapport start, its money is worth nothing'
      : 'nothing is paid on a chain'
    return note('chain', `${instead}: set CHAIN_RPC_URL, CHAIN_NETWORK, CHAIN_TOKEN and CHAIN_RECIPIENT`)
  }
  const { network, recipient, rpcUrls } = config.chain
  const hosts = rpcUrls.map(url => new URL(url).host).join(', ')
  const failure = await failureOf(() => chain.check())
  return failure === undefined
    ? good('chain', `${hosts} answers for ${network} and knows the token; payments go to ${recipient}`)
    : bad('chain', `${failure}. Are CHAIN_RPC_URL, CHAIN_NETWORK, CHAIN_TOKEN and CHAIN_RECIPIENT right?`)
}

async function failureOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
